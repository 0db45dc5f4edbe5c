"""Fix the solutions, optimise the tree around them (H_sol in the paper)."""

__all__ = ["fix_solutions"]

from typing import TYPE_CHECKING

from hedgerow.data.arrays import IntArray
from hedgerow.engine.pool import optima_pool
from hedgerow.instance import Instance
from hedgerow.methods.restarts import Restart, restart_in_rounds
from hedgerow.methods.start import start
from hedgerow.run import Options, Run, SubRun

if TYPE_CHECKING:
    from hedgerow.engine.structures.space import SearchSpace


def fix_solutions(instance: Instance, run: Run, options: Options) -> None:
    """Draw a solution for every leaf from the samples' optima, find the best structure for them, and repeat."""
    # Imported here since compiled kernels are loaded only by those who use them.
    from hedgerow.engine.structures.space import SearchSpace
    from hedgerow.methods.best_structure import affordable

    splits = start(instance, run, options)
    if splits is None:
        return
    splits = affordable(splits, instance, run)
    pool = optima_pool(instance, run)

    def draw(count: int) -> IntArray:
        return run.rng.integers(len(pool), size=(count, 2**instance.depth))

    space = SearchSpace(instance, options, splits, pool)
    restart_in_rounds(instance, run, options, draw, _around_solutions, space, named="draws of solutions")


def _around_solutions(space: "SearchSpace", task: Restart, part: SubRun) -> None:
    """Find the best structure for the solutions that were drawn."""
    from hedgerow.methods.best_structure import best_structure

    found = best_structure(space, space.pool.solutions[task.drawn[0]], part, part.value)
    if found is not None:
        part.offer(*found)
