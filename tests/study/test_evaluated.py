"""The robustness curve is the evaluation under each budget."""

import pytest

from hedgerow import GlobalBudget, InputError, LocalBudget, Nominal, RobustTree, Tree, evaluate
from hedgerow.datasets import motivating_example
from hedgerow.study import robustness_curve

PROBLEM, COSTS = motivating_example()
TREE = Tree.full([0], [5.0], [[1, 1, 0, 0], [0, 0, 1, 1]])


@pytest.mark.parametrize("kind", [LocalBudget, GlobalBudget])
def test_each_value_is_the_worst_case_under_its_budget(kind):
    budgets = [0.0, 1.0, 4.0, 5.0, 50.0]
    curve = robustness_curve(TREE, PROBLEM, COSTS, [kind(budget) for budget in budgets])
    assert curve.budgets.tolist() == budgets
    assert curve.values.tolist() == [evaluate(TREE, PROBLEM, COSTS, kind(budget)).robust for budget in budgets]
    assert curve.kind == kind.kind


def test_budgets_are_sorted_fractions_absolute_and_nominal_is_0():
    curve = robustness_curve(TREE, PROBLEM, COSTS, [LocalBudget(fraction=0.5), Nominal(), LocalBudget(1.0)])
    assert curve.budgets.tolist() == [0.0, 1.0, 5.0]
    assert curve.values[0] == 36.0


@pytest.mark.parametrize(
    "sets", [[], [Nominal()], [LocalBudget(1.0), GlobalBudget(1.0)], [LocalBudget([1.0] * 5)], [1.0]]
)
def test_budgets_must_be_of_one_kind_and_one_number_each(sets):
    with pytest.raises(InputError, match="uncertaint"):
        robustness_curve(TREE, PROBLEM, COSTS, sets)


def test_a_model_knows_its_problem_and_what_a_fraction_refers_to():
    problem, costs = motivating_example()
    model = RobustTree(problem, depth=1, uncertainty=GlobalBudget(5.0), method="exact", random_state=0).fit(costs)
    sets = [GlobalBudget(fraction=0.0), GlobalBudget(fraction=0.1)]
    curve = robustness_curve(model, costs, sets)
    bare = robustness_curve(model.tree_, problem, costs, sets)
    assert (curve.values.tolist(), curve.budgets.tolist()) == (bare.values.tolist(), bare.budgets.tolist())
    assert robustness_curve(model.rulebook_, costs[:2], sets).budgets.tolist() == bare.budgets.tolist()
