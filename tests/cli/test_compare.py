"""`hedgerow compare`: files become a comparison, with a table and a sentence."""

import csv

import numpy as np
import pytest

from hedgerow import compare
from hedgerow.problems import ShortestPath
from tests.cli.conftest import NAMES, refused, run, write_costs

RNG = np.random.default_rng(2)
COSTS = RNG.uniform(1.0, 30.0, (24, 4)).round(1)
READINGS = (COSTS + RNG.normal(0.0, 2.0, COSTS.shape)).round(1)
QUICK = ("--questions", "items", "--depth", "1")


@pytest.fixture
def files(folder):
    write_costs(folder / "costs.csv", COSTS)
    write_costs(folder / "read.csv", READINGS[:, ::-1], NAMES[::-1])
    return folder


def test_the_table_and_the_sentence_are_those_that_python_finds(files):
    words = (*QUICK, "--readings", "read.csv", "--train", "16")
    done = run("compare", "grid:2", "costs.csv", *words, "-o", "table.csv")
    assert done.exit_code == 0, (done.stderr, done.exception)
    expected = compare(
        ShortestPath.grid(2),
        COSTS,
        readings=READINGS,
        questions=["items"],
        depth=1,
        folds=[(range(16), range(16, 24))],
    )
    with (files / "table.csv").open(encoding="utf-8") as stream:
        rows = list(csv.DictReader(stream))
    assert [row["contender"] for row in rows] == list(expected.names)
    assert [float(row["cost"]) for row in rows] == pytest.approx(expected.to_frame()["cost"].tolist())
    assert " ".join(expected.summary.split()) in " ".join(done.stdout.split())


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--train", "24"), "--train must leave some of the 24 rows"),
        (("--folds", "1"), "folds must be an integer from 2 to 24"),
        (("--local", "0.1", "--global", "0.1"), "at most one budget"),
    ],
)
def test_mistakes_are_one_sentence(files, words, told):
    assert told in refused("compare", "grid:2", "costs.csv", *QUICK, *words)
