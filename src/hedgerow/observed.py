"""What a tree may ask about: numbers, with a word of advice for whoever hands over something else."""

__all__ = ["CATEGORY_ADVICE", "observed_matrix"]

from collections.abc import Sequence
from itertools import pairwise
from typing import Any, Final

import numpy as np

from hedgerow.arrays import FloatArray
from hedgerow.checks import finite_matrix, in_short
from hedgerow.errors import InputError

CATEGORY_ADVICE: Final = (
    "A tree asks whether a value is at most a threshold, so a category needs an order: map it to integers, "
    "or make a 0/1 column of each category (pandas.get_dummies)."
)
"""What to do with a category that has no order."""


def observed_matrix(
    observations: Any, *, n_columns: int | None = None, column_names: Sequence[str] | None = None
) -> FloatArray:
    """Return observations as a matrix of finite numbers, one row per sample and one column per feature.

    True and False count as 1 and 0, and an ordered category of increasing numbers as these numbers. Other categories
    are refused: a tree file keeps numbers only, and which text stands for which number is best decided by its owner.

    Examples
    --------
    >>> from hedgerow import InputError
    >>> from hedgerow.observed import observed_matrix
    >>> observed_matrix([[True, 3], [False, 5]]).tolist()
    [[1.0, 3.0], [0.0, 5.0]]
    >>> try:
    ...     observed_matrix([["Monday"], ["Friday"]])
    ... except InputError as error:
    ...     print(error)
    observations must hold numbers only; got text such as 'Monday'. A tree asks whether a value is at most a ...
    """
    if hasattr(observations, "iloc") and hasattr(observations, "columns"):
        for place, name in enumerate(observations.columns):
            _refuse_unordered(observations.iloc[:, place], f"column {in_short(str(name))}")
    else:
        _refuse_text(observations)
    return finite_matrix(
        observations, "observations", n_columns=n_columns, columns="features", column_names=column_names
    )


def _refuse_unordered(column: Any, where: str) -> None:
    """Refuse a column of a DataFrame whose values have no order that a threshold could use."""
    kind, categories = getattr(column.dtype, "kind", "O"), getattr(column.dtype, "categories", None)
    if categories is not None:
        _refuse_category(list(categories), bool(column.dtype.ordered), where)
    elif kind == "M":
        raise InputError(
            f"observations must hold numbers only; {where} holds dates. Hand over what may matter again another day, "
            "such as weekday, month or hour (column.dt.weekday)."
        )
    elif kind in "OU":
        text = next((entry for entry in column if isinstance(entry, str)), None)
        if text is not None:
            raise InputError(
                f"observations must hold numbers only; {where} holds text such as {in_short(text)}. {CATEGORY_ADVICE}"
            )


def _refuse_category(categories: list[Any], ordered: bool, where: str) -> None:
    if not ordered:
        raise InputError(
            f"observations must hold numbers only; {where} is a category without an order. {CATEGORY_ADVICE}"
        )
    numeric = all(isinstance(category, int | float | np.number) for category in categories)
    if not numeric or any(lower >= higher for lower, higher in pairwise(categories)):
        order = " < ".join(in_short(category) for category in categories[:3])
        more = " < …" if len(categories) > 3 else ""
        raise InputError(
            f"observations must hold numbers only; {where} is an ordered category ({order}{more}). Hand over numbers "
            "instead, such as column.cat.codes, and the same ones for every later observation."
        )


def _refuse_text(observations: Any) -> None:
    """Refuse text in what is no DataFrame."""
    try:
        array = np.asarray(observations)
    except (TypeError, ValueError):
        return  # of unequal rows, which is told where numbers are read
    if array.dtype.kind in "OU":
        text = next((str(entry) for entry in array.flat if isinstance(entry, str)), None)
        if text is not None:
            raise InputError(
                f"observations must hold numbers only; got text such as {in_short(text)}. {CATEGORY_ADVICE}"
            )
