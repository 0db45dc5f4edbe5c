"""Local search: optima of tiny instances, gaps, pools that grow, and limits."""

import numpy as np
import pytest

from hedgerow import GlobalBudget, Instance, LocalBudget, solve, worst_case
from hedgerow.problems import Selection, ShortestPath
from hedgerow.run import Interrupt

BUDGETS = {"local": LocalBudget, "global": GlobalBudget}


class Unlisted(Selection):
    """Selections that must not be listed, so that the oracle is all there is."""

    def all_solutions(self, limit):
        return None


def small(kind, seed, depth=2, n_samples=5, fraction=0.05):
    costs = np.round(np.random.default_rng(seed).uniform(10, 30, (n_samples, 12)), 2)
    return Instance.create(ShortestPath.grid(3), costs, uncertainty=BUDGETS[kind](fraction=fraction), depth=depth)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("kind", BUDGETS)
def test_it_finds_the_optimum_of_tiny_instances(kind, seed):
    best = solve(small(kind, seed), method="exact", thresholds="midpoints", random_state=0)
    found = solve(small(kind, seed), method="local_search", iteration_limit=150, time_limit=None, random_state=0)
    assert best.status == "optimal"
    assert found.objective == pytest.approx(best.objective, rel=2e-3)
    assert found.lower_bound <= best.objective + 1e-9


@pytest.mark.parametrize("kind", BUDGETS)
@pytest.mark.parametrize("depth", [4, 6])
def test_deep_trees_and_many_samples_are_no_obstacle(kind, depth):
    """The value is the adversary's, and the gap is finite."""
    instance = small(kind, 0, depth=depth, n_samples=80)
    result = solve(instance, method="local_search", iteration_limit=1, time_limit=20.0, random_state=0)
    assert result.objective == pytest.approx(worst_case(result.tree, instance).bound)
    assert result.objective <= solve(instance, method="one_solution").objective
    assert 0.0 <= result.gap < 1.0


@pytest.mark.parametrize("kind", BUDGETS)
def test_a_pool_that_can_not_be_listed_grows_to_what_is_needed(kind):
    """The oracle alone leads to a tree as good as with all solutions at hand, and to a bound."""
    costs = np.round(np.random.default_rng(4).uniform(0, 9, (30, 6)), 1)
    listed, unlisted = (
        solve(
            Instance.create(problem(6, 3), costs, uncertainty=BUDGETS[kind](fraction=0.05)),
            method="local_search",
            iteration_limit=40,
            time_limit=None,
            random_state=0,
        )
        for problem in (Selection, Unlisted)
    )
    assert unlisted.objective <= 1.01 * listed.objective
    assert np.isfinite(unlisted.lower_bound)
    assert unlisted.lower_bound <= listed.lower_bound + 1e-9


def test_an_interrupt_keeps_the_best_tree():
    interrupt = Interrupt()
    rows = []

    def stop_after_a_tree(row):
        rows.append(row)
        if row.detail == "better tree":
            interrupt.request()

    instance = small("local", 2, n_samples=30)
    result = solve(instance, method="local_search", time_limit=60.0, monitor=stop_after_a_tree, interrupt=interrupt)
    assert result.status == "interrupted"
    assert result.tree.depth == 2
