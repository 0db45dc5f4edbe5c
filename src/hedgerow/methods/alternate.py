"""Alternate (H_alt in the paper): best solutions for the tree, best tree for the solutions, until both agree."""

__all__ = ["alternate"]

from functools import partial

import numpy as np

from hedgerow.arrays import IntArray
from hedgerow.instance import Instance
from hedgerow.methods.leaf_solver import LeafSolver
from hedgerow.methods.restarts import Restart, Tried, restart_in_rounds
from hedgerow.methods.start import start
from hedgerow.run import Deadline, Interrupt, Options, Run, SubRun
from hedgerow.run.workers import Workers
from hedgerow.structure import structure_of
from hedgerow.tolerances import VALUE


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

    def __init__(self, leaves: LeafSolver) -> None:
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
