"""The cell of a threshold: an interval in which it may lie without changing the worst case, all others fixed."""

from collections.abc import Callable
from typing import TypeAlias

import numpy as np

from hedgerow.adversary import move_costs
from hedgerow.data.arrays import BoolArray, FloatArray
from hedgerow.instance import Instance
from hedgerow.tolerances import VALUE
from hedgerow.tree.tree import Tree

Cell: TypeAlias = tuple[float, float] | None
"""The ends of an open interval; None for a node that no sample and no attack reaches."""

_BISECTIONS = 20
"""Per side of a cell: its end is right to a part in a million."""


def threshold_cells(
    tree: Tree, instance: Instance, margin: float = 0.0, must_stop: Callable[[], bool] = lambda: False
) -> tuple[Cell, ...]:
    """Return for each inner node, in node order, where its threshold may lie while the worst case stays the same.

    A cell is a part of that interval that is proven to belong to it. The margin is as in
    `hedgerow.adversary.worst_case`. Once `must_stop` returns True, the cells that are left are the thresholds alone.
    """
    cells, threshold = Cells(tree, instance, margin, must_stop), tree.threshold
    return tuple(
        (float(threshold[node]), float(threshold[node])) if must_stop() else cells.of(int(node))
        for node in np.flatnonzero(tree.is_inner)
    )


class Cells:
    """The cells of a tree whose thresholds are moved one after the other; those found after `must_stop` are smaller."""

    def __init__(self, tree: Tree, instance: Instance, margin: float, must_stop: Callable[[], bool]) -> None:
        self.tree = tree
        self._instance, self._margin, self._must_stop = instance, margin, must_stop
        self._loss = instance.losses(tree.solutions)
        self._budgets = instance.uncertainty.reach(instance.n_samples)

    def of(self, node: int) -> Cell:
        """Return the cell of a node's threshold: the stretch around it that holds no other worst case, by bisection."""
        tree, uncertainty = self.tree, self._instance.uncertainty
        threshold, cost = float(tree.threshold[node]), self._move_costs(tree)
        if not (cost[:, self._is_below(node)] <= self._budgets[:, None]).any():
            return None
        attack, _, exact = uncertainty.worst(self._loss, cost)
        if not exact:
            return threshold, threshold
        paid = self._loss[np.arange(len(attack)), attack]
        values = tree.questions[tree.question[node]].values(self._instance.observations)

        def end(far: float) -> float:
            near = threshold
            if not self._must_stop() and self._holds(node, far, cost, paid):
                return far
            for _ in range(_BISECTIONS):
                if self._must_stop():
                    break
                middle = near / 2.0 + far / 2.0
                near, far = (middle, far) if self._holds(node, middle, cost, paid) else (near, middle)
            return near

        return end(min(float(values.min()), threshold)), end(max(float(values.max()), threshold))

    def move(self, node: int, threshold: float) -> None:
        """Move a node's threshold."""
        self.tree = self.tree.with_threshold(node, threshold)

    def _is_below(self, node: int) -> BoolArray:
        return np.isin(self.tree.leaf_of, leaves_below(self.tree, node))

    def _move_costs(self, tree: Tree) -> FloatArray:
        shown, enough = self._instance.observations, float(self._budgets.max())
        return move_costs(tree, shown, self._instance.uncertainty, margin=self._margin, enough=enough)

    def _holds(self, node: int, end: float, cost: FloatArray, paid: FloatArray) -> bool:
        """Return whether the worst case is what is paid now wherever the threshold lies from where it is to `end`.

        `cost` has the move costs of the tree as it is.
        """
        on_right = self._is_below(int(self.tree.right[node]))
        moved = self._move_costs(self.tree.with_threshold(node, end))
        low, high = (moved, cost) if end < self.tree.threshold[node] else (cost, moved)
        # Where moves cost most, an attack that costs as much must be affordable ...
        highest = np.where(on_right, high, low)
        as_bad = np.where(self._loss >= paid[:, None], highest, np.inf).min(axis=1)
        if not self._instance.uncertainty.affords(as_bad):
            return False
        # ... and where they cost least, none that costs more.
        most = float(paid.sum()) + VALUE * float(np.abs(paid).sum())
        return bool(self._instance.uncertainty.worst(self._loss, np.where(on_right, low, high)).bound <= most)


def leaves_below(tree: Tree, node: int) -> range:
    """Return the numbers of the leaves below a node, or its own if it is one."""
    first = last = node
    while tree.is_inner[first]:
        first = int(tree.left[first])
    while tree.is_inner[last]:
        last = int(tree.right[last])
    return range(int(tree.leaf_number[first]), int(tree.leaf_number[last]) + 1)
