"""The instance: everything is checked once at the door, matched by name, and then read-only."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given

from hedgerow import GlobalBudget, HedgerowError, InputError, Instance, LocalBudget, Nominal
from hedgerow.problems import Selection
from tests.worlds import worlds

PROBLEM = Selection(3, 1, item_names=["oak", "ash", "elm"])
COSTS = [[1.0, 2.0, 3.0], [6.0, 5.0, 4.0]]
TABLE = pd.DataFrame(COSTS, columns=["oak", "ash", "elm"])


def refused(message, *arguments, **options):
    with pytest.raises(HedgerowError, match=message) as caught:
        Instance.create(*arguments, **options)
    told = str(caught.value)
    assert told.endswith((".", "?"))
    assert "\n" not in told
    assert len(told) < 300


# -- what comes in -----------------------------------------------------------------------------------------------------


def test_columns_beyond_the_items_are_ignored_whatever_they_hold():
    wide = TABLE[["elm", "oak", "ash"]].assign(date="2026-01-01")
    wide.insert(0, "", [7, 8])
    wide = pd.concat([wide, pd.DataFrame({"note": ["a", "b"]}), pd.DataFrame({"note": ["c", "d"]})], axis=1)
    assert Instance.create(PROBLEM, wide).costs.tolist() == COSTS


@given(worlds(max_depth=2))
def test_every_array_is_read_only_and_the_instances_own(world):
    costs = world.costs.copy()
    instance = Instance.create(world.problem, costs, weights=world.weights)
    costs[:] = 77.0
    assert np.array_equal(instance.costs, world.costs)
    for name in ("costs", "observations", "weights"):
        assert not getattr(instance, name).flags.writeable


@given(worlds(max_depth=1))
def test_losses_are_weighted_costs_with_the_sign_of_a_problem_that_minimises(world):
    instance = world.instance()
    solutions = world.tree.solutions
    by_hand = [
        [world.sign * weight * float(costs @ solution) for solution in solutions]
        for weight, costs in zip(world.weights, world.costs, strict=True)
    ]
    assert instance.losses(solutions) == pytest.approx(np.array(by_hand))


def test_the_same_data_can_be_put_under_another_set():
    instance = Instance.create(PROBLEM, COSTS, uncertainty=LocalBudget(1.0), depth=3)
    other = instance.under(GlobalBudget(fraction=0.1), 1)
    assert other.costs is instance.costs
    assert other.uncertainty == GlobalBudget(2 * 0.1 * 1 * 5.0)
    assert (instance.depth, other.depth, instance.under(Nominal()).depth) == (3, 1, 3)
    with pytest.raises(InputError, match="uncertainty must be Nominal"):
        instance.under(None)


# -- what is refused ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("costs", "message"),
    [
        (pd.DataFrame(columns=["oak", "ash", "elm"], dtype=float), "costs must have at least one row"),
        ([[1.0, 2.0]], "costs must have one column for each of the 3 items; got 2"),
        ([[1.0, np.nan, 3.0]], "got NaN at row 0, column 'ash'.*Fill or drop"),
        (TABLE[["elm", "ash"]], "costs have no column for 'oak'. There are 'elm', 'ash'"),
        (
            TABLE.rename(columns=str.upper),
            "no column for 'oak', 'ash', 'elm'. There are 'OAK', 'ASH', 'ELM'",
        ),
        (pd.concat([TABLE, TABLE[["ash"]]], axis=1), "costs have these columns more than once: 'ash'"),
        (TABLE[["elm", "oak", "ash"]].replace(5.0, np.nan), "got NaN at row 1, column 'ash'"),
    ],
)
def test_costs_that_do_not_serve_are_refused(costs, message):
    refused(message, PROBLEM, costs)


@pytest.mark.parametrize(
    ("observations", "message"),
    [
        ([[1.0]], "context must have one row for each of the 2 samples; got 1"),
        ([1.0, 2.0], "context must be a table with one row per sample"),
        (pd.DataFrame({"rain": [1.0, np.inf]}), "context column 'rain' must hold finite numbers"),
        (np.empty((2, 0)), "context must have a column of numbers, or one whose texts differ"),
        (pd.DataFrame({"sky": ["grey", "grey"]}), "context must have a column of numbers, or one whose texts differ"),
        (pd.DataFrame([[1.0, 2.0]] * 2, columns=["a", "a"]), "more than once: 'a'"),
    ],
)
def test_context_that_does_not_serve_is_refused(observations, message):
    refused(message, PROBLEM, COSTS, context=observations)


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ([1.0], "weights must hold one number for each of the 2 samples; got 1 value"),
        ([1.0, -1.0], "weights must be zero or more; got -1.0 for sample 1, counted from 0"),
        ([0.0, 0.0], "weights must not all be zero"),
    ],
)
def test_weights_that_do_not_serve_are_refused(weights, message):
    refused(message, PROBLEM, COSTS, weights=weights)


@pytest.mark.parametrize("depth", [2.5, -1, 99, "2", None, True])
def test_a_depth_that_does_not_serve_is_refused(depth):
    refused("depth must be an integer from 0 to 10; got", PROBLEM, COSTS, depth=depth)


def test_a_class_is_no_uncertainty_set():
    refused("uncertainty must be Nominal, LocalBudget or GlobalBudget; got", PROBLEM, COSTS, uncertainty=LocalBudget)


def test_what_is_no_problem_is_refused():
    refused("problem must be one of hedgerow.problems, or .* extends Problem; got 'grid:4'", "grid:4", COSTS)
    refused("problem must be one of hedgerow.problems.*got None", None, COSTS)
