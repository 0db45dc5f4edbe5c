"""On instances too large for brute force the method's paths, each with bounds of its own, find the same optimum."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hedgerow import GlobalBudget, Instance, LocalBudget, solve
from hedgerow.problems import Selection, ShortestPath
from hedgerow.run import Options
from tests.methods.exact.tiny import on_path

OPTIONS = [
    {},
    {},
    {"limits": 1.5},
    {"prices": "range"},
    {"epsilon": 0.3},
    {"epsilon": 1.1},
]


@st.composite
def cases(draw, problems):
    """Draw an instance with some ties, of mixed sign, whose ε may overshoot the gaps between its thresholds."""
    problem = draw(st.sampled_from(problems))
    n_samples = draw(st.integers(6, 8))
    rng = np.random.default_rng(draw(st.integers(0, 10**6)))
    costs = rng.integers(-8, 24, (n_samples, len(problem.item_names))) / draw(st.sampled_from([2.0, 3.7]))
    observations = costs[:, :4] if draw(st.booleans()) else rng.integers(0, 9, (n_samples, 3)) / 2.0
    weights = rng.choice([0.0, 1.0, 1.0, 2.0], n_samples) if draw(st.booleans()) else None
    weights = None if weights is None or not weights.any() else weights
    kind = draw(st.sampled_from([LocalBudget, GlobalBudget]))
    options = draw(st.sampled_from(OPTIONS))
    fraction = draw(st.sampled_from([0.03, 0.08, 0.15]))
    return Instance.create(
        problem, costs, observed=observations, weights=weights, uncertainty=kind(fraction=fraction, **options)
    )


def optima(instance, paths, settings=None):
    """Return the proven optimum of each path; all but the first begin blind. Prices may prove a bound only."""
    settings = (settings or Options()).replace(thresholds="midpoints")
    values = []
    for path in paths:
        with on_path(path, blind=len(values) > 0):
            result = solve(instance, method="exact", options=settings, random_state=0, time_limit=None)
        if result.status == "optimal" or not (values and "intervals" in path and not instance.uncertainty.is_separable):
            assert result.status == "optimal"
            values.append(result.objective)
        noise = 1e-7 * max(1.0, abs(values[0]))
        assert instance.sign * result.lower_bound <= instance.sign * values[0] + noise
        assert instance.sign * result.objective >= instance.sign * values[0] - noise
    return values


def assert_agree(values):
    assert values == pytest.approx([values[0]] * len(values), rel=1e-7, abs=1e-8)


@settings(max_examples=40)
@given(cases([Selection(5, 2), Selection(4, 2, sense="max"), ShortestPath.grid(3)]))
def test_tables_and_intervals_agree(instance):
    """Branch and bound over subsets of samples, and intervals of thresholds or prices."""
    assert_agree(optima(instance, ["tables", "tables", "intervals"]))


@settings(max_examples=25)
@given(cases([ShortestPath.grid(3), ShortestPath.grid(4)]))
def test_all_paths_and_only_near_optimal_ones_agree(instance):
    """What is not listed is not missed."""
    assert_agree(optima(instance, ["tables", "listing", "listing, intervals"]))
