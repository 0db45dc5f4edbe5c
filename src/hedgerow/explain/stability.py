"""How far readings may be off before other advice is given: distances to the leaves with other solutions.

A leaf holds `lower < value <= upper` for the questions on its path. From above it is reached at its upper side, from
below only beyond its lower side, so the distance to it is the infimum of the changes that lead there. The adversary's
price for the same move (`move_costs`) is larger by its step ε for each reading that goes up.
"""

__all__ = ["LeafProgramme", "Stability", "per_item", "reachable_leaves", "stability"]

from typing import NamedTuple

import numpy as np

from hedgerow.data.arrays import BoolArray, FloatArray
from hedgerow.geometry import reach_limit
from hedgerow.rules import RuleBook
from hedgerow.tree.questions import values_of
from hedgerow.tree.tree import Tree

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
    radius
        Distance to the nearest leaf with another solution that the limits allow; infinite if there is none, NaN where
        the advice isn't certain.
    leaf, distance, within_limits
        That leaf, its distance, and whether the limits allow it; if they allow none, the nearest leaf without limits;
        −1 if all leaves hold the same solution.
    lower, upper
        Per row and item: the advice stays as long as `lower < reading <= upper`, all other readings being as they are.
    """

    possible: BoolArray
    certain: BoolArray
    radius: FloatArray
    leaf: FloatArray
    distance: FloatArray
    within_limits: BoolArray
    lower: FloatArray
    upper: FloatArray


def stability(
    book: RuleBook,
    readings: FloatArray,
    prices: FloatArray | None = None,
    limits: float | FloatArray | None = None,
) -> Stability:
    """Return how firm the rule book's advice is, for each row; NaN is a missing reading, which may be anything.

    Prices are per item, 1 if left out; limits on the change of a single reading are one number, or one per item.

    >>> from hedgerow import RuleBook, Tree
    >>> book = RuleBook(Tree.full([0], [5.0], [[1.0, 0.0], [0.0, 1.0]]))
    >>> firm = stability(book, np.array([[3.0], [6.5], [np.nan]]))
    >>> firm.radius, firm.leaf
    (array([2. , 1.5, nan]), array([ 1,  0, -1]))
    """
    n_items = readings.shape[1]
    space = (_Boxes if book.tree.asks_single_items else _Sums)(
        book.tree, readings, per_item(prices, n_items), per_item(limits, n_items, np.inf)
    )
    plans, real = book.plans.of_leaf, reachable_leaves(book.tree, n_items)
    possible = space.possible & real
    own = plans[possible.argmax(axis=1)]
    other = (plans != own[:, None]) & real
    certain = np.logical_not((possible & other).any(axis=1))
    radius, near_leaf = _nearest(space.near, other)
    far, far_leaf = _nearest(space.far, other)
    within = near_leaf >= 0
    return Stability(
        possible=possible,
        certain=certain,
        radius=np.where(certain, radius, np.nan),
        leaf=np.where(certain, np.where(within, near_leaf, far_leaf), -1),
        distance=np.where(within, radius, far),
        within_limits=within,
        **space.alone(other & certain[:, None]),
    )


def per_item(value: float | FloatArray | None, n_items: int, default: float = 1.0) -> FloatArray:
    """Return one number for each item, where there may be one for all, or none."""
    return np.full(n_items, default if value is None else value, dtype=np.float64)


def _nearest(distance: FloatArray, other: BoolArray) -> tuple[FloatArray, FloatArray]:
    """Return the least distance to one of the other leaves, and that leaf; −1 if there is none."""
    distance = np.where(other, distance, np.inf)
    leaf = distance.argmin(axis=1)
    nearest = distance[np.arange(len(distance)), leaf]
    return nearest, np.where(np.isfinite(nearest), leaf, -1)


def reachable_leaves(tree: Tree, n_items: int) -> BoolArray:
    """Return which leaves some reading leads to: A > B, B > C and A <= C can't hold together."""
    real: BoolArray = np.asarray((tree.bounds.lower < tree.bounds.upper).all(axis=1))
    if not tree.asks_single_items:
        unread = np.full(n_items, np.nan)
        for leaf in np.flatnonzero(real).tolist():
            real[leaf] = LeafProgramme(tree, leaf).is_open(unread)
    return real


class _Boxes:
    """Distances where each question is about one reading: a leaf is a box."""

    def __init__(self, tree: Tree, readings: FloatArray, prices: FloatArray, limits: FloatArray) -> None:
        self._bounds, self._shape = tree.item_bounds, readings.shape
        item, lower, upper = self._bounds.item, self._bounds.lower[:, :, None], self._bounds.upper[:, :, None]
        # Leaves × items on the path × rows. Comparisons with NaN are false: a missing reading is never outside.
        values = readings.T[item]
        self._above, below = values > upper, values <= lower
        self._outside = self._above | below
        change = np.zeros(values.shape)
        with np.errstate(over="ignore"):
            np.subtract(values, upper, out=change, where=self._above)
            np.subtract(lower, values, out=change, where=below)
            self.far: FloatArray = (change * prices[item][:, :, None]).sum(axis=1).T
        self.possible: BoolArray = np.logical_not(self._outside.any(axis=1).T)
        limit = limits[item][:, :, None]
        # Down to the upper side as the adversary may go; going up, the lower side itself is not enough.
        too_far = np.where(below, change >= limit, change > reach_limit(limit))
        self.near: FloatArray = np.where(too_far.any(axis=1).T, np.inf, self.far)

    def alone(self, other: BoolArray) -> dict[str, FloatArray]:
        """Return the bounds of single readings, from the other leaves of which one reading alone is outside."""
        lower, upper = np.full(self._shape, -np.inf), np.full(self._shape, np.inf)
        row, leaf = np.nonzero(other & (self._outside.sum(axis=1).T == 1))
        place = np.nonzero(self._outside[leaf, :, row])[1]  # one each
        item, above = self._bounds.item[leaf, place], self._above[leaf, place, row]
        np.maximum.at(lower, (row[above], item[above]), self._bounds.upper[leaf, place][above])
        np.minimum.at(upper, (row[~above], item[~above]), self._bounds.lower[leaf, place][~above])
        return {"lower": lower, "upper": upper}


class _Sums:
    """Distances where questions are about sums of readings: a leaf is a polyhedron, its distance a linear programme."""

    def __init__(self, tree: Tree, readings: FloatArray, prices: FloatArray, limits: FloatArray) -> None:
        self._tree, self._readings = tree, readings
        programmes = [LeafProgramme(tree, leaf) for leaf in range(tree.n_leaves)]
        missing = np.isnan(readings[:, tree.asked_items]).any(axis=1)
        self.possible = np.zeros((len(readings), tree.n_leaves), dtype=np.bool_)
        complete = np.flatnonzero(~missing)
        self.possible[complete, tree.apply(np.nan_to_num(readings[complete])) if complete.size else []] = True
        for row in np.flatnonzero(missing):
            self.possible[row] = [programme.is_open(readings[row]) for programme in programmes]
        self._missing = missing

        def distances(most: FloatArray) -> FloatArray:
            return np.array([[each.distance(row, prices, most) for each in programmes] for row in readings])

        self.far = distances(np.full(len(prices), np.inf))
        self.near = distances(np.asarray(reach_limit(limits))) if np.isfinite(limits).any() else self.far

    def alone(self, other: BoolArray) -> dict[str, FloatArray]:
        """Return the bounds of single readings; those of rows with missing readings are infinite.

        Where a reading makes a question's value its threshold the answer changes, and perhaps the advice just beyond.
        """
        tree, readings = self._tree, self._readings
        lower, upper = np.full(readings.shape, -np.inf), np.full(readings.shape, np.inf)
        rows = np.flatnonzero(~self._missing & other.any(axis=1))
        filled = np.nan_to_num(readings[rows])
        values = values_of(tree.questions, filled)
        for item in tree.asked_items.tolist():
            slope = np.array([dict(zip(q.items, q.coefficients, strict=True)).get(item, 0.0) for q in tree.questions])
            nodes = np.flatnonzero(tree.is_inner)
            nodes = nodes[slope[tree.question[nodes]] != 0.0]
            asked = tree.question[nodes]
            edges = filled[:, [item]] + (tree.threshold[nodes] - values[:, asked]) / slope[asked]
            for sign, bound in ((-1.0, lower), (1.0, upper)):
                for edge in edges.T:
                    trial = filled.copy()
                    trial[:, item] = edge + sign * _BEYOND * (1.0 + np.abs(edge))
                    changed = other[rows, tree.apply(trial)] & (sign * (edge - filled[:, item]) >= 0.0)
                    tighter = sign * np.minimum(sign * bound[rows, item], sign * edge)
                    bound[rows, item] = np.where(changed, tighter, bound[rows, item])
        return {"lower": lower, "upper": upper}


class LeafProgramme:
    """The linear conditions that lead to a leaf, and the least change of readings that meets them."""

    def __init__(self, tree: Tree, leaf: int) -> None:
        bounds = tree.bounds
        asked = np.isfinite(bounds.lower[leaf]) | np.isfinite(bounds.upper[leaf])
        self.questions = [tree.questions[number] for number in bounds.question[leaf][asked].tolist()]
        self.items = np.array(sorted({item for question in self.questions for item in question.items}), dtype=np.int64)
        self._lower, self._upper = bounds.lower[leaf][asked], bounds.upper[leaf][asked]
        place = {item: number for number, item in enumerate(self.items.tolist())}
        self._matrix = np.zeros((len(self.questions), self.items.size))
        for row, question in enumerate(self.questions):
            self._matrix[row, [place[item] for item in question.items]] = question.coefficients

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
        change = np.abs(moved - reading)[self.items]
        return float(np.nansum(prices[self.items] * change))

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
        price, limit, change = prices[self.items].copy(), limits[self.items].copy(), np.zeros(self.items.size)
        price[missing] = _FREE * prices.min()
        limit[missing] = np.inf
        least = np.minimum(self._lower + step, self._upper) - values
        if not np.isfinite(least_change(self._matrix, price, limit, least, self._upper - values, change)):
            return None
        start[self.items] += change
        return start
