"""Measured data with readings that were really wrong: rows to learn from, and later ones to be judged on."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np
import pandas as pd

from hedgerow.data.arrays import FloatArray, IntArray
from hedgerow.problems import ExplicitSet, LoadShifting, Problem, ShortestPath
from hedgerow.tree.question_kinds import best_for_each

_FIRST_DAYS, _LAST_DAYS = 363, 364
_FIRST_TEST_YEAR = 2016
_TEST_EVERY, _TEST_HOUR = 3, 2
_MOST_PER_BLOCK = 4
_PER_BLOCK = 0.3


@dataclass(frozen=True)
class History:
    """Pairs of truth and reading.

    Attributes
    ----------
    name
        What it is.
    problem
        What is decided.
    train, test, train_readings, test_readings
        True costs and what was read of them, before and after.
    train_context, test_context
        The date of each row, where there are dates.
    train_blocks
        Which block each row to learn from belongs to, where rows are not in the order of time; None where they are.
    """

    name: str
    problem: Problem
    train: FloatArray
    test: FloatArray
    train_readings: FloatArray
    test_readings: FloatArray
    train_context: pd.DataFrame | None = None
    test_context: pd.DataFrame | None = None
    train_blocks: IntArray | None = None

    def rows(self, count: int | None, start: float) -> IntArray:
        """Return training rows: all, or so many spread over time; whole blocks at random where there are blocks.

        `start`, between 0 and 1, says where the first row lies, or which blocks are drawn.
        """
        n_rows = len(self.train)
        if count is None or count >= n_rows:
            return np.arange(n_rows)
        if self.train_blocks is None:
            return np.floor((np.arange(count) + start) * n_rows / count).astype(np.int64)
        order = np.random.default_rng(round(1000 * start)).permutation(int(self.train_blocks.max()) + 1)
        place = np.empty_like(order)
        place[order] = np.arange(order.size)
        return np.sort(np.argsort(place[self.train_blocks], kind="stable")[:count])


def histories(folder: Path) -> dict[str, Callable[[], History]]:
    """Return how to read each history, by name."""
    return {
        "pjm": partial(_forecasts, folder, "pjm", slice(7, 22), 4, 2),
        "de": partial(_forecasts, folder, "de", slice(0, 24), 8, 3),
        "dayahead": partial(_yesterday, folder),
        "chicago 31→54": partial(_traffic, folder, 31, 54),
        "chicago 40→54": partial(_traffic, folder, 40, 54),
        "chicago 53→34": partial(_traffic, folder, 53, 34),
    }


def _forecasts(folder: Path, market: str, hours: slice, run: int, min_run: int) -> History:
    """Return a market with the forecasts of the day before, to run for some of the hours in at most two runs."""
    tables = [pd.read_csv(folder / "price_forecasts" / f"{market}_{kind}.csv") for kind in ("truth", "forecast")]
    truth, forecast = (table.iloc[:, 1:].to_numpy(float)[:, hours] for table in tables)
    dates = pd.DataFrame({"date": pd.to_datetime(tables[0].iloc[:, 0])})
    unit = "EUR/MWh" if market == "de" else "USD/MWh"
    problem = LoadShifting(truth.shape[1], run, min_run=min_run, max_runs=2, unit=unit)
    first, last = slice(None, _FIRST_DAYS), slice(-_LAST_DAYS, None)
    parts = (truth[first], truth[last], forecast[first], forecast[last])
    return History(market, problem, *parts, dates[first], dates[last])


def _yesterday(folder: Path) -> History:
    """Return the German market with yesterday's prices as readings: eight hours, learning from before 2016."""
    prices = pd.read_csv(folder / "dayahead_de" / "costs.csv").to_numpy(float)
    days = pd.to_datetime(pd.read_csv(folder / "dayahead_de" / "observations.csv")["date"])
    before = days.dt.year.to_numpy()[1:] < _FIRST_TEST_YEAR
    truth, readings = prices[1:], prices[:-1]
    problem = LoadShifting(24, 8, min_run=3, max_runs=2, unit="EUR/MWh")
    parts = (truth[before], truth[~before], readings[before], readings[~before])
    dates = pd.DataFrame({"date": days[1:]})
    return History("dayahead", problem, *parts, dates[before], dates[~before])


def _traffic(folder: Path, source: int, target: int) -> History:
    """Return ways through downtown Chicago, with travel times of the same hour as readings; every third hour is later.

    The rows have no dates, but rows of one hour and day lie side by side, up to four of them: a block. The reading of a
    row is another row of its block, 15 to 45 minutes off. The ways to choose from are those that were best at some
    time in the hours to learn from.
    """
    arcs = pd.read_csv(folder / "chicago_weekend" / "edges.csv")
    times = pd.read_csv(folder / "chicago_weekend" / "costs.csv")[list(arcs["edge"])].to_numpy(float)
    hours = pd.read_csv(folder / "chicago_weekend" / "observations.csv")["approx_hour_inferred"].to_numpy(int)
    blocks = similar_neighbours(times, hours)
    rng = np.random.default_rng(0)
    readings = np.empty_like(times)
    for block in range(int(blocks.max()) + 1):
        rows = rng.permutation(np.flatnonzero(blocks == block))
        readings[rows] = times[np.roll(rows, 1)]
    before = hours % _TEST_EVERY != _TEST_HOUR
    paths = ShortestPath(arcs["tail"], arcs["head"], source, target, item_names=arcs["edge"], unit="min")
    seen = np.concatenate([times[before], readings[before]])
    ways = ExplicitSet(np.unique(best_for_each(paths, seen), axis=0), item_names=arcs["edge"], unit="min")
    numbered = np.unique(blocks[before], return_inverse=True)[1].astype(np.int64)
    parts = (times[before], times[~before], readings[before], readings[~before])
    return History(f"chicago {source}→{target}", ways, *parts, train_blocks=numbered)


def similar_neighbours(times: FloatArray, hours: IntArray) -> IntArray:
    """Return the block of each row: neighbours that deviate alike from their hour's mean, at most four together.

    The cheapest way to cut the rows: a cut costs the correlation of the rows that it parts, and a little more.
    """
    changing = times[:, np.ptp(times, axis=0) > 0.0]
    around = changing / changing.std(axis=0)
    for hour in np.unique(hours):
        around[hours == hour] -= around[hours == hour].mean(axis=0)
    length = np.sqrt((around**2).sum(axis=1))
    alike = np.append((around[:-1] * around[1:]).sum(axis=1) / (length[:-1] * length[1:]), 0.0)
    n_rows = len(times)
    cost, begin = np.full(n_rows + 1, np.inf), np.zeros(n_rows + 1, dtype=np.int64)
    cost[0] = 0.0
    for end in range(1, n_rows + 1):
        for start in range(max(0, end - _MOST_PER_BLOCK), end):
            total = cost[start] + alike[end - 1] + _PER_BLOCK
            if total < cost[end]:
                cost[end], begin[end] = total, start
    starts = np.zeros(n_rows, dtype=np.int64)
    end = n_rows
    while end:
        end = int(begin[end])
        starts[end] = 1
    return np.cumsum(starts) - 1
