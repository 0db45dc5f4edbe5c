"""One number per subset of samples: what one solution costs that serves them, and what several cost without a tree.

Subsets are bit masks, tables are indexed by them. `F(S)` in the literature below is `tables[0]`; `tables[d]` holds the
least cost of serving S with 2^d solutions, however S is divided among them, which no tree of depth d can beat.
"""

from collections.abc import Callable

import numpy as np

from hedgerow.compiled import kernel
from hedgerow.data.arrays import FloatArray
from hedgerow.engine.engine_parameters import ENGINE
from hedgerow.engine.pool import SolutionPool, optima_pool
from hedgerow.instance import Instance
from hedgerow.run import Run

MAX_DENSE = 20
"""Most samples for which tables over all subsets are made."""


def subset_costs(loss: FloatArray, between: Callable[[], object] = lambda: None) -> FloatArray:
    """Return F(S) = min over x of Σ_{j in S} loss[j, x] for every subset S of the samples.

    Many solutions take long, so `between` is called now and then; it may raise an error to stop the work.
    """
    result = np.full(1 << len(loss), np.inf)
    result[0] = 0.0
    for first in range(0, loss.shape[1], ENGINE.solutions_at_once):
        between()
        _sum_subsets(np.ascontiguousarray(loss[:, first : first + ENGINE.solutions_at_once]), result)
    return result


@kernel
def _sum_subsets(loss: FloatArray, result: FloatArray) -> None:
    """Lower F(S) of all subsets but the empty one to what these solutions cost."""
    n_samples, n_solutions = loss.shape
    # sums[b] belongs to the part of the current mask from bit b upwards: counting up changes one of them at a time.
    sums = np.zeros((n_samples + 1, n_solutions))
    for mask in range(1, 1 << n_samples):
        lowest = 0
        while not (mask >> lowest) & 1:
            lowest += 1
        above = lowest + 1
        while above < n_samples and not (mask >> above) & 1:
            above += 1
        least = result[mask]
        for solution in range(n_solutions):
            total = sums[above, solution] + loss[lowest, solution]
            sums[lowest, solution] = total
            least = min(least, total)
        result[mask] = least


@kernel
def share_out(table: FloatArray) -> FloatArray:
    """Return for every subset the least sum of the table's values over its divisions into two parts."""
    result = np.empty_like(table)
    result[0] = table[0]
    for mask in range(1, table.size):
        least = table[mask] + table[0]
        # One part always holds the lowest sample, so that each division is seen once.
        others = mask & (mask - 1)
        part = others
        while part > 0:
            least = min(least, table[part] + table[mask ^ part])
            part = (part - 1) & others
        result[mask] = least
    return result


def subset_tables(costs: FloatArray, depth: int, loss: FloatArray | None = None) -> FloatArray:
    """Return the tables for 1, 2, 4, … 2^(depth − 1) solutions, given the one for a single solution.

    With many samples it takes too long to divide every subset. Where the solutions are listed in `loss` and are few,
    two of them serve each sample by the better one; otherwise each sample gets its own best solution.
    """
    n_samples = int(costs.size).bit_length() - 1
    tables = np.empty((max(depth, 1), costs.size))
    tables[0] = costs
    for level in range(1, depth):
        if n_samples <= ENGINE.most_divided:
            tables[level] = share_out(tables[level - 1])
        elif level == 1 and loss is not None and loss.shape[1] ** 2 << n_samples <= ENGINE.most_sums_of_pairs:
            first, second = np.triu_indices(loss.shape[1])
            tables[level] = subset_costs(np.minimum(loss[:, first], loss[:, second]))
        else:
            tables[level] = _clairvoyant(costs, n_samples)
    return tables


def _clairvoyant(costs: FloatArray, n_samples: int) -> FloatArray:
    """Return what subsets cost when every sample gets its own best solution."""
    result = np.zeros(1)
    for sample in range(n_samples):
        result = np.concatenate([result, result + costs[1 << sample]])
    return result


def subset_costs_by_oracle(instance: Instance, run: Run) -> tuple[SolutionPool, FloatArray | None]:
    """Return a pool with the best solution for every subset of the samples, and what each subset costs at least.

    The costs are None if the run had to stop before they were complete.
    """
    pool, samples = optima_pool(instance, run), np.arange(instance.n_samples)
    costs = np.zeros(1 << instance.n_samples)
    for mask in range(1, costs.size):
        if run.must_stop():
            return pool, None
        members, seconds = (mask >> samples & 1).astype(bool), run.deadline.share(costs.size - mask)
        best = instance.problem.best_solution(instance.costs[members], instance.weights[members], time_limit=seconds)
        pool.add(best.solution[None])
        # The bound, not the value: an oracle that ran out of time has proved no more. Nor is one solution better than
        # one for some samples and another for the rest.
        alone = mask & -mask
        in_parts = costs[alone] + costs[mask ^ alone] if mask != alone else -np.inf
        costs[mask] = max(instance.sign * best.bound, in_parts)
        run.count(0, f"{mask} of {costs.size - 1} sets of samples priced")
    return pool, costs
