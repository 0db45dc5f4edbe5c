"""What stands in for missing readings."""

__all__ = ["FillIns"]

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Self

import numpy as np

from hedgerow.data.arrays import FloatArray
from hedgerow.data.checks import list_some
from hedgerow.errors import InputError
from hedgerow.wording.numbers import amount, joined, printable

_FEWEST_ROWS: Final = 10
"""Fewer rows don't show whether readings move together."""


@dataclass(frozen=True)
class FillIns:
    """What stands in for readings that are missing: their typical values, perhaps shifted as the other readings are.

    Attributes
    ----------
    typical
        The typical value of each reading by name: the weighted median of the training rows.
    shifted
        Whether the mean excess over typical of the readings that are there is added.

    Examples
    --------
    >>> fill_ins = FillIns({"b": 8.0, "t": 12.0}, shifted=True)
    >>> fill_ins.filled(np.array([[np.nan, 15.0], [np.nan, np.nan]]))
    array([[11., 15.],
           [ 8., 12.]])
    >>> print(fill_ins.in_words("min"))
    If a reading is not known, take its usual value (b 8 min and t 12 min) plus what the others are above theirs.
    """

    typical: Mapping[str, float]
    shifted: bool = False

    @classmethod
    def of(cls, names: Sequence[str], readings: FloatArray, weights: FloatArray) -> Self:
        """Return the rule for some columns of readings, in which some may be missing (NaN)."""
        empty = [name for name, column in zip(names, readings.T, strict=True) if np.isnan(column).all()]
        if empty:
            raise InputError(f"readings must be known in some rows; {list_some(empty)} are missing in all.")
        typical = _medians(readings, weights)
        shifted = len(names) > 1 and len(readings) >= _FEWEST_ROWS and _shift_helps(readings, weights)
        return cls(dict(zip(names, typical.tolist(), strict=True)), shifted)

    def in_words(self, unit: str = "") -> str:
        """Return the rule as a sentence; nothing if it is about no readings."""
        usual = {printable(name): amount(value, unit) for name, value in self.typical.items()}
        listed = joined([f"{name} {value}" for name, value in usual.items()])
        if self.shifted:
            return f"If a reading is not known, take its usual value ({listed}) plus what the others are above theirs."
        if len(usual) > 1:
            return f"If a reading is not known, take its usual value: {listed}."
        return "".join(f"If {name} is not known, take {value}." for name, value in usual.items())

    def filled(self, readings: FloatArray) -> FloatArray:
        """Return rows of the readings, in the order of the names, without gaps."""
        missing = np.isnan(readings)
        if not missing.any():
            return readings
        typical = np.array(list(self.typical.values()))
        return np.where(missing, typical + (_excess(readings, typical) if self.shifted else 0.0), readings)


def _excess(readings: FloatArray, typical: FloatArray) -> FloatArray:
    """Return by how much the readings of a row that are there exceed their typical values, on average."""
    total, count = np.zeros(len(readings)), np.zeros(len(readings))
    for column, usual in zip(readings.T, typical, strict=True):  # added in this order by every reader
        there = ~np.isnan(column)
        total[there] += column[there] - usual
        count += there
    return np.divide(total, count, out=np.zeros(len(readings)), where=count > 0.0)[:, None]


def _medians(readings: FloatArray, weights: FloatArray) -> FloatArray:
    """Return the weighted median of each column, of the readings that are there."""
    medians = np.empty(readings.shape[1])
    for place, column in enumerate(readings.T):
        rows = np.flatnonzero(~np.isnan(column))
        rows = rows[np.argsort(column[rows], kind="stable")]
        share = np.cumsum(weights[rows])
        medians[place] = column[rows[np.searchsorted(share, 0.5 * share[-1])]]
    return medians


def _shift_helps(readings: FloatArray, weights: FloatArray) -> bool:
    """Return whether the shift brings fill-ins closer to readings of rows that the medians were not taken from."""
    learned, judged = readings[::2], readings[1::2]
    if np.isnan(learned).all(axis=0).any():
        return False
    typical = _medians(learned, weights[::2])
    plain = shifted = 0.0
    for place in range(readings.shape[1]):
        others = judged.copy()
        others[:, place] = np.nan
        excess = _excess(others, typical)[:, 0]
        error = judged[:, place] - typical[place]
        plain += float(np.nansum(np.abs(error)))
        shifted += float(np.nansum(np.abs(error - excess)))
    return shifted < plain
