"""The progress of a fit: what the line says, when a log gets one, and that a terminal stays tidy."""

import math
import re

import numpy as np
import pytest

from hedgerow import RobustTree, compare
from hedgerow.problems import Selection
from hedgerow.run import Row
from hedgerow.run.progress import Progress, row_in_words
from hedgerow.study import tune
from tests.methods import toys
from tests.run.test_run import Clock


def test_the_line_shows_what_is_known():
    clock = Clock()
    progress = Progress(60.0, clock)
    clock.now += 2
    assert progress.line == "getting ready | 2 s | at most 58 s left"
    assert row_in_words(Row(0.1, 3, math.inf, -math.inf, "looking")) == "no tree yet | 3 steps | looking"
    progress.say(row_in_words(Row(10.0, 4, 43.0, 36.0), "min"), 10.0)
    clock.now += 5
    assert progress.line == "value 43 min | bound 36 | gap 16.3 % | 4 steps | 15 s | at most 45 s left"


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


def test_where_a_line_can_be_written_over_it_is_shown_once_and_goes_when_the_work_is_done(monkeypatch, capsys):
    monkeypatch.setattr("hedgerow.run.progress._is_live", lambda: True)
    outer, inner = Progress(), Progress()
    with outer.shown(), inner.shown():
        inner.say("1 of 3 contenders")
    assert "contenders" not in capsys.readouterr().err
    with inner.shown():
        pass
