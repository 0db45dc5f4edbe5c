"""The observations that are explained: readings in the rule book's order, and what people call each row."""

__all__ = ["Readings", "labelled_readings"]

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from hedgerow.arrays import FloatArray
from hedgerow.checks import in_short
from hedgerow.errors import InputError
from hedgerow.rulebook import RuleBook
from hedgerow.words import printable


@dataclass(frozen=True, eq=False)
class Readings:
    """Observations as a matrix with a column for each reading; NaN where a reading is missing.

    Attributes
    ----------
    values
        One row per observation.
    labels
        Per observation what people call it.
    """

    values: FloatArray
    labels: tuple[str, ...]


def labelled_readings(
    book: RuleBook, observations: Any, labels: Sequence[str] | None, called: str = "observation"
) -> Readings:
    """Return observations, in which readings may be missing, with labels: given, a DataFrame's index, or numbers."""
    values = book.readings(observations, gaps=True)
    if labels is None:
        labels = _index_of(observations) or [f"{called} {row}" for row in range(len(values))]
    if isinstance(labels, str) or len(labels) != len(values):
        raise InputError(f"labels must name each of the {len(values)} observations; got {in_short(labels)}.")
    return Readings(values, tuple(printable(str(label)) for label in labels))


def _index_of(observations: Any) -> list[str] | None:
    """Return a DataFrame's index where it says more than the rows' numbers."""
    index = getattr(observations, "index", None)
    if index is None or callable(index) or type(index).__name__ == "RangeIndex":
        return None
    return [str(entry) for entry in index]
