"""What a tree costs, as read and in the worst case; with the paper's opening example to the last digit."""

import numpy as np
import pytest
from hypothesis import given

from hedgerow import GlobalBudget, InputError, LocalBudget, Tree, evaluate
from hedgerow.datasets import motivating_example
from tests.worlds import amounts, worlds

A, B = [1, 1, 0, 0], [0, 0, 1, 1]
NOMINAL = Tree.from_dict({"item": 0, "threshold": 5.0, "left": {"solution": A}, "right": {"solution": B}})
ROBUST = Tree.from_dict(
    {
        "item": 0,
        "threshold": 5.0,
        "left": {"item": 1, "threshold": 6.5, "left": {"solution": A}, "right": {"solution": B}},
        "right": {"solution": B},
    }
)


# -- the motivating example (fact 8) -----------------------------------------------------------------------------------


@pytest.mark.parametrize(("tree", "robust"), [(NOMINAL, 50.0), (ROBUST, 43.0)], ids=["nominal tree", "robust tree"])
def test_the_motivating_example_costs_what_it_should(tree, robust):
    """Both trees cost 36; in the worst case the first costs 50 and the second 43, where the paper's text says 41."""
    problem, costs = motivating_example()
    result = evaluate(tree, problem, costs, GlobalBudget(5.0))
    assert (result.nominal, result.robust) == (36.0, robust)
    assert (result.nominal_mean, result.robust_mean) == (7.2, robust / 5)
    assert result.n_samples == 5


def test_the_best_attack_on_the_robust_tree_is_to_misread_e2_of_sample_2():
    problem, costs = motivating_example()
    attack = evaluate(ROBUST, problem, costs, GlobalBudget(5.0)).attack
    assert attack.moved.tolist() == [1]
    assert attack.observations[1] == pytest.approx(np.array([1.0, 6.501, 3.0, 10.0]))
    assert (attack.nominal_cost[1], attack.cost[1]) == (6.0, 13.0)


# -- sums, means and sets ----------------------------------------------------------------------------------------------


@given(worlds(max_depth=3), amounts)
def test_nominal_and_robust_are_sums_of_true_costs(world, budget):
    result = evaluate(
        world.tree,
        world.problem,
        world.costs,
        LocalBudget(budget, **world.options),
        context=world.observations,
        sample_weight=world.weights,
    )
    observed = world.costs if world.observations is None else world.observations
    as_read = world.tree.predict(observed)
    misread = world.tree.predict(result.attack.observations)
    assert result.nominal == pytest.approx(float(world.weights @ (as_read * world.costs).sum(axis=1)))
    assert result.robust == pytest.approx(float(world.weights @ (misread * world.costs).sum(axis=1)))
    assert result.robust_mean == pytest.approx(result.robust / world.weights.sum())
    assert result.nominal_mean == pytest.approx(result.nominal / world.weights.sum())


def test_a_fraction_refers_to_these_samples_and_the_trees_own_depth():
    problem, costs = motivating_example()
    for tree, depth in ((NOMINAL, 1), (ROBUST, 2)):
        attack = evaluate(tree, problem, costs, LocalBudget(fraction=0.1)).attack
        assert attack.instance.uncertainty == LocalBudget(0.1 * depth * 10.0)


def test_where_the_worst_attack_is_not_proven_the_bound_is_reported(monkeypatch):
    """A guarantee must not fall short: should the search be cut off, `robust` is what no attack exceeds."""
    from hedgerow.adversary import knapsack

    real = knapsack.worst_choice

    def cut_off(loss, move_cost, budget):
        return real(loss, move_cost, budget)[0], 55.5, False

    monkeypatch.setattr(knapsack, "worst_choice", cut_off)
    problem, costs = motivating_example()
    result = evaluate(NOMINAL, problem, costs, GlobalBudget(5.0))
    assert not result.attack.exact
    assert (result.robust, result.attack.bound, result.attack.value) == (55.5, 55.5, 50.0)


# -- what is refused ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("tree", "message"),
    [
        (NOMINAL.to_dict(), "tree must be a hedgerow.Tree, a fitted model or a rule book; got dict"),
        (None, "tree must be a hedgerow.Tree, a fitted model or a rule book; got NoneType"),
        (Tree.single([1, 1, 0]), "solutions have 3 entries, the problem's 4"),
        (Tree.single([1, 0, 0, 0]), "solution at leaf 0 is not feasible"),
        (
            NOMINAL.replace(question=[4, -1, -1], questions=None),
            "asks about item 4, but there are only 4, counted from 0",
        ),
    ],
)
def test_a_tree_that_does_not_fit_is_refused(tree, message):
    problem, costs = motivating_example()
    with pytest.raises(InputError, match=message):
        evaluate(tree, problem, costs)
