"""What a structure costs at least, whole or in part: a bound over the nodes that are open, its frontier."""

__all__ = ["SetPrices", "frontier_bound", "prices_of"]

from typing import NamedTuple

import numpy as np

from hedgerow.compiled import kernel
from hedgerow.compiled.array_kernels import smallest
from hedgerow.data.arrays import FloatArray, IntArray
from hedgerow.engine.tables.attack_bound import attack_bound
from hedgerow.engine.tables.fixed import fixed_attack


class SetPrices(NamedTuple):
    """What sets of samples cost at least, in the forms that bounds use.

    Attributes
    ----------
    tables
        Row d: for every subset of the samples the least cost with 2^d solutions; no columns where there are too many
        subsets.
    loss
        Per sample and solution the loss, of all solutions that matter; no columns where these are not listed.
    alone
        Per sample the least loss.
    fixed
        Where the slots' solutions are given: per node and sample the least loss at the slots below the node; else no
        rows.
    """

    tables: FloatArray
    loss: FloatArray
    alone: FloatArray
    fixed: FloatArray


def prices_of(
    *, tables: FloatArray | None = None, loss: FloatArray | None = None, fixed: FloatArray | None = None
) -> SetPrices:
    """Return the prices that are known, with empty arrays for what is not."""
    alone = np.zeros(0) if loss is None else loss.min(axis=1)
    return SetPrices(
        np.empty((1, 0)) if tables is None else tables,
        np.empty((0, 0)) if loss is None else loss,
        alone,
        np.empty((0, 0)) if fixed is None else fixed,
    )


@kernel
def frontier_bound(
    nodes: IntArray,
    levels: IntArray,
    count: int,
    move_cost: FloatArray,
    prices: SetPrices,
    limit: float,
    target: float,
    at: IntArray,
) -> float:
    """Return a lower bound on all trees that begin with these `count` open nodes; stop early once at `target`.

    Node number p will have `levels[p]` more levels below it, and `move_cost[node, j]` says what moves there cost. Where
    an attack makes the bound, `at` takes the places of the samples.
    """
    if prices.fixed.shape[0]:
        return fixed_attack(nodes, count, move_cost, prices.fixed, limit, target)
    if prices.tables.shape[1]:
        return attack_bound(nodes, levels, count, move_cost, prices.tables, limit, target, at)
    return _nominal_bound(nodes, levels, count, move_cost, prices)


@kernel(inline="always")
def _nominal_bound(nodes: IntArray, levels: IntArray, count: int, move_cost: FloatArray, prices: SetPrices) -> float:
    """Return the bound for samples that go where it costs least to send them; open subtrees serve each one best."""
    n_samples = move_cost.shape[1]
    n_solutions = prices.loss.shape[1]
    at = np.zeros(n_samples, np.int64)
    for row in range(n_samples):
        for place in range(1, count):
            if move_cost[nodes[place], row] < move_cost[nodes[at[row]], row]:
                at[row] = place
    total = 0.0
    sums = np.empty(n_solutions)
    for place in range(count):
        alone = 0.0
        sums[:] = 0.0
        for row in range(n_samples):
            if at[row] == place:
                alone += prices.alone[row]
                if levels[place] == 0:
                    for solution in range(n_solutions):
                        sums[solution] += prices.loss[row, solution]
        total += smallest(sums) if levels[place] == 0 and n_solutions else alone
    return total
