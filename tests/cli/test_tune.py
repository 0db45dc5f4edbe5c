"""`hedgerow tune`: options become a cross-validation, the choice is told, and every mistake is one sentence."""

import csv

import numpy as np
import pytest

from hedgerow import GlobalBudget, LocalBudget, RobustTree
from hedgerow.problems import ShortestPath
from hedgerow.tuning import tune
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
        (("--jobs", "0"), "n_jobs"),
        (("--method", "magic"), "magic"),
        (("--observed", "missing.csv"), "no such file"),
        (("--observed", "short.csv"), "one row for each of the 6 samples"),
        (("--features", "wind"), "--observations"),
        (("-o", "nowhere/tuning.csv"), "nowhere"),
    ],
)
def test_mistakes_are_told_in_one_sentence(folder, words, told):
    write_costs(folder / "short.csv", COSTS[:2])
    assert told in refused("tune", "grid:2", "costs.csv", *words)
