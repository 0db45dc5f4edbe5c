"""What a run was asked for: told in words only where it leaves trees out, kept in files, read from any."""

import dataclasses
import json

import numpy as np
import pytest

from hedgerow import Instance, solve
from hedgerow.problems import Selection
from hedgerow.run import Settings, Terms, Thinning

COSTS = [[1.0, 3.0], [4.0, 2.0], [5.0, 2.5]]


@pytest.mark.parametrize(
    ("terms", "depth", "told"),
    [
        (Terms(), 2, ()),
        (Terms(max_leaves=4), 2, ()),
        (Terms(max_leaves=3), 2, ("at most 3 leaves",)),
        (Terms(max_leaves=1), 2, ("at most 1 leaf",)),
        (Terms(min_samples_leaf=1), 1, ("at least 1 sample at each leaf",)),
        (Terms(max_leaves=3, min_samples_leaf=5), 3, ("at most 3 leaves", "at least 5 samples at each leaf")),
        (Terms(max_leaves=1, min_samples_leaf=5), 0, ()),
    ],
)
def test_limits_on_leaves_are_told_where_they_leave_trees_out(terms, depth, told):
    assert terms.limits_on_leaves(depth) == told


def test_a_result_keeps_what_the_run_was_asked_for_as_plain_numbers():
    instance = Instance.create(Selection(2, 1), COSTS, weights=[0.5, 1.5, 1.0], depth=1)
    result = solve(
        instance,
        method="one_solution",
        settings=Settings(min_samples_leaf=np.int64(1), max_leaves=np.int64(2)),
        time_limit=np.float32(30.0),
        iteration_limit=np.int64(7),
        gap_limit=0.25,
        refine=np.True_,
    )
    terms = result.terms
    expected = Terms(
        min_samples_leaf=1,
        max_leaves=2,
        time_limit=30.0,
        iteration_limit=7,
        gap_limit=0.25,
        refine=True,
        weighted=True,
    )
    assert terms == expected
    assert Terms.from_dict(json.loads(json.dumps(dataclasses.asdict(terms)))) == terms


@pytest.mark.parametrize("weights", [None, [1.0, 1.0, 1.0]])
def test_weights_of_one_are_none(weights):
    instance = Instance.create(Selection(2, 1), COSTS, weights=weights, depth=0)
    assert not solve(instance, method="one_solution").terms.weighted


def test_a_strangers_file_may_hold_anything():
    assert Terms.from_dict(None) is None
    assert Terms.from_dict([1]) is None
    strange = {
        "max_leaves": 0,
        "min_samples_leaf": True,
        "time_limit": "x",
        "gap_limit": float("nan"),
        "refine": 1,
        "weighted": "yes",
        "unknown": {},
    }
    assert Terms.from_dict(strange) == Terms()
    assert Thinning.from_dict({"n_samples": 1, "n_all_samples": "2", "n_thresholds": 3, "n_all_thresholds": 4}) is None
    assert Thinning.from_dict("all") is None
