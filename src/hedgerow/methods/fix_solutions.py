"""Fix the solutions, optimise the tree around them (H_sol in the paper)."""

__all__ = ["fix_solutions"]

from typing import TYPE_CHECKING

from hedgerow.arrays import IntArray
from hedgerow.engine.pool import optima_pool
from hedgerow.instance import Instance
from hedgerow.methods.restarts import Restart, Tried, restart_in_rounds
from hedgerow.methods.start import start
from hedgerow.run import Deadline, Interrupt, Options, Run, SubRun
from hedgerow.run.workers import Workers

if TYPE_CHECKING:
    from hedgerow.engine.tables.space import SearchSpace


def fix_solutions(instance: Instance, run: Run, options: Options) -> None:
    """Draw a solution for every leaf from the samples' optima, find the best structure for them, and repeat."""
    # Imported here since compiled kernels are loaded only by those who use them.
    from hedgerow.engine.tables.space import SearchSpace
    from hedgerow.methods.best_structure import affordable

    splits = start(instance, run, options)
    if splits is None:
        return
    splits = affordable(splits, instance, options, run)
    pool = optima_pool(instance, run)

    def draw(count: int) -> IntArray:
        return run.rng.integers(len(pool), size=(count, 2**instance.depth))

    space = SearchSpace(instance, options, splits, pool)
    workers = Workers(_AroundSolutions, space, options.n_jobs, run.deadline, run.interrupt)
    restart_in_rounds(run, draw, workers, named="draws of solutions")


class _AroundSolutions:
    """Finds the best structure for solutions that were drawn."""

    def __init__(self, space: "SearchSpace") -> None:
        self._space = space

    def __call__(self, task: Restart, deadline: Deadline, interrupt: Interrupt) -> Tried:
        """Return the tree, if it is better than the best so far."""
        from hedgerow.methods.best_structure import best_structure

        part = SubRun(self._space.instance, task.standing, deadline, interrupt)
        return Tried(best_structure(self._space, self._space.pool.solutions[task.drawn[0]], part, part.value))
