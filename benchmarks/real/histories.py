"""Measured data, split into what trees are fitted to and what they are judged on, with readings that are wrong."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd

from benchmarks.baselines.clairvoyant import best_solutions
from hedgerow.arrays import FloatArray, IntArray
from hedgerow.problem import Problem
from hedgerow.problems import ExplicitSet, ShortestPath
from hedgerow.uncertainty import LocalBudget

_FIRST_TEST_YEAR = 2016
_WEEK = 7
_LIKE_LAST_WEEK = (0, 5, 6)
"""Monday, Saturday and Sunday: yesterday tells little about them."""
_EVERY_THIRD_HOUR = 3
_NOISE = 0.2


@dataclass(frozen=True)
class History:
    """Samples before and after.

    Attributes
    ----------
    name, unit
        What it is, and the unit of a sample's cost.
    problem
        What is decided.
    train, test
        True costs.
    train_readings, test_readings
        What was read of them.
    reading
        In words, what readings are.
    blocks
        Per training sample the block that it belongs to; blocks are held out as a whole.
    kind
        Whose budgets are tried: prices and kind of the uncertainty set.
    """

    name: str
    unit: str
    problem: Problem
    train: FloatArray
    test: FloatArray
    train_readings: FloatArray
    test_readings: FloatArray
    reading: str
    blocks: IntArray
    kind: LocalBudget

    @property
    def errors(self) -> FloatArray:
        """How far readings were off in the past."""
        return self.train_readings - self.train


def electricity(folder: Path) -> History:
    """Return eight-hour plans with prices: fitted to the years before 2016, read as the usual naive forecast.

    That forecast is the price of the day before, or of the week before on Mondays, Saturdays and Sundays.
    """
    prices = pd.read_csv(folder / "dayahead_de" / "costs.csv").to_numpy(float)
    days = pd.to_datetime(pd.read_csv(folder / "dayahead_de" / "observations.csv")["date"])
    plans = pd.read_csv(folder / "dayahead_de" / "feasible_run8h_minup3_runs2.csv")
    like_last_week = days.dt.day_of_week.isin(_LIKE_LAST_WEEK).to_numpy()[_WEEK:, None]
    forecasts = np.where(like_last_week, prices[:-_WEEK], prices[_WEEK - 1 : -1])
    years, prices = days.dt.year.to_numpy().astype(np.int64)[_WEEK:], prices[_WEEK:]
    before = years < _FIRST_TEST_YEAR
    return History(
        "electricity, eight-hour plans",
        "EUR/MW per day",
        ExplicitSet(plans, unit="EUR/MW"),
        prices[before],
        prices[~before],
        forecasts[before],
        forecasts[~before],
        "the naive forecast",
        years[before],
        LocalBudget(fraction=0.0),
    )


def traffic(folder: Path, source: int, target: int) -> History:
    """Return ways through downtown Chicago: every third hour is judged on, readings are off by about 20 %.

    The ways to choose from are those that were best at some time in the hours that are fitted to, which loses less than
    0.01 % and lets trees be proven optimal.
    """
    arcs = pd.read_csv(folder / "chicago_weekend" / "edges.csv")
    times = pd.read_csv(folder / "chicago_weekend" / "costs.csv")[list(arcs["edge"])].to_numpy(float)
    hours = pd.read_csv(folder / "chicago_weekend" / "observations.csv")["approx_hour_inferred"].to_numpy(int)
    noise = np.random.default_rng(0).normal(0.0, _NOISE, times.shape)
    # Arcs that never change are known by heart.
    readings = np.where(np.ptp(times, axis=0) > 0.0, times * np.exp(noise), times)
    before = hours % _EVERY_THIRD_HOUR != _EVERY_THIRD_HOUR - 1
    paths = ShortestPath(arcs["tail"], arcs["head"], source, target, item_names=arcs["edge"], unit="min")
    ways = best_solutions(paths, times[before])
    return History(
        f"traffic {source}→{target}",
        "min",
        ExplicitSet(ways, item_names=arcs["edge"], unit="min"),
        times[before],
        times[~before],
        readings[before],
        readings[~before],
        "off by about 20 %",
        hours[before] // _EVERY_THIRD_HOUR,
        LocalBudget(fraction=0.0, prices="range"),
    )
