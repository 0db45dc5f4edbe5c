"""`explain`: from any source, with costs and regret in the problem's own sign, and names from strangers."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given

from hedgerow import InputError, LocalBudget, RobustTree, RuleBook, Tree
from hedgerow.datasets import motivating_example
from hedgerow.explain import explain
from hedgerow.problems import ExplicitSet
from hedgerow.rules import Labels, Training
from tests.helpers import Machines
from tests.worlds import worlds

PROBLEM, COSTS = motivating_example()
WAYS = [[1.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 1.0]]
TREE = Tree.full([0], [5.0], WAYS)


def saved(problem=PROBLEM, tree=TREE, **fields):
    return RuleBook(tree, problem.item_names, problem=problem, **fields)


# -- sources and readings --------------------------------------------------------------------------------------------


def test_columns_are_matched_by_name_and_absent_ones_are_missing():
    table = pd.DataFrame(COSTS, columns=PROBLEM.item_names, index=pd.date_range("2024-05-01", periods=5))
    shuffled = table.assign(note="x")[["e4", "note", "e2", "e1", "e3"]]
    for found, plain in zip(explain(saved(), shuffled), explain(saved(), COSTS), strict=True):
        assert found.leaf == plain.leaf
        assert found.regret == plain.regret
        assert found.label.startswith("2024-05-0")
    (partial,) = explain(saved(), table[["e1"]].iloc[[0]])
    assert (partial.leaf, partial.missing, partial.regret) == (0, (), None)


def test_a_model_without_names_takes_arrays_only():
    seen = pd.DataFrame({"wind": [1.0, 2.0, 8.0, 9.0, 9.5]})
    model = RobustTree(PROBLEM, depth=1, method="exact", random_state=0).fit(COSTS, context=seen.to_numpy())
    assert [each.leaf for each in model.explain(seen.to_numpy())] == model.apply(seen.to_numpy()).tolist()
    with pytest.raises(InputError, match="context have no column for 'feature 0'"):
        model.explain(seen)


@pytest.mark.parametrize(
    ("observations", "message"),
    [
        ([1.0, 2.0, 3.0, 4.0], "a list in a list"),
        ([[np.inf, 0.0, 0.0, 0.0]], "finite numbers; got inf at row 0, column 'e1'"),
        (pd.DataFrame({"e2": [1.0]}), "no column for 'e1'. There are 'e2'"),
    ],
)
def test_bad_observations_are_refused(observations, message):
    with pytest.raises(InputError, match=message):
        explain(saved(), observations)


# -- costs -----------------------------------------------------------------------------------------------------------


@given(worlds(max_depth=2, max_samples=3))
def test_regret_is_what_the_best_of_all_solutions_would_spare(world):
    features = tuple(f"feature {number}" for number in range(world.instance().n_features))
    source = RuleBook(world.tree, features, problem=world.problem, training=Training.of(world.instance()))
    observed = world.costs if world.observations is None else world.observations
    every = world.problem.costs(world.problem.all_solutions(100), world.costs)
    best = every.min(axis=1) if world.problem.sense == "min" else every.max(axis=1)
    cost = world.problem.costs(world.tree.solutions, world.costs)
    for row, found in enumerate(explain(source, observed, world.costs)):
        assert found.cost == pytest.approx(cost[row, found.leaf])
        assert found.best == pytest.approx(best[row])
        assert found.regret == pytest.approx(abs(cost[row, found.leaf] - best[row]))
        assert world.sign * found.cost >= world.sign * found.best
        if found.counterfactual is not None:
            assert found.counterfactual.cost == pytest.approx(cost[row, found.counterfactual.leaf])
    if world.observations is not None:
        assert all(found.regret is None for found in explain(source, observed))


def test_gains_are_told_as_gains():
    problem = ExplicitSet([[1, 0], [0, 1]], solution_names=["early", "late"], unit="EUR", sense="max")
    tree = Tree.full([0], [5.0], [[1.0, 0.0], [0.0, 1.0]])
    found = explain(saved(problem, tree), [[4.0, 7.5]])[0]
    assert (found.cost, found.best, found.regret) == (4.0, 7.5, 3.5)
    text = str(found)
    assert "gain        4 EUR, 3.5 EUR less than the best possible (7.5 EUR)" in text
    assert "late if x1 > 5 EUR  (leaf 1; gain 7.5 EUR)" in text


def test_costs_that_are_not_linear_and_problems_that_can_not_be_rebuilt():
    problem = Machines(4)
    costs = np.random.default_rng(1).uniform(1, 9, (6, 4))
    model = RobustTree(problem, depth=1, method="one_solution").fit(costs)
    for row, found in enumerate(model.explain(costs)):
        assert found.best == pytest.approx(problem.best_solution(costs[[row]]).value)
        assert str(found).count(" h") > 0
    from_file = explain(RuleBook.from_json(model.export("json")), costs)[0]
    assert (from_file.regret, from_file.advice) == (None, model.explain(costs)[0].advice)


# -- words -----------------------------------------------------------------------------------------------------------


def test_firmness_is_judged_by_the_errors_that_were_measured():
    lowered = saved(uncertainty=LocalBudget(0.5), uncertainty_as_given=LocalBudget(5.0))
    found = explain(lowered, COSTS)[2]
    assert (found.radius, found.protected) == (4.0, False)
    assert "errors of up to 5 were measured: such an error may change it" in str(found)


def test_readings_beside_the_costs_are_not_taken_for_the_costs():
    forecast = COSTS + 0.5
    model = RobustTree(PROBLEM, depth=1, method="greedy").fit(COSTS, readings=forecast)
    assert model.explain(forecast)[0].cost is None
    assert model.explain(forecast, COSTS)[0].cost is not None


def test_costs_are_known_where_all_readings_or_the_costs_are():
    found, complete = explain(saved(), [[4.0, 1.0, np.nan, np.nan], [4.0, 1.0, 2.0, 3.0]])
    assert (found.cost, complete.cost) == (None, 5.0)
    assert "  cost  " not in str(found)
    with_costs = explain(saved(), [[4.0, 1.0, np.nan, np.nan]], [[4.0, 1.0, 2.0, 3.0]])[0]
    assert with_costs.cost == 5.0


HOSTILE = [
    "=cmd()|'/c calc'!A1",
    'a,"b"\r\n\x1b[31mred',
    "<script>alert(1)</script>",
    "'; DROP TABLE x; --",
    "🌉" * 100,
]


def test_hostile_names_stay_in_their_line():
    tree = Tree.full([1, 0, 4], [5.0, 2.0, 3.0], np.eye(5)[:4])
    source = RuleBook(tree, HOSTILE, labels=Labels(HOSTILE, HOSTILE[:4], "€\n"))
    found, gap = explain(source, [[1.0, 6.0, 1.0, 1.0, 3.0], [np.nan] * 5], labels=["first\nsecond", "\x07"])
    for each in (found, gap):
        text = str(each)
        assert all(line.isprintable() for line in text.split("\n"))
        assert text.split("\n", maxsplit=1)[0] in ("first�second", "�")
    assert found.path[1].name == HOSTILE[4]


def test_notebooks_show_a_table():
    found = explain(RuleBook(Tree.full([0], [5.0], [[1.0], [0.0]]), ("<b>",)), [[4.0], [6.0]])
    assert "<table" in found._repr_html_()
    assert "<b>" not in found._repr_html_()
