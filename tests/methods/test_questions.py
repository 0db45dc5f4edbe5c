"""Methods on trees that may ask any questions, against all trees there are, with move costs from linear programmes."""

import numpy as np
import pytest

from hedgerow import GlobalBudget, Instance, LocalBudget, Nominal
from hedgerow.adversary import worst_case
from hedgerow.geometry import reach_limit
from hedgerow.methods.solve import solve
from hedgerow.problems import ExplicitSet
from hedgerow.tree.questions import Question
from tests.engine.test_moves import world
from tests.reference.any_questions import AllTrees


def tiny_instance(seed):
    rng = np.random.default_rng(seed)
    depth, n_samples = (2, 3) if seed % 3 else (1, 4)
    questions = [Question.of_item(int(rng.integers(3)))]
    for number in range(2 if depth == 2 else 4):
        items = rng.choice(3, int(rng.integers(2, 4)), replace=False).tolist()
        numbers = rng.choice([-1.0, 1.0, 2.0], len(items)).tolist()
        questions.append(Question.of(dict(zip(items, numbers, strict=True)), f"question {number}"))
    options = {}
    if rng.random() < 0.5:
        options["prices"] = rng.integers(1, 4, 3) / 2.0
    if rng.random() < 0.4:
        options["limits"] = rng.integers(0, 5, 3) / 1.0
    budget = (LocalBudget if seed % 2 else GlobalBudget)(float(rng.integers(0, 6)), **options)
    costs = rng.integers(0, 12, (n_samples, 3)) / 1.0
    solutions = np.unique(rng.integers(0, 2, (3, 3)) + np.array([0.0, 0.0, 0.5]), axis=0)
    return Instance.create(ExplicitSet(solutions), costs, uncertainty=budget, depth=depth, questions=questions)


@pytest.mark.parametrize("seed", range(10))
def test_methods_agree_with_all_trees(seed):
    instance = tiny_instance(seed)
    best = AllTrees(instance).best()
    proven = solve(instance, method="exact", thresholds="midpoints", time_limit=None)
    assert proven.thresholds == "midpoints"
    assert proven.status == "optimal"
    assert proven.objective == pytest.approx(best)
    assert worst_case(proven.tree, instance).value == pytest.approx(best)
    for method in ("local_search", "fix_tree", "scenario_generation", "one_solution", "nominal"):
        found = solve(instance, method=method, iteration_limit=30, random_state=0)
        assert found.objective >= best - 1e-9, method
        assert found.lower_bound <= best + 1e-9, method
        assert found.objective == pytest.approx(worst_case(found.tree, instance).value), method


@pytest.mark.parametrize("seed", range(20))
def test_local_budgets_with_every_option_are_proven(seed):
    instance, options = world(np.random.default_rng(seed), 3)
    found = solve(instance, options, random_state=0)
    best = AllTrees(instance, options).best()
    assert found.status == "optimal"
    assert instance.sign * found.objective == pytest.approx(best, abs=1e-9)
    assert all(instance.sign * row.bound <= best + 1e-9 for row in found.statistics)


def test_attacks_on_questions_land_and_fit_the_budget():
    rng = np.random.default_rng(5)
    n_moved = 0
    for seed in range(30):
        instance = tiny_instance(seed)
        structure = solve(instance.under(Nominal()), method="nominal", time_limit=None).tree
        costs = instance.costs + rng.random(instance.costs.shape)
        instance = Instance.create(
            instance.problem, costs, uncertainty=instance.uncertainty, depth=2, questions=instance.questions
        )
        attack = worst_case(structure, instance)
        n_moved += attack.moved.size
        assert structure.apply(attack.observations).tolist() == attack.leaf.tolist()
        prices = np.ones(3) if instance.uncertainty.prices is None else instance.uncertainty.prices
        change = np.abs(attack.observations - costs)
        assert change @ prices == pytest.approx(attack.price, abs=1e-8)
        if instance.uncertainty.limits is not None:
            assert (change <= reach_limit(instance.uncertainty.limits) + 1e-9).all()
    assert n_moved > 5
