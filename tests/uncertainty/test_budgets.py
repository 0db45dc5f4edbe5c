"""Uncertainty sets: what they accept, how λ becomes a budget, and the facts that hold for every tree."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hedgerow import (
    FileFormatError,
    GlobalBudget,
    InputError,
    Instance,
    LocalBudget,
    Nominal,
    Tree,
    evaluate,
    worst_case,
)
from hedgerow.problems import Selection
from hedgerow.uncertainty import uncertainty_from_dict
from tests.worlds import amounts, set_options, worlds

BOTH = pytest.mark.parametrize("kind", [LocalBudget, GlobalBudget])
OBSERVED = np.array([[0.0, 5.0, 1.0], [4.0, 5.0, 3.0], [1.0, 5.0, 2.0]])  # ranges 4, 0, 2


# -- facts that hold for every tree ------------------------------------------------------------------------------------


def loss(world, instance):
    """Return the worst-case loss: costs of a maximising problem change their sign."""
    return world.sign * worst_case(world.tree, instance).value


@given(worlds(), amounts, amounts, st.booleans())
def test_the_robust_value_is_no_better_than_the_nominal_one_and_does_not_fall_as_the_budget_grows(
    world, budget, more, together
):
    """Fact 1."""
    under = world.global_ if together else world.local
    nominal, small, large = loss(world, world.instance()), loss(world, under(budget)), loss(world, under(budget + more))
    assert nominal <= small + 1e-9
    assert small <= large + 1e-9


@given(worlds(), st.sampled_from([LocalBudget, GlobalBudget]), st.booleans())
def test_no_budget_is_no_uncertainty(world, kind, as_fraction):
    """Fact 2: λ = 0 or Γ = 0 gives the nominal value for every tree."""
    budget = {"fraction": 0.0} if as_fraction else {"budget": 0.0}
    attack = worst_case(world.tree, world.instance(kind(**budget, **world.options)))
    assert attack.moved.size == 0
    assert attack.value == pytest.approx(worst_case(world.tree, world.instance()).value)


@given(worlds(), st.data())
def test_budgets_per_sample_lie_between_the_smallest_for_all_and_their_sum_for_all(world, data):
    """Fact 4 with budgets per sample: U_glob(min Γ_j) ⊆ U_loc(Γ_1..Γ_N) ⊆ U_glob(Σ Γ_j)."""
    budgets = data.draw(st.lists(amounts, min_size=world.n_samples, max_size=world.n_samples))
    each = loss(world, world.local(budgets))
    assert loss(world, world.global_(min(budgets))) <= each + 1e-9
    assert each <= loss(world, world.global_(sum(budgets))) + 1e-9


@given(worlds(max_depth=3), amounts, st.data())
def test_a_doubled_sample_is_one_of_weight_two_under_a_local_budget(world, budget, data):
    """Fact 10, first half."""
    twin = data.draw(st.integers(0, world.n_samples - 1))
    rows = [*range(world.n_samples), twin]
    options = dict(world.options)
    if np.ndim(options.get("limits")) == 2:
        options["limits"] = options["limits"][rows]
    heavier = world.weights.copy()
    heavier[twin] *= 2.0
    observations = None if world.observations is None else world.observations[rows]
    values = [
        evaluate(
            world.tree,
            world.problem,
            world.costs[rows],
            LocalBudget(budget, **options),
            context=observations,
            sample_weight=world.weights[rows],
        ),
        evaluate(
            world.tree,
            world.problem,
            world.costs,
            LocalBudget(budget, **world.options),
            context=world.observations,
            sample_weight=heavier,
        ),
    ]
    doubled, weighted = values
    assert doubled.robust == pytest.approx(weighted.robust)
    assert doubled.nominal == pytest.approx(weighted.nominal)
    assert doubled.robust_mean == pytest.approx(weighted.robust_mean)


def test_a_doubled_sample_is_two_moves_under_a_global_budget():
    """Fact 10, second half: one move of 1 sends the weight of two at once, but only one of two copies."""
    tree = Tree.from_dict({"item": 0, "threshold": 2.0, "left": {"solution": [1, 0]}, "right": {"solution": [0, 1]}})
    problem, budget = Selection(2, 1), GlobalBudget(1.0)
    twice = evaluate(tree, problem, [[3.0, 1.0], [3.0, 1.0]], budget)
    heavy = evaluate(tree, problem, [[3.0, 1.0]], budget, sample_weight=[2.0])
    assert (twice.nominal, heavy.nominal) == (2.0, 2.0)
    assert (twice.robust, heavy.robust) == (4.0, 6.0)


# -- λ -----------------------------------------------------------------------------------------------------------------


def test_a_fraction_is_a_share_of_depth_times_the_widest_range():
    assert LocalBudget(fraction=0.05).bind(OBSERVED, 2).budget == pytest.approx(0.05 * 2 * 4.0)


def test_a_global_fraction_is_the_local_one_for_every_sample():
    assert GlobalBudget(fraction=0.05).bind(OBSERVED, 2).budget == pytest.approx(3 * 0.05 * 2 * 4.0)


def test_a_fraction_counts_ranges_at_their_prices():
    bound = LocalBudget(fraction=0.5, prices=[0.25, 9.0, 1.5]).bind(OBSERVED, 1)
    assert bound.budget == pytest.approx(0.5 * 3.0)


def test_range_prices_make_every_range_worth_one_and_leave_constants_at_one():
    bound = LocalBudget(fraction=0.5, prices="range").bind(OBSERVED, 3)
    assert bound.prices.tolist() == [0.25, 1.0, 0.5]
    assert bound.budget == pytest.approx(0.5 * 3)


def test_n_in_a_fraction_counts_rows_and_not_weights():
    problem = Selection(3, 1)
    instance = Instance.create(problem, OBSERVED, weights=[5, 5, 5], uncertainty=GlobalBudget(fraction=0.1), depth=1)
    assert instance.uncertainty.budget == pytest.approx(3 * 0.1 * 4.0)


# -- values ------------------------------------------------------------------------------------------------------------


@given(st.data(), st.sampled_from([LocalBudget, GlobalBudget]))
def test_sets_round_trip_through_json(data, kind):
    options = data.draw(set_options(2, 3))
    budget = data.draw(amounts)
    given_set = kind(fraction=budget, **options) if data.draw(st.booleans()) else kind(budget, **options)
    again = uncertainty_from_dict(json.loads(json.dumps(given_set.to_dict())))
    assert type(again) is kind
    assert again == given_set
    assert hash(again) == hash(given_set)


def test_sets_read_as_they_are_typed():
    for text in (
        "Nominal()",
        "LocalBudget(1.5)",
        "LocalBudget([1.0, 2.0])",
        "GlobalBudget(fraction=0.05, limits=2.5, prices='range')",
        "LocalBudget(1.0, prices=[1.0, 2.0], epsilon=0.5)",
    ):
        kinds = {"Nominal": Nominal, "LocalBudget": LocalBudget, "GlobalBudget": GlobalBudget}
        assert repr(eval(text, kinds)) == text
    assert repr(LocalBudget(np.ones(100))) == "LocalBudget([100 values])"


# -- what is refused ---------------------------------------------------------------------------------------------------

BAD = [
    ((-1.0,), {}, "budget must be zero or more; got -1.0"),
    ((10**400,), {}, "budget must be zero or more, a finite number"),
    ((True,), {}, "budget must be zero or more, a finite number; got True"),
    ((), {}, "takes an absolute budget or fraction=; got none"),
    ((1.0,), {"fraction": 0.1}, "takes an absolute budget or fraction=; got both"),
    ((), {"fraction": -0.1}, "fraction must be zero or more; got -0.1"),
    ((1.0,), {"limits": -1.0}, "limits must be zero or more; got -1.0"),
    ((1.0,), {"limits": [1.0, -2.0]}, "limits must be zero or more; got -2.0 for item 1, counted from 0"),
    ((1.0,), {"limits": [[1.0, -2.0]]}, "limits must be zero or more; got -2.0 for sample 0, item 1"),
    ((1.0,), {"prices": [1.0, 0.0]}, "prices must be finite and above zero; got 0.0 for item 1"),
    ((1.0,), {"prices": "ranges"}, "prices must be one number per item, or \"range\"; got 'ranges'"),
    ((1.0,), {"epsilon": 0.0}, "epsilon must be above zero; got 0.0"),
]


@BOTH
@pytest.mark.parametrize(("arguments", "options", "message"), BAD)
def test_a_wrong_set_is_refused_with_what_is_allowed(kind, arguments, options, message):
    with pytest.raises(InputError, match=message) as caught:
        kind(*arguments, **options)
    assert str(caught.value).endswith(".")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("budgets", "message"),
    [
        ([1.0, -2.0], "budget must be finite and zero or more; got -2.0 for sample 1, counted from 0"),
        ([1.0, np.nan], "got nan for sample 1"),
        ([True, False], "one number, or one per sample; got \\[True, False\\]"),
        ([], "one number, or one per sample; got \\[\\]"),
    ],
)
def test_wrong_budgets_per_sample_are_refused(budgets, message):
    with pytest.raises(InputError, match=message):
        LocalBudget(budgets)


@pytest.mark.parametrize("budgets", [[1.0, 2.0], np.array([1.0]), [], [[1.0], [1.0, 2.0]]])
def test_a_global_budget_is_one_number(budgets):
    with pytest.raises(InputError, match=r"one number for all samples together.*use LocalBudget"):
        GlobalBudget(budgets)


@pytest.mark.parametrize(
    ("uncertainty", "message"),
    [
        (LocalBudget([1.0, 2.0]), "one budget for each of its 2 samples and can't be applied to 3 others"),
        (
            LocalBudget(1.0, limits=np.ones((2, 3))),
            "limits belong to 2 samples × 3 items and can't be applied to 3 × 3",
        ),
        (LocalBudget(1.0, limits=[1.0, 2.0]), "limits must hold one number for each of the 3 items; got 2"),
        (LocalBudget(1.0, prices=[1.0, 2.0]), "prices must hold one number for each of the 3 items; got 2"),
        (GlobalBudget(fraction=0.1, prices=[1.0, 2.0]), "prices must hold one number for each of the 3 items; got 2"),
    ],
)
def test_a_set_that_belongs_to_other_data_says_so(uncertainty, message):
    with pytest.raises(InputError, match=message):
        Instance.create(Selection(3, 1), OBSERVED, uncertainty=uncertainty)


@BOTH
@pytest.mark.parametrize("options", [{"fraction": 0.1}, {"budget": 1.0, "prices": "range"}])
def test_a_set_that_is_not_bound_yet_says_so(kind, options):
    with pytest.raises(InputError, match=r"refers to training data; use a fitted model's uncertainty_"):
        kind(**options).check_fits(3, 3)


def deep_list():
    result = [1.0]
    for _ in range(100_000):
        result = [result]
    return result


@pytest.mark.parametrize(
    "description",
    [
        None,
        [],
        "local",
        {},
        {"kind": "ellipsoid"},
        {"kind": "local"},
        {"kind": "local", "budget": -1.0},
        {"kind": "local", "budget": 1.0, "colour": "green"},
        {"kind": "global", "budget": [1.0, 2.0]},
        {"kind": "nominal", "budget": 1.0},
        {"kind": "local", "budget": 10**400},
        {"kind": "local", "budget": 1.0, "epsilon": None},
        {"kind": "local", "budget": 1.0, "limits": {"a": 1}},
        {"kind": "local", "budget": 1.0, "prices": [None]},
        {"kind": "local", "budget": deep_list()},
        {"kind": "local", "budget": 1.0, "limits": deep_list()},
        deep_list(),
    ],
)
def test_a_damaged_description_is_refused(description):
    with pytest.raises(FileFormatError) as caught:
        uncertainty_from_dict(description)
    assert len(str(caught.value)) < 300
