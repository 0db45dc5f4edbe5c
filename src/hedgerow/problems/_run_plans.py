"""The cheapest plan of runs, by a dynamic programme over runs, periods of load, and time."""

__all__ = ["cheapest_plans"]

import numpy as np

from hedgerow.arrays import FloatArray, IntArray


def cheapest_plans(costs: FloatArray, load: int, min_run: int, max_runs: int) -> FloatArray:
    """Return, for each row of costs per period, the cheapest 0/1 plan; the one with fewest runs of equally cheap ones.

    `least[hours]` holds the least cost of so many periods of load, in the runs so far, that are over before each point
    in time (columns). `last[runs][hours]` is the length of the last run where it pays to end it right then, else 0.
    """
    n_rows, n = costs.shape
    paid = np.concatenate([np.zeros((n_rows, 1)), np.cumsum(costs, axis=1)], axis=1)
    nowhere = np.full((n_rows, 1), np.inf)
    least = {0: np.zeros((n_rows, n + 1))}
    totals: list[FloatArray] = []
    last: list[dict[int, IntArray]] = []
    for _ in range(max_runs):
        with_one_more = {
            hours: _with_one_run(least, hours, min_run, paid) for hours in range(min(least) + min_run, load + 1)
        }
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
    least: dict[int, FloatArray], hours: int, min_run: int, paid: FloatArray
) -> tuple[FloatArray, IntArray]:
    """Return the least cost of so much load by any time with one more run, and that run's length where it ends."""
    n_times = paid.shape[1]
    best, length = np.full(paid.shape, np.inf), np.zeros(paid.shape, dtype=np.int64)
    for own in range(min_run, hours + 1):
        if hours - own in least:
            cost = least[hours - own][:, : n_times - own] + paid[:, own:] - paid[:, : n_times - own]
            better = cost < best[:, own:]
            best[:, own:][better], length[:, own:][better] = cost[better], own
    so_far = np.minimum.accumulate(best, axis=1)
    # Only an end that beats all earlier ones is worth going back to.
    length[:, 1:][best[:, 1:] >= so_far[:, :-1]] = 0
    return so_far, length


def _retrace(plan: FloatArray, row: int, load: int, last: list[dict[int, IntArray]]) -> None:
    """Write the runs that were chosen for one row, the last one first."""
    hours, end = load, plan.size
    for ends in reversed(last):
        while ends[hours][row, end] == 0:
            end -= 1
        own = int(ends[hours][row, end])
        plan[end - own : end] = 1.0
        hours, end = hours - own, end - own - 1
