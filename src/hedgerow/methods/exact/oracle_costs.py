"""Subset costs where the solutions can't be listed: the problem's own oracle is asked about every subset."""

__all__ = ["subset_costs_by_oracle"]

import numpy as np

from hedgerow.arrays import FloatArray
from hedgerow.instance import Instance
from hedgerow.methods.pool import SolutionPool, optima_pool
from hedgerow.run import Run


def subset_costs_by_oracle(instance: Instance, run: Run) -> tuple[SolutionPool, FloatArray | None]:
    """Return a pool with the best solution for every subset of the samples, and what each subset costs at least.

    The costs are None if the run had to stop before they were complete.
    """
    pool = optima_pool(instance, run)
    costs = np.zeros(1 << instance.n_samples)
    samples = np.arange(instance.n_samples)
    for mask in range(1, costs.size):
        if run.must_stop():
            return pool, None
        members = (mask >> samples & 1).astype(bool)
        best = instance.problem.best_solution(
            instance.costs[members], instance.weights[members], time_limit=run.deadline.share(costs.size - mask)
        )
        pool.add(best.solution[None])
        # The bound, not the value: an oracle that ran out of time has proved no more. Nor is one solution better than
        # one for some samples and another for the rest.
        first = mask & -mask
        in_parts = costs[first] + costs[mask ^ first] if mask != first else -np.inf
        costs[mask] = max(instance.sign * best.bound, in_parts)
    return pool, costs
