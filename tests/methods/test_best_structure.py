"""The best structure for given solutions: by branch and bound, and by a master with its solutions fixed."""

from itertools import product

import numpy as np
import pytest

from hedgerow import GlobalBudget, Instance, LocalBudget, worst_case
from hedgerow.engine.models.master import Master
from hedgerow.engine.pool import optima_pool
from hedgerow.engine.structures import branching
from hedgerow.engine.structures.space import SearchSpace
from hedgerow.methods import best_structure as room
from hedgerow.methods.best_structure import affordable, best_structure
from hedgerow.methods.parameters import MethodParameters
from hedgerow.problems import Selection
from hedgerow.run import Options, Run
from hedgerow.tree.splits import candidate_splits
from hedgerow.tree.structure import NO_SPLIT, structure_allowed, tree_of
from tests.helpers import Machines

KINDS = pytest.mark.parametrize("kind", [LocalBudget, GlobalBudget])
PROBLEMS = {"selection": Selection(4, 2), "gains": Selection(4, 2, sense="max"), "machines": Machines()}


def a_case(kind, problem, seed):
    rng = np.random.default_rng(seed)
    instance = Instance.create(
        PROBLEMS[problem],
        np.round(rng.uniform(1.0, 9.0, (4, 4)), 1),
        observed=np.round(rng.normal(0.0, 3.0, (4, 2)), 1),
        uncertainty=kind(fraction=0.06),
    )
    solutions = PROBLEMS[problem].all_solutions(100)
    return instance, candidate_splits(instance.observations), solutions[rng.integers(len(solutions), size=4)]


def by_trying_all(instance, splits, solutions, settings):
    asks_nothing = [NO_SPLIT] if settings != Options() else []
    structures = np.array(list(product([*range(len(splits)), *asks_nothing], repeat=3)))
    trees = [
        tree_of(structure, splits, solutions)
        for structure in structures
        if structure_allowed(structure, splits, instance.observations, settings)
    ]
    return min(instance.sign * worst_case(tree, instance).value for tree in trees)


def by_bounds(instance, splits, solutions, settings):
    space = SearchSpace(instance, settings, splits, optima_pool(instance))
    tree, value = best_structure(space, solutions, Run(instance), np.inf)
    assert instance.sign * worst_case(tree, instance).value == pytest.approx(value)
    return value


def by_master(instance, splits, solutions, settings):
    master, run, best = Master(instance, splits, settings, solutions), Run(instance), np.inf
    while True:
        solved = master.solve(run)
        attack = worst_case(solved.tree, instance)
        best = min(best, instance.sign * attack.value)
        if best <= solved.bound + 1e-6 * abs(best):
            return best
        assert master.add_scenario(attack.observations)


@KINDS
@pytest.mark.parametrize("problem", PROBLEMS)
@pytest.mark.parametrize("find", [by_bounds, by_master])
def test_it_is_the_best_of_all_structures(find, problem, kind):
    for seed in range(2):
        case = a_case(kind, problem, seed)
        assert find(*case, Options()) == pytest.approx(by_trying_all(*case, Options()))


@KINDS
@pytest.mark.parametrize("find", [by_bounds, by_master])
@pytest.mark.parametrize("settings", [Options(min_samples_leaf=1), Options(max_leaves=3)], ids=["rows", "leaves"])
def test_limits_on_leaves_are_kept(settings, find, kind):
    case = a_case(kind, "selection", 3)
    assert find(*case, settings) == pytest.approx(by_trying_all(*case, settings))


@KINDS
@pytest.mark.parametrize("seed", range(3))
def test_slices_of_roots_and_structures_change_nothing(kind, seed, monkeypatch):
    """However often the clock is looked at, the best structure is the same."""
    case = a_case(kind, "selection", seed)
    whole = by_bounds(*case, Options())
    monkeypatch.setattr(branching, "_WORK_AT_ONCE", 1)
    monkeypatch.setattr(room, "PARAMETERS", MethodParameters(work_at_once=1))
    assert by_bounds(*case, Options()) == pytest.approx(whole, rel=1e-12)


@KINDS
def test_on_a_large_history_some_thresholds_have_to_do(kind):
    """So many that a look at all of them takes no more than a second or two; on a small one all of them."""
    rng = np.random.default_rng(0)
    for n_samples, thinned in ((20, False), (2_000, True)):
        instance = Instance.create(Selection(10, 2), rng.uniform(1.0, 9.0, (n_samples, 10)), uncertainty=kind(1.0))
        splits, run = candidate_splits(instance.observations), Run(instance)
        kept = affordable(splits, instance, run)
        assert (len(kept) < len(splits)) == thinned
        assert set(kept.question) == set(range(10))
        assert ("thresholds" in run.message) == thinned
