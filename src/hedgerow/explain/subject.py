"""What is explained: a tree with its names, its problem where there is one, and its readings."""

__all__ = ["Readings", "Subject"]

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Self

import numpy as np

from hedgerow.arrays import FloatArray
from hedgerow.checks import in_short, list_some, number_array, unique_names
from hedgerow.errors import InputError
from hedgerow.explain.solutions import SolutionWords
from hedgerow.problem import Problem
from hedgerow.saved import SavedTree
from hedgerow.tree import Tree
from hedgerow.words import printable


@dataclass(frozen=True, eq=False)
class Readings:
    """Observations as a matrix with the tree's features in their order; NaN where a reading is missing.

    Attributes
    ----------
    values
        One row per observation.
    labels
        Per observation what people call it.
    """

    values: FloatArray
    labels: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class Subject:
    """A tree that is explained.

    Attributes
    ----------
    saved
        The tree with all that its file keeps.
    at_hand
        The problem of a fitted model; None where all there is is a file.
    """

    saved: SavedTree
    at_hand: Problem | None

    @classmethod
    def open(cls, source: Any) -> Self:
        """Return a fitted `RobustTree`, a `TreeFile`, a path or a saved tree as the subject of an explanation."""
        saved = SavedTree.open(source)
        return cls(saved, getattr(source, "problem", None) if callable(getattr(source, "tree_file", None)) else None)

    @cached_property
    def problem(self) -> Problem | None:
        """The problem; None if it can't be rebuilt and isn't at hand."""
        if self.at_hand is not None:
            return self.at_hand
        return self.saved.problem if self.saved.can_be_rebuilt else None

    @property
    def tree(self) -> Tree:
        """The tree."""
        return self.saved.tree

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Names of the features, fit for a terminal; "item 3" where the file has none."""
        known = self.saved.feature_names
        return tuple(map(printable, known)) or tuple(
            f"item {item}" for item in range(int(self.tree.asked_items.max(initial=-1)) + 1)
        )

    @property
    def unit(self) -> str:
        """Unit of the costs; empty if there is none."""
        return self.saved.unit

    @property
    def reading_unit(self) -> str:
        """Unit of what the tree asks about: the costs' where it asks about costs, unknown otherwise."""
        return self.unit if self.saved.observes_costs else ""

    @property
    def maximises(self) -> bool:
        """Whether larger "costs" are better: gains."""
        return self.saved.sense == "max"

    @cached_property
    def words(self) -> SolutionWords:
        """The leaves' solutions in words."""
        solutions = self.tree.solutions
        if self.at_hand is None:
            return SolutionWords(solutions, self.saved.variable_names, self.saved.advice)
        return SolutionWords(solutions, self.at_hand.variable_names, [self.at_hand.describe(row) for row in solutions])

    def needed_problem(self) -> Problem:
        """Return the problem, or say what is missing."""
        return self.saved.problem if self.problem is None else self.problem

    def readings(
        self, observations: Any, labels: Sequence[str] | None = None, *, called: str = "observation"
    ) -> Readings:
        """Return the observations as readings: columns of a DataFrame are matched by name, absent ones are missing."""
        values = self._in_order(observations)
        if np.isinf(values).any():
            row, column = (int(place) for place in np.argwhere(np.isinf(values))[0])
            raise InputError(
                f"observations must be finite, or missing (NaN); got {values[row, column]} at row {row}, column "
                f"{column if column >= len(self.names) else repr(self.names[column])}."
            )
        if labels is None:
            labels = _index_of(observations) or [f"{called} {row}" for row in range(len(values))]
        if isinstance(labels, str) or len(labels) != len(values):
            raise InputError(f"labels must name each of the {len(values)} observations; got {in_short(labels)}.")
        return Readings(values, tuple(printable(str(label)) for label in labels))

    def _in_order(self, observations: Any) -> FloatArray:
        columns = getattr(observations, "columns", None)
        matrix = number_array(observations if columns is None else self._by_name(observations, columns), "observations")
        if matrix.ndim != 2 or matrix.shape[0] == 0:
            raise InputError(
                f"observations must be a matrix with at least one row; got shape {matrix.shape}."
                f"{' For a single one, wrap it in a list.' if matrix.ndim == 1 and matrix.size else ''}"
            )
        known, asked = len(self.saved.feature_names), int(self.tree.asked_items.max(initial=-1)) + 1
        if (known and matrix.shape[1] != known) or matrix.shape[1] < asked:
            wanted = f"one column for each of the {known} features" if known else f"at least {asked} columns"
            raise InputError(f"observations must have {wanted}; got {matrix.shape[1]}.")
        return matrix

    def _by_name(self, table: Any, columns: Any) -> FloatArray:
        wanted = self.saved.feature_names
        asked = [wanted[item] for item in self.tree.asked_items] if wanted else []
        given = [str(name) for name in columns]
        unique_names(filter(set(wanted).__contains__, given), "columns of observations")
        if not set(asked) & set(given) and (asked or not wanted):
            raise InputError(
                f"observations have no column for any feature that the tree asks about: {list_some(asked)}; there are "
                f"{list_some(given)}. Name the columns, or pass an array with all features in order."
            )
        place = {name: number for number, name in enumerate(given)}
        matrix = np.full((len(table), len(wanted)), np.nan)
        columns_of = table.iloc if hasattr(table, "iloc") else np.asarray(table)
        for target, name in enumerate(wanted):
            if name in place:
                matrix[:, target] = number_array(columns_of[:, place[name]], f"observations of {name!r}")
        return matrix


def _index_of(observations: Any) -> list[str] | None:
    """Return a DataFrame's index where it says more than the rows' numbers."""
    index = getattr(observations, "index", None)
    if index is None or callable(index) or type(index).__name__ == "RangeIndex":
        return None
    return [str(entry) for entry in index]
