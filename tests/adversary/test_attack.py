"""The worst case against brute force over all assignments, and attacks that do what they say."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hedgerow import GlobalBudget, Instance, LocalBudget, Tree, worst_case
from hedgerow.datasets import motivating_example
from hedgerow.geometry import reach_limit
from hedgerow.problems import Selection
from hedgerow.tree.question_kinds import best_for_each
from tests.worlds import amounts, naive_move_costs, naive_worst_case, worlds


def naive_costs(world):
    """Return the move costs of a world by the second definition."""
    observations = world.costs if world.observations is None else world.observations
    return naive_move_costs(world.tree, observations, **world.options)


@given(worlds(max_depth=3, max_samples=4), amounts)
def test_a_local_worst_case_is_the_worst_over_all_assignments(world, budget):
    instance = world.local(budget)
    attack = worst_case(world.tree, instance)
    worst = naive_worst_case(instance.losses(world.tree.solutions), naive_costs(world), budget, together=False)
    assert attack.exact
    assert attack.bound == attack.value == pytest.approx(world.sign * worst)


@given(worlds(max_depth=3, max_samples=4), st.data())
def test_a_local_worst_case_keeps_each_samples_own_budget(world, data):
    budgets = data.draw(st.lists(amounts, min_size=world.n_samples, max_size=world.n_samples))
    instance = world.local(budgets)
    loss, price = instance.losses(world.tree.solutions), naive_costs(world)
    worst = sum(
        naive_worst_case(loss[[sample]], price[[sample]], budget, together=False)
        for sample, budget in enumerate(budgets)
    )
    assert worst_case(world.tree, instance).value == pytest.approx(world.sign * worst)


@given(worlds(max_depth=3, max_samples=4), amounts)
def test_a_global_worst_case_is_the_worst_over_all_assignments(world, budget):
    instance = world.global_(budget)
    attack = worst_case(world.tree, instance)
    worst = naive_worst_case(instance.losses(world.tree.solutions), naive_costs(world), budget, together=True)
    assert attack.exact
    assert attack.bound == attack.value == pytest.approx(world.sign * worst)


@given(worlds(), amounts, st.booleans())
def test_an_attack_lands_where_it_says_and_fits_the_budget(world, budget, together):
    """Fact 6, with the price paid recomputed from the perturbed observations themselves."""
    instance = world.global_(budget) if together else world.local(budget)
    attack = worst_case(world.tree, instance)
    assert world.tree.apply(attack.observations).tolist() == attack.leaf.tolist()
    change = np.abs(attack.observations - instance.observations)
    paid = change @ np.broadcast_to(world.options.get("prices", 1.0), instance.n_features)
    assert paid == pytest.approx(attack.price)
    assert (paid.sum() if together else paid.max()) <= reach_limit(budget) * (1 + 1e-12)
    if "limits" in world.options:
        assert (change <= np.broadcast_to(world.options["limits"], change.shape) + 1e-9).all()


@given(worlds(), amounts, st.booleans())
def test_an_attack_adds_up(world, budget, together):
    """Cost, nominal cost, leaves and prices tell the same story, and nobody is moved for nothing."""
    instance = world.global_(budget) if together else world.local(budget)
    attack = worst_case(world.tree, instance)
    costs = world.weights[:, None] * world.problem.costs(world.tree.solutions, world.costs)
    rows = np.arange(world.n_samples)
    assert attack.nominal_leaf.tolist() == world.tree.apply(instance.observations).tolist()
    assert attack.cost == pytest.approx(costs[rows, attack.leaf])
    assert attack.nominal_cost == pytest.approx(costs[rows, attack.nominal_leaf])
    assert attack.value == pytest.approx(attack.cost.sum())
    stays = attack.leaf == attack.nominal_leaf
    assert attack.moved.tolist() == np.flatnonzero(~stays).tolist()
    assert (attack.price[stays] == 0.0).all()
    assert (world.sign * (attack.cost - attack.nominal_cost)[~stays] > 0.0).all()
    assert np.array_equal(attack.observations[stays], instance.observations[stays])


@pytest.mark.parametrize("scale", [1e-12, 1e-6, 1.0, 1e6, 1e12, 1e17])
@pytest.mark.parametrize("kind", [LocalBudget, GlobalBudget])
def test_attacks_hold_at_every_magnitude(kind, scale):
    """From readings in billionths to ones where adding ε changes nothing, attacks route and fit."""
    rng = np.random.default_rng(3)
    problem = Selection(4, 2)
    for _ in range(20):
        costs = rng.uniform(1.0, 3.0, (6, 4)) * scale
        solutions = best_for_each(problem, rng.uniform(size=(8, 4)))
        items = rng.integers(0, 4, 7)
        # Half of the thresholds are readings themselves, where rounding would send an attack to the wrong side.
        at_readings, between = costs[rng.integers(0, 6, 7), items], rng.uniform(1.0, 3.0, 7) * scale
        thresholds = np.where(rng.random(7) < 0.5, at_readings, between)
        tree = Tree.full(items, thresholds, solutions)
        uncertainty = kind(fraction=0.1, epsilon=min(0.001, 0.001 * scale))
        instance = Instance.create(problem, costs, uncertainty=uncertainty, depth=3)
        attack = worst_case(tree, instance)
        assert tree.apply(attack.observations).tolist() == attack.leaf.tolist()
        paid = np.abs(attack.observations - costs).sum(axis=1)
        assert paid == pytest.approx(attack.price, rel=1e-12, abs=0.0)
        budget = instance.uncertainty.budget
        assert (paid.max() if kind is LocalBudget else paid.sum()) <= reach_limit(budget) * (1.0 + 1e-12)


@pytest.mark.parametrize("kind", [LocalBudget, GlobalBudget])
def test_a_budget_of_zero_affords_no_move_however_minute(kind):
    """The tolerance on budgets is for rounding; it must not become a budget of its own."""
    problem, costs = motivating_example()
    # Samples 3 and 4 lie at the threshold, and sample 4 would be worse off beyond it.
    tree = Tree.full([0], [9.0], [[0, 0, 1, 1], [1, 1, 0, 0]])
    for budget, moved in ((0.0, []), (1e-11, [3])):
        instance = Instance.create(problem, costs, uncertainty=kind(budget, epsilon=1e-12), depth=1)
        assert worst_case(tree, instance).moved.tolist() == moved


def test_nor_does_it_where_several_questions_share_readings():
    """A path of three of them costs what an LP says, and its tolerances are larger than the move."""

    def ask(terms, threshold, left, right):
        question = {"name": str(terms), "coefficients": terms}
        return {"question": question, "threshold": threshold, "left": left, "right": right}

    first, second = {"solution": [1.0, 0.0]}, {"solution": [0.0, 1.0]}
    at = 1.0 + 2 * 2.0
    below = {"item": 1, "threshold": 9.0, "left": ask({0: -1.0, 1: 1.0}, 8.0, second, first), "right": first}
    tree = Tree.from_dict(ask({0: 1.0, 1: 2.0}, np.nextafter(at, 0.0), below, first))
    instance = Instance.create(Selection(2, 1), [[1.0, 2.0]], uncertainty=LocalBudget(0.0))
    assert worst_case(tree, instance).value == 1.0
