"""Fix a tree, optimise its solutions (H_tree in the paper): random structures with their best solutions."""

__all__ = ["fix_tree", "fix_tree_kernels"]

import numpy as np

from hedgerow.instance import Instance
from hedgerow.methods.pool import SolutionPool, optima_pool, table_pool
from hedgerow.methods.start import start
from hedgerow.run import Run, Settings
from hedgerow.splits import Splits
from hedgerow.structure import tree_of

_DRAWN_AT_ONCE = 256
_DRAWN_PER_MIP = 32


def fix_tree(instance: Instance, run: Run, settings: Settings) -> None:
    """Try random structures until the run ends.

    Where all solutions can be listed, the leaf problems are look-ups in their table. Where they can't, a pool of good
    solutions picks the most promising of some structures, and a MIP finds that one's best solutions, which then join
    the pool. Where the problem's oracle is all there is, its answers are the table.
    """
    splits = start(instance, run, settings)
    if splits is None:
        return
    pool = table_pool(instance, run)
    if pool is not None:
        _on_table(instance, run, settings, splits, pool)
    else:
        _with_mips(instance, run, settings, splits, optima_pool(instance, run))


def fix_tree_kernels(instance: Instance) -> None:
    """Load or compile what `fix_tree` needs for an instance of this kind."""
    from hedgerow.methods.tables.warm_up import tiny_space

    space = tiny_space(instance)
    space.best(space.draw(np.random.default_rng(0), 2))


def _on_table(instance: Instance, run: Run, settings: Settings, splits: Splits, pool: SolutionPool) -> None:
    # Imported here since compiled kernels are loaded only by those who use them.
    from hedgerow.methods.tables.space import SearchSpace

    space = SearchSpace(instance, settings, splits, pool)
    while run.running:
        count = int(min(_DRAWN_AT_ONCE, run.iterations_left))
        space.take_best(space.draw(run.rng, count), run, "better structure")
        run.count(count, "structures tried")


def _with_mips(instance: Instance, run: Run, settings: Settings, splits: Splits, pool: SolutionPool) -> None:
    from hedgerow.methods.models.leaf_mip import solve_leaves
    from hedgerow.methods.models.leaves import LeafWriter
    from hedgerow.methods.tables.space import SearchSpace

    writer = LeafWriter(instance)
    blank = np.zeros((2**instance.depth, len(instance.problem.variable_names)))
    while run.running:
        space = SearchSpace(instance, settings, splits, pool)
        count = int(min(_DRAWN_PER_MIP, run.iterations_left))
        found = space.best(space.draw(run.rng, count))
        run.count(count, "structures tried")
        if found is None:
            continue
        run.offer(space.tree(found), found.value, "better structure")
        tree = tree_of(found.structure, splits, blank)
        solved = solve_leaves(tree, instance, settings, run, found.value, writer)
        if solved.solutions is not None:
            run.offer(tree.replace(solutions=solved.solutions), solved.value, "better structure")
            pool.add(solved.solutions)
