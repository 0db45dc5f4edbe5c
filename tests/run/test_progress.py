"""The progress of a fit: what the line says, when a log gets one, and that a terminal stays tidy."""

import math
import os
import re
import select
import sys

import numpy as np
import pytest

from hedgerow import RobustTree, compare
from hedgerow.problems import Selection
from hedgerow.run import Row
from hedgerow.run.progress import CountProgress, FitProgress
from hedgerow.study import tune
from tests.cli.conftest import WITH_TOYS, write_costs
from tests.methods import toys
from tests.processes import environment_of_tests
from tests.run.test_run import Clock


def test_the_line_shows_what_is_known():
    clock = Clock()
    progress = FitProgress(60.0, unit="min", clock=clock)
    clock.now += 2
    assert progress.line() == "getting ready | 2 s"
    progress(Row(0.1, 3, math.inf, -math.inf, "looking"))
    assert progress.line() == "no tree yet | 0 s | at most 60 s left | 3 steps | looking"
    progress(Row(10.0, 4, 43.0, 36.0))
    clock.now += 5
    assert progress.line() == "value 43 min | bound 36 | gap 16.3 % | 15 s | at most 45 s left | 4 steps"


def test_counts_tell_what_is_done():
    clock = Clock()
    progress = CountProgress("fits", 12, clock=clock)
    assert progress.line() == "0 of 12 fits | 0 s"
    clock.now += 50
    progress.count()
    assert progress.line() == "1 of 12 fits | 50 s"


@pytest.fixture
def quick(monkeypatch):
    """Lines are due at once, and again and again."""
    for name in ("_LIVE_SECONDS", "_LOG_SECONDS"):
        monkeypatch.setattr(f"hedgerow.run.progress.{name}", 0.0)


COSTS = np.random.default_rng(0).uniform(0.0, 9.0, (12, 2))


@pytest.fixture
def model(monkeypatch):
    toys.register()
    return RobustTree(Selection(2, 1), depth=1, method="draw", iteration_limit=100)


def test_fits_and_studies_show_themselves_if_they_are_asked_to(quick, model, capsys):
    model.set_params(verbose=True).fit(COSTS)
    assert " | " in capsys.readouterr().err
    options = {"questions": ["items"], "verbose": True}
    tune(model, COSTS, depths=[0, 1], folds=3, **options)
    assert re.search(r"\d+ of \d+ fits", capsys.readouterr().err)
    compare(Selection(2, 1), COSTS, depth=1, folds=2, **options)
    assert re.search(r"\d+ of \d+ contenders", capsys.readouterr().err)


def test_without_a_terminal_or_a_notebook_python_shows_nothing_unless_it_is_asked_to(quick, model, capsys):
    model.fit(COSTS)
    assert capsys.readouterr().err == ""
    model.set_params(verbose=True).fit(COSTS)
    assert " | " in capsys.readouterr().err
    model.set_params(monitor=lambda row: None).fit(COSTS)
    assert capsys.readouterr().err == ""  # a monitor of one's own is in its place


@pytest.mark.skipif(sys.platform == "win32", reason="there are no pseudo terminals")
def test_on_a_terminal_the_line_lives(tmp_path, monkeypatch):
    import pty

    monkeypatch.chdir(tmp_path)
    write_costs(tmp_path / "costs.csv")
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
    assert "worst case" in told.rpartition("s left | ")[2]


def chunks(terminal):
    while select.select([terminal], [], [], 60)[0]:
        try:
            chunk = os.read(terminal, 1 << 16)
        except OSError:  # how Linux says that the other side is closed
            return
        if not chunk:
            return
        yield chunk
