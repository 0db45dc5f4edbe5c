"""The cell of a threshold: the interval in which it may lie without changing the worst case, all others fixed."""

__all__ = ["Cell", "Cells", "threshold_cells"]

from collections.abc import Callable
from typing import NamedTuple, TypeAlias

import numpy as np

from hedgerow.adversary import move_costs
from hedgerow.data.arrays import BoolArray, FloatArray
from hedgerow.instance import Instance
from hedgerow.thresholds.paths import Paths, paths_below
from hedgerow.tolerances import VALUE
from hedgerow.tree.tree import Tree
from hedgerow.uncertainty import Uncertainty

Cell: TypeAlias = tuple[float, float] | None
"""The ends of an open interval, perhaps infinite; None for a node that no sample and no attack reaches."""


_BISECTIONS = 16
"""Per side of a cell under a global budget: its end is right to a part in 65,536."""


def threshold_cells(
    tree: Tree, instance: Instance, margin: float = 0.0, must_stop: Callable[[], bool] = lambda: False
) -> tuple[Cell, ...]:
    """Return for each inner node, in node order, where its threshold may lie while the worst case stays the same.

    Under a local budget the cell is all of that interval, under a global one a part that is proven to belong to it.
    The margin is as in `hedgerow.adversary.worst_case`. Once `must_stop` returns True, the cells that are left are the
    thresholds alone.
    """
    cells, threshold = Cells(tree, instance, margin), tree.threshold
    return tuple(
        (float(threshold[node]), float(threshold[node])) if must_stop() else cells.of(int(node))
        for node in np.flatnonzero(tree.is_inner)
    )


class Jumps(NamedTuple):
    """Where the sum of all samples' worst losses jumps as a threshold moves, from left to right."""

    turn: FloatArray  # where, several perhaps at the same place
    behind: BoolArray  # whether the jump takes place just behind its turn, and not just before it
    jump: FloatArray  # by how much
    tolerance: float  # sums up to this size are rounding errors

    def before(self, threshold: float) -> int:
        """Return how many jumps lie before the threshold."""
        return int(np.count_nonzero((self.turn < threshold) | ((self.turn == threshold) & ~self.behind)))


class Cells:
    """The cells of a tree whose thresholds are moved one after the other."""

    def __init__(self, tree: Tree, instance: Instance, margin: float) -> None:
        self.tree = tree
        self._instance, self._margin = instance, margin
        self._loss = instance.losses(tree.solutions)
        self._cost = move_costs(tree, instance.observations, instance.uncertainty, margin=margin)
        self._budgets = instance.uncertainty.reach(instance.n_samples)

    def of(self, node: int) -> Cell:
        """Return the cell of a node's threshold."""
        paths = paths_below(self.tree, self._instance, node, self._margin)
        if not (self._cost[:, paths.leaf] <= self._budgets[:, None]).any():
            return None
        threshold = float(self.tree.threshold[node])
        if self._instance.uncertainty.is_separable:
            return _around(threshold, self.jumps(node, paths))
        return _SharedCell(self._loss, self._cost, self._instance.uncertainty, threshold, paths).cell()

    def jumps(self, node: int, paths: Paths | None = None) -> Jumps:
        """Return where the worst case jumps as a node's threshold moves, for budgets per sample."""
        paths = paths_below(self.tree, self._instance, node, self._margin) if paths is None else paths
        reached = self._cost <= self._budgets[:, None]
        return _local_jumps(self._loss, reached, self._budgets, float(self.tree.threshold[node]), paths)

    def move(self, node: int, threshold: float) -> None:
        """Move a node's threshold."""
        self.tree = self.tree.with_threshold(node, threshold)
        paths = paths_below(self.tree, self._instance, node, self._margin)
        self._cost[:, paths.leaf] = paths.costs(threshold, threshold)


def _local_jumps(loss: FloatArray, reached: BoolArray, budgets: FloatArray, threshold: float, paths: Paths) -> Jumps:
    """Add up all samples' worst losses as the threshold moves."""
    paid = np.where(reached, loss, -np.inf)
    tolerance = VALUE * float(np.abs(paid.max(axis=1)).sum())
    # What a sample pays at other leaves, wherever this threshold lies.
    floor = np.delete(paid, paths.leaf, axis=1).max(axis=1, initial=-np.inf)
    below = loss[:, paths.leaf]
    turn = _consistent(
        paths.turns(budgets, below > floor[:, None]), reached[:, paths.leaf], threshold, paths.goes_right
    )
    order = np.argsort(turn, axis=1, kind="stable")
    turn, below = np.take_along_axis(turn, order, axis=1), np.take_along_axis(below, order, axis=1)
    right = paths.goes_right[order]
    # Between two turns a sample reaches the left leaves whose turns lie before and the right ones whose lie behind.
    nothing = np.full((len(loss), 1), -np.inf)
    on_left = np.maximum.accumulate(np.hstack([nothing, np.where(right, -np.inf, below)]), axis=1)
    on_right = np.maximum.accumulate(np.hstack([np.where(right, below, -np.inf), nothing])[:, ::-1], axis=1)[:, ::-1]
    worst = np.maximum(np.maximum(on_left, on_right), floor[:, None])
    for piece in range(1, worst.shape[1]):
        # Neighbouring floats may leave a piece without any number in it, where a sample has no leaf.
        worst[:, piece] = np.where(np.isneginf(worst[:, piece]), worst[:, piece - 1], worst[:, piece])
    with np.errstate(invalid="ignore"):
        jump = np.diff(worst, axis=1)
    changes = np.isfinite(jump) & (jump != 0.0) & np.isfinite(turn)
    turn, behind, jump = turn[changes], right[changes], jump[changes]
    order = np.lexsort((behind, turn))
    return Jumps(turn[order], behind[order], jump[order], tolerance)


def _consistent(turn: FloatArray, reached: BoolArray, threshold: float, goes_right: BoolArray) -> FloatArray:
    """Return the turns, each on the side of the threshold that agrees with what is reached there.

    A turn that lies at the threshold itself, where a box is exactly ε wide, may be rounded to the wrong side.
    """
    beside = np.nextafter(threshold, np.where(goes_right, -np.inf, np.inf))
    agrees = np.where(goes_right, turn >= threshold, turn <= threshold) == reached
    return np.where(agrees, turn, np.where(reached, threshold, beside))


def _around(threshold: float, jumps: Jumps) -> tuple[float, float]:
    """Return the ends of the stretch around the threshold on which jumps add up to nothing."""
    turn, behind, jump, tolerance = jumps
    middle = jumps.before(threshold)
    ends = []
    for part, beyond in ((slice(None, middle), -np.inf), (slice(middle, None), np.inf)):
        step = -1 if beyond < 0.0 else 1
        place, side, total = turn[part][::step], behind[part][::step], np.cumsum(jump[part][::step])
        # Jumps at the same place count together.
        last = np.ones(place.size, dtype=bool)
        last[:-1] = (place[1:] != place[:-1]) | (side[1:] != side[:-1])
        changed = np.flatnonzero(last & (np.abs(total) > tolerance))
        ends.append(float(place[changed[0]]) if changed.size else beyond)
    return ends[0], ends[1]


class _SharedCell:
    """A stretch on which no attack is worse, and the worst one stays affordable, by bisection."""

    def __init__(
        self, loss: FloatArray, cost: FloatArray, uncertainty: Uncertainty, threshold: float, paths: Paths
    ) -> None:
        self._loss, self._cost, self._threshold, self._paths = loss, cost, threshold, paths
        self._uncertainty = uncertainty
        self._rows = np.arange(len(loss))
        self._attack, _, self._exact = uncertainty.worst(loss, cost)
        paid = loss[self._rows, self._attack]
        self._most = float(paid.sum()) + VALUE * float(np.abs(paid).sum())

    def cell(self) -> tuple[float, float]:
        """Return the stretch, within the range of the samples' values."""
        asked = self._paths.asked
        return self._end(min(float(asked.min()), self._threshold)), self._end(max(float(asked.max()), self._threshold))

    def _end(self, farthest: float) -> float:
        near, far = self._threshold, farthest
        if not self._exact or not self._holds(near + (far - near) * 0.5**_BISECTIONS):
            return near
        if self._holds(far):
            return far
        for _ in range(_BISECTIONS):
            middle = near / 2.0 + far / 2.0
            near, far = (middle, far) if self._holds(middle) else (near, middle)
        return near

    def _holds(self, end: float) -> bool:
        """Return whether the worst case is the same wherever the threshold lies from where it is to `end`."""
        low, high = min(end, self._threshold), max(end, self._threshold)
        cost = self._cost.copy()
        cost[:, self._paths.leaf] = self._paths.costs(low, high)
        if not self._uncertainty.affords(cost[self._rows, self._attack]):
            return False
        cost[:, self._paths.leaf] = self._paths.costs(high, low)
        return bool(self._uncertainty.worst(self._loss, cost).bound <= self._most)
