"""Maximising is minimising with all signs turned, for every problem, every method and everything people read."""

import numpy as np
import pytest

from hedgerow import GlobalBudget, Instance, LocalBudget, Tree, evaluate, solve
from hedgerow.methods import METHODS
from tests.problems.shelf import SHELF, WITHOUT_SENSE, Negated, samples_for, turned

BUDGETS = {"local": LocalBudget, "global": GlobalBudget}
ONE_OF_EACH = {name: SHELF[name] for name in ("knapsack", "assignment", "scheduling", "facility location", "grid")}


def least_and_greatest(name, n_samples=4):
    """A problem that minimises with its costs, and its mirror image with its gains."""
    problem = SHELF[name]
    least = problem if problem.sense == "min" else turned(problem)
    greatest = Negated(least) if name in WITHOUT_SENSE else turned(least)
    costs = samples_for(problem, n_samples, seed=8)
    return (least, costs), (greatest, -costs)


def instances(name, uncertainty):
    (least, costs), (greatest, gains) = least_and_greatest(name)
    options = {"context": costs[:, :3], "uncertainty": uncertainty, "depth": 1}
    return Instance.create(least, costs, **options), Instance.create(greatest, gains, **options)


@pytest.mark.parametrize("kind", BUDGETS)
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("name", ONE_OF_EACH)
def test_every_method_mirrors(name, method, kind):
    least, greatest = (
        solve(instance, method=method, iteration_limit=3, time_limit=None, random_state=0)
        for instance in instances(name, BUDGETS[kind](fraction=0.1))
    )
    assert greatest.objective == pytest.approx(-least.objective)
    assert greatest.lower_bound == pytest.approx(-least.lower_bound)
    assert greatest.nominal == pytest.approx(-least.nominal)
    assert greatest.gap == pytest.approx(least.gap)
    assert greatest.status == least.status
    assert greatest.tree == least.tree
    # A misreading can only lower what is gained, and a bound on gains lies above.
    assert greatest.objective <= greatest.nominal + 1e-9
    assert greatest.lower_bound >= greatest.objective - 1e-9 * abs(greatest.objective)


@pytest.mark.parametrize("name", ONE_OF_EACH)
def test_attacks_and_evaluations_mirror(name):
    least, greatest = instances(name, GlobalBudget(2.0))
    solutions = least.problem.all_solutions(1000)
    tree = Tree.full([0], [float(np.median(least.observations[:, 0]))], solutions[[0, -1]])
    costs, gains = (
        evaluate(tree, instance.problem, instance.costs, GlobalBudget(2.0), context=instance.observations)
        for instance in (least, greatest)
    )
    assert (gains.nominal, gains.robust) == pytest.approx((-costs.nominal, -costs.robust))
    assert (gains.attack.leaf == costs.attack.leaf).all()
    assert gains.robust <= gains.nominal
