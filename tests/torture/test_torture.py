"""A short run of the harness, and what it compares with: brute force, and bounds against trees."""

import pytest

from tests.torture import __main__ as torture
from tests.torture.paths import Paths

SHORT = {"adversary": 150, "optimum": 6, "context": 20, "hostile": 50, "paths": 2, "wishes": 20, "alternatives": 20}


@pytest.mark.parametrize("name", SHORT)
def test_a_short_run_finds_nothing(name):
    """The long one is `make torture`. Time limits are left to it: they are measured in seconds."""
    state = torture.State(None, seed=1)
    torture.run([name], 1, 600.0, state, SHORT)
    assert state.found == []
    assert state.done[name] == SHORT[name]


def test_a_bound_is_about_the_thresholds_that_its_result_names():
    """Changes of readings are limited here, so that a bound over all thresholds is one over midpoints."""
    assert torture.failure(Paths(), Paths().draw(torture.generator(37, "paths", 6))) is None
