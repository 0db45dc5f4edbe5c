"""`hedgerow tune`: options become a cross-validation, the choice is told, and every mistake is one sentence."""

import csv

import numpy as np
import pytest

from hedgerow import GlobalBudget, InputError, LocalBudget, RobustTree
from hedgerow.problems import ShortestPath
from hedgerow.study import tune
from tests.cli.conftest import COSTS, NAMES, refused, run, write_costs

QUICK = ("--method", "draw", "--iteration-limit", "5")
SETTINGS = ("--depths", "0,1", "--fractions", "0,0.2", "--folds", "3")


def tuned(*words):
    done = run("tune", "grid:2", "costs.csv", *QUICK, *SETTINGS, *words)
    assert done.exit_code == 0, (done.stderr, done.exception)
    return done


def saved(path):
    with path.open(encoding="utf-8") as stream:
        return list(csv.DictReader(stream))


def in_python(uncertainty=None, **options):
    model = RobustTree(
        ShortestPath.grid(2),
        uncertainty=LocalBudget(fraction=0.0) if uncertainty is None else uncertainty,
        method="draw",
        iteration_limit=5,
        time_limit=10.0,
        random_state=0,
    )
    return tune(model, COSTS, depths=(0, 1), fractions=(0.0, 0.2), folds=3, **options)


def test_the_scores_are_those_that_python_finds(folder):
    done = tuned("-o", "tuning.csv")
    rows, expected = saved(folder / "tuning.csv"), in_python()
    assert [float(row["nominal"]) for row in rows] == [score.nominal for score in expected.scores]
    assert [row["chosen"] == "1" for row in rows] == [score is expected.chosen for score in expected.scores]
    assert "perturbed" not in rows[0]
    assert expected.in_words() in done.stdout
    assert "saved to tuning.csv" in done.stderr


def test_readings_become_errors_that_trees_are_judged_under(folder):
    readings = COSTS + np.random.default_rng(1).normal(0.0, 5.0, COSTS.shape)
    write_costs(folder / "observed.csv", readings[:, ::-1], NAMES[::-1])
    done = tuned("--observed", "observed.csv", "-o", "tuning.csv")
    expected = in_python(perturbation=readings - COSTS)
    values = [float(row["perturbed"]) for row in saved(folder / "tuning.csv")]
    assert values == pytest.approx([score.perturbed for score in expected.scores])
    assert "under errors like those observed" in done.stdout


def test_budgets_may_be_global_and_priced(folder):
    tuned("--global", "--prices", "range", "-o", "tuning.csv")
    expected = in_python(GlobalBudget(fraction=0.0, prices="range"))
    values = [float(row["nominal"]) for row in saved(folder / "tuning.csv")]
    assert values == [score.nominal for score in expected.scores]


def test_observations_of_another_kind_are_asked_about(folder):
    write_costs(folder / "weather.csv", COSTS[:, :2], ("wind", "sun"))
    tuned("--observations", "weather.csv", "--features", "wind", "-o", "tuning.csv")
    expected = in_python(observations=COSTS[:, :1])
    values = [float(row["nominal"]) for row in saved(folder / "tuning.csv")]
    assert values == [score.nominal for score in expected.scores]


def test_what_is_to_be_done_is_told_before_it_is_and_counts_each_setting_once(folder, monkeypatch):
    told = []

    def stopped(model, costs, **options):
        options["on_progress"](0, 6)  # three folds, two depths
        told.append("on with it")
        raise InputError("it stops here.")

    words = ("--depths", "2,1,2", "--fractions", "0.02,0,0.01,0.01", "--folds", "3", "--time-limit", "7")
    with monkeypatch.context() as patched:
        patched.setattr("hedgerow.cli.tune.tuned", stopped)
        done = run("tune", "grid:2", "costs.csv", *words)
    assert told
    assert "18 fits of at most 7 s each" in done.stderr
    assert "18 fits of at most 7 s each" in run("tune", "grid:2", "costs.csv", *QUICK, *words).stderr


@pytest.mark.parametrize("order", ["blocks", "forward", "shuffled"])
def test_rows_are_split_in_any_order(folder, order):
    assert "Choose depth" in tuned("--order", order).stdout


def test_standard_output_may_be_the_file(folder):
    assert tuned("-o", "-").stdout.startswith("depth,fraction,nominal,")


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--depths", "1,two"), "--depths must be whole numbers"),
        (("--depths", "99"), "depths must be an integer from 0"),
        (("--fractions", "a"), "--fractions must be numbers"),
        (("--fractions", "-1"), "fractions must be zero or more"),
        (("--folds", "1"), "--folds must be 2 or more"),
        (("--folds", "99"), "folds must be an integer from 2 to 6"),
        (("--order", "forward", "--folds", "99"), "folds"),
        (("--order", "random"), "--order must be one of"),
        (("--jobs", "0"), "n_jobs must be an integer from 1 to 4096, or -1 for all processors; got 0"),
        (("--jobs", "-5"), "n_jobs must be an integer from 1 to 4096, or -1 for all processors; got -5"),
        (("--prices", "-1"), "--prices: prices must be finite and above zero"),
        (("--method", "magic"), "magic"),
        (("--time-limit", "0"), "time_limit must be above zero"),
        (("--max-thresholds", "0"), "max_thresholds must be an integer from 1 to"),
        (("--prices", "1,2"), "prices must hold one number for each of the 4 items; got 2"),
        (("--observed", "missing.csv"), "no such file"),
        (("--observed", "short.csv"), "one row for each of the 6 samples"),
        (("--features", "wind"), "--observations"),
        (("-o", "nowhere/tuning.csv"), "nowhere"),
    ],
)
def test_mistakes_are_told_in_one_sentence(folder, words, told):
    write_costs(folder / "short.csv", COSTS[:2])
    assert told in refused("tune", "grid:2", "costs.csv", *words)
