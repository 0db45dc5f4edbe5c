"""The pool that local search chooses from: all solutions where they are few, else good ones, and more where it pays."""

import numpy as np

from hedgerow.data.arrays import FloatArray, IntArray
from hedgerow.engine.bounds import most_listed
from hedgerow.engine.pool import SolutionPool, vertex_pool
from hedgerow.instance import Instance
from hedgerow.methods.parameters import SEARCH
from hedgerow.methods.search.tree_state import TreeState
from hedgerow.run import Run


def first_pool(instance: Instance, run: Run, first: FloatArray) -> SolutionPool:
    """Return a pool that holds this solution, and then all of them or the optima of samples.

    The run draws the samples whose own optima are asked for where there are many.
    """
    everything = instance.problem.all_solutions(most_listed(instance.n_samples))
    pool = SolutionPool(instance, complete=everything is not None)
    pool.add(first[None])
    vertices = vertex_pool(instance) if everything is None else None
    if everything is not None:
        pool.add(everything)
    elif vertices is not None:
        pool.add(vertices.solutions)
    else:
        rows = np.arange(instance.n_samples)
        if rows.size > SEARCH.most_own_optima:
            rows = np.sort(run.rng.choice(rows, SEARCH.most_own_optima, replace=False))
        for row in rows:
            _ask(pool, np.array([row]), run)
    return pool


def grow_for(pool: SolutionPool, tree: TreeState, limit: float, run: Run) -> bool:
    """Ask for the best solution for the samples that each leaf costs most in the worst case; return if any is new.

    Such samples, and only these, are what a leaf's solution is measured by.
    """
    if pool.complete:
        return False
    before = len(pool)
    finite = np.where(np.isfinite(tree.move_cost), tree.move_cost, 0.0)
    priced = np.where(tree.move_cost <= limit, tree.slot_loss - tree.rate * finite, -np.inf)
    sent_to = np.argmax(priced, axis=0)
    for slot in range(len(priced)):
        _ask(pool, np.flatnonzero(sent_to == slot), run)
    return len(pool) > before


def _ask(pool: SolutionPool, rows: IntArray, run: Run) -> None:
    instance, weights = pool.instance, pool.instance.weights[rows]
    if not weights.any() or len(pool) >= most_listed(instance.n_samples) or run.must_stop():
        return
    best = instance.problem.best_solution(instance.costs[rows], weights, time_limit=run.deadline.remaining())
    pool.add(best.solution[None])
