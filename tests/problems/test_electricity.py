"""The measured prices, where they are at hand: our plans are those listed."""

import pandas as pd
import pytest

from benchmarks import scope
from benchmarks.instances import LOAD
from hedgerow.problems import LoadShifting

FOLDER = scope.data_folder()
pytestmark = pytest.mark.skipif(FOLDER is None, reason="the measured data is not at hand")


@pytest.mark.parametrize(
    ("problem", "file"),
    [
        (LOAD, "feasible_run8h_minup3_runs2.csv"),
        (LoadShifting(24, run=4, min_run=4, max_runs=1), "feasible_run4h_minup4_runs1.csv"),
    ],
)
def test_the_plans_are_those_that_were_listed(problem, file):
    listed = pd.read_csv(FOLDER / "dayahead_de" / file)
    assert tuple(listed.columns) == problem.item_names
    assert {tuple(plan) for plan in problem.all_solutions(1000)} == set(listed.itertuples(index=False, name=None))


def test_no_listed_plan_is_cheaper_on_any_day():
    prices = pd.read_csv(FOLDER / "dayahead_de" / "costs.csv").to_numpy()
    listed = pd.read_csv(FOLDER / "dayahead_de" / "feasible_run8h_minup3_runs2.csv").to_numpy()
    costs = (prices * LOAD.best_solutions(prices)).sum(axis=1)
    assert costs == pytest.approx((prices @ listed.T).min(axis=1))
