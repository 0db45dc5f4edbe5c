"""The ladder: its rungs are in order, whatever the problem, and bounds are marked as bounds."""

import numpy as np
import pytest

from hedgerow import GlobalBudget, InputError, LocalBudget, ladder
from hedgerow.methods import METHODS
from hedgerow.methods.registry import Method
from hedgerow.problems import Selection, ShortestPath
from hedgerow.study.ladders import Rung
from tests.methods import toys
from tests.methods.test_local_search import Unlisted

RNG = np.random.default_rng(5)


@pytest.mark.parametrize("kind", [LocalBudget, GlobalBudget])
@pytest.mark.parametrize(
    ("problem", "costs"),
    [
        (ShortestPath.grid(3), RNG.uniform(10, 30, (8, 12))),
        (Selection(5, 2), RNG.normal(0, 5, (8, 5))),
        (Selection(5, 2, sense="max"), RNG.normal(0, 5, (8, 5))),
        (Unlisted(5, 2), RNG.uniform(1, 9, (8, 5))),
    ],
    ids=["grid", "any sign", "gains", "unlisted"],
)
def test_rungs_are_in_order(kind, problem, costs):
    steps = ladder(
        problem, costs, uncertainty=kind(fraction=0.05), method="local_search", iteration_limit=5, random_state=0
    )
    sign = 1.0 if problem.sense == "min" else -1.0
    rungs = [steps.clairvoyant, steps.k_solutions, steps.nominal_tree, steps.one_solution]
    values = [sign * rung.value for rung in rungs]
    assert values == sorted(values)
    worst = [sign * rung.value for rung in (steps.nominal_tree, steps.robust_tree, steps.one_solution)]
    assert worst == sorted(worst)
    for rung in (*rungs, steps.robust_tree):
        assert sign * rung.bound <= sign * rung.value + 1e-9
    assert sign * steps.robust_tree.value <= sign * steps.nominal_tree_robust + 1e-9
    assert sign * steps.robust_tree_nominal <= sign * steps.robust_tree.value + 1e-9
    extra = abs(steps.nominal_tree.value - steps.clairvoyant.bound)
    assert steps.price_of_interpretability == pytest.approx(extra / abs(steps.clairvoyant.bound))
    assert steps.price_of_robustness >= 0.0


def test_what_is_only_bounded_is_told_as_a_bound():
    assert Rung(10.0, 10.0).proven
    assert not Rung(10.0, 9.0).proven
    assert not Rung(float("nan"), 9.0).proven
    costs = np.random.default_rng(1).uniform(1, 9, (40, 6))
    steps = ladder(
        Unlisted(6, 2), costs, uncertainty=LocalBudget(fraction=0.1), method="local_search", iteration_limit=1
    )
    lines = steps.to_text().splitlines()
    assert "at best" in lines[3]
    assert lines[-1].startswith("price of robustness")
    assert "at most" not in lines[-2]


def test_ctrl_c_ends_all_of_it(monkeypatch):
    """A ladder whose trees were not sought to the end would say nothing."""
    searches = []

    def stopped(instance, run, settings):
        searches.append(instance)
        toys.ctrl_c(instance, run, settings)

    monkeypatch.setitem(METHODS, "draw", Method(stopped, "a toy"))
    with pytest.raises(KeyboardInterrupt):
        ladder(Selection(5, 2), RNG.uniform(1, 9, (8, 5)), method="draw", uncertainty=LocalBudget(0.1))
    assert len(searches) == 1


def test_two_searches_and_the_bounds_share_the_time(monkeypatch):
    limits = []

    def recorded(instance, run, settings):
        limits.append(settings.time_limit)
        toys.offer_random(instance, run, toys.candidate_splits(instance.observations))

    monkeypatch.setitem(METHODS, "draw", Method(recorded, "a toy"))
    ladder(Selection(5, 2), RNG.uniform(1, 9, (8, 5)), method="draw", uncertainty=LocalBudget(0.1), time_limit=10.0)
    assert limits == [4.0, 4.0]


def test_no_time_limit_may_be_written_as_none():
    problem, costs = Selection(3, 1), RNG.uniform(1, 9, (6, 3))
    options = {"method": "local_search", "iteration_limit": 2, "random_state": 0, "uncertainty": LocalBudget(0.1)}
    unlimited, limited = (ladder(problem, costs, time_limit=limit, **options) for limit in (None, 60.0))
    assert unlimited.to_text() == limited.to_text()


def test_a_bad_time_limit_is_told_as_it_was_given():
    with pytest.raises(InputError, match=r"time_limit must be above zero; got -1\.0\."):
        ladder(Selection(3, 1), RNG.uniform(1, 9, (6, 3)), time_limit=-1)
