"""Context beside readings: features, proofs against brute force, words, files and gaps."""

import numpy as np
import pandas as pd
import pytest

from hedgerow import (
    GlobalBudget,
    InputError,
    Instance,
    LocalBudget,
    RobustTree,
    RuleBook,
    compare,
    evaluate,
    solve,
    tune,
    watch,
)
from hedgerow.data.context import context_features, context_matrix
from hedgerow.problems import Selection
from tests.context.brute_force import World

RNG = np.random.default_rng(0)
DAYS = pd.date_range("2025-01-01", periods=56, freq="D")
WEEKEND = np.asarray(DAYS.day_of_week) >= 5
COSTS = pd.DataFrame(RNG.uniform(10.0, 12.0, (56, 3)), columns=["bridge", "tunnel", "ferry"])
COSTS["bridge"] += np.where(WEEKEND, 5.0, -5.0)
CALENDAR = pd.DataFrame({"day": DAYS, "wind": RNG.normal(5.0, 2.0, 56), "crane out": RNG.random(56) < 0.3})
CHOICE = Selection(3, 1, item_names=["bridge", "tunnel", "ferry"], unit="min")


def instance_of(world, depth, **options):
    tables = {"readings": world.readings, "learn_from": "readings"} if world.readings is not None else {}
    return Instance.create(
        world.problem, world.costs, context=world.frame, uncertainty=world.uncertainty, depth=depth, **tables, **options
    )


def no_orders():
    raise AssertionError("few values need no order")


# -- against brute force -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(40))
@pytest.mark.parametrize("with_readings", [True, False])
def test_stumps_are_proven_best_among_all_questions_about_the_raw_columns(seed, with_readings):
    world = World(seed, with_readings=with_readings)
    instance = instance_of(world, 1)
    result = solve(instance, method="exact", thresholds="midpoints", time_limit=None)
    assert result.status == "optimal"
    assert result.objective == pytest.approx(world.optimum(1))


@pytest.mark.parametrize("seed", range(100, 108))
def test_trees_of_depth_two_are_proven_best_and_no_method_beats_them(seed):
    world = World(seed, n_samples=4)
    instance, least = instance_of(world, 2), world.optimum(2)
    assert solve(instance, method="exact", thresholds="midpoints", time_limit=None).objective == pytest.approx(least)
    for method in ("local_search", "greedy", "fix_tree"):
        found = solve(instance, method=method, thresholds="midpoints", iteration_limit=20, random_state=0)
        assert found.objective >= least - 1e-9


@pytest.mark.parametrize("budget", [LocalBudget(0.8), GlobalBudget(3.0)])
def test_what_is_reported_holds_after_saving(budget, tmp_path):
    model = RobustTree(CHOICE, uncertainty=budget, method="greedy", depth=3).fit(
        COSTS, readings=COSTS, context=CALENDAR
    )
    model.save(tmp_path / "rules.json")
    rules = RuleBook.load(tmp_path / "rules.json")
    assert rules == model.rulebook_
    table = pd.concat([COSTS, CALENDAR], axis=1)
    assert (rules.predict(table) == model.predict(table.iloc[:, ::-1])).all()
    for source in (model, rules):
        assert evaluate(source, COSTS, context=CALENDAR).robust == pytest.approx(model.result_.objective)
    assert model.tree_.context
    bare = evaluate(model.tree_, CHOICE, COSTS, model.uncertainty_, context=CALENDAR)
    assert bare.robust == pytest.approx(model.result_.objective)


# -- features ----------------------------------------------------------------------------------------------------------


def test_every_split_of_a_few_values_is_a_question_and_the_rarer_side_is_named():
    frame = pd.DataFrame({"sky": ["sun"] * 4 + ["rain"] * 2 + ["fog", "snow"]})
    features = context_features(frame, no_orders)
    assert len(features) == 2**3 - 1
    counts = frame["sky"].value_counts()
    assert all(counts[list(feature.values)].sum() <= 4 for feature in features)
    assert len({context_matrix([feature], frame).tobytes() for feature in features}) == 7


def test_many_values_are_sorted_by_what_good_plans_cost():
    stops = np.repeat([f"stop {number:02}" for number in range(12)], 3)
    costs = np.where(np.isin(stops, ["stop 03", "stop 07", "stop 11"])[:, None], [9.0, 1.0], [1.0, 9.0])
    model = RobustTree(Selection(2, 1), depth=1, method="exact").fit(costs, context=pd.DataFrame({"stop": stops}))
    assert model.tree_.to_dict()["values"] == ["stop 03", "stop 07", "stop 11"]
    assert model.result_.objective == 36.0


def test_dates_give_weekday_month_half_year_and_hour():
    model = RobustTree(CHOICE, depth=1, method="exact").fit(COSTS, context=CALENDAR)
    nested = model.tree_.to_dict()
    assert (nested["column"], nested["values"]) == ("weekday", ["Sat", "Sun"])
    later = pd.DataFrame({"day": pd.to_datetime(["2027-05-01", "2027-05-03"])})
    assert model.apply(later).tolist() == [0, 1]
    assert model.apply(pd.DataFrame({"weekday": ["Sun", "Tue"]})).tolist() == [0, 1]
    hours = pd.DataFrame({"at": pd.date_range("2026-01-01", periods=48, freq="h")})
    names = {feature.column.name for feature in context_features(hours, lambda: np.empty((48, 0)))}
    assert names == {"weekday", "hour"}  # one month, one half-year


def test_unseen_and_missing_values_go_to_the_side_that_is_not_named():
    model = RobustTree(CHOICE, depth=1, method="exact").fit(COSTS, context=CALENDAR)
    table = pd.DataFrame({"weekday": ["Sat", "holiday", None, ""]})
    assert model.apply(table).tolist() == [0, 1, 1, 1]
    assert model.outside(table) == [(), ("weekday holiday (new)",), (), ()]
    assert model.rulebook_.asked_names == ("weekday",)
    assert model.advise(table)["leaf"].tolist() == [0, 1, 1, 1]


def test_context_that_no_price_names_is_never_misread():
    free = RobustTree(CHOICE, uncertainty=LocalBudget(1e6), method="exact").fit(COSTS, context=CALENDAR)
    nominal = RobustTree(CHOICE, method="exact").fit(COSTS, context=CALENDAR)
    assert free.result_.objective == pytest.approx(nominal.result_.objective)
    priced = RobustTree(CHOICE, uncertainty=LocalBudget(1e6, prices={"wind": 1.0}), method="exact")
    tree = priced.fit(COSTS, context=CALENDAR[["wind"]])
    assert tree.result_.objective == pytest.approx(COSTS.sum().min())


@pytest.mark.parametrize(
    ("options", "tables", "message"),
    [
        ({"uncertainty": LocalBudget(1.0, prices={"sky": 1.0})}, {}, "prices name 'sky'; there are 'bridge'"),
        ({"questions": "context"}, {"context": None}, 'questions="context" needs context'),
        ({"questions": "plans"}, {"readings": None}, "compares readings; pass them beside the context"),
        ({}, {"context": COSTS}, "readings and context must have different names"),
        ({}, {"context": CALENDAR[:9]}, "context must have one row for each of the 56 samples; got 9"),
        ({}, {"context": pd.DataFrame({"id": [f"row {n}" for n in range(56)] * 1})}, None),
        ({}, {"context": pd.DataFrame({"id": [f"{n % 50}-{n % 51}" for n in range(56)]})}, None),
    ],
)
def test_context_that_does_not_serve_is_refused(options, tables, message):
    model = RobustTree(CHOICE, depth=1, method="greedy", **options)
    given = {"readings": COSTS, "context": CALENDAR, **tables}
    if message is None:
        model.fit(COSTS, **given)
        return
    with pytest.raises(InputError, match=message):
        model.fit(COSTS, **given)


def test_without_its_context_a_rule_says_what_it_asks_about():
    model = RobustTree(CHOICE, depth=1, method="exact").fit(COSTS, context=CALENDAR)
    with pytest.raises(InputError, match="ask about 'weekday', which are no costs; pass the context"):
        model.evaluate(COSTS)
    with pytest.raises(InputError, match="no column for 'weekday'"):
        model.predict(CALENDAR[["wind"]])


# -- words and studies -------------------------------------------------------------------------------------------------


def test_studies_take_readings_and_context_together():
    tables = {"readings": COSTS + 0.1, "context": CALENDAR}
    model = RobustTree(CHOICE, depth=1, iteration_limit=2, random_state=0)
    tuned = tune(model, COSTS, **tables, depths=[1], questions=["items", "context"], folds=2)
    assert tuned.model.predict(pd.concat([COSTS, CALENDAR], axis=1)).shape == (56, 3)
    found = compare(CHOICE, COSTS, **tables, depth=1, questions=["items"], folds=2)
    assert "solving for the reading" in found.names
    fitted = model.fit(COSTS[:28], readings=COSTS[:28], context=CALENDAR[:28])
    later = {"readings": COSTS[42:], "context": CALENDAR[42:]}
    usual = {"reference_readings": COSTS[28:42], "reference_context": CALENDAR[28:42]}
    assert watch(fitted, COSTS[42:], **later, reference=COSTS[28:42], **usual).verdict in ("hold", "alarm")


# -- gaps --------------------------------------------------------------------------------------------------------------


def test_missing_readings_are_filled_in_and_named():
    model = RobustTree(CHOICE, depth=2, method="greedy", questions="items").fit(COSTS)
    rules = model.rulebook_
    table = COSTS.iloc[:3].copy()
    table.iloc[0, :] = np.nan
    table.loc[1, rules.asked_readings[0]] = np.nan
    advised = rules.advise(table)
    assert advised["filled_in"].tolist()[1:] == [rules.asked_readings[0], ""]
    assert (rules.predict(table) == rules.tree.solutions[advised["leaf"]]).all()
    usual = pd.DataFrame([{name: rules.fill_ins.typical.get(name, 11.0) for name in COSTS}])
    assert rules.predict(table.iloc[[0]]).tolist() == rules.predict(usual).tolist()
    with pytest.raises(InputError, match="no column for"):
        rules.predict(table.drop(columns=rules.asked_readings))


def test_readings_that_move_together_stand_in_for_each_other():
    level = RNG.uniform(0.0, 50.0, (60, 1))
    costs = level + RNG.uniform(0.0, 4.0, (60, 3))
    model = RobustTree(Selection(3, 1), questions={"gap": {0: 1.0, 1: -1.0}}, depth=1).fit(costs)
    (other,) = model.rulebook_.fill_ins.substitutes["x1"]
    assert other.name == "x2"
    assert other.added == pytest.approx(np.median(costs[:, 0] - costs[:, 1]), abs=0.2)
    assert model.rulebook_.fill_ins.filled(np.array([[np.nan, 30.0]]))[0, 0] == 30.0 + other.added


def test_a_fit_takes_readings_with_gaps_and_costs_without():
    gaps = COSTS.mask(np.random.default_rng(3).random(COSTS.shape) < 0.2)
    model = RobustTree(CHOICE, depth=1, learn_from="readings", method="exact").fit(COSTS, readings=gaps)
    assert model.evaluate(COSTS, readings=gaps).n_samples == 56
    with pytest.raises(InputError, match="got NaN"):
        RobustTree(CHOICE, depth=1).fit(gaps)
    with pytest.raises(InputError, match="'tunnel' are missing in all"):
        RobustTree(CHOICE, depth=1, learn_from="readings").fit(COSTS, readings=gaps.assign(tunnel=np.nan))


@pytest.mark.parametrize("context", [None, CALENDAR[["wind"]]])
def test_evaluate_says_what_missing_readings_cost(context):
    model = RobustTree(CHOICE, depth=2, questions="items", method="greedy").fit(COSTS, readings=COSTS, context=context)
    tables = {"readings": COSTS, "context": context}
    whole = evaluate(model, COSTS, **tables)
    found = evaluate(model, COSTS, missing=0.3, **tables)
    assert found.lost == pytest.approx(found.nominal - whole.nominal)
    assert found.nominal == evaluate(model, COSTS, missing=0.3, **tables).nominal > whole.nominal
    assert "With 30 % of the readings missing, that is " in found.summary
    assert "missing" not in whole.summary


def test_a_share_of_missing_readings_that_makes_no_sense_is_refused():
    model = RobustTree(CHOICE, depth=1, questions="items", method="greedy").fit(COSTS)
    for share, message in ((1.0, "missing must be below 1; got 1"), (-0.1, "missing must be zero or more; got -0.1")):
        with pytest.raises(InputError, match=message):
            model.evaluate(COSTS, missing=share)
