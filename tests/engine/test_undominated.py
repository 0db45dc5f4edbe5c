"""Leaving out solutions that another one beats everywhere: right, and never long between two looks at the clock."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from hedgerow.engine import undominated as module
from hedgerow.engine.engine_parameters import EngineParameters
from hedgerow.engine.undominated import undominated


def plain(losses):
    """Return the same by comparing every column with every other one."""
    kept = []
    for column in range(losses.shape[1]):
        beaten = False
        for other in range(losses.shape[1]):
            no_worse = (losses[:, other] <= losses[:, column]).all()
            differs = (losses[:, other] != losses[:, column]).any()
            beaten = beaten or bool(no_worse and (differs or other < column))
        if not beaten:
            kept.append(column)
    return kept


@settings(max_examples=60)
@given(st.integers(1, 5), st.integers(1, 12), st.integers(0, 4), st.integers(0, 10_000))
def test_it_keeps_what_a_plain_comparison_keeps(n_samples, n_columns, largest, seed):
    """Ties and equal columns included."""
    losses = np.random.default_rng(seed).integers(0, largest + 1, (n_samples, n_columns)).astype(float)
    assert undominated(losses).tolist() == plain(losses)


def test_the_clock_is_looked_at_after_so_many_comparisons(monkeypatch):
    """The looks grow with the work, and what was not compared when time was up is kept."""
    monkeypatch.setattr(module, "ENGINE", EngineParameters(compared_at_once=500))
    losses = np.random.default_rng(1).random((6, 400))
    looks = []
    everything = undominated(losses, lambda: bool(looks.append(1)))
    assert len(looks) > 30
    for last in (1, 8, 30):
        looks.clear()
        some = undominated(losses, lambda last=last: bool(looks.append(1)) or len(looks) >= last)
        assert len(looks) == last
        assert set(everything) <= set(some)
