"""The options of a run: checked when made, kept in files, read from any file."""

import dataclasses
import json

import numpy as np
import pytest

from hedgerow import InputError, Instance, RobustTree, solve
from hedgerow.problems import Selection
from hedgerow.rules.file import plain, read
from hedgerow.run import Options

COSTS = [[1.0, 3.0], [4.0, 2.0], [5.0, 2.5]]


def test_a_result_keeps_the_options_as_plain_numbers():
    instance = Instance.create(Selection(2, 1), COSTS, weights=[0.5, 1.5, 1.0], depth=1)
    result = solve(
        instance,
        Options(min_samples_leaf=np.int64(1), max_leaves=np.int64(2), time_limit=5.0),
        method="one_solution",
        thresholds="midpoints",
        time_limit=np.float32(30.0),
        iteration_limit=np.int64(7),
        gap_limit=0.25,
        refine=np.True_,
    )
    expected = Options(
        method="one_solution",
        thresholds="midpoints",
        min_samples_leaf=1,
        max_leaves=2,
        time_limit=30.0,
        iteration_limit=7,
        gap_limit=0.25,
        refine=True,
    )
    assert result.options == expected
    assert read(Options, json.loads(json.dumps(plain(result.options))), "options") == expected


def test_a_model_and_solve_have_the_same_options_with_the_same_defaults():
    model = RobustTree(Selection(2, 1))
    of_solve_alone = {field.name for field in dataclasses.fields(Options)} - set(model.get_params())
    assert of_solve_alone <= {"stall_limit", "memory_limit", "threshold_margin"}
    assert Options.of(model) == Options()
    assert Options.of(model.set_params(max_leaves=7, method="exact")) == Options(max_leaves=7, method="exact")


@pytest.mark.parametrize("name", ["min_samples_leaf", "max_leaves", "gap_limit", "refine", "solver", "n_jobs"])
def test_options_are_checked_when_they_are_made(name):
    with pytest.raises(InputError, match=f"{name} must be"):
        Options(**{name: -2})
