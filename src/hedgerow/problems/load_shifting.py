"""When to run a load whose hours may be shifted."""

__all__ = ["LoadShifting"]

import math
from collections.abc import Iterable, Mapping
from itertools import combinations
from typing import Any, Final, Self, Unpack

import numpy as np
import scipy.sparse as sp

from hedgerow.arrays import FloatArray, IntArray
from hedgerow.checks import integer_between
from hedgerow.problem import FeasibleSet, Sense
from hedgerow.problems import _reading as reading
from hedgerow.problems._named import Units
from hedgerow.problems._run_plans import cheapest_plans
from hedgerow.problems.linear import LinearProblem

_MAX_PERIODS: Final = 10_000


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
        Most runs; runs are separated by at least one period of rest.
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
        self._run = integer_between(run, "run", 1, n_periods)
        self._min_run = integer_between(min_run, "min_run", 1, self._run)
        # More runs than this would be too short, or leave no rest between them.
        most = min(self._run // self._min_run, n_periods - self._run + 1)
        self._max_runs = most if max_runs is None else min(most, integer_between(max_runs, "max_runs", 1))
        digits = max(2, len(str(n_periods - 1)))
        default = tuple(f"h{period:0{digits}d}" for period in range(n_periods))
        super().__init__(item_names, default=default, **units, sense=sense)

    @property
    def periods(self) -> tuple[str, ...]:
        """Names of the periods, in their order in time."""
        return self.item_names

    @property
    def run(self) -> int:
        """How many periods to run in all."""
        return self._run

    @property
    def min_run(self) -> int:
        """Fewest periods in one run."""
        return self._min_run

    @property
    def max_runs(self) -> int:
        """Most runs; no more than there is room for."""
        return self._max_runs

    def _minimise(self, cost_vectors: FloatArray) -> FloatArray:
        return cheapest_plans(cost_vectors, self._run, self._min_run, self._max_runs)

    def infeasibility(self, solution: FloatArray) -> str | None:
        """Return what is wrong with a plan, in words, or None if nothing is."""
        trouble = self._not_all_or_nothing(solution, "run", "a period")
        if trouble is not None:
            return trouble
        runs = _runs_of(solution)
        total = int((runs[:, 1] - runs[:, 0]).sum())
        if total != self._run:
            return f"the plan runs for {total} periods; it must be {self._run}"
        short = runs[runs[:, 1] - runs[:, 0] < self._min_run]
        if len(short):
            return f"the run {self._span(*short[0])} is shorter than {self._min_run} periods"
        if len(runs) > self._max_runs:
            return f"the plan has {len(runs)} runs; {self._max_runs} are the most"
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
            (sp.diags_array(np.ones(n - lag), offsets=-lag, shape=(n, n)) for lag in range(self._min_run)),
            start=sp.csr_array((n, n)),
        )
        total = sp.csr_array(np.ones((1, n)))
        none = sp.csr_array((1, n))
        matrix = sp.vstack(
            [
                sp.hstack([on - previous, -start]),  # x_t − x_(t−1) ≤ start_t
                sp.hstack([-on, started_lately]),  # what started within min_run periods is on
                sp.hstack([total, none]),
                sp.hstack([none, total]),
            ]
        )
        may_start = np.arange(n) <= n - self._min_run
        return FeasibleSet(
            sp.csr_array(matrix),
            np.concatenate([np.full(2 * n, -np.inf), [self._run, 0.0]]),
            np.concatenate([np.zeros(2 * n), [self._run, self._max_runs]]),
            np.zeros(2 * n),
            np.concatenate([np.ones(n), may_start.astype(np.float64)]),
            np.arange(2 * n) < n,
        )

    def all_solutions(self, limit: int) -> FloatArray | None:
        """Return every plan (one per row), those with few runs first, if there are at most `limit`."""
        rest = self.n_items - self._run
        # k runs: the hours are cut into k lengths, and the runs put between the periods of rest.
        counts = [
            math.comb(self._run - k * (self._min_run - 1) - 1, k - 1) * math.comb(rest + 1, k)
            for k in range(1, self._max_runs + 1)
        ]
        if sum(counts) > limit:
            return None
        plans = np.zeros((sum(counts), self.n_items))
        row = 0
        for k in range(1, self._max_runs + 1):
            spare = self._run - k * (self._min_run - 1)
            for cuts in combinations(range(1, spare), k - 1):
                lengths = np.diff([0, *cuts, spare]) + self._min_run - 1
                for places in combinations(range(rest + 1), k):
                    begins = np.array(places) + np.concatenate([[0], np.cumsum(lengths)[:-1]])
                    for begin, length in zip(begins, lengths, strict=True):
                        plans[row, begin : begin + length] = 1.0
                    row += 1
        return plans

    def describe(self, solution: FloatArray) -> str:
        """Return the plan by its runs, first to last period of each, such as "h02–h05, h13–h16"."""
        if self.infeasibility(solution) is not None:
            return super().describe(solution)
        return ", ".join(self._span(begin, end) for begin, end in _runs_of(solution))

    def _span(self, begin: int, end: int) -> str:
        first, last = self.item_names[begin], self.item_names[end - 1]
        return first if first == last else f"{first}–{last}"

    def to_dict(self) -> dict[str, Any]:
        """Return a JSON-ready description."""
        fields = {
            "n_periods": self.n_items,
            "run": self._run,
            "min_run": self._min_run,
            "max_runs": self._max_runs,
            "items": list(self.item_names),
        }
        return self._described("load_shifting", fields)

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Return the problem that `to_dict` described."""
        reading.only_fields(data, {"kind", "n_periods", "run", "min_run", "max_runs", "items", "unit", "sense"})
        n_periods = reading.whole(data, "n_periods", 1, _MAX_PERIODS)
        return cls(
            n_periods,
            reading.whole(data, "run", 1, n_periods),
            min_run=reading.whole(data, "min_run", 1, n_periods) if "min_run" in data else 1,
            max_runs=reading.whole(data, "max_runs", 1, n_periods) if "max_runs" in data else None,
            item_names=reading.texts_if_any(data, "items", length=n_periods),
            **reading.units(data),
            sense=reading.sense(data),
        )

    def __repr__(self) -> str:
        return (
            f"LoadShifting({self.n_items}, run={self._run}, min_run={self._min_run}, "
            f"max_runs={self._max_runs}{self._options_in_words()})"
        )


def _runs_of(plan: FloatArray) -> IntArray:
    """Return first period and end (one beyond the last) of each run, one row per run."""
    steps = np.diff(np.rint(plan), prepend=0.0, append=0.0)
    return np.column_stack([np.flatnonzero(steps > 0.0), np.flatnonzero(steps < 0.0)])
