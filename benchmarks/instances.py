"""What the benchmarks run on: the paper's instances, larger ones by its recipe, and measured data."""

import csv
from pathlib import Path

import numpy as np
import pandas as pd

from hedgerow import GlobalBudget, Instance, LocalBudget
from hedgerow.data.arrays import FloatArray
from hedgerow.datasets import paper_shortest_path
from hedgerow.problems import LoadShifting, Selection, ShortestPath

FRACTIONS = tuple(number / 100 for number in (*range(11), *range(12, 21, 2)))
"""The λ of the paper's experiment 2."""

SEEDS = tuple(range(20))
"""The paper's twenty instances."""

_OPTIMA = Path(__file__).parents[1] / "tests" / "data" / "optima_4x4_N5_seeds0-4.csv"


def paper(seed: int, n_samples: int, grid: int, uncertainty: LocalBudget | GlobalBudget, depth: int = 2) -> Instance:
    """Return one of the paper's instances."""
    problem, train, _ = paper_shortest_path(seed, n_samples, grid)
    return Instance.create(problem, train, uncertainty=uncertainty, depth=depth)


def known_optima() -> dict[tuple[int, str, float], float]:
    """Return the optimum over midpoints by seed, set and λ, for 4 × 4 grids with N = 5."""
    with _OPTIMA.open(encoding="utf-8") as stream:
        return {
            (int(row["seed_id"]), row["set"], float(row["lambda"])): float(row["optimum_over_midpoints"])
            for row in csv.DictReader(stream)
        }


def recipe_costs(seed: int, n_samples: int, n_items: int) -> FloatArray:
    """Return samples drawn as in the paper, for any number of items: three scenarios, up to 25 % either way."""
    rng = np.random.default_rng(seed)
    midpoint, deviation = rng.uniform(10.0, 30.0, (3, n_items)), rng.uniform(0.0, 0.25, (3, n_items))
    scenario = rng.integers(0, 3, n_samples)
    noise = rng.uniform(-1.0, 1.0, (n_samples, n_items))
    return np.round(midpoint[scenario] * (1.0 + deviation[scenario] * noise), 5)


class UnlistedPath(ShortestPath):
    """Paths that must not be listed, however few they are."""

    def all_solutions(self, limit: int) -> None:
        """Return no list."""
        del limit


class OraclePath(UnlistedPath):
    """Paths of which not even the good ones can be listed; all there is are the oracle and the MIP."""

    solutions_within = None  # type: ignore[assignment]  # None stands for no such method


class OracleSelection(Selection):
    """Selections that must not be listed."""

    def all_solutions(self, limit: int) -> None:
        """Return no list."""
        del limit


LOAD = LoadShifting(24, run=8, min_run=3, max_runs=2, unit="EUR/MWh")
"""Eight hours a day in at most two runs of three hours or more: 425 plans."""


def electricity(folder: Path, n_days: int, seed: int = 0) -> tuple[LoadShifting, FloatArray]:
    """Return the load that is to be shifted, and the prices of random days."""
    prices = pd.read_csv(folder / "dayahead_de" / "costs.csv")
    return LOAD, _random_rows(prices[list(LOAD.item_names)].to_numpy(float), n_days, seed)


def electricity_by_day(folder: Path) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return the prices of each day, and what was known the evening before: the weekday and yesterday's prices."""
    days = pd.read_csv(folder / "dayahead_de" / "observations.csv", parse_dates=["date"])
    prices = pd.read_csv(folder / "dayahead_de" / "costs.csv").set_index(days["date"])
    known = prices.shift(1).add_suffix(" yesterday")
    known.insert(0, "weekday", pd.DatetimeIndex(prices.index).weekday)  # Monday is 0
    return prices.iloc[1:], known.iloc[1:]


def traffic(folder: Path, source: int, target: int, n_samples: int, seed: int = 0) -> tuple[ShortestPath, FloatArray]:
    """Return the ways from one node to another through downtown Chicago, and random observations of travel times."""
    arcs = pd.read_csv(folder / "chicago_weekend" / "edges.csv")
    times = pd.read_csv(folder / "chicago_weekend" / "costs.csv")
    problem = ShortestPath(arcs["tail"], arcs["head"], source, target, item_names=arcs["edge"], unit="min")
    return problem, _random_rows(times[list(arcs["edge"])].to_numpy(float), n_samples, seed)


def _random_rows(rows: FloatArray, count: int, seed: int) -> FloatArray:
    return rows[np.random.default_rng(seed).choice(len(rows), count, replace=False)]
