"""The cheapest plan of runs, by a dynamic programme over runs, periods of load, and time."""

__all__ = ["cheapest_plans"]

import numpy as np

from hedgerow.arrays import FloatArray, IntArray


def cheapest_plans(costs: FloatArray, load: int, min_run: int, max_runs: int) -> FloatArray:
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
