"""Small random worlds for property tests, and what a tree means, told a second time in the plainest way.

Values lie on a coarse lattice and thresholds between its points, so that every gap is far above ε.
"""

import itertools
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from hypothesis import strategies as st

from hedgerow import GlobalBudget, Instance, LocalBudget, Tree
from hedgerow.geometry import reach_limit
from hedgerow.problems import ExplicitSet, Selection, ShortestPath

STEP = 0.25

values = st.integers(-6, 14).map(lambda step: step * STEP)
thresholds = st.integers(-7, 14).map(lambda step: (step + 0.5) * STEP)
amounts = st.integers(0, 24).map(lambda step: step * STEP)


@dataclass(frozen=True)
class World:
    """Everything that an evaluation needs but the budget."""

    problem: Any
    costs: np.ndarray
    weights: np.ndarray
    tree: Tree
    observations: np.ndarray | None = None
    options: dict[str, Any] = field(default_factory=dict)

    @property
    def n_samples(self):
        return len(self.costs)

    @property
    def sign(self):
        return 1.0 if self.problem.sense == "min" else -1.0

    def instance(self, uncertainty=None):
        return Instance.create(
            self.problem,
            self.costs,
            observed=self.observations,
            weights=self.weights,
            uncertainty=uncertainty,
            depth=self.tree.depth,
        )

    def local(self, budget):
        return self.instance(LocalBudget(budget, **self.options))

    def global_(self, budget):
        return self.instance(GlobalBudget(budget, **self.options))


@st.composite
def problems(draw):
    kind = draw(st.sampled_from(["selection", "grid", "explicit"]))
    sense = draw(st.sampled_from(["min", "max"]))
    if kind == "grid":
        return ShortestPath.grid(draw(st.integers(2, 3)))
    n_items = draw(st.integers(1, 4))
    if kind == "selection":
        return Selection(n_items, draw(st.integers(1, n_items)), sense=sense)
    amount = st.integers(-2, 3)
    solutions = draw(st.lists(st.lists(amount, min_size=n_items, max_size=n_items), min_size=1, max_size=4))
    return ExplicitSet(solutions, sense=sense)


@st.composite
def nested_trees(draw, n_items, solutions, depth):
    """Draw a tree as nested dictionaries; branches may end early, ask an item again, or be beyond reach."""
    if depth == 0 or draw(st.integers(0, 5)) == 0:
        return {"solution": draw(st.sampled_from(solutions))}
    return {
        "item": draw(st.integers(0, min(n_items, 3) - 1)),
        "threshold": draw(thresholds),
        "left": draw(nested_trees(n_items, solutions, depth - 1)),
        "right": draw(nested_trees(n_items, solutions, depth - 1)),
    }


def trees(max_depth=4, n_items=3):
    return (
        st.integers(0, max_depth)
        .flatmap(lambda depth: nested_trees(n_items, [[1.0, 0.0], [0.0, 1.0], [0.5, 0.25]], depth))
        .map(Tree.from_dict)
    )


def matrices(n_rows, n_columns, entries=values):
    row = st.lists(entries, min_size=n_columns, max_size=n_columns)
    return st.lists(row, min_size=n_rows, max_size=n_rows).map(np.array)


@st.composite
def worlds(draw, max_depth=4, max_samples=5):
    problem = draw(problems())
    n_items = len(problem.item_names)
    n_samples = draw(st.integers(1, max_samples))
    observations, n_features = None, n_items
    if draw(st.booleans()):
        n_features = draw(st.integers(1, 3))
        observations = draw(matrices(n_samples, n_features))
    solutions = [row.tolist() for row in problem.all_solutions(100)]
    depth = draw(st.integers(0, max_depth))
    weights = draw(st.lists(st.sampled_from([0.5, 1.0, 2.0, 3.0]), min_size=n_samples, max_size=n_samples))
    return World(
        problem=problem,
        costs=draw(matrices(n_samples, n_items)),
        weights=np.array(weights),
        tree=Tree.from_dict(draw(nested_trees(n_features, solutions, depth))),
        observations=observations,
        options=draw(set_options(n_samples, n_features)),
    )


@st.composite
def set_options(draw, n_samples, n_features):
    """Draw limits of every shape and prices, or neither."""
    # Off the lattice of distances, so that no limit is met to within a rounding error.
    limit = amounts.map(lambda amount: amount + 0.06)
    options = {
        "limits": draw(
            st.one_of(
                st.none(), limit, matrices(1, n_features, limit).map(np.ravel), matrices(n_samples, n_features, limit)
            )
        ),
        "prices": draw(
            st.one_of(st.none(), matrices(1, n_features, st.sampled_from([0.5, 1.0, 2.0, 4.0])).map(np.ravel))
        ),
    }
    return {name: value for name, value in options.items() if value is not None}


# -- a tree's meaning in the plainest way ------------------------------------------------------------------------------


def paths(nested, path=()):
    """Return the path to each leaf, from left to right: (item, threshold, whether it goes left) per question."""
    if "solution" in nested:
        return [path]
    item, threshold = nested["item"], nested["threshold"]
    return [
        *paths(nested["left"], (*path, (item, threshold, True))),
        *paths(nested["right"], (*path, (item, threshold, False))),
    ]


def naive_leaf(nested, row):
    """Return the number of the one leaf whose path the row agrees with."""
    (leaf,) = [
        number
        for number, path in enumerate(paths(nested))
        if all((row[item] <= threshold) == left for item, threshold, left in path)
    ]
    return leaf


def naive_move_cost(path, row, *, prices=None, limits=None, epsilon=0.001):
    """Return the least budget that takes the row to the end of the path: item by item, interval by interval."""
    total = 0.0
    for item in {item for item, _, _ in path}:
        high = min([t for i, t, left in path if i == item and left], default=np.inf)
        low = max([t for i, t, left in path if i == item and not left], default=-np.inf)
        value = row[item]
        if low >= high:
            return np.inf
        distance = 0.0
        if value > high:
            distance = value - high
        elif value <= low:
            distance = low + epsilon - value if low + epsilon <= high else np.inf
        if limits is not None and distance > limits[item]:
            return np.inf
        total += distance * (1.0 if prices is None else prices[item])
    return total


def naive_move_costs(tree, observations, *, prices=None, limits=None, epsilon=0.001):
    all_limits = None if limits is None else np.broadcast_to(limits, observations.shape)
    return np.array(
        [
            [
                naive_move_cost(
                    path, row, prices=prices, limits=None if limits is None else all_limits[sample], epsilon=epsilon
                )
                for path in paths(tree.to_dict())
            ]
            for sample, row in enumerate(observations)
        ]
    )


def naive_worst_case(loss, move_cost, budget, *, together):
    """Return the largest total loss over all assignments of samples to leaves that the budget affords."""
    choices = [np.flatnonzero(np.isfinite(row)) for row in move_cost]
    worst = -np.inf
    for leaves in itertools.product(*choices):
        prices = np.array([move_cost[sample, leaf] for sample, leaf in enumerate(leaves)])
        fits = prices.sum() <= reach_limit(budget) if together else (prices <= reach_limit(budget)).all()
        if fits:
            worst = max(worst, sum(loss[sample, leaf] for sample, leaf in enumerate(leaves)))
    return worst
