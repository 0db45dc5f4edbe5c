"""Solutions in words, short even for models with thousands of variables: what is used, and how leaves differ."""

__all__ = ["SolutionWords"]

from collections.abc import Sequence
from functools import cache, cached_property

import numpy as np

from hedgerow.arrays import BoolArray, FloatArray, IntArray, frozen
from hedgerow.explain.words import number
from hedgerow.tolerances import FEASIBILITY
from hedgerow.words import printable

_LONGEST = 120
"""Letters of a solution's description beyond which only what is of interest is told."""
_SHOWN = 8


class SolutionWords:
    """The solutions of a tree's leaves, for people.

    Parameters
    ----------
    solutions
        One row per leaf.
    names
        Names of the variables.
    advice
        Per leaf its solution in the problem's own words, which are used as long as they are short.

    Examples
    --------
    >>> import numpy as np
    >>> from hedgerow.explain.solutions import SolutionWords
    >>> names = [f"x{number}" for number in range(1000)]
    >>> solutions = np.ones((2, 1000))
    >>> solutions[0, 5] = solutions[1, 7] = 0.0
    >>> words = SolutionWords(solutions, names, [", ".join(names)] * 2)
    >>> words.in_words(0)
    'x7, and 998 more that every leaf has'
    >>> words.difference(0, 1)
    'without x7, with x5'
    """

    def __init__(self, solutions: FloatArray, names: Sequence[str], advice: Sequence[str]) -> None:
        self._solutions = solutions
        self._names = names
        self._advice = advice
        self.in_words = cache(self._in_words)
        self.difference = cache(self._difference)
        self.comparison = cache(self._comparison)

    @cached_property
    def same_as(self) -> IntArray:
        """Per leaf the first leaf that holds the same solution: leaves with equal numbers give the same advice."""
        _, first, place = np.unique(self._solutions, axis=0, return_index=True, return_inverse=True)
        return frozen(first[place.reshape(-1)])

    @cached_property
    def _varies(self) -> BoolArray:
        varies: BoolArray = (self._solutions != self._solutions[0]).any(axis=0)
        return varies

    def is_shortened(self, leaf: int) -> bool:
        """Return whether the leaf's solution is too long to be told as a whole."""
        return len(self._advice[leaf]) > _LONGEST

    def _in_words(self, leaf: int) -> str:
        """Return what the leaf's solution uses; of a long one, what not every leaf has, and how much more there is."""
        if not self.is_shortened(leaf):
            return printable(self._advice[leaf])
        used = np.abs(self._solutions[leaf]) > FEASIBILITY
        if not used.any():
            return f"{printable(self._advice[leaf])[:_LONGEST]}…"
        special = used & self._varies if self._varies.any() else used
        common = int(used.sum() - special.sum())
        if not special.any():
            return f"only what every leaf has: {self._some(leaf, used)}"
        text = self._some(leaf, special)
        return f"{text}, and {common:,} more that every leaf has" if common else text

    def _difference(self, old: int, new: int) -> str:
        """Return how the solution of one leaf differs from another's: what goes, what comes, what changes."""
        before, after = self._solutions[old], self._solutions[new]
        was, is_ = np.abs(before) > FEASIBILITY, np.abs(after) > FEASIBILITY
        gone, new_, changed = was & ~is_, is_ & ~was, was & is_ & (before != after)
        parts = [
            *([f"without {self._some(old, gone)}"] if gone.any() else []),
            *([f"with {self._some(new, new_)}"] if new_.any() else []),
            *([f"{self._some(new, changed)} instead of {self._some(old, changed)}"] if changed.any() else []),
        ]
        return ", ".join(parts) or "no difference"

    def _comparison(self, leaf: int) -> str:
        """Return how a solution that is too long to be told differs from the most similar other one, else nothing."""
        other = self.closest(leaf) if self.is_shortened(leaf) else None
        return "" if other is None else f"as leaf {other}, but {self.difference(other, leaf)}"

    def closest(self, leaf: int) -> int | None:
        """Return the leaf with another solution that differs in the fewest variables, None if all are equal."""
        others = np.flatnonzero(self.same_as != self.same_as[leaf])
        if not others.size:
            return None
        differences = (self._solutions[others] != self._solutions[leaf]).sum(axis=1)
        return int(others[np.argmin(differences)])

    def _some(self, leaf: int, which: BoolArray) -> str:
        """Return the first of the chosen variables with their values, and how many follow."""
        places = np.flatnonzero(which)
        text = ", ".join(self._entry(leaf, place) for place in places[:_SHOWN].tolist())
        return text if places.size <= _SHOWN else f"{text} and {places.size - _SHOWN:,} more"

    def _entry(self, leaf: int, place: int) -> str:
        value, name = number(self._solutions[leaf, place]), printable(self._names[place])
        return name if value == "1" else f"{value} × {name}"
