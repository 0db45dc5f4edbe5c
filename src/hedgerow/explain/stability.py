"""How far readings may be off before other advice is given: distances to the leaves with other solutions.

A leaf holds `lower < value <= upper` for the questions on its path. From above it is reached at its upper side, from
below only beyond its lower side, so the distance to it is the infimum of the changes that lead there. The adversary's
price for the same move (`move_costs`) is larger by its step ε for each reading that goes up.
"""

__all__ = ["Stability", "nearest_reading", "reachable_leaves", "stability"]

from typing import NamedTuple

import numpy as np

from hedgerow.adversary.move_cost import entry_points
from hedgerow.data.arrays import BoolArray, FloatArray, IntArray
from hedgerow.geometry import reach_limit
from hedgerow.rules import RuleBook
from hedgerow.tree.questions import values_of
from hedgerow.tree.tree import Tree
from hedgerow.uncertainty import Uncertainty

_BEYOND = 1e-9
"""How far beyond a threshold a value is looked at, relative to the threshold."""

_FREE = 1e-12
"""Price of a missing reading, which may be anything, relative to the lowest price of the others."""


class Stability(NamedTuple):
    """How firm the advice for each row is.

    Attributes
    ----------
    possible
        Per row and leaf whether it may be reached, missing readings being anything.
    certain
        Per row whether all possible leaves hold the same solution.
    radius, leaf
        Distance to the nearest leaf with another solution that the limits allow, and that leaf. Infinite where they
        allow none, with the nearest leaf without limits; −1 if there is no other. NaN and −1 where the advice isn't
        certain.
    """

    possible: BoolArray
    certain: BoolArray
    radius: FloatArray
    leaf: IntArray


def stability(book: RuleBook, readings: FloatArray, uncertainty: Uncertainty) -> Stability:
    """Return how firm the rule book's advice is, for each row; NaN is a missing reading, which may be anything.

    Prices and limits are those of the uncertainty set.

    >>> from hedgerow import Nominal, RuleBook, Tree
    >>> book = RuleBook(Tree.full([0], [5.0], [[1.0, 0.0], [0.0, 1.0]]))
    >>> firm = stability(book, np.array([[3.0], [6.5], [np.nan]]), Nominal())
    >>> firm.radius, firm.leaf
    (array([2. , 1.5, nan]), array([ 1,  0, -1]))
    """
    tree, plans, n_items = book.tree, book.plans.of_leaf, readings.shape[1]
    distances = _box_distances if tree.asks_single_items else _sum_distances
    prices, limits = _measures(uncertainty, n_items)
    possible, within = distances(tree, readings, prices, limits)
    far = within
    if np.isfinite(limits).any():
        _, far = distances(tree, readings, prices, np.full(n_items, np.inf))
    real = reachable_leaves(tree, n_items)
    possible &= real
    other = (plans != plans[possible.argmax(axis=1)][:, None]) & real
    certain = np.logical_not((possible & other).any(axis=1))
    within, far = np.where(other, within, np.inf), np.where(other, far, np.inf)
    radius = np.where(certain, within.min(axis=1), np.nan)
    leaf = np.where(np.isfinite(radius), within.argmin(axis=1), far.argmin(axis=1))
    return Stability(possible, certain, radius, np.where(certain & np.isfinite(far.min(axis=1)), leaf, -1))


def _measures(uncertainty: Uncertainty, n_items: int) -> tuple[FloatArray, FloatArray]:
    """Return the price of each item, and the most that its reading may change."""
    prices, limits = uncertainty.prices, uncertainty.limits
    return np.full(n_items, 1.0 if prices is None else prices), np.full(n_items, np.inf if limits is None else limits)


def reachable_leaves(tree: Tree, n_items: int) -> BoolArray:
    """Return which leaves some reading leads to: A > B, B > C and A <= C can't hold together."""
    real = tree.is_reachable
    if not tree.asks_single_items:
        unread = np.full(n_items, np.nan)
        for leaf in np.flatnonzero(real).tolist():
            real[leaf] = _LeafProgramme(tree, leaf).is_open(unread)
    return real


def _box_distances(
    tree: Tree, readings: FloatArray, prices: FloatArray, limits: FloatArray
) -> tuple[BoolArray, FloatArray]:
    """Return which leaves are possible, and how far they are, where each question is about one reading."""
    bounds = tree.item_bounds
    item, lower, upper = bounds.item, bounds.lower[:, :, None], bounds.upper[:, :, None]
    # Leaves × items on the path × rows. Comparisons with NaN are false: a missing reading is never outside.
    values = readings.T[item]
    above, below = values > upper, values <= lower
    change = np.zeros(values.shape)
    with np.errstate(over="ignore"):
        np.subtract(values, upper, out=change, where=above)
        np.subtract(lower, values, out=change, where=below)
        distance: FloatArray = (change * prices[item][:, :, None]).sum(axis=1)
    limit = limits[item][:, :, None]
    # Down to the upper side as the adversary may go; going up, the lower side itself is not enough.
    distance[np.where(below, change >= limit, change > reach_limit(limit)).any(axis=1)] = np.inf
    possible = np.logical_not((above | below).any(axis=1))
    return possible.T, distance.T


def _sum_distances(
    tree: Tree, readings: FloatArray, prices: FloatArray, limits: FloatArray
) -> tuple[BoolArray, FloatArray]:
    """Return the same where questions are about sums: each leaf is a polyhedron, its distance a linear programme."""
    programmes = [_LeafProgramme(tree, leaf) for leaf in range(tree.n_leaves)]
    most = np.asarray(reach_limit(limits))
    distance = np.array([[each.distance(row, prices, most) for each in programmes] for row in readings])
    possible = np.zeros(distance.shape, dtype=np.bool_)
    for row, reading in enumerate(readings):
        if np.isnan(reading[tree.asked_items]).any():
            possible[row] = [programme.is_open(reading) for programme in programmes]
        else:
            possible[row, tree.apply(np.nan_to_num(reading[None]))] = True
    return possible, distance


def nearest_reading(tree: Tree, reading: FloatArray, leaf: int, uncertainty: Uncertainty) -> FloatArray:
    """Return the reading after the least change that leads to the leaf; missing ones are filled in where it needs them.

    Where a reading has to go up it ends a step beyond the threshold, as long as that stays inside the leaf.
    """
    if tree.asks_single_items:
        bounds, moved = tree.item_bounds, reading.copy()
        asked = np.isfinite(bounds.lower[leaf]) | np.isfinite(bounds.upper[leaf])
        item, lower, upper = (each[leaf][asked] for each in bounds)
        values = np.where(np.isnan(reading[item]), np.where(np.isinf(lower), np.inf, -np.inf), reading[item])
        beyond = np.minimum(np.maximum(lower + uncertainty.epsilon, np.nextafter(lower, np.inf)), upper)
        moved[item] = np.where(values > upper, upper, np.where(values <= lower, beyond, values))
        return moved
    programme, measures = _LeafProgramme(tree, leaf), _measures(uncertainty, reading.size)
    start = programme.landing(reading, *measures, uncertainty.epsilon)
    if start is None:  # the leaf is narrower than the step
        start = programme.landing(reading, *measures)
    filled = np.nan_to_num(reading) if start is None else np.where(np.isnan(reading), start, reading)
    moved = np.asarray(entry_points(tree, filled[None], np.array([leaf]), uncertainty)[0])
    moved[np.setdiff1d(np.arange(reading.size), programme.items)] = np.nan
    return moved


class _LeafProgramme:
    """The linear conditions that lead to a leaf, and the least change of readings that meets them."""

    def __init__(self, tree: Tree, leaf: int) -> None:
        bounds = tree.bounds
        asked = np.isfinite(bounds.lower[leaf]) | np.isfinite(bounds.upper[leaf])
        self.questions = [tree.questions[number] for number in bounds.question[leaf][asked].tolist()]
        self.items = np.array(sorted({item for question in self.questions for item in question.items}), dtype=np.int64)
        self._lower, self._upper = bounds.lower[leaf][asked], bounds.upper[leaf][asked]
        self._matrix = np.zeros((len(self.questions), self.items.size))
        for row, question in enumerate(self.questions):
            self._matrix[row, np.searchsorted(self.items, question.items)] = question.coefficients

    def is_open(self, reading: FloatArray) -> bool:
        """Return whether some values of the missing readings lead to the leaf, all others being as they are."""
        ends = np.abs(np.concatenate([self._lower, self._upper]))
        step = _BEYOND * (ends[np.isfinite(ends)].max(initial=0.0) or 1.0)
        return self.landing(reading, np.ones(len(reading)), np.zeros(len(reading)), step) is not None

    def distance(self, reading: FloatArray, prices: FloatArray, limits: FloatArray) -> float:
        """Return the infimum of the changes that lead to the leaf; ∞ where the limits forbid it."""
        moved = self.landing(reading, prices, limits)
        if moved is None:
            return np.inf
        return float(np.nansum(prices[self.items] * np.abs(moved - reading)[self.items]))

    def landing(
        self, reading: FloatArray, prices: FloatArray, limits: FloatArray, step: float = 0.0
    ) -> FloatArray | None:
        """Return the reading after the least change that leads at least a step into the leaf; None if there is none."""
        from hedgerow.geometry.least_change import least_change  # compiled, so loaded only where it is used

        start = np.nan_to_num(reading)
        if not self.questions:
            return start
        values = values_of(self.questions, start[None])[0]
        missing = np.isnan(reading)[self.items]
        price = np.where(missing, _FREE * prices.min(), prices[self.items])
        limit = np.where(missing, np.inf, limits[self.items])
        least, change = np.minimum(self._lower + step, self._upper) - values, np.zeros(self.items.size)
        if not np.isfinite(least_change(self._matrix, price, limit, least, self._upper - values, change)):
            return None
        start[self.items] += change
        return start
