"""Alternate (H_alt in the paper): best solutions for the tree, best tree for the solutions, until both agree."""

__all__ = ["LeafSolver", "alternate"]

from functools import cached_property, partial
from typing import NamedTuple

import numpy as np

from hedgerow.arrays import FloatArray, IntArray
from hedgerow.engine.models.leaves import LeafWriter
from hedgerow.engine.pool import optima_pool, table_pool
from hedgerow.instance import Instance
from hedgerow.methods.restarts import Restart, Tried, restart_in_rounds
from hedgerow.methods.start import start
from hedgerow.run import Deadline, Interrupt, Options, Run, SubRun
from hedgerow.run.workers import Workers
from hedgerow.splits import Splits
from hedgerow.structure import existing_slots, structure_of, tree_of
from hedgerow.tolerances import VALUE
from hedgerow.tree import Tree


def alternate(instance: Instance, run: Run, options: Options) -> None:
    """From random structures: optimise solutions and structure in turn until neither helps, and begin anew."""
    # Imported here since compiled kernels are loaded only by those who use them.
    from hedgerow.methods.best_structure import affordable

    splits = start(instance, run, options)
    if splits is None:
        return
    splits = affordable(splits, instance, options, run)
    leaves = LeafSolver(instance, options, splits, run)
    workers = Workers(_InTurn, leaves, options.n_jobs, run.deadline, run.interrupt)
    restart_in_rounds(run, partial(leaves.space.draw, run.rng), workers)


class _InTurn:
    """Optimises solutions and structure in turn, from structures that were drawn."""

    def __init__(self, leaves: "LeafSolver") -> None:
        self._leaves = leaves

    def __call__(self, task: Restart, deadline: Deadline, interrupt: Interrupt) -> Tried:
        """Go on until neither helps."""
        part = SubRun(self._leaves.space.instance, task.standing, deadline, interrupt)
        self._go_on(task.drawn[0], part)
        return Tried(part.found)

    def _go_on(self, structure: IntArray, run: Run) -> None:
        from hedgerow.methods.best_structure import best_structure

        space = self._leaves.space
        value = np.inf
        while not run.must_stop():
            solved = self._leaves.solve(structure, run, value)
            if solved is None:
                return
            value = solved.value
            run.offer(solved.tree, value)
            below = value - VALUE * max(1.0, abs(value))
            found = best_structure(space, solved.slot_solutions, run, below)
            if found is None:
                return
            tree, value = found
            run.offer(tree, value)
            structure = structure_of(tree, space.splits, space.instance.depth)


class _SolvedLeaves(NamedTuple):
    """A tree whose leaves hold the best solutions for its structure."""

    tree: Tree
    slot_solutions: FloatArray  # one per slot of the structure, also where a slot does not exist
    value: float  # the tree's worst-case loss


class LeafSolver:
    """Finds the best solutions for one structure: on a table where all solutions can be listed, else by MIP.

    The table of `space` is that of all solutions, or of the samples' optima where these are too many. Where the
    problem's oracle is all there is, its answers stand for all solutions. The first solutions may take half of the
    run's time; without a run they take what they need.
    """

    def __init__(self, instance: Instance, options: Options, splits: Splits, run: Run | None = None) -> None:
        from hedgerow.engine.tables.space import SearchSpace

        self._instance, self._settings = instance, options
        pool = table_pool(instance, run)
        self._listed = pool is not None
        self.space = SearchSpace(instance, options, splits, optima_pool(instance, run) if pool is None else pool)

    def solve(self, structure: IntArray, run: Run, cutoff: float = np.inf) -> _SolvedLeaves | None:
        """Return the best solutions for the structure if their worst case is below the cut-off."""
        if self._listed:
            found = self.space.best(structure[None], cutoff)
            return None if found is None else self._solved(self.space.tree(found), structure, found.value)
        from hedgerow.engine.models.leaf_mip import solve_leaves

        blank = np.zeros((structure.size + 1, len(self._instance.problem.variable_names)))
        tree = tree_of(structure, self.space.splits, blank)
        solved = solve_leaves(tree, self._instance, self._settings, run, cutoff, self._writer)
        if solved.solutions is None:
            return None
        return self._solved(tree.replace(solutions=solved.solutions), structure, solved.value)

    @cached_property
    def _writer(self) -> LeafWriter:
        return LeafWriter(self._instance)

    def _solved(self, tree: Tree, structure: IntArray, value: float) -> _SolvedLeaves:
        # A slot that does not exist gets what stands to its left.
        leaf_of_slot = np.cumsum(existing_slots(structure)) - 1
        return _SolvedLeaves(tree, tree.solutions[leaf_of_slot], value)
