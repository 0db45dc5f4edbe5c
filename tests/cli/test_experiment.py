"""`hedgerow experiment`: what it prints, what it refuses, what it leaves behind."""

import dataclasses
import os
import sys

import pytest

from hedgerow.experiments import driver
from hedgerow.run.progress import CountProgress
from tests.cli.conftest import refused, run

QUICK = ("experiment", 2, "--methods", "one_solution", "--seeds", "0")


@pytest.fixture(autouse=True)
def _own_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def test_a_run_ends_with_a_report_and_says_where(tmp_path):
    done = run("experiment", 2, "--methods", "exact,one_solution", "--seeds", "0-1", "--out", "results")
    assert done.exit_code == 0, done.stderr
    assert "no tree over midpoints is below the local optimum: 18 of 18" in done.stdout
    assert "Runs solved to optimality" in done.stdout
    assert "18 of 18 cells computed now; see results/report.md" in done.stderr
    assert (tmp_path / "results" / "report.md").exists()


def test_failed_cells_are_told_and_do_not_spoil_the_status(monkeypatch):
    def fail(cell, plan):
        raise RuntimeError("no luck")

    monkeypatch.setitem(driver.EXPERIMENTS, 2, dataclasses.replace(driver.EXPERIMENTS[2], work=fail))
    done = run(*QUICK, "--out", "results")
    assert done.exit_code == 0
    assert "failed: one_solution on instance 0 (λ = 0): RuntimeError: no luck" in done.stderr
    assert "3 of 3 cells failed; --retry-failed tries them again" in done.stderr


def test_ctrl_c_ends_with_status_130_and_the_run_goes_on_later(monkeypatch):
    experiment = driver.EXPERIMENTS[2]

    def interrupted(cell, plan):
        if cell.fraction == 0.05:
            raise KeyboardInterrupt
        return experiment.work(cell, plan)

    monkeypatch.setitem(driver.EXPERIMENTS, 2, dataclasses.replace(experiment, work=interrupted))
    assert run(*QUICK, "--out", "results").exit_code == 130
    monkeypatch.setitem(driver.EXPERIMENTS, 2, experiment)
    assert "2 of 3 cells computed now" in run(*QUICK, "--out", "results").stderr


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (("experiment", 4, "--out", "o"), "the experiment must be one of 1, 2, 3; got 4"),
        (("experiment", "two", "--out", "o"), "Invalid value for '1|2|3'"),
        (("experiment", 1), "Missing option '--out'"),
        (("experiment", 1, "--out", "o", "--scale", "large"), "scale must be one of smoke, paper; got 'large'"),
        (("experiment", 2, "--out", "o", "--methods", "exact,magic"), "got 'magic'"),
        (("experiment", 2, "--out", "o", "--methods", ","), "methods must name at least one"),
        (("experiment", 2, "--out", "o", "--seeds", "20"), "seeds must be from 0 to 19"),
        (("experiment", 2, "--out", "o", "--seeds", "a-b"), "--seeds must be whole numbers"),
        (("experiment", 2, "--out", "o", "--seeds", "5-3"), "--seeds must be whole numbers"),
        (("experiment", 2, "--out", "o", "--seeds", "99999999999999999999"), "--seeds must be whole numbers"),
        (("experiment", 1, "--out", "o", "--exact-time-limit", "0"), "time limit of exact methods must be above zero"),
        (("experiment", 1, "--out", "o", "--heuristic-time-limit", "nan"), "time limit of heuristics must be above"),
        (("experiment", 1, "--out", "o", "--methods", "exact"), "experiment 1 draws random trees"),
        (("experiment", 1, "--out", "o", "--grid"), "methods and thresholds can't be chosen"),
        (("experiment", 1, "--out", "o", "--workers", "0"), "workers must be an integer from 1 to"),
        (("experiment", 1, "--out", "o", "--workers", "2", "--dask", "x:1"), "exclude each other"),
        (("experiment", 1, "--out", "o", "--dask", "127.0.0.1:9"), "no Dask scheduler answers at '127.0.0.1:9'"),
    ],
)
def test_bad_use_is_refused_in_one_sentence(words, complaint):
    assert complaint in refused(*words)


def test_a_folder_that_holds_something_else_is_refused(tmp_path):
    (tmp_path / "notes.txt").touch()
    assert "holds other files" in refused(*QUICK, "--out", tmp_path)
    assert "is a file" in refused(*QUICK, "--out", tmp_path / "notes.txt")
    assert "notes.txt" in refused(*QUICK, "--out", tmp_path / "notes.txt" / "results")


def test_a_folder_that_may_not_be_written_to_is_refused(tmp_path, monkeypatch):
    if os.geteuid() == 0:
        monkeypatch.setattr(os, "access", lambda path, mode: mode != os.W_OK)
    folder = tmp_path / "locked"
    folder.mkdir(mode=0o500)
    assert "locked can't be written to" in refused(*QUICK, "--out", folder)


def test_without_matplotlib_it_says_what_to_install_before_any_work(monkeypatch, tmp_path):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    assert "pip install 'hedgerow[plot]'" in refused(*QUICK, "--out", "results")
    assert not list(tmp_path.iterdir())


def test_where_nothing_can_be_rewritten_a_line_is_told_now_and_then(capsys):
    now = [0.0]
    progress = CountProgress("cells", clock=lambda: now[0])
    with progress.shown():
        for now[0], done in ((1.0, 1), (40.0, 2), (41.0, 3)):
            progress(done, 9, seconds_left=7200.0)
    assert capsys.readouterr().err == "2 of 9 cells | 40 s | about 2.0 h left\n"
