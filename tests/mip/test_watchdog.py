"""A solver that overruns and won't listen costs its caller a moment, never the whole run."""

import math
import os
import subprocess
import sys
import textwrap
import threading
import time
from types import SimpleNamespace

import numpy as np
import pytest

from hedgerow.errors import SolverError
from hedgerow.mip import MipModel, watchdog
from hedgerow.mip import highs as highs_file
from hedgerow.mip.highs import HighsModel
from hedgerow.mip.solving import SolverOutcome


class StubbornModel(MipModel):
    """A solver that finds x = 1 and the bound 0.5, and then sits there until it is let go of."""

    solver = "stubborn"

    def __init__(self) -> None:
        super().__init__()
        self.let_go = threading.Event()
        self.stubborn = True

    def _prepare(self, options, progress):
        stubborn, let_go = self.stubborn, self.let_go

        def run():
            if stubborn:
                progress.note_bound(0.5)
                progress.note_solution(np.ones(1), 1.0)
                let_go.wait(60)
            return SolverOutcome("optimal", np.ones(1), 1.0)

        return run


@pytest.fixture
def stubborn(monkeypatch):
    monkeypatch.setattr(watchdog, "OVERRUN", 0.05)
    monkeypatch.setattr(watchdog, "PATIENCE", 0.1)
    model = StubbornModel()
    columns = model.add_variables(1, upper=3.0, cost=1.0, integer=True)
    model.add_row(columns, [1.0], 1.0, 2.0)
    yield model
    model.let_go.set()


def test_a_solver_that_ignores_its_time_limit_is_abandoned_with_what_it_found(stubborn):
    started = time.monotonic()
    result = stubborn.solve(time_limit=0.1)
    assert time.monotonic() - started < 10
    assert result.status == "time_limit"
    assert (result.values.tolist(), result.objective, result.bound) == ([1.0], 1.0, 0.5)
    assert "abandoned" in result.message


def test_the_model_goes_on_after_its_solver_was_abandoned(stubborn):
    stubborn.solve(time_limit=0.1)
    stubborn.set_costs([0], [2.0])
    stubborn.stubborn = False
    result = stubborn.solve(time_limit=5)
    assert (result.status, result.objective) == ("optimal", 2.0)


def test_a_solver_that_ignores_the_callers_flag_is_abandoned(stubborn):
    started = time.monotonic()
    result = stubborn.solve(should_stop=lambda: time.monotonic() > started + 0.1)
    assert (result.status, result.objective, result.bound) == ("interrupted", 1.0, 0.5)


def test_a_solver_that_ignores_an_interrupt_is_abandoned(stubborn):
    timer = threading.Timer(0.1, stubborn.interrupt)
    timer.start()
    assert stubborn.solve(time_limit=60).status == "interrupted"
    timer.join()


def test_with_a_cutoff_what_an_abandoned_solver_found_counts_for_no_more_than_it(stubborn):
    result = stubborn.solve(time_limit=0.1, cutoff=0.25)
    assert (result.status, result.values, result.objective, result.bound) == ("time_limit", None, math.inf, 0.25)


def test_an_exception_in_the_waiting_thread_is_raised_even_if_the_solver_will_not_stop(stubborn):
    def ctrl_c():
        if len(calls) > 1:
            raise KeyboardInterrupt
        return calls.append(1)

    calls = []
    with pytest.raises(KeyboardInterrupt):
        stubborn.solve(should_stop=ctrl_c)
    stubborn.stubborn = False
    assert stubborn.solve().status == "optimal"


def test_a_late_answer_of_an_abandoned_solver_changes_nothing(stubborn):
    first = stubborn.solve(time_limit=0.1)
    stubborn.let_go.set()
    stubborn.stubborn = False
    second = stubborn.solve(time_limit=5)
    assert (first.status, second.status) == ("time_limit", "optimal")


def test_an_error_about_the_solver_itself_reaches_the_caller(stubborn):
    def unlicensed(options, progress):
        def run():
            raise SolverError("no licence")

        return run

    stubborn._prepare = unlicensed
    with pytest.raises(SolverError, match="no licence"):
        stubborn.solve()


def test_highs_is_rebuilt_from_the_arrays_after_it_was_abandoned(stubborn, monkeypatch):
    model = HighsModel()
    columns = model.add_variables(3, upper=1.0, cost=[-5.0, -4.0, -3.0], integer=True)
    model.add_row(columns, [4.0, 3.0, 2.0], -np.inf, 6.0)
    model.solve()
    with monkeypatch.context() as patch:
        patch.setattr(model, "_prepare", stubborn._prepare)
        assert "abandoned" in model.solve(time_limit=0.1).message
    model.set_bounds(columns[:1], 0.0, 0.0)
    assert model.solve().objective == pytest.approx(-7.0)


def test_finished_solves_leave_no_threads_behind(stubborn):
    stubborn.stubborn = False
    before = threading.active_count()
    for _ in range(20):
        stubborn.solve()
    assert threading.active_count() <= before + 1


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_forked_child_solves_with_threads_of_its_own():
    script = """
        import os, sys
        from hedgerow.mip import create_model
        model = create_model()
        model.add_variables(1, lower=1.0, upper=2.0, cost=1.0, integer=True)
        assert model.solve().objective == 1.0
        child = os.fork()
        if child == 0:
            os._exit(0 if model.solve(time_limit=20).status == "optimal" else 1)
        sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
    """
    subprocess.run([sys.executable, "-c", textwrap.dedent(script)], check=True, timeout=60)


def run_script(script):
    command = [sys.executable, "-c", textwrap.dedent(script)]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)


ABANDONED = """
    import sys, time
    from hedgerow.mip import watchdog
    from hedgerow.mip.solving import Progress
    watchdog.PATIENCE = watchdog.OVERRUN = 0.05
    ending = watchdog.supervise(lambda: time.sleep(600), Progress(), time_limit=0.05)
    assert ending.reason == "time_limit" and watchdog.any_abandoned()
"""


def test_python_waits_for_an_abandoned_solver_but_not_forever():
    ended = run_script(f"{ABANDONED}    watchdog.LONGEST_WAIT_AT_EXIT = 0.1\n    sys.exit(3)")
    assert ended.returncode == 3
    assert ended.stderr == "Waiting at most 0.1 s for a MIP solver that has not stopped yet.\n"


def test_the_command_line_does_not_wait_for_an_abandoned_solver():
    ended = run_script(f"{ABANDONED}    from hedgerow.cli import main\n    sys.argv[1:] = ['--version']\n    main()")
    assert ended.returncode == 0
    assert ended.stdout.startswith("hedgerow ")
    assert ended.stderr == ""


def test_a_solver_that_returns_late_does_not_crash_the_interpreter():
    """Python waits at exit until HiGHS is back from C++; the process ends with its own status and all its output."""
    script = """
        import sys
        import highspy
        import numpy as np
        from hedgerow.mip import watchdog
        from hedgerow.mip.solving import Progress

        watchdog.PATIENCE = watchdog.OVERRUN = 0.05
        highs = highspy.Highs()
        highs.setOptionValue("log_to_console", False)
        highs.setOptionValue("time_limit", 1.0)
        columns = np.arange(40, dtype=np.int32)
        highs.addVars(40, np.zeros(40), np.ones(40))
        highs.changeColsIntegrality(40, columns, np.full(40, int(highspy.HighsVarType.kInteger), dtype=np.uint8))
        rng = np.random.default_rng(0)
        for _ in range(5):  # a market split problem, which takes hours
            row = rng.integers(0, 99, 40).astype(float)
            highs.addRow(row.sum() // 2, row.sum() // 2, 40, columns, row)
        ending = watchdog.supervise(highs.run, Progress(), time_limit=0.01)
        assert not ending.finished.is_set()
        print("done")
        sys.exit(3)
    """
    ended = run_script(script)
    assert (ended.returncode, ended.stdout) == (3, "done\n")
    assert ended.stderr == "Waiting at most 30 s for a MIP solver that has not stopped yet.\n"


@pytest.mark.parametrize("asked", [True, False])
def test_highs_does_not_begin_once_it_was_asked_to_stop_or_time_is_up(monkeypatch, asked):
    """While a warm start is filled in, both may happen; presolve, which comes first, would heed neither."""

    def fill_in(highs, start, known, time_limit, progress):
        if asked:
            progress.request_stop()
        return np.ones_like(start)

    def begin(self):
        raise AssertionError

    model = HighsModel()
    model.add_variables(2, upper=1.0, cost=-1.0, integer=True)
    seconds = iter([0.0, 100.0])
    monkeypatch.setattr(highs_file, "_filled_in", fill_in)
    monkeypatch.setattr(highs_file.highspy.Highs, "run", begin)
    monkeypatch.setattr(highs_file, "time", SimpleNamespace(monotonic=lambda: next(seconds)))
    result = model.solve(time_limit=50.0, warm_start=np.array([1.0, np.nan]))
    assert result.status == ("interrupted" if asked else "time_limit")
