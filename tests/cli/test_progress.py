"""The progress of a fit: what the line says, when a log gets one, and that a terminal stays tidy."""

import math
import os
import re
import select
import sys
import threading
import types

import numpy as np
import pytest

from hedgerow import LocalBudget, RobustTree, compare
from hedgerow.problems import Selection
from hedgerow.run import Row
from hedgerow.run.progress import CountProgress, FitProgress, LivingLine, in_notebook, progress_unless
from hedgerow.study import tune
from tests.cli.test_processes import WITH_TOYS
from tests.processes import environment_of_tests


class Clock:
    now = 100.0

    def __call__(self):
        return self.now


def line(progress):
    return str(progress.__rich__())


def test_the_line_shows_what_is_known():
    clock = Clock()
    progress = FitProgress(60.0, unit="min", clock=clock)
    clock.now += 2
    assert line(progress) == "getting ready | 2 s"
    progress(Row(0.1, 3, math.inf, -math.inf, "looking"))
    assert line(progress) == "no tree yet | 0 s | at most 60 s left | 3 steps | looking"
    progress(Row(10.0, 4, 43.0, 36.0))
    clock.now += 5
    assert line(progress) == "value 43 min | bound 36 | gap 16.3 % | 15 s | at most 45 s left | 4 steps"


def test_time_left_is_what_the_limits_leave():
    both = FitProgress(60.0, 40, clock=Clock())
    both(Row(10.0, 20, 43.0, -math.inf))
    assert "at most 10 s left" in line(both)
    none = FitProgress(clock=Clock())
    none(Row(10.0, 20, 43.0, -math.inf))
    assert line(none) == "value 43 | 10 s | 20 steps"
    late = FitProgress(5.0, clock=Clock())
    late(Row(10.0, 1, 43.0, -math.inf))
    assert "at most 0 s left | 1 step" in line(late)


def test_where_no_line_can_live_there_is_one_now_and_then(capsys):
    clock = Clock()
    progress = FitProgress(600.0, clock=clock)
    with progress.shown():
        for second in range(95):
            clock.now = 100.0 + second
            progress(Row(float(second), second, 43.0, 36.0))
    told = capsys.readouterr().err.splitlines()
    assert [text.split(" | ")[3] for text in told] == ["10 s", "40 s", "70 s"]
    assert not any("\x1b" in text or "\r" in text for text in told)


def test_there_is_a_line_even_where_there_are_no_news(capsys, monkeypatch):
    monkeypatch.setattr("hedgerow.run.progress._SECONDS_UNTIL_FIRST", 0.0)
    line = CountProgress("fits")
    with line.shown():
        line(0, 8)
        deadline = threading.Event()
        while not (told := capsys.readouterr().err):
            deadline.wait(0.05)
    assert told.startswith("0 of 8 fits | ")


def test_counts_tell_what_is_left():
    clock = Clock()
    progress = CountProgress("fits", clock=clock)
    assert line(progress) == "preparing fits | 0 s"
    clock.now += 30.0
    progress(3, 12)
    assert line(progress) == "3 of 12 fits | 30 s | about 90 s left".replace("90 s", "2 min")


class Display:
    """Takes the place of a notebook: keeps what it shows, as a display that is updated."""

    def __init__(self):
        self.contents, self.kernel = [], object()

    def display(self, content, *, raw, display_id):
        assert raw
        assert display_id
        self.contents.append(content["text/plain"])
        return self

    def update(self, content, *, raw):
        self.contents[-1] = content["text/plain"]


@pytest.fixture
def notebook(monkeypatch):
    shown = Display()
    package, module = types.ModuleType("IPython"), types.ModuleType("IPython.display")
    package.get_ipython, module.display = (lambda: shown), shown.display
    monkeypatch.setitem(sys.modules, "IPython", package)
    monkeypatch.setitem(sys.modules, "IPython.display", module)
    return shown


def test_in_a_notebook_one_line_is_updated(notebook):
    assert in_notebook()
    clock = Clock()
    outer, inner = CountProgress("fits", clock=clock), FitProgress(60.0, clock=clock)
    with progress_unless(None, outer) as monitor:
        assert monitor is outer
        monitor(1, 8)
        assert notebook.contents == []  # quick work needs no line
        for second in range(3, 6):
            clock.now = 100.0 + second
            monitor(second, 8)
            with progress_unless(None, inner) as within:
                within(Row(float(second), second, 43.0, 36.0))
    assert notebook.contents == ["5 of 8 fits | 5 s | about 3 s left"]
    assert not LivingLine._any_shown


def test_a_monitor_of_ones_own_is_not_replaced(notebook):
    with progress_unless(print, FitProgress()) as monitor:
        assert monitor is print


def test_a_fit_and_a_study_show_themselves_in_a_notebook(notebook, monkeypatch):
    monkeypatch.setattr("hedgerow.run.progress._SECONDS_UNTIL_SHOWN", 0.0)
    costs = np.random.default_rng(0).uniform(0.0, 9.0, (12, 2))
    model = RobustTree(Selection(2, 1), depth=1, method="greedy").fit(costs)
    assert notebook.contents[-1].startswith("value ")
    tune(model, costs, depths=[0, 1], questions=["items"], uncertainties=[LocalBudget(1.0)], folds=3)
    assert re.match(r"\d+ of \d+ fits", notebook.contents[-1])
    compare(Selection(2, 1), costs, depth=1, questions=["items"], folds=2, iteration_limit=1)
    assert re.match(r"\d+ of \d+ contenders", notebook.contents[-1])
    assert len(notebook.contents) == 3


def test_without_a_terminal_or_a_notebook_python_shows_nothing_unless_it_is_asked_to(capsys, monkeypatch):
    monkeypatch.setattr("hedgerow.run.progress._SECONDS_UNTIL_FIRST", 0.0)
    assert not in_notebook()
    with progress_unless(None, CountProgress("fits")) as monitor:
        assert monitor is None
    costs = np.random.default_rng(0).uniform(0.0, 9.0, (12, 2))
    model = RobustTree(Selection(2, 1), depth=1, method="greedy").fit(costs)
    assert capsys.readouterr().err == ""
    model.set_params(verbose=True).fit(costs)
    assert capsys.readouterr().err.startswith("value ")


@pytest.mark.skipif(sys.platform == "win32", reason="there are no pseudo terminals")
def test_on_a_terminal_the_line_lives_and_leaves_no_trace(folder):
    import pty

    environment = {**environment_of_tests(), "TERM": "xterm", "COLUMNS": "100"}
    options = ["--method", "draw", "--time-limit", "4"]
    process, terminal = pty.fork()
    if process == 0:  # pragma: no cover
        words = [sys.executable, "-c", WITH_TOYS, "fit", "grid:2", "costs.csv", *options]
        os.execve(sys.executable, words, environment)
    told = b"".join(chunks(terminal)).decode("utf-8")
    assert os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]) == 0, told
    os.close(terminal)
    assert "s left | " in told
    assert "fitting a tree of depth 2 to 6 samples" in told
    # What was written on a line before it was erased is gone, be it this line or, one up, the one before.
    lasting = re.sub(r"[^\n]*\n[^\n]*\x1b\[1A\x1b\[2K|[^\n]*\r\x1b\[2K", "", told)
    assert " left" not in lasting
    assert "worst case" in lasting


def chunks(terminal):
    while select.select([terminal], [], [], 60)[0]:
        try:
            chunk = os.read(terminal, 1 << 16)
        except OSError:  # how Linux says that the other side is closed
            return
        if not chunk:
            return
        yield chunk
