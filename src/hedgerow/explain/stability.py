"""How far readings may be off before other advice is given: distances to other solutions.

A solution is advised where `lower < value <= upper` holds for the questions on its leaf's path and, where the leaf has
several plans, for the comparisons of its total with theirs. From above such a side is reached at its upper end, from
below only beyond its lower end, so the distance is the infimum of the changes that lead there. The adversary's price
for the same move (`move_costs`) is larger by its step ε for each value that goes up.

What is called a row here is a row of `Tree.solutions`: a leaf, or one of its plans.
"""

from typing import NamedTuple

import numpy as np

from hedgerow.adversary.move_cost import entry_points
from hedgerow.data.arrays import BoolArray, FloatArray, IntArray
from hedgerow.geometry import reach_limit
from hedgerow.rules import RuleBook
from hedgerow.tree.questions import Question, difference, values_of
from hedgerow.tree.tree import Tree
from hedgerow.uncertainty import Uncertainty

_BEYOND = 1e-9
"""How far beyond a threshold a value is looked at, relative to the threshold."""

_FREE = 1e-12
"""Price of a missing reading, which may be anything, relative to the lowest price of the others."""


class Stability(NamedTuple):
    """How firm the advice for each reading is.

    Attributes
    ----------
    possible
        Per reading and row of solutions whether it may be advised, missing readings being anything.
    certain
        Per reading whether all possible rows hold the same solution.
    radius, other
        Distance to the nearest row with another solution that the limits allow, and that row. Infinite where they
        allow none, with the nearest row without limits; −1 if there is no other. NaN and −1 where the advice isn't
        certain.
    """

    possible: BoolArray
    certain: BoolArray
    radius: FloatArray
    other: IntArray


def stability(book: RuleBook, readings: FloatArray, uncertainty: Uncertainty) -> Stability:
    """Return how firm the rule book's advice is, for each reading; NaN is a missing one, which may be anything.

    Prices and limits are those of the uncertainty set.

    >>> from hedgerow import Nominal, RuleBook, Tree
    >>> book = RuleBook(Tree.full([0], [5.0], [[1.0, 0.0], [0.0, 1.0]]))
    >>> firm = stability(book, np.array([[3.0], [6.5], [np.nan]]), Nominal())
    >>> firm.radius, firm.other
    (array([2. , 1.5, nan]), array([ 1,  0, -1]))
    """
    tree, plans, n_items = book.tree, book.plans.of_leaf, readings.shape[1]
    distances = _box_distances if _has_boxes(tree) else _sum_distances
    prices, limits = _measures(uncertainty, n_items)
    possible, within = distances(tree, readings, prices, limits)
    far = within
    if np.isfinite(limits).any():
        _, far = distances(tree, readings, prices, np.full(n_items, np.inf))
    real = reachable_rows(tree, n_items)
    possible &= real
    other = (plans != plans[possible.argmax(axis=1)][:, None]) & real
    certain = np.logical_not((possible & other).any(axis=1))
    within, far = np.where(other, within, np.inf), np.where(other, far, np.inf)
    radius = np.where(certain, within.min(axis=1), np.nan)
    nearest = np.where(np.isfinite(radius), within.argmin(axis=1), far.argmin(axis=1))
    return Stability(possible, certain, radius, np.where(certain & np.isfinite(far.min(axis=1)), nearest, -1))


def _has_boxes(tree: Tree) -> bool:
    """Return whether single readings alone decide, so that a solution is advised in a box of readings."""
    return tree.asks_single_items and not tree.has_cards


def _measures(uncertainty: Uncertainty, n_items: int) -> tuple[FloatArray, FloatArray]:
    """Return the price of each item, and the most that its reading may change."""
    prices, limits = uncertainty.prices, uncertainty.limits
    return np.full(n_items, 1.0 if prices is None else prices), np.full(n_items, np.inf if limits is None else limits)


def conditions_of(tree: Tree, row: int) -> list[tuple[Question, float, float]]:
    """Return when a row of solutions is advised: questions with intervals `lower < value <= upper`.

    Those on its leaf's path come first. A comparison with another plan of the leaf is the difference of both sums; of
    equally good plans the first is taken.

    >>> plans = [{"solution": [1.0, 0.0]}, {"solution": [0.0, 1.0], "handicap": 2.0}]
    >>> ((question, lower, upper),) = conditions_of(Tree.from_dict({"plans": plans}), 1)
    >>> question.coefficients, lower, upper
    ((1.0, -1.0), 2.0, inf)
    """
    leaf = int(tree.leaf_of[row])
    rows, conditions = tree.rows_at(leaf), tree.intervals_at(leaf)
    for other in range(rows.start, rows.stop):
        if other == row:
            continue
        first, second = sorted((row, other))
        ahead = float(tree.handicap[second] - tree.handicap[first])
        sums = (tree.sums[second], tree.sums[first]) if tree.takes_largest else (tree.sums[first], tree.sums[second])
        conditions.append((difference(*sums), *((-np.inf, ahead) if row == first else (ahead, np.inf))))
    return conditions


def reachable_rows(tree: Tree, n_items: int) -> BoolArray:
    """Return which rows of solutions some reading leads to: A > B, B > C and A <= C can't hold together."""
    real: BoolArray = tree.is_reachable[tree.leaf_of]
    if not _has_boxes(tree):
        unread = np.full(n_items, np.nan)
        for row in np.flatnonzero(real).tolist():
            real[row] = _Programme(tree, row).is_open(unread)
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
    """Return the same where sums are compared: each row has a polyhedron, its distance is a linear programme."""
    programmes = [_Programme(tree, row) for row in range(len(tree.solutions))]
    most = np.asarray(reach_limit(limits))
    distance = np.array([[each.distance(reading, prices, most) for each in programmes] for reading in readings])
    possible = np.zeros(distance.shape, dtype=np.bool_)
    for place, reading in enumerate(readings):
        if np.isnan(reading[tree.asked_items]).any():
            possible[place] = [programme.is_open(reading) for programme in programmes]
        else:
            possible[place, tree.choose(np.nan_to_num(reading[None]))] = True
    return possible, distance


def nearest_reading(tree: Tree, reading: FloatArray, row: int, uncertainty: Uncertainty) -> FloatArray:
    """Return the reading after the least change that leads to a row; missing ones are filled in where it needs them.

    Where a reading has to go up it ends a step beyond the threshold, as long as that stays inside.
    """
    if _has_boxes(tree):
        bounds, moved = tree.item_bounds, reading.copy()
        asked = np.isfinite(bounds.lower[row]) | np.isfinite(bounds.upper[row])
        item, lower, upper = (each[row][asked] for each in bounds)
        values = np.where(np.isnan(reading[item]), np.where(np.isinf(lower), np.inf, -np.inf), reading[item])
        beyond = np.minimum(np.maximum(lower + uncertainty.epsilon, np.nextafter(lower, np.inf)), upper)
        moved[item] = np.where(values > upper, upper, np.where(values <= lower, beyond, values))
        return moved
    programme, measures = _Programme(tree, row), _measures(uncertainty, reading.size)
    start = programme.landing(reading, *measures, uncertainty.epsilon)
    if start is None:  # there is less room than the step
        uncertainty = uncertainty.replace(epsilon=_BEYOND)
        start = programme.landing(reading, *measures)
    filled = np.nan_to_num(reading) if start is None else np.where(np.isnan(reading), start, reading)
    moved = np.asarray(entry_points(tree, filled[None], np.array([row]), uncertainty)[0])
    moved[np.setdiff1d(np.arange(reading.size), programme.items)] = np.nan
    return moved


class _Programme:
    """The linear conditions under which a row of solutions is advised, and the least change that meets them."""

    def __init__(self, tree: Tree, row: int) -> None:
        conditions = conditions_of(tree, row)
        self.questions = [question for question, _, _ in conditions]
        self.items = np.array(sorted({item for question in self.questions for item in question.items}), dtype=np.int64)
        self._lower, self._upper = (np.array([each[side] for each in conditions]) for side in (1, 2))
        self._matrix = np.zeros((len(self.questions), self.items.size))
        for place, question in enumerate(self.questions):
            self._matrix[place, np.searchsorted(self.items, question.items)] = question.coefficients

    def is_open(self, reading: FloatArray) -> bool:
        """Return whether some values of the missing readings lead there, all others being as they are."""
        ends = np.abs(np.concatenate([self._lower, self._upper]))
        step = _BEYOND * (ends[np.isfinite(ends)].max(initial=0.0) or 1.0)
        return self.landing(reading, np.ones(len(reading)), np.zeros(len(reading)), step) is not None

    def distance(self, reading: FloatArray, prices: FloatArray, limits: FloatArray) -> float:
        """Return the infimum of the changes that lead there; ∞ where the limits forbid it."""
        moved = self.landing(reading, prices, limits)
        if moved is None:
            return np.inf
        return float(np.nansum(prices[self.items] * np.abs(moved - reading)[self.items]))

    def landing(
        self, reading: FloatArray, prices: FloatArray, limits: FloatArray, step: float = 0.0
    ) -> FloatArray | None:
        """Return the reading after the least change that leads at least a step inside; None if there is none."""
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
