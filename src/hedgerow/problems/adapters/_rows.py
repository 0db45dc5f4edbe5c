"""Collects rows one by one into the matrix of a model, and has the errors that adapters share."""

import math
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import scipy.sparse as sp

from hedgerow.errors import InputError


class Rows:
    """Constraints `lower <= Σ coefficient · column <= upper` under their names."""

    def __init__(self) -> None:
        self.names: list[str] = []
        self.lower: list[float] = []
        self.upper: list[float] = []
        self._row: list[int] = []
        self._column: list[int] = []
        self._value: list[float] = []

    def add(
        self, name: str, terms: Iterable[tuple[int, float]], lower: float | None = None, upper: float | None = None
    ) -> None:
        """Add a row; None is a side that isn't there."""
        for column, value in terms:
            self._row.append(len(self.names))
            self._column.append(column)
            self._value.append(float(value))
        self.names.append(name)
        self.lower.append(-math.inf if lower is None else float(lower))
        self.upper.append(math.inf if upper is None else float(upper))

    def as_arguments(self, n_columns: int) -> dict[str, Any]:
        """Return the rows as arguments of `LinearModel.create`."""
        entries = (np.array(self._value), (np.array(self._row, dtype=int), np.array(self._column, dtype=int)))
        return {
            "matrix": sp.csr_array(entries, shape=(len(self.names), n_columns)),
            "row_lower": self.lower,
            "row_upper": self.upper,
            "row_names": self.names,
        }


@contextmanager
def needed(package: str, extra: str) -> Iterator[None]:
    """Say how to install a package if importing it fails."""
    try:
        yield
    except ImportError:
        raise InputError(
            f"{package} is not installed, which this kind of model needs: pip install 'hedgerow[{extra}]' brings it."
        ) from None


def only_linear(what: str) -> InputError:
    """Return the error for parts of a model that no linear model has."""
    return InputError(f"only linear models can be used; this one has {what}. Write it with rows and variables alone.")
