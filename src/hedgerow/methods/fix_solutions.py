"""Fix the solutions, optimise the tree around them (H_sol in the paper)."""

__all__ = ["fix_solutions", "fix_solutions_kernels"]

import numpy as np

from hedgerow.instance import Instance
from hedgerow.methods.pool import optima_pool
from hedgerow.methods.start import start
from hedgerow.run import Run, Settings


def fix_solutions(instance: Instance, run: Run, settings: Settings) -> None:
    """Draw a solution for every leaf from the samples' optima, find the best structure for them, and repeat."""
    # Imported here since compiled kernels are loaded only by those who use them.
    from hedgerow.methods.best_structure import best_structure
    from hedgerow.methods.tables.space import SearchSpace

    splits = start(instance, run, settings)
    if splits is None:
        return
    pool = optima_pool(instance, run)
    space = SearchSpace(instance, settings, splits, pool)
    while run.running:
        drawn = run.rng.integers(len(pool), size=2**instance.depth)
        found = best_structure(space, pool.solutions[drawn], run, run.value)
        if found is not None:
            run.offer(*found, "better structure")
        run.count(1, "draws of solutions")


def fix_solutions_kernels(instance: Instance) -> None:
    """Load or compile what `fix_solutions` needs for an instance of this kind."""
    from hedgerow.methods.best_structure import best_structure
    from hedgerow.methods.tables.warm_up import tiny_space

    space = tiny_space(instance)
    best_structure(space, space.pool.solutions[[0, 1, 0, 1]], Run(space.instance), np.inf)
