"""What stands in for missing readings, and readings left out at random to see what rules lose by that."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import isfinite
from typing import Final, Self

import numpy as np

from hedgerow.data.arrays import FloatArray
from hedgerow.data.checks import in_short, list_some
from hedgerow.errors import InputError
from hedgerow.wording.numbers import amount, joined, printable

USUAL_SHARE: Final = 0.1
"""The share of the readings that is left out where nothing else is asked for."""

_FEWEST_ROWS: Final = 10
"""Fewer rows don't show which readings move together."""

_MOST_NAMED: Final = 8
"""Of more readings only one is named as an example."""

_MOST_SUBSTITUTES: Final = 5
"""With three readings in ten missing, five substitutes are missing together in a row of 400."""


@dataclass(frozen=True)
class Substitute:
    """Another reading that stands in for a missing one, with what the missing one usually is above it."""

    name: str
    added: float

    def in_words(self, unit: str) -> str:
        """Return the value as an expression, such as "t less 4 min"."""
        if not self.added:
            return printable(self.name)
        return f"{printable(self.name)} {'plus' if self.added > 0.0 else 'less'} {amount(abs(self.added), unit)}"


@dataclass(frozen=True)
class FillIns:
    r"""What stands in for readings that are missing: another reading that moves alike, or else the typical value.

    Attributes
    ----------
    typical
        The typical value of each reading by name: the weighted median of the training rows.
    substitutes
        For each reading that others help to guess, those others, the best one first. The first that is known is taken,
        plus what is added to it; if none is known, the typical value is taken.

    Examples
    --------
    >>> fill_ins = FillIns({"b": 8.0, "t": 12.0}, {"b": (Substitute("t", -4.0),)})
    >>> fill_ins.filled(np.array([[np.nan, 15.0], [np.nan, np.nan]]))
    array([[11., 15.],
           [ 8., 12.]])
    >>> print(fill_ins.in_words("min").replace(". ", ".\n"))
    If a reading is not known, take one that moves like it: for b, t less 4 min.
    If none is known, take the usual value: b 8 min and t 12 min.
    """

    typical: Mapping[str, float]
    substitutes: Mapping[str, tuple[Substitute, ...]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for name, others in self.substitutes.items():
            unknown = [each for each in [name, *(other.name for other in others)] if each not in self.typical]
            if unknown:
                raise InputError(f"fill_ins have no typical value of {list_some(unknown)}.")
            if name in [other.name for other in others]:
                raise InputError(f"fill_ins can't take {in_short(name)} as a substitute of itself.")
        added = [other.added for others in self.substitutes.values() for other in others]
        if not all(map(isfinite, [*self.typical.values(), *added])):
            raise InputError("fill_ins must be finite numbers.")

    @classmethod
    def of(cls, names: Sequence[str], readings: FloatArray, weights: FloatArray) -> Self:
        """Return the rule for some columns of readings, in which some may be missing (NaN)."""
        empty = [name for name, column in zip(names, readings.T, strict=True) if np.isnan(column).all()]
        if empty:
            raise InputError(f"readings must be known in some rows; {list_some(empty)} are missing in all.")
        substitutes = {}
        for place, others in enumerate(_closest(readings, weights)):
            above = _medians(readings[:, [place]] - readings[:, others], weights)
            found = zip(others, above.tolist(), strict=True)
            substitutes[names[place]] = tuple(Substitute(names[other], added) for other, added in found)
        typical = _medians(readings, weights)
        return cls(
            dict(zip(names, typical.tolist(), strict=True)),
            {name: others for name, others in substitutes.items() if others},
        )

    def in_words(self, unit: str = "") -> str:
        """Return the rule in sentences, nothing if it is about no readings.

        Of several substitutes only the first is named, and of many readings only one is an example.
        """
        usual = joined([f"{printable(name)} {amount(value, unit)}" for name, value in self.typical.items()])
        if not self.substitutes:
            if len(self.typical) > 1:
                return f"If a reading is not known, take its usual value: {usual}."
            return "".join(f"If {printable(k)} is not known, take {amount(v, unit)}." for k, v in self.typical.items())
        first = [f"for {printable(name)}, {others[0].in_words(unit)}" for name, others in self.substitutes.items()]
        if len(self.typical) > _MOST_NAMED:
            return (
                f"If one of these {len(self.typical)} readings is not known, take the closest of those that move like "
                f"it ({first[0]}), or its usual value if none of them is known."
            )
        has_more = any(len(others) > 1 for others in self.substitutes.values())
        then = "; if that one is not known either, the next closest" if has_more else ""
        return (
            f"If a reading is not known, take one that moves like it: {'; '.join(first)}{then}. "
            f"If none is known, take the usual value: {usual}."
        )

    def filled(self, readings: FloatArray) -> FloatArray:
        """Return rows of the readings, in the order of the names, without gaps."""
        missing = np.isnan(readings)
        if not missing.any():
            return readings
        place = {name: number for number, name in enumerate(self.typical)}
        filled = np.where(missing, np.array(list(self.typical.values())), readings)
        for name, others in self.substitutes.items():
            for other in reversed(others):  # so that the first that is known is written last
                rows = missing[:, place[name]] & ~missing[:, place[other.name]]
                filled[rows, place[name]] = readings[rows, place[other.name]] + other.added
        return filled


def _medians(readings: FloatArray, weights: FloatArray) -> FloatArray:
    """Return the weighted median of each column, of the readings that are there."""
    medians = np.empty(readings.shape[1])
    for place, column in enumerate(readings.T):
        rows = np.flatnonzero(~np.isnan(column))
        rows = rows[np.argsort(column[rows], kind="stable")]
        share = np.cumsum(weights[rows])
        medians[place] = column[rows[np.searchsorted(share, 0.5 * share[-1])]]
    return medians


def _closest(readings: FloatArray, weights: FloatArray) -> list[list[int]]:
    """Return, for each reading, the others that are closer to it than its typical value is, the closest first.

    What is typical is learnt from every second row, and closeness is the mean error on the other rows.
    """
    n_readings = readings.shape[1]
    learned, judged = readings[::2], readings[1::2]
    if len(readings) < _FEWEST_ROWS or np.isnan(learned).all(axis=0).any():
        return [[] for _ in range(n_readings)]
    above_typical = judged - _medians(learned, weights[::2])
    closest = []
    for place, column in enumerate(above_typical.T):
        together = ~np.isnan(above_typical) & ~np.isnan(column)[:, None]
        seen = np.maximum(together.sum(axis=0), 1)
        off = np.where(together, np.abs(column[:, None] - above_typical), 0.0).sum(axis=0) / seen
        plain = np.where(together, np.abs(column)[:, None], 0.0).sum(axis=0) / seen
        order = np.argsort(off, kind="stable")
        helps = (off < plain) & (together.sum(axis=0) >= _FEWEST_ROWS // 2) & (np.arange(n_readings) != place)
        closest.append([int(other) for other in order if helps[other]][:_MOST_SUBSTITUTES])
    return closest


def blank(readings: FloatArray, share: float = USUAL_SHARE, seed: int = 0) -> FloatArray:
    """Return the readings with a share of them missing (NaN), always the same ones for a seed.

    >>> import numpy as np
    >>> blank(np.ones((2, 3)), 0.3)
    array([[ 1., nan, nan],
           [nan,  1.,  1.]])
    """
    is_missing = np.random.default_rng(seed).random(readings.shape) < share
    return np.where(is_missing, np.nan, readings)
