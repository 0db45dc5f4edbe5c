"""The leaves below a node, and what it takes to reach them wherever its threshold lies."""

__all__ = ["Paths", "paths_below"]

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from hedgerow.adversary.move_cost import box_costs
from hedgerow.data.arrays import BoolArray, FloatArray, IntArray
from hedgerow.geometry import geometry_of
from hedgerow.geometry.turns import item_turns
from hedgerow.instance import Instance
from hedgerow.tree.questions import values_of
from hedgerow.tree.tree import LeafItemBounds, Tree

if TYPE_CHECKING:
    from hedgerow.geometry.kernels import Geometry


@dataclass(frozen=True, eq=False)
class Paths:
    """The paths to the leaves below a node, without its own threshold."""

    leaf: IntArray  # numbers of these leaves
    goes_right: BoolArray  # whether they are on the node's right
    # Leaves × places: the questions on the path, the node's own first, each once, with the intervals that all other
    # thresholds leave, widened by the margin; padded with the node's question and no bounds.
    question: IntArray
    lower: FloatArray
    upper: FloatArray
    values: FloatArray  # samples × questions of the tree
    margin: float  # by how much each threshold may be off
    # Where the paths are.
    tree: Tree
    instance: Instance

    @property
    def asked(self) -> FloatArray:
        """The value of the node's question for each sample."""
        return self.values[:, self.question[0, 0]]

    def costs(self, threshold_for_left: float, threshold_for_right: float) -> FloatArray:
        """Return samples × leaves what it takes to get there, with a threshold for each side of the node."""
        lower, upper = self.lower.copy(), self.upper.copy()
        right = self.goes_right
        lower[right, 0] = np.maximum(lower[right, 0], threshold_for_right - self.margin)
        upper[~right, 0] = np.minimum(upper[~right, 0], threshold_for_left + self.margin)
        if self.tree.asks_single_items:
            bounds = LeafItemBounds(self.tree.question_items[self.question], lower, upper)
            return box_costs(bounds, self.instance.observations, self.instance.uncertainty)
        from hedgerow.geometry.path_kernels import leaf_costs

        out = np.empty((len(self.values), self.leaf.size))
        leaf_costs(self.values, self.question, lower, upper, self._geometry(), np.inf, out)
        return out

    def turns(self, budgets: FloatArray, needed: BoolArray) -> FloatArray:
        """Return where samples gain or lose these leaves as the threshold moves; see `hedgerow.geometry.turns`."""
        ways = (self.lower, self.upper, self.goes_right, budgets, self.margin)
        if self.tree.asks_single_items:
            item = self.tree.question_items[self.question]
            return item_turns(self.instance.observations, item, *ways, **_terms(self.instance))
        from hedgerow.geometry.turn_kernel import any_turns

        out = np.where(self.goes_right, -np.inf, np.inf) + np.zeros(needed.shape)
        any_turns(self.values, self.question, *ways, self._geometry(), needed, out)
        return out

    def _geometry(self) -> "Geometry":
        return geometry_of(self.tree.questions, self.instance.n_features, **_terms(self.instance))


def paths_below(tree: Tree, instance: Instance, node: int, margin: float) -> Paths:
    """Return the paths to the leaves below an inner node."""
    ways: list[tuple[bool, dict[int, tuple[float, float]]]] = []
    leaves: list[int] = []
    stack: list[tuple[int, bool, bool, dict[int, tuple[float, float]]]] = [(0, False, False, {})]
    own = int(tree.question[node])
    while stack:
        at, is_below, is_right, path = stack.pop()
        if not tree.is_inner[at]:
            if is_below:
                leaves.append(int(tree.leaf_number[at]))
                ways.append((is_right, path))
            continue
        number, threshold = int(tree.question[at]), float(tree.threshold[at])
        low, high = path.get(number, (-np.inf, np.inf))
        left, right = path, path
        if at != node:
            left = {**path, number: (low, min(high, threshold + margin))}
            right = {**path, number: (max(low, threshold - margin), high)}
        stack.append((int(tree.right[at]), is_below or at == node, is_right or at == node, right))
        stack.append((int(tree.left[at]), is_below or at == node, is_right, left))
    width = max(len({own, *path}) for _, path in ways)
    question = np.full((len(ways), width), own)
    lower, upper = np.full(question.shape, -np.inf), np.full(question.shape, np.inf)
    for row, (_, path) in enumerate(ways):
        others = [asked for asked in path if asked != own]
        for place, asked in enumerate([own, *others]):
            question[row, place] = asked
            lower[row, place], upper[row, place] = path.get(asked, (-np.inf, np.inf))
    return Paths(
        leaf=np.array(leaves),
        goes_right=np.array([is_right for is_right, _ in ways]),
        question=question,
        lower=lower,
        upper=upper,
        values=np.ascontiguousarray(values_of(tree.questions, instance.observations)),
        margin=margin,
        tree=tree,
        instance=instance,
    )


def _terms(instance: Instance) -> dict[str, Any]:
    return {name: getattr(instance.uncertainty, name) for name in ("prices", "limits", "epsilon")}
