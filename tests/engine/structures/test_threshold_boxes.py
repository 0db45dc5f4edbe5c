"""Boxes of thresholds, against all assignments of samples and all solutions at points in them."""

from itertools import product

import numpy as np
import pytest

from hedgerow import GlobalBudget, Instance
from hedgerow.engine.leaf_problem import new_attacks
from hedgerow.engine.structures.reach import reading_of
from hedgerow.engine.structures.threshold_boxes import (
    BoxTerms,
    divide_boxes,
    new_boxes,
)
from hedgerow.problems import ExplicitSet
from hedgerow.tree.splits import candidate_splits
from hedgerow.tree.structure import NO_SPLIT

N_SAMPLES, N_SOLUTIONS, EPSILON = 5, 3, 0.25
PRICES = np.array([1.0, 2.0])


class World:
    """A few samples and two readings, with a budget for one or two moves."""

    def __init__(self, seed, depth, margin=0.0):
        self.rng, self.margin, self.n_inner = np.random.default_rng(seed), margin, 2**depth - 1
        steps = np.array([0.0, 1.0, 2.5, 3.5, 6.0])[:, np.newaxis] * [1.0, 1.0]
        self.values = self.rng.permuted(steps, axis=0)
        self.loss = self.rng.integers(0, 12, (N_SAMPLES, N_SOLUTIONS)).astype(float)
        self.instance = Instance.create(
            ExplicitSet(np.eye(N_SOLUTIONS)),
            self.loss,
            observed=self.values,
            uncertainty=GlobalBudget(1.7, epsilon=EPSILON, prices=PRICES),
            depth=depth,
        )
        self.splits = candidate_splits(self.values, "midpoints")
        self.reading = reading_of(self.instance, self.splits, margin, spans=True)
        self.assignments = np.array(list(product(range(self.n_inner + 1), repeat=N_SAMPLES)))
        at = self.assignments[:, :, np.newaxis] == np.arange(self.n_inner + 1)
        self.tables = np.einsum("ars,rx->asx", at, self.loss)
        self.choices = np.array(list(product(range(N_SOLUTIONS), repeat=self.n_inner + 1)))

    def move_costs(self, items, thresholds):
        """Return per leaf and sample the price of the least change, written apart from the kernels."""
        out = np.zeros((self.n_inner + 1, N_SAMPLES))
        for leaf in range(self.n_inner + 1):
            interval, child = {}, self.n_inner + leaf
            while child > 0:
                node, right = (child - 1) // 2, child % 2 == 0
                low, high = interval.get(items[node], (-np.inf, np.inf))
                if items[node] < 0:
                    out[leaf] += np.inf if right else 0.0
                elif right:
                    interval[items[node]] = max(low, thresholds[node] - self.margin), high
                else:
                    interval[items[node]] = low, min(high, thresholds[node] + self.margin)
                child = node
            for item, (low, high) in interval.items():
                value = self.values[:, item]
                enters = low + EPSILON if low + EPSILON <= high else np.inf
                short = np.where(value > high, value - high, np.where(value <= low, enters - value, 0.0))
                out[leaf] += np.inf if low >= high else PRICES[item] * short
        return out

    def worst(self, move_cost):
        """Return per choice of solutions the worst sum over all affordable assignments."""
        spent = move_cost[self.assignments, np.arange(N_SAMPLES)].sum(axis=1)
        sums = self.tables[spent <= self.reading.limit]
        return sum(sums[:, slot, self.choices[:, slot]] for slot in range(self.n_inner + 1)).max(axis=0)


@pytest.mark.parametrize(
    ("seed", "depth", "margin"), [(0, 1, 0.0), (17, 2, 0.0), (23, 2, 0.0), (14, 2, 0.1), (21, 2, 0.1)]
)
def test_no_threshold_in_settled_boxes_is_better_than_what_was_found(seed, depth, margin):
    """In these worlds 50 to 250 boxes are tried; what is found is worth what it says."""
    world = World(seed, depth, margin)
    structures = world.rng.integers(0, len(world.splits), (5, world.n_inner))
    structures[0, -1], structures[1, 0] = NO_SPLIT, 0
    boxes, attacks = new_boxes(world.n_inner), new_attacks(world.n_inner + 1, world.loss)
    bounds, position, best = np.full(5, -np.inf), 0, np.inf
    while position < 5 or boxes.n_open[0]:
        terms = BoxTerms(world.reading, world.loss, attacks)
        position, value = divide_boxes(structures, bounds, position, boxes, terms, best - 1e-7, 1e-3, 1)
        if value < np.inf:
            assert value < best
            best, found = value, structures[position - 1]
            asks = found >= 0
            assert (boxes.thresholds >= world.reading.threshold[found])[asks].all()
            assert (boxes.thresholds <= world.reading.top[found])[asks].all()
            # Slots that no sample can be sent to have no solution.
            at = world.worst(world.move_costs(boxes.item, boxes.thresholds))
            some = (world.choices == np.where(boxes.choice < 0, 0, boxes.choice)).all(axis=1)
            assert at[some] == pytest.approx(value)
            reached = world.move_costs(boxes.item, boxes.thresholds).min(axis=1) <= world.reading.limit
            assert (boxes.choice >= 0).tolist() == reached.tolist()
    assert best < np.inf
    asked = np.where(structures >= 0, world.splits.question[structures], -1)
    for number, structure in enumerate(structures):
        low, high = world.reading.threshold[structure], world.reading.top[structure]
        for _ in range(20):
            share = world.rng.choice([0.0, 0.01, 0.25, 0.5, 0.75, 0.99, 1.0], world.n_inner)
            value = world.worst(world.move_costs(asked[number], low + share * (high - low))).min()
            assert value >= min(best, bounds[number]) - 1e-6
