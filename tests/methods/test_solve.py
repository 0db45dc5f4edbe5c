"""The façade of all methods: its door, its limits, and that nothing loses a tree."""

import math
import signal
import sys
import threading

import numpy as np
import pytest

from hedgerow import InputError, Instance, LocalBudget, SolverError, solve
from hedgerow.datasets import paper_shortest_path
from hedgerow.methods import METHODS
from hedgerow.methods.registry import Method
from hedgerow.problems import Selection
from hedgerow.run import Interrupt, Row
from hedgerow.run.result import Refined
from hedgerow.tree.tree import Tree
from tests.methods import toys

SIGNALS = (signal.SIGINT, signal.SIGTERM)
COSTS = np.random.default_rng(7).integers(1, 30, (8, 5)).astype(float)


@pytest.fixture(autouse=True)
def _toys(monkeypatch):
    for name, function in toys.TOYS.items():
        monkeypatch.setitem(METHODS, name, Method(function))


def instance(**options):
    return Instance.create(Selection(5, 2), COSTS, **{"uncertainty": LocalBudget(1.0), **options})


# -- the door --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"time_limit": 0}, "time_limit must be above zero; got 0."),
        ({"iteration_limit": 0}, "iteration_limit must be an integer from 1 to 1000000000000000; got 0."),
        ({"gap_limit": -0.1}, "gap_limit must be zero or more; got -0.1."),
        ({"stall_limit": 0}, "stall_limit must be an integer from 1 to 1000000000000000; got 0."),
        ({"random_state": -1}, "random_state must be an integer of 0 or more"),
        ({"method": "magic"}, "method must be one of auto, "),
        ({"method": ["draw"]}, "method must be a text; got ['draw']."),
        ({"monitor": 3}, "monitor must be a function"),
        ({"min_samples_leaf": 9}, "must be at most the number of samples, which is 8"),
        ({"thresholds": "median"}, 'thresholds must be one of "midpoints", "grid", "continuous", or None'),
        ({"solver": "abacus"}, "solver must be one of"),
    ],
)
def test_bad_options_are_refused_with_what_is_allowed(options, message):
    with pytest.raises(InputError) as refused:
        solve(instance(), **{"method": "draw", **options})
    assert message in str(refused.value)


# -- limits ----------------------------------------------------------------------------------------------------------


def test_time_too_short_for_a_first_tree_gives_one_solution_and_says_so():
    result = solve(instance(), method="idle", time_limit=1e-6)
    assert result.tree.depth == 0
    assert result.status == "time_limit"
    assert result.message == "This is the best single solution: idle found no tree before its time limit."
    assert result.objective == solve(instance(), method="one_solution").objective


@pytest.mark.parametrize("name", list(METHODS))
def test_every_method_has_a_tree_however_short_the_time(name):
    assert solve(instance(), method=name, time_limit=1e-6).tree.n_leaves >= 1


def test_stall_limit_and_gap_limit_end_a_run():
    assert solve(instance(), method="draw", stall_limit=30, random_state=0).status == "stalled"

    def bounded(instance, run, settings):
        toys.offer_random(instance, run, toys.candidate_splits(instance.observations))
        run.raise_bound(0.9 * run.value)
        assert not run.running

    METHODS["draw"] = Method(bounded)
    assert solve(instance(), method="draw", gap_limit=0.2).status == "gap_limit"


# -- interrupts ------------------------------------------------------------------------------------------------------


def test_a_monitor_that_returns_false_stops_the_run():
    rows: list[Row] = []

    def stop_at_third(row):
        rows.append(row)
        return len(rows) < 3

    result = solve(instance(), method="draw", monitor=stop_at_third)
    assert result.status == "interrupted"
    assert len(rows) == 3
    assert result.statistics == tuple(rows)


def test_another_thread_can_stop_the_run():
    interrupt = Interrupt()
    threading.Timer(0.1, interrupt.request).start()
    assert solve(instance(), method="draw", interrupt=interrupt).status == "interrupted"


def test_the_handlers_of_the_program_stay_in_place_during_a_run():
    """A web server's, say: they are called at once, and the run goes on."""
    received = []
    before = {number: signal.signal(number, lambda *_: received.append(_[0])) for number in SIGNALS}
    try:
        stops = (signal.raise_signal(number) for number in SIGNALS)
        result = solve(instance(), method="draw", iteration_limit=10, monitor=lambda row: next(stops, None))
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
    assert received == list(SIGNALS)
    assert result.status == "iteration_limit"


# -- failures --------------------------------------------------------------------------------------------------------


def test_a_solver_that_fails_midway_does_not_cost_the_tree(caplog):
    result = solve(instance(), method="fail_midway")
    assert (result.status, result.tree.depth) == ("feasible", 1)
    assert result.message == "The method could not go on: the solver lost its licence."
    assert "lost its licence" in caplog.text


def test_where_nothing_can_be_solved_the_error_is_raised(monkeypatch):
    def no_solution(*args, **options):
        raise SolverError("the solver has no licence")

    monkeypatch.setattr(Selection, "best_solution", no_solution)
    with pytest.raises(SolverError):
        solve(instance(), method="fail_at_once")


def test_running_out_of_memory_is_a_status():
    result = solve(instance(), method="out_of_memory")
    assert (result.status, result.tree.depth) == ("memory_limit", 1)


def test_a_bug_in_a_method_is_not_hidden():
    def broken(instance, run, settings):
        raise ZeroDivisionError

    METHODS["draw"] = Method(broken)
    with pytest.raises(ZeroDivisionError):
        solve(instance(), method="draw")


# -- what comes back -------------------------------------------------------------------------------------------------


def test_statistics_are_rows_in_order_of_time():
    result = solve(instance(), method="draw", iteration_limit=50, random_state=1)
    rows = result.statistics
    assert rows.to_frame()["runtime"].is_monotonic_increasing
    values = [row.value for row in rows if math.isfinite(row.value)]
    assert values == sorted(values, reverse=True)
    assert values[-1] == pytest.approx(result.objective)


def test_refinement_stands_beside_the_result(monkeypatch):
    other = Tree.single(np.array([1.0, 1.0, 0.0, 0.0, 0.0]))
    monkeypatch.setattr(
        sys.modules["hedgerow.methods.solve"], "refine", lambda tree, instance, *rest, **options: Refined(other, 1.0)
    )
    plain = solve(instance(), method="draw", iteration_limit=5, random_state=1)
    result = solve(instance(), method="draw", iteration_limit=5, random_state=1, refine=True)
    assert plain.refined is None
    assert result.refined is not None
    assert result.refined.tree == other
    assert (result.tree, result.objective, result.lower_bound) == (plain.tree, plain.objective, plain.lower_bound)


def test_a_result_asks_no_question_whose_answers_lead_to_the_same_solution():
    """Slots that nobody reaches take their neighbours' solutions, and a planner would wonder at the question."""
    problem, train, _ = paper_shortest_path(seed_id=0)
    instance = Instance.create(problem, train, uncertainty=LocalBudget(fraction=0.05))
    result = solve(instance, method="exact", random_state=0)
    assert result.tree == result.tree.simplified()
    assert result.tree.n_leaves < 4
    assert result.objective == pytest.approx(547.02991)
