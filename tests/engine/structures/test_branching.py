"""Branch and bound over structures, against the value of every structure or of many of them."""

from functools import cached_property
from itertools import product

import numpy as np
import pytest

from hedgerow import GlobalBudget, Instance, LocalBudget
from hedgerow.engine.engine_parameters import EngineParameters
from hedgerow.engine.pool import SolutionPool
from hedgerow.engine.structures import branching as branching_module
from hedgerow.engine.structures.branching import Branching
from hedgerow.engine.structures.reach import reading_of, structure_costs
from hedgerow.engine.structures.space import SearchSpace
from hedgerow.engine.structures.subsets import subset_costs, subset_tables
from hedgerow.problems import ExplicitSet
from hedgerow.run import Options
from hedgerow.tree.splits import Splits, candidate_splits
from hedgerow.tree.structure import NO_SPLIT


class World:
    """Samples with a few candidate splits, and what every structure costs."""

    def __init__(self, seed, n_samples, n_splits, uncertainty, depth):
        rng = self.rng = np.random.default_rng(seed)
        self.depth, self.n_inner, self.n_samples = depth, 2**depth - 1, n_samples
        self.values = rng.permuted(np.tile(np.arange(n_samples, dtype=float), (2, 1)), axis=1).T
        plans = np.where(self.values[:, :1] + self.values[:, 1:] < n_samples, [0.0, 6.0], [6.0, 0.0])
        self.loss = plans + rng.integers(0, 6, (n_samples, 2))
        self.instance = Instance.create(
            ExplicitSet(np.eye(2)), self.loss, observed=self.values, uncertainty=uncertainty, depth=depth
        )
        every = candidate_splits(self.values, "midpoints")
        some = np.sort(rng.choice(len(every), n_splits, replace=False))
        self.splits = Splits(every.question[some], every.threshold[some], every.below[some], every.above[some])
        self.reading = reading_of(self.instance, self.splits)
        self.pool = SolutionPool(self.instance)
        self.pool.add(np.eye(2))
        self.tables = subset_tables(subset_costs(self.loss), depth)
        self.local = isinstance(uncertainty, LocalBudget)
        self.choices = np.array(list(product(range(2), repeat=self.n_inner + 1)))

    @cached_property
    def assignments(self):
        return np.array(list(product(range(self.n_inner + 1), repeat=self.n_samples)))

    def value(self, structure):
        """Return the least worst case over all solutions at the slots."""
        cost = np.empty((self.n_inner + 1, self.n_samples))
        structure_costs(structure, self.reading, cost)
        losses = self.loss.T[self.choices]  # choices × slots × samples
        if self.local:
            return np.where(cost == 0.0, losses, -np.inf).max(axis=1).sum(axis=1).min()
        rows = np.arange(self.n_samples)
        sent = self.assignments[cost[self.assignments, rows].sum(axis=1) <= self.reading.limit]
        return sum(losses[:, sent[:, row], row] for row in rows).max(axis=1).min()

    def leaves(self, structure):
        """Return the sizes of the leaves that exist."""
        found = []

        def walk(node, rows):
            if node >= self.n_inner:
                found.append(rows.sum())
            elif structure[node] < 0:
                walk(2 * node + 1, rows)
            else:
                left = self.values[:, self.splits.question[structure[node]]] <= self.splits.threshold[structure[node]]
                walk(2 * node + 1, rows & left)
                walk(2 * node + 2, rows & ~left)

        walk(0, np.ones(self.n_samples, bool))
        return found

    def branching(self, min_samples=0, max_leaves=0):
        options = Options(min_samples_leaf=min_samples, max_leaves=max_leaves or None)
        return Branching(SearchSpace(self.instance, options, self.splits, self.pool), self.tables)

    def survivors(self, target, min_samples=0, max_leaves=0, at_once=10):
        """Return what no bound excludes, with the bounds, below all roots; work is often interrupted."""
        kept = []
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(branching_module, "ENGINE", EngineParameters(bounds_per_call=at_once))
            branching = self.branching(min_samples, max_leaves)
        for root in branching.candidates(0):
            for structures, bounds in branching.below(root, lambda: target, lambda: False):
                assert len(bounds) <= at_once
                kept += [(tuple(structure), bound) for structure, bound in zip(structures, bounds, strict=True)]
        return kept


GLOBAL, LOCAL = GlobalBudget(0.6), LocalBudget(0.8)


@pytest.mark.parametrize(("seed", "uncertainty", "n_samples"), [(0, GLOBAL, 6), (1, GLOBAL, 6), (2, LOCAL, 12)])
def test_below_every_root_the_best_structure_survives(seed, uncertainty, n_samples):
    """Of those below the target; others are dropped only where one that stays is as good. Bounds hold."""
    world = World(seed, n_samples, 5, uncertainty, 2)
    values = {structure: world.value(np.array(structure)) for structure in product(range(5), repeat=3)}
    bounds = [world.branching().bound(0, root, np.inf) for root in range(5)]
    for target in np.quantile([*values.values()], [0.7, 0.2, 0.0]) + 1e-6:
        found = world.survivors(target)
        assert len({structure for structure, _ in found}) == len(found)
        for structure, bound in found:
            assert bound < target
            assert bound <= values[structure] + 1e-9
        for root in range(5):
            best = min(value for structure, value in values.items() if structure[0] == root)
            assert bounds[root] <= best + 1e-9
            stay = [values[structure] for structure, _ in found if structure[0] == root]
            assert best >= target or min(stay) == pytest.approx(best)
    assert len(found) < len(values) / 4, "bounds exclude something"


@pytest.mark.parametrize(("min_samples", "max_leaves"), [(2, 0), (0, 3), (0, 2), (3, 3), (1, 0)])
@pytest.mark.parametrize("uncertainty", [GLOBAL, LOCAL])
def test_rules_about_leaves_are_kept_and_the_best_of_the_rest_survives(uncertainty, min_samples, max_leaves):
    world = World(3, 6, 4, uncertainty, 2)
    values = {}
    for structure in product(range(NO_SPLIT, 4), repeat=3):
        sizes = world.leaves(np.array(structure))
        if min(sizes) >= min_samples and len(sizes) <= (max_leaves or 4):
            values[structure] = world.value(np.array(structure))
    least = min(values.values())
    for target in (least + 1e-6, least + 4.0, max(values.values()) + 1.0):
        found = [structure for structure, _ in world.survivors(target, min_samples, max_leaves)]
        assert set(found) <= set(values)
        assert all(structure[0] >= 0 or structure[2] < 0 for structure in found), "to the right of no question"
        for root in range(NO_SPLIT, 4):
            best = min((value for structure, value in values.items() if structure[0] == root), default=np.inf)
            stay = [values[structure] for structure in found if structure[0] == root]
            assert best >= target or min(stay) == pytest.approx(best)


@pytest.mark.parametrize("seed", range(2))
def test_at_depth_three_nothing_better_than_the_survivors_is_dropped(seed):
    """Of three hundred structures, half of them one change away from a survivor."""
    world = World(10 + seed, 12, 6, LOCAL, 3)
    drawn = [world.rng.integers(0, 6, 7) for _ in range(150)]
    target = np.quantile([world.value(structure) for structure in drawn], 0.03) + 1e-6
    found = world.survivors(target)
    values = {structure: world.value(np.array(structure)) for structure, _ in found[:400]}
    assert all(bound <= values.get(structure, np.inf) + 1e-9 for structure, bound in found)
    best = min(world.value(np.array(structure)) for structure, _ in found)
    for _ in range(150):
        structure = np.array(found[world.rng.integers(len(found))][0])
        structure[world.rng.integers(7)] = world.rng.integers(6)
        drawn.append(structure)
    assert min(world.value(structure) for structure in drawn) >= best - 1e-9
