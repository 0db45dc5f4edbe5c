"""What several tests share: problems of their own, parts of JSON values, and brute force over all trees."""

from collections.abc import Iterator
from itertools import product
from typing import Any

import numpy as np

from hedgerow import Instance
from hedgerow.data.arrays import BoolArray, FloatArray, IntArray
from hedgerow.problem import CostRows, FeasibleSet, RowBlock, Sense
from hedgerow.problems import Problem
from hedgerow.tree.splits import Splits, candidate_splits
from hedgerow.uncertainty import GlobalBudget, Nominal


class Machines(Problem):
    """Jobs on two machines: the largest load is to be small, or (sense "max") the smallest to be large.

    Items are the jobs' durations; variables say which job runs on which machine.
    """

    def __init__(self, n_jobs: int = 4, sense: Sense = "min") -> None:
        super().__init__([f"job {job}" for job in range(n_jobs)], sense=sense, unit="h")
        self.n_jobs = n_jobs

    @property
    def variable_names(self) -> tuple[str, ...]:
        return tuple(f"{job} on {machine}" for job in self.item_names for machine in "AB")

    def costs(self, solutions: FloatArray, samples: FloatArray) -> FloatArray:
        loads = np.stack([samples @ solutions[:, machine::2].T for machine in (0, 1)])
        return loads.max(axis=0) if self.sense == "min" else loads.min(axis=0)

    def feasible_set(self) -> FeasibleSet:
        return FeasibleSet.of(RowBlock("the machines of a job", [np.kron(np.eye(self.n_jobs), [1.0, 1.0])], 1.0, 1.0))

    def cost_rows(self, sample: FloatArray) -> CostRows:
        rows = np.zeros((2, 2 * self.n_jobs))
        rows[0, 0::2] = rows[1, 1::2] = sample
        return CostRows(rows, np.zeros(2))

    def describe(self, solution: FloatArray) -> str:
        return "".join("A" if on_first else "B" for on_first in solution[0::2])


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the path of every part of a JSON value."""
    if path:
        yield path
    parts = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, part in parts:
        yield from places(part, (*path, key))


def brute_force(instance: Instance, thresholds: str = "midpoints") -> float:
    """Return the least worst-case loss over all full trees of depth 1 or 2, by trying them all.

    Move costs are computed here once more, so that nothing is shared with what is tested but the instance. A tree is
    known by the assignments of samples to leaves that the budget affords; each distinct set of them is solved by
    trying all combinations of solutions.
    """
    splits = candidate_splits(instance.observations, thresholds)
    solutions = instance.problem.all_solutions(10_000)
    assert solutions is not None
    loss = instance.losses(solutions)
    n_leaves = 2**instance.depth
    assignments = np.array(list(product(range(n_leaves), repeat=instance.n_samples)))
    affordable = np.unique(_affordable_sets(instance, splits, assignments), axis=0)
    choices = np.array(list(product(range(len(solutions)), repeat=n_leaves)))
    samples = np.arange(instance.n_samples)
    # cost[a, c]: what assignment a costs if the leaves hold choice c
    cost = np.array([loss[samples[:, None], choices[:, assignment].T].sum(axis=0) for assignment in assignments])
    return min(float(cost[allowed].max(axis=0).min()) for allowed in affordable)


def _affordable_sets(instance: Instance, splits: Splits, assignments: IntArray) -> BoolArray:
    """Return for each structure (row) which assignments (columns) the budget affords."""
    n_samples, n_splits = instance.n_samples, len(splits)
    to_leaf = _path_costs(instance, splits)
    if instance.depth == 1:
        move_cost = to_leaf[np.arange(n_splits), :, np.arange(n_splits)][:, [0, 1], [0, 1]]
    else:
        root, left, right = (axis.ravel() for axis in np.meshgrid(*[np.arange(n_splits)] * 3, indexing="ij"))
        leaves = [(0, left, 0), (0, left, 1), (1, right, 0), (1, right, 1)]
        move_cost = np.stack([to_leaf[root, first, below, second] for first, below, second in leaves], axis=1)
    chosen = [move_cost[:, assignments[:, sample], sample] for sample in range(n_samples)]
    uncertainty = instance.uncertainty
    if isinstance(uncertainty, Nominal):
        return np.all([price == 0.0 for price in chosen], axis=0)
    if isinstance(uncertainty, GlobalBudget):
        slack = 1e-9 if uncertainty.budget > 0.0 else 0.0
        return np.sum(chosen, axis=0) <= uncertainty.budget + slack
    budgets = np.broadcast_to(uncertainty.budget, (n_samples,))
    limits = np.where(budgets > 0.0, budgets + 1e-9, 0.0)
    return np.all([price <= limit for price, limit in zip(chosen, limits, strict=True)], axis=0)


def _path_costs(instance: Instance, splits: Splits) -> FloatArray:
    """Return [s, a, t, b, j]: what moves sample j to the leaf with answers a to split s and b to split t."""
    uncertainty = instance.uncertainty
    nominal = isinstance(uncertainty, Nominal)
    epsilon = 0.001 if nominal else uncertainty.epsilon
    prices = np.ones(instance.n_features) if nominal or uncertainty.prices is None else uncertainty.prices
    n_splits = len(splits)
    cost = np.empty((n_splits, 2, n_splits, 2, instance.n_samples))
    for s, a, t, b in product(range(n_splits), (0, 1), range(n_splits), (0, 1)):
        boxes: dict[int, list[float]] = {}
        for split, goes_right in ((s, a), (t, b)):
            box = boxes.setdefault(int(splits.question[split]), [-np.inf, np.inf])
            threshold = float(splits.threshold[split])
            box[1 - goes_right] = max(box[0], threshold) if goes_right else min(box[1], threshold)
        total = np.zeros(instance.n_samples)
        for item, (low, high) in boxes.items():
            observed = instance.observations[:, item]
            entry = low + epsilon if low + epsilon <= high else np.inf
            distance = np.where(observed > high, observed - high, np.where(observed <= low, entry - observed, 0.0))
            total += prices[item] * distance if low < high else np.inf
        cost[s, a, t, b] = total
    return cost
