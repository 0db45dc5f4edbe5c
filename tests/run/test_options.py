"""The options of a run: checked when made, kept in files, read from any file."""

import dataclasses

import pytest

from hedgerow import InputError, RobustTree
from hedgerow.problems import Selection
from hedgerow.run import Options

COSTS = [[1.0, 3.0], [4.0, 2.0], [5.0, 2.5]]


def test_a_model_and_solve_have_the_same_options_with_the_same_defaults():
    model = RobustTree(Selection(2, 1))
    of_solve_alone = {field.name for field in dataclasses.fields(Options)} - set(model.get_params())
    assert of_solve_alone <= {"stall_limit", "memory_limit", "threshold_margin"}
    assert Options.of(model) == Options()
    assert Options.of(model.set_params(max_leaves=7, method="exact")) == Options(max_leaves=7, method="exact")


@pytest.mark.parametrize("name", ["min_samples_leaf", "max_leaves", "gap_limit", "refine", "solver"])
def test_options_are_checked_when_they_are_made(name):
    with pytest.raises(InputError, match=f"{name} must be"):
        Options(**{name: -2})
