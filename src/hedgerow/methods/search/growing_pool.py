"""The pool that local search chooses from: all solutions where they are few, else good ones, and more where it pays."""

__all__ = ["GrowingPool"]

from typing import Self

import numpy as np

from hedgerow.data.arrays import FloatArray, IntArray
from hedgerow.engine.bounds import most_listed, spread_out
from hedgerow.engine.pool import SolutionPool, vertex_pool
from hedgerow.instance import Instance
from hedgerow.methods.search.search_parameters import DEFAULTS
from hedgerow.methods.search.tree_state import TreeState
from hedgerow.run import Run


class GrowingPool:
    """A pool of solutions, and where new ones come from: the problem's oracle on groups of samples.

    The run draws the samples whose own optima are asked for where there are many.
    """

    def __init__(self, instance: Instance, run: Run, pool: SolutionPool) -> None:
        self._instance, self._run = instance, run
        self._most = most_listed(instance.n_samples)
        self.pool = pool

    @classmethod
    def begin(cls, instance: Instance, run: Run, first: FloatArray) -> Self:
        """Return a pool that holds this solution, and then all of them or the optima of samples and of groups."""
        everything = instance.problem.all_solutions(most_listed(instance.n_samples))
        pool = SolutionPool(instance, complete=everything is not None)
        pool.add(first[None])
        grown = cls(instance, run, pool)
        vertices = vertex_pool(instance)
        if everything is not None:
            pool.add(everything)
        elif vertices is not None:
            pool.add(vertices.solutions)
        else:
            rows = np.arange(instance.n_samples)
            if rows.size > DEFAULTS.most_own_optima:
                rows = np.sort(run.rng.choice(rows, DEFAULTS.most_own_optima, replace=False))
            for row in rows:
                grown._ask(np.array([row]))
            grown._add_group_optima(2**instance.depth)
        return grown

    def grow_for(self, tree: TreeState, limit: float) -> bool:
        """Ask for the best solution for the samples that each leaf costs most in the worst case; return if any is new.

        Such samples, and only these, are what a leaf's solution is measured by.
        """
        if self.pool.complete:
            return False
        before = len(self.pool)
        finite = np.where(np.isfinite(tree.move_cost), tree.move_cost, 0.0)
        priced = np.where(tree.move_cost <= limit, tree.slot_loss - tree.rate * finite, -np.inf)
        sent_to = np.argmax(priced, axis=0)
        for slot in range(len(priced)):
            self._ask(np.flatnonzero(sent_to == slot))
        return len(self.pool) > before

    def _add_group_optima(self, n_groups: int) -> None:
        """Divide the samples into groups by which of some solutions suits them best, ask for each group, and repeat."""
        chosen = spread_out(self.pool.losses, n_groups)
        for _ in range(DEFAULTS.most_group_rounds):
            before = len(self.pool)
            group = np.argmin(self.pool.losses[:, chosen], axis=1)
            chosen = np.unique([self._ask(np.flatnonzero(group == number)) for number in range(chosen.size)])
            if len(self.pool) == before or self._run.must_stop():
                return

    def _ask(self, rows: IntArray) -> int:
        """Return the place of the best solution for some samples, which joins the pool; 0 without samples."""
        weights = self._instance.weights[rows]
        if not weights.any() or len(self.pool) >= self._most or self._run.must_stop():
            return 0
        seconds = self._run.deadline.remaining()
        best = self._instance.problem.best_solution(self._instance.costs[rows], weights, time_limit=seconds)
        return int(self.pool.add(best.solution[None])[0])
