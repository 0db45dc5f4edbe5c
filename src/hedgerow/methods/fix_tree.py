"""Fix a tree, optimise its solutions (H_tree in the paper): random structures with their best solutions."""

__all__ = ["fix_tree"]

from functools import partial

from hedgerow.data.arrays import FloatArray
from hedgerow.instance import Instance
from hedgerow.methods.alternate import LeafSolver
from hedgerow.methods.parameters import PARAMETERS
from hedgerow.methods.restarts import Restart, restart_in_rounds
from hedgerow.methods.start import start
from hedgerow.run import Options, Run, SubRun


def fix_tree(instance: Instance, run: Run, options: Options) -> None:
    """Try random structures until the run ends.

    Where all solutions can be listed, the leaf problems are look-ups in their table. Where they can't, a pool of good
    solutions picks the most promising of some structures, and a MIP finds that one's best solutions, which then join
    the pool. Where the problem's oracle is all there is, its answers are the table.
    """
    splits = start(instance, run, options)
    if splits is None:
        return
    leaves = LeafSolver(instance, options, splits, run)
    draw = partial(leaves.space.draw, run.rng)
    attempt, each = (
        (_on_table, PARAMETERS.structures_on_table) if leaves.listed else (_with_mips, PARAMETERS.structures_per_mip)
    )
    restart_in_rounds(instance, run, options, draw, attempt, leaves, each=each, named="structures tried")


def _on_table(leaves: LeafSolver, task: Restart, part: SubRun) -> None:
    """Try structures with solutions from a table."""
    leaves.space.take_best(task.drawn, part, "better structure")


def _with_mips(leaves: LeafSolver, task: Restart, part: SubRun) -> FloatArray | None:
    """Pick the most promising of some structures by a pool of solutions, and find its best solutions by a MIP."""
    from hedgerow.engine.structures.space import SearchSpace

    space = leaves.space
    pool = space.pool.with_more()
    pool.add(task.solutions)
    space = SearchSpace(space.instance, space.options, space.splits, pool)
    found = space.best_in_time(task.drawn, part)
    if found is None:
        return None
    part.offer(space.tree(found), found.value)
    solved = leaves.solve(found.structure, part, found.value)
    if solved is None:
        return None
    part.offer(*solved)
    return solved[0].solutions
