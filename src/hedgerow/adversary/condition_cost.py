"""What it costs to move an observation where conditions are on several readings: to a leaf, or to one plan of a card.

A card's plan is taken if its total is at most that of each plan listed after it, and less than that of each one listed
before. A comparison of two totals is a question like any other, whose threshold is 0. Its value is the difference of
the totals as readers compute them, so that ties and rounding are as in `Tree.choose`.
"""

from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Self

import numpy as np

from hedgerow.data.arrays import BoolArray, FloatArray, IntArray
from hedgerow.tree.questions import Question, difference
from hedgerow.tree.tree import Tree
from hedgerow.uncertainty import Uncertainty

if TYPE_CHECKING:
    from hedgerow.geometry.kernels import Geometry


@dataclass(frozen=True)
class _Conditions:
    """When the plans of a leaf are taken: rows × questions the intervals `lower < value <= upper`."""

    tree: Tree
    leaf: int
    questions: tuple[Question, ...]  # those of the path, then comparisons of two plans
    pairs: tuple[tuple[int, int], ...]  # the plans that are compared
    lower: FloatArray
    upper: FloatArray
    never: BoolArray  # plans with the same sum as one that is preferred to them

    @classmethod
    def of(cls, tree: Tree, leaf: int, margin: float = 0.0) -> Self:
        """Return the conditions of a leaf; each threshold on its path may be moved by the margin."""
        path, rows = tree.intervals_at(leaf), tree.rows_at(leaf)
        n_plans = rows.stop - rows.start
        never = np.zeros(n_plans, dtype=bool)
        pairs, comparisons = list[tuple[int, int]](), list[Question]()
        for one, other in combinations(range(n_plans), 2):
            first, second = (other, one) if tree.takes_largest else (one, other)
            comparison = difference(tree.sums[rows.start + first], tree.sums[rows.start + second])
            if comparison.items:
                pairs.append((one, other))
                comparisons.append(comparison)
            else:
                handicap = tree.handicap[rows]
                never[other if handicap[one] <= handicap[other] else one] = True
        lower = np.full((n_plans, len(path) + len(pairs)), -np.inf)
        upper = np.full(lower.shape, np.inf)
        for place, (_, low, high) in enumerate(path):
            lower[:, place], upper[:, place] = low - margin, high + margin
        for place, (one, other) in enumerate(pairs, len(path)):
            upper[one, place] = lower[other, place] = 0.0
        asked = (*(question for question, _, _ in path), *comparisons)
        return cls(tree, leaf, asked, tuple(pairs), lower, upper, never)

    def values(self, observations: FloatArray) -> FloatArray:
        """Return the questions' values (columns) for some observations."""
        values = np.empty((len(observations), len(self.questions)))
        n_path = len(self.questions) - len(self.pairs)
        for place, question in enumerate(self.questions[:n_path]):
            values[:, place] = question.values(observations)
        if self.pairs:
            totals = self.tree.totals(self.leaf, observations)
            totals = -totals if self.tree.takes_largest else totals
            for place, (one, other) in enumerate(self.pairs, n_path):
                values[:, place] = totals[:, one] - totals[:, other]
        return values

    def geometry(self, n_items: int, uncertainty: Uncertainty) -> "Geometry":
        """Return what it costs to change the questions' values."""
        from hedgerow.geometry.kernels import geometry_of  # compiled kernels are loaded only where they are used

        terms = {"prices": uncertainty.prices, "limits": uncertainty.limits, "epsilon": uncertainty.epsilon}
        return geometry_of(self.questions, n_items, **terms)


def condition_costs(
    tree: Tree, observations: FloatArray, uncertainty: Uncertainty, margin: float, enough: float
) -> FloatArray:
    """Return what `hedgerow.adversary.move_costs` does, for any tree."""
    samples, followed = np.arange(len(observations)), tree.choose(observations)
    if enough <= 0.0 and margin <= 0.0:  # nothing can be misread
        cost = np.full((len(observations), len(tree.solutions)), np.inf)
        cost[samples, followed] = 0.0
        return cost
    from hedgerow.geometry.path_kernels import leaf_costs  # compiled kernels are loaded only where they are used

    cost = np.zeros((len(observations), len(tree.solutions)))
    for leaf in range(tree.n_leaves):
        conditions, rows = _Conditions.of(tree, leaf, margin), tree.rows_at(leaf)
        if conditions.questions:
            asked = np.tile(np.arange(len(conditions.questions)), (len(conditions.never), 1))
            here = np.empty((len(observations), len(asked)))
            geometry = conditions.geometry(observations.shape[1], uncertainty)
            values = conditions.values(observations)
            leaf_costs(values, asked, conditions.lower, conditions.upper, geometry, enough, here)
            cost[:, rows] = here
        cost[:, rows][:, conditions.never] = np.inf
    # What is followed anyway costs nothing, also where rounding has made equal totals of different ones.
    cost[samples, followed] = 0.0
    return cost


def move_into(tree: Tree, moved: FloatArray, rows: IntArray, uncertainty: Uncertainty) -> None:
    """Move the observations for which other rows of `tree.solutions` are followed than these."""
    from hedgerow.geometry.landing import landing_point

    elsewhere = np.flatnonzero(tree.choose(moved) != rows)
    for leaf in np.unique(tree.leaf_of[rows[elsewhere]]).tolist():
        conditions, first = _Conditions.of(tree, leaf), tree.rows_at(leaf).start
        geometry = conditions.geometry(moved.shape[1], uncertainty)

        def value(readings: FloatArray, question: int, conditions: _Conditions = conditions) -> float:
            return float(conditions.values(readings[None])[0, question])

        for sample in elsewhere[tree.leaf_of[rows[elsewhere]] == leaf].tolist():
            lower, upper = (side[int(rows[sample]) - first] for side in (conditions.lower, conditions.upper))
            asked = np.flatnonzero(np.isfinite(lower) | np.isfinite(upper))
            moved[sample] = landing_point(moved[sample], asked, lower[asked], upper[asked], geometry, value, sample)
