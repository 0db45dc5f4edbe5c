"""When to run a load whose hours may be shifted."""

import math
import re
from collections.abc import Iterable
from functools import cached_property
from itertools import combinations
from typing import Any, Final, Unpack

import numpy as np
import scipy.sparse as sp

from hedgerow.data.arrays import FloatArray
from hedgerow.data.checks import integer_between
from hedgerow.problem import FeasibleSet, RowBlock, Sense
from hedgerow.problems.base import LinearProblem, Units

_MAX_PERIODS: Final = 10_000
_TIME: Final = re.compile(r"(?:h(?=\d\d?$)|(?=\d\d?:))(?P<hour>\d\d?)(?::(?P<minute>\d\d))?")
"""Times such as h07 and 7:15."""


class LoadShifting(LinearProblem):
    """Run for a given number of periods, in few runs, none of them short.

    For buying electricity by the hour where the hours can be chosen: a cold store, a pump, a charging
    depot, an electrolyser; with `sense="max"` also for selling it, such as a hydro plant with water for a few
    hours. The items are the periods, and the samples hold their prices, which may be negative.

    Parameters
    ----------
    n_periods
        Number of periods, such as the 24 hours of a day.
    run
        How many periods to run in all.
    min_run
        Fewest periods in one run; from 1 to `run`.
    max_runs
        Most runs, and no more than there is room for; runs are separated by at least one period of rest.
    item_names
        Names of the periods; h00, h01, … by default.
    unit, reading_unit
        Unit of the prices, and that of the readings where it is another one.
    sense
        "min" for what is paid, "max" for what is earned.

    Examples
    --------
    >>> import numpy as np
    >>> from hedgerow.problems import LoadShifting
    >>> problem = LoadShifting(24, run=8, min_run=3, max_runs=2, unit="EUR/MWh")
    >>> len(problem.all_solutions(1000))
    425
    >>> prices = 40.0 + 10.0 * np.cos((np.arange(24) + 0.5) * np.pi / 6.0)
    >>> problem.describe(problem.best_solution(prices[np.newaxis]).solution)
    '04:00–08:00, 16:00–20:00'
    """

    kind = "load_shifting"

    def __init__(
        self,
        n_periods: int = 24,
        run: int = 8,
        *,
        min_run: int = 1,
        max_runs: int | None = None,
        item_names: Iterable[Any] | None = None,
        sense: Sense = "min",
        **units: Unpack[Units],
    ) -> None:
        self.n_periods: Final = integer_between(n_periods, "n_periods", 1, _MAX_PERIODS)
        self.run: Final = integer_between(run, "run", 1, n_periods)
        self.min_run: Final = integer_between(min_run, "min_run", 1, self.run)
        # More runs than this would be too short, or leave no rest between them.
        most = min(self.run // self.min_run, n_periods - self.run + 1)
        self.max_runs: Final = most if max_runs is None else min(most, integer_between(max_runs, "max_runs", 1))
        digits = max(2, len(str(n_periods - 1)))
        default = tuple(f"h{period:0{digits}d}" for period in range(n_periods))
        super().__init__(item_names, default=default, **units, sense=sense)

    def feasible_set(self) -> FeasibleSet:
        """Return X: binaries per period, and an auxiliary column per period that is 1 where a run starts.

        Whatever starts goes on for `min_run` periods (Rajan and Takriti's rows for unit commitment). Starts need not be
        declared integer: the least that rows allow is 0 or 1.
        """
        n, later = self.n_periods, self.n_periods + self.min_run - 1
        each, total = sp.eye_array(n), sp.csr_array(np.ones((1, n)))
        previous = sp.diags_array(np.ones(n - 1), offsets=-1, shape=(n, n))
        # Row t, which may lie beyond the last period: what started within min_run periods is on.
        lags = [sp.eye_array(later, n, k=-lag) for lag in range(self.min_run)]
        until = [*(f"before {period}" for period in self.item_names), *["at the end"] * (self.min_run - 1)]
        return FeasibleSet.of(
            RowBlock("the number of periods that run", [total, None], self.run, self.run),
            RowBlock([f"the rise at {period}" for period in self.item_names], [each - previous, -each], -np.inf, 0.0),
            RowBlock(
                [f"the number of runs that end {end} after fewer than {self.min_run} periods" for end in until],
                [-sp.eye_array(later, n), sum(lags[1:], start=lags[0])],
                -np.inf,
                0.0,
            ),
            RowBlock("the number of runs", [None, total], 0.0, self.max_runs),
            n_whole=n,
        )

    def _point(self, solution: FloatArray) -> FloatArray:
        return np.append(solution, np.maximum(np.diff(solution, prepend=0.0), 0.0))

    def all_solutions(self, limit: int) -> FloatArray | None:
        """Return every plan (one per row), those with few runs first, if there are at most `limit`."""
        rest = self.n_periods - self.run
        # k runs: the hours are cut into k lengths, and the runs put between the periods of rest.
        n_plans = sum(
            math.comb(self.run - k * (self.min_run - 1) - 1, k - 1) * math.comb(rest + 1, k)
            for k in range(1, self.max_runs + 1)
        )
        if n_plans > limit:
            return None
        plans: list[FloatArray] = []
        for k in range(1, self.max_runs + 1):
            spare = self.run - k * (self.min_run - 1)
            for cuts in combinations(range(1, spare), k - 1):
                lengths = np.diff([0, *cuts, spare]) + self.min_run - 1
                each = combinations(range(rest + 1), k)
                plans.extend(np.insert(np.zeros(rest), np.repeat(places, lengths), 1.0) for places in each)
        return np.array(plans)

    def describe(self, solution: FloatArray) -> str:
        """Return the plan's runs: from when to when, "04:00–08:00", where the periods' names are times of the day.

        Other names, such as "Mon–Wed", are those of a run's first and last period.
        """
        if self.infeasibility(solution) is not None:
            return super().describe(solution)
        steps = np.diff(np.rint(solution), prepend=0.0, append=0.0)
        runs = zip(np.flatnonzero(steps > 0.0).tolist(), np.flatnonzero(steps < 0.0).tolist(), strict=True)
        return ", ".join(self._span(begin, end) for begin, end in runs)

    def _span(self, begin: int, end: int) -> str:
        if self._times:
            return f"{self._times[begin]}–{self._times[end]}"
        first, last = self.item_names[begin], self.item_names[end - 1]
        return first if first == last else f"{first}–{last}"

    @cached_property
    def _times(self) -> tuple[str, ...]:
        """When each period begins, and when the last one ends; empty where names are no times at equal distances."""
        times = [_TIME.fullmatch(name) for name in self.item_names]
        minutes = [60 * int(time["hour"]) + int(time["minute"] or 0) for time in times if time is not None]
        steps = set(np.diff(minutes).tolist())
        if len(minutes) < self.n_periods or len(steps) != 1 or min(steps) <= 0:
            return ()
        return tuple(f"{minute // 60:02}:{minute % 60:02}" for minute in [*minutes, minutes[-1] + min(steps)])
