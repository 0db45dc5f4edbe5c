"""`hedgerow tune`: options become a cross-validation, the choice is told, and every mistake is one sentence."""

import csv
import shlex

import numpy as np
import pytest

from hedgerow import LocalBudget, RobustTree
from hedgerow.problems import ShortestPath
from hedgerow.rules import RuleBook
from hedgerow.study import tune
from tests.cli.conftest import COSTS, NAMES, refused, run, write_costs

QUICK = ("--method", "draw", "--iteration-limit", "5", "--questions", "items")
SETTINGS = ("--depths", "0,1", "--plans-per-leaf", "1", "--local", "0.2", "--folds", "3")
READINGS = COSTS + np.random.default_rng(1).normal(0.0, 5.0, COSTS.shape).round(2)


def tuned(*words):
    done = run("tune", "grid:2", "costs.csv", *QUICK, *SETTINGS, *words)
    assert done.exit_code == 0, (done.stderr, done.exception)
    return done


def costs_in(path):
    with path.open(encoding="utf-8") as stream:
        return [float(row["cost"]) for row in csv.DictReader(stream)]


def in_python(prices=None, **options):
    model = RobustTree(
        ShortestPath.grid(2),
        uncertainty=LocalBudget(fraction=0.2, prices=prices),
        method="draw",
        iteration_limit=5,
        random_state=0,
    )
    return tune(model, COSTS, questions=["items"], depths=(0, 1), plans_per_leaf=[1], folds=3, **options)


def test_the_scores_are_those_that_python_finds(folder):
    done = tuned("-o", "tuning.csv")
    expected = in_python()
    assert costs_in(folder / "tuning.csv") == expected.scores["cost"].tolist()
    assert " ".join(expected.summary.split()) in " ".join(done.stdout.split())
    assert "saved to tuning.csv" in done.stderr


def test_the_command_that_fits_the_choice_can_be_pasted(folder):
    write_costs(folder / "read.csv", READINGS)
    shown = tuned("--readings", "read.csv").stdout
    words = shlex.split(shown.rpartition("To fit it: hedgerow ")[2])
    assert words[:5] == ["fit", "grid:2", "costs.csv", "--readings", "read.csv"]
    assert run(*words).exit_code == 0
    chosen = in_python(readings=READINGS).chosen
    saved = RuleBook.load(folder / "tree.json")
    assert (saved.training.depth, saved.result.method) == (chosen.depth, "draw")


def test_rows_are_judged_with_their_readings(folder):
    write_costs(folder / "read.csv", READINGS[:, ::-1], NAMES[::-1])
    done = tuned("--readings", "read.csv", "-o", "tuning.csv")
    expected = in_python(readings=READINGS)
    assert costs_in(folder / "tuning.csv") == pytest.approx(expected.scores["cost"].tolist())
    assert "resampled" in done.stdout


def test_context_is_asked_about(folder):
    write_costs(folder / "weather.csv", COSTS[:, :1], ("wind",))
    tuned("--context", "weather.csv", "-o", "tuning.csv")
    assert costs_in(folder / "tuning.csv") == in_python(context=COSTS[:, :1]).scores["cost"].tolist()


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--depths", "1,x"), "--depths must be whole numbers separated by commas"),
        (("--plans-per-leaf", "0"), "plans_per_leaf must be an integer from 1 to 100; got 0"),
        (("--folds", "1"), "folds must be an integer from 2 to 6"),
        (("--folds", "99"), "folds must be an integer from 2 to 6"),
        (("--jobs", "-5"), "n_jobs must be an integer from 1 to 4096; got -5"),
        (("--local", "0.1", "--prices", "-1"), "prices must be finite and above zero"),
        (("--local", "0.1", "--prices", "1,2"), "prices must hold one number for each of the 4 items; got 2"),
        (("--time-limit", "0"), "time_limit must be above zero"),
        (("-o", "nowhere/tuning.csv"), "nowhere"),
        (("--readings", "missing.csv"), "missing.csv"),
    ],
)
def test_mistakes_are_one_sentence(folder, words, told):
    assert told in refused("tune", "grid:2", "costs.csv", *QUICK, *words)
