"""Fix a tree, optimise its solutions (H_tree in the paper): random structures with their best solutions."""

__all__ = ["fix_tree"]

from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from hedgerow.engine.models.leaves import LeafWriter
from hedgerow.engine.pool import optima_pool, table_pool
from hedgerow.instance import Instance
from hedgerow.methods.restarts import Restart, Tried, restart_in_rounds
from hedgerow.methods.start import offer_tree, start
from hedgerow.run import Deadline, Interrupt, Options, Run, SubRun
from hedgerow.run.workers import Workers
from hedgerow.structure import tree_of

if TYPE_CHECKING:
    from hedgerow.engine.tables.space import SearchSpace

_DRAWN_AT_ONCE = 256
_DRAWN_PER_MIP = 32


def fix_tree(instance: Instance, run: Run, options: Options) -> None:
    """Try random structures until the run ends.

    Where all solutions can be listed, the leaf problems are look-ups in their table. Where they can't, a pool of good
    solutions picks the most promising of some structures, and a MIP finds that one's best solutions, which then join
    the pool. Where the problem's oracle is all there is, its answers are the table.
    """
    # Imported here since compiled kernels are loaded only by those who use them.
    if options.wishes is not None and options.wishes.shape_trees:
        _with_wishes(instance, run, options)
        return
    splits = start(instance, run, options)
    if splits is None:
        return
    from hedgerow.engine.tables.space import SearchSpace

    pool = table_pool(instance, run)
    prepare, each = (_WithMips, _DRAWN_PER_MIP) if pool is None else (_OnTable, _DRAWN_AT_ONCE)
    space = SearchSpace(instance, options, splits, optima_pool(instance, run) if pool is None else pool)
    workers = Workers(prepare, space, options.n_jobs, run.deadline, run.interrupt)
    restart_in_rounds(run, partial(space.draw, run.rng), workers, each=each, named="structures tried")


def _with_wishes(instance: Instance, run: Run, options: Options) -> None:
    """Try random structures that keep the wishes, with their best plans that do."""
    from hedgerow.methods.search.chain import Ground
    from hedgerow.methods.search.kept_moves import KeptMoves

    ground = Ground.begin(instance, run, options)
    moves = None if ground is None else ground.moves(run)
    while isinstance(moves, KeptMoves) and run.running:
        found = moves.planned(moves.drawn(run.rng), run.value)
        if found is not None:
            offer_tree(moves.tree(found), instance, run, "better structure", found.fee)
        run.count(1)


class _OnTable:
    """Tries structures with solutions from a table."""

    def __init__(self, space: "SearchSpace") -> None:
        self._space = space

    def __call__(self, task: Restart, deadline: Deadline, interrupt: Interrupt) -> Tried:
        """Try the structures that were drawn."""
        part = SubRun(self._space.instance, task.standing, deadline, interrupt)
        self._space.take_best(task.drawn, part, "better structure")
        return Tried(part.found)


class _WithMips:
    """Picks the most promising of some structures by a pool of solutions, and finds its best solutions by a MIP."""

    def __init__(self, space: "SearchSpace") -> None:
        self._space, self._writer = space, LeafWriter(space.instance)

    def __call__(self, task: Restart, deadline: Deadline, interrupt: Interrupt) -> Tried:
        """Try the structures that were drawn."""
        from hedgerow.engine.models.leaf_mip import solve_leaves
        from hedgerow.engine.tables.space import SearchSpace

        instance, options, splits = self._space.instance, self._space.options, self._space.splits
        part = SubRun(instance, task.standing, deadline, interrupt)
        pool = self._space.pool.with_more()
        pool.add(task.solutions)
        space = SearchSpace(instance, options, splits, pool)
        found = space.best(task.drawn)
        if found is None:
            return Tried(None)
        part.offer(space.tree(found), found.value)
        blank = np.zeros((2**instance.depth, len(instance.problem.variable_names)))
        tree = tree_of(found.structure, splits, blank)
        solved = solve_leaves(tree, instance, options, part, found.value, self._writer)
        if solved.solutions is None:
            return Tried(part.found)
        part.offer(tree.replace(solutions=solved.solutions), solved.value)
        return Tried(part.found, [solved.solutions])
