"""All trees of depth 2 over a tiny instance, with what each of them costs and asks: enumeration for tests."""

from dataclasses import dataclass
from functools import cached_property
from itertools import product

import numpy as np

from hedgerow import GlobalBudget, Instance, LocalBudget
from hedgerow.adversary import move_costs
from hedgerow.problems import ExplicitSet
from hedgerow.tree.splits import Splits, candidate_splits
from hedgerow.tree.structure import NO_SPLIT, existing_slots, tree_of

PLANS = [[1.0, 0.0, 0.3], [0.0, 1.0, 0.2], [0.5, 0.4, 0.4]]
NAMES = ("north", "south", "middle")
ITEMS = ("bridge", "tunnel", "ferry")
SAMPLES = np.array([[1.0, 3.1, 2.0], [4.2, 2.0, 1.5], [2.5, 6.0, 2.0], [4.2, 3.1, 1.5]])


def tiny(budget="local"):
    """Return four samples of three items, the last of which has two values."""
    problem = ExplicitSet(PLANS, item_names=ITEMS, solution_names=NAMES)
    uncertainty = LocalBudget(0.9) if budget == "local" else GlobalBudget(2.5)
    return Instance.create(problem, SAMPLES, uncertainty=uncertainty, depth=2)


@dataclass
class Row:
    """One tree: its structure, its plans per slot (−1 where there is none), and its worst case."""

    structure: tuple[int, ...]
    choice: tuple[int, ...]
    value: float
    tree: object
    instance: Instance

    @cached_property
    def items(self):
        return {ITEMS[item] for item in self.tree.asked_items}

    @cached_property
    def first(self):
        return ITEMS[self.tree.item[0]] if self.tree.is_inner[0] else None

    @cached_property
    def advice(self):
        return {NAMES[plan] for plan in self._plans(SAMPLES)}

    def _plans(self, readings):
        return [PLANS.index(list(row)) for row in self.tree.predict(readings)]

    @cached_property
    def grid(self):
        """The advice on a grid that has a point in every box."""
        at = [sorted({0.0, *(self.tree.threshold[self.tree.item == item] + 1e-6).tolist()}) for item in range(3)]
        points = np.array(list(product(*at)))
        return points, self._plans(points)

    @property
    def plans(self):
        return {NAMES[plan] for plan in self.grid[1]}


def all_rows(instance, extra=None, *, may_stop=True):
    """Yield every tree; `extra` is a split (item, threshold) that the root alone may have."""
    splits = candidate_splits(instance.question_values)
    n_own = len(splits)
    if extra is not None:
        at = [np.append(array, extra[1]) for array in (splits.threshold, splits.below, splits.above)]
        splits = Splits(np.append(splits.question, extra[0]), *at)
    none = [NO_SPLIT] if may_stop else []
    loss = instance.losses(np.array(PLANS))
    for structure in product([*range(len(splits)), *none], *[[*range(n_own), *none]] * 2):
        if NO_SPLIT in structure and structure[0] == NO_SPLIT and structure[2] != NO_SPLIT:
            continue
        splits_at = np.array(structure)
        shape = tree_of(splits_at, splits, np.arange(4.0)[:, None])
        cost = move_costs(shape, instance.observations, instance.uncertainty)
        slots = np.flatnonzero(existing_slots(splits_at))
        real = shape.is_reachable
        choices = np.array(list(product(*[range(3) if ok else [0] for ok in real])))
        values = worst_cases(cost, loss, choices, instance)
        for plans, value in zip(choices, values, strict=True):
            choice = np.full(4, -1)
            choice[slots] = plans
            yield structure, tuple(choice), value, splits


def worst_cases(cost, loss, choices, instance):
    """Return per choice of plans the worst case over all assignments of samples to leaves."""
    budget = instance.uncertainty.budget + 1e-9
    rows = np.arange(len(cost))
    ways = np.array(list(product(range(cost.shape[1]), repeat=len(cost))))
    spent = cost[rows, ways]
    local = isinstance(instance.uncertainty, LocalBudget)
    ways = ways[(spent <= budget).all(axis=1) if local else spent.sum(axis=1) <= budget]
    return loss[rows, choices[:, ways]].sum(axis=2).max(axis=1)


def kept_rows(instance, extra=None, *, may_stop=True):
    """Return all trees as rows."""
    solutions = np.array(PLANS)
    return [
        Row(structure, choice, value, tree_of(np.array(structure), splits, solutions[np.maximum(choice, 0)]), instance)
        for structure, choice, value, splits in all_rows(instance, extra, may_stop=may_stop)
    ]
