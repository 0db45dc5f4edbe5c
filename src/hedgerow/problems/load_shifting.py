"""When to run a load whose hours may be shifted."""

__all__ = ["LoadShifting"]

import math
from collections.abc import Iterable, Mapping
from itertools import combinations
from typing import Any, Final, Self, Unpack

import numpy as np
import scipy.sparse as sp

from hedgerow.data.arrays import FloatArray, IntArray
from hedgerow.data.checks import integer_between
from hedgerow.problem import FeasibleSet, Sense
from hedgerow.problems import _reading as reading
from hedgerow.problems._named import AllOrNothing, Units
from hedgerow.problems.linear import LinearProblem

_MAX_PERIODS: Final = 10_000


class LoadShifting(AllOrNothing, LinearProblem):
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
    'h04–h07, h16–h19'
    """

    _used, _thing = "run", "a period"

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
        n_periods = integer_between(n_periods, "n_periods", 1, _MAX_PERIODS)
        self.run: Final = integer_between(run, "run", 1, n_periods)
        self.min_run: Final = integer_between(min_run, "min_run", 1, self.run)
        # More runs than this would be too short, or leave no rest between them.
        most = min(self.run // self.min_run, n_periods - self.run + 1)
        self.max_runs: Final = most if max_runs is None else min(most, integer_between(max_runs, "max_runs", 1))
        digits = max(2, len(str(n_periods - 1)))
        default = tuple(f"h{period:0{digits}d}" for period in range(n_periods))
        super().__init__(item_names, default=default, **units, sense=sense)

    @property
    def periods(self) -> tuple[str, ...]:
        """Names of the periods, in their order in time."""
        return self.item_names

    def _minimise(self, cost_vectors: FloatArray) -> FloatArray:
        return _cheapest_plans(cost_vectors, self.run, self.min_run, self.max_runs)

    def _fault(self, chosen: FloatArray) -> str | None:
        runs = _runs_of(chosen)
        total = int((runs[:, 1] - runs[:, 0]).sum())
        if total != self.run:
            return f"the plan runs for {total} periods; it must be {self.run}"
        short = runs[runs[:, 1] - runs[:, 0] < self.min_run]
        if len(short):
            return f"the run {self._span(*short[0])} is shorter than {self.min_run} periods"
        if len(runs) > self.max_runs:
            return f"the plan has {len(runs)} runs; {self.max_runs} are the most"
        return None

    def feasible_set(self) -> FeasibleSet:
        """Return X: binaries per period, and an auxiliary column per period that is 1 where a run starts.

        Whatever starts goes on for `min_run` periods (Rajan and Takriti's rows for unit commitment). Starts need not be
        declared integer: the least that rows allow is 0 or 1.
        """
        n = self.n_items
        on, start = sp.eye_array(n), sp.eye_array(n)
        previous = sp.diags_array(np.ones(n - 1), offsets=-1, shape=(n, n))
        started_lately = sum(
            (sp.diags_array(np.ones(n - lag), offsets=-lag, shape=(n, n)) for lag in range(self.min_run)),
            start=sp.csr_array((n, n)),
        )
        total = sp.csr_array(np.ones((1, n)))
        may_start = np.arange(n) <= n - self.min_run
        return FeasibleSet.of(
            ([on - previous, -start], -np.inf, 0.0),  # x_t − x_(t−1) ≤ start_t
            ([-on, started_lately], -np.inf, 0.0),  # what started within min_run periods is on
            ([total, None], self.run, self.run),
            ([None, total], 0.0, self.max_runs),
            most=np.concatenate([np.ones(n), may_start]),
            n_whole=n,
        )

    def all_solutions(self, limit: int) -> FloatArray | None:
        """Return every plan (one per row), those with few runs first, if there are at most `limit`."""
        rest = self.n_items - self.run
        # k runs: the hours are cut into k lengths, and the runs put between the periods of rest.
        counts = [
            math.comb(self.run - k * (self.min_run - 1) - 1, k - 1) * math.comb(rest + 1, k)
            for k in range(1, self.max_runs + 1)
        ]
        if sum(counts) > limit:
            return None
        plans = np.zeros((sum(counts), self.n_items))
        row = 0
        for k in range(1, self.max_runs + 1):
            spare = self.run - k * (self.min_run - 1)
            for cuts in combinations(range(1, spare), k - 1):
                lengths = np.diff([0, *cuts, spare]) + self.min_run - 1
                for places in combinations(range(rest + 1), k):
                    begins = np.array(places) + np.concatenate([[0], np.cumsum(lengths)[:-1]])
                    for begin, length in zip(begins, lengths, strict=True):
                        plans[row, begin : begin + length] = 1.0
                    row += 1
        return plans

    def _in_words(self, chosen: FloatArray) -> str:
        return ", ".join(self._span(begin, end) for begin, end in _runs_of(chosen))

    def _span(self, begin: int, end: int) -> str:
        first, last = self.item_names[begin], self.item_names[end - 1]
        return first if first == last else f"{first}–{last}"

    def to_dict(self) -> dict[str, Any]:
        """Return a JSON-ready description."""
        runs = {"run": self.run, "min_run": self.min_run, "max_runs": self.max_runs}
        return self._described("load_shifting", n_periods=self.n_items, **runs, items=list(self.item_names))

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Return the problem that `to_dict` described."""
        options = reading.options(data, "n_periods", "run", "min_run", "max_runs", "items")
        n_periods = reading.whole(data, "n_periods", 1, _MAX_PERIODS)
        return cls(
            n_periods,
            reading.whole(data, "run", 1, n_periods),
            min_run=reading.whole(data, "min_run", 1, n_periods) if "min_run" in data else 1,
            max_runs=reading.whole(data, "max_runs", 1, n_periods) if "max_runs" in data else None,
            item_names=reading.texts_if_any(data, "items", length=n_periods),
            **options,
        )

    def __repr__(self) -> str:
        runs = f"run={self.run}, min_run={self.min_run}, max_runs={self.max_runs}"
        return f"LoadShifting({self.n_items}, {runs}{self._options_in_words()})"


def _runs_of(plan: FloatArray) -> IntArray:
    """Return first period and end (one beyond the last) of each run, one row per run."""
    steps = np.diff(plan, prepend=0.0, append=0.0)
    return np.column_stack([np.flatnonzero(steps > 0.0), np.flatnonzero(steps < 0.0)])


def _cheapest_plans(costs: FloatArray, load: int, min_run: int, max_runs: int) -> FloatArray:
    """Return, for each row of costs per period, the cheapest 0/1 plan; the one with fewest runs of equally cheap ones.

    `least[hours]` is the least cost of that many periods of load, in the runs so far, that are over before each point
    in time (columns). `last[runs][hours]` is the length of the last run where it pays to end it right then, else 0.
    """
    n_rows, n = costs.shape
    paid = np.concatenate([np.zeros((n_rows, 1)), np.cumsum(costs, axis=1)], axis=1)
    nowhere = np.full((n_rows, 1), np.inf)
    least = {0: np.zeros((n_rows, n + 1))}
    totals: list[FloatArray] = []
    last: list[dict[int, IntArray]] = []
    for _ in range(max_runs):
        with_one_more = _with_one_run(least, load, min_run, paid)
        last.append({hours: ends for hours, (_, ends) in with_one_more.items()})
        totals.append(with_one_more[load][0][:, -1])
        # From now on a period of rest comes before the next run.
        least = {hours: np.concatenate([nowhere, cost[:, :-1]], axis=1) for hours, (cost, _) in with_one_more.items()}
    n_runs = np.argmin(np.array(totals), axis=0) + 1
    plans = np.zeros((n_rows, n))
    for row, plan in enumerate(plans):
        _retrace(plan, row, load, last[: n_runs[row]])
    return plans


def _with_one_run(
    least: dict[int, FloatArray], load: int, min_run: int, paid: FloatArray
) -> dict[int, tuple[FloatArray, IntArray]]:
    """Return, by periods of load, the least cost by any time with one more run, and that run's length where it ends.

    A run that ends at some time is as short as may be, or one that has ended a period earlier and goes on.
    """
    result: dict[int, tuple[FloatArray, IntArray]] = {}
    ending, length = np.full(paid.shape, np.inf), np.zeros(paid.shape, dtype=np.int64)
    for hours in range(min(least) + min_run, load + 1):
        longer, longer_length = np.full(paid.shape, np.inf), np.zeros(paid.shape, dtype=np.int64)
        longer[:, 1:] = ending[:, :-1] + np.diff(paid, axis=1)
        longer_length[:, 1:] = length[:, :-1] + 1
        ending, length = longer, longer_length
        if hours - min_run in least:
            fresh = least[hours - min_run][:, :-min_run] + paid[:, min_run:] - paid[:, :-min_run]
            better = fresh <= ending[:, min_run:]
            ending[:, min_run:][better], length[:, min_run:][better] = fresh[better], min_run
        so_far = np.minimum.accumulate(ending, axis=1)
        # Only an end that beats all earlier ones is worth going back to.
        worth_it = np.isfinite(ending)
        worth_it[:, 1:] &= ending[:, 1:] < so_far[:, :-1]
        result[hours] = so_far, np.where(worth_it, length, 0)
    return result


def _retrace(plan: FloatArray, row: int, load: int, last: list[dict[int, IntArray]]) -> None:
    """Write the runs that were chosen for one row, the last one first."""
    hours, end = load, plan.size
    for ends in reversed(last):
        while ends[hours][row, end] == 0:
            end -= 1
        own = int(ends[hours][row, end])
        plan[end - own : end] = 1.0
        hours, end = hours - own, end - own - 1
