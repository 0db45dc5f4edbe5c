"""Alternate (H_alt in the paper): best solutions for the tree, best tree for the solutions, until both agree."""

__all__ = ["LeafSolver", "alternate"]

from functools import cached_property, partial

import numpy as np

from hedgerow.data.arrays import IntArray
from hedgerow.engine.models.leaves import LeafWriter
from hedgerow.engine.pool import optima_pool, table_pool
from hedgerow.instance import Instance
from hedgerow.methods.restarts import Restart, restart_in_rounds
from hedgerow.methods.start import start
from hedgerow.run import Options, Run, SubRun
from hedgerow.tolerances import VALUE
from hedgerow.tree.splits import Splits
from hedgerow.tree.structure import existing_slots, structure_of, tree_of
from hedgerow.tree.tree import Tree


def alternate(instance: Instance, run: Run, options: Options) -> None:
    """From random structures: optimise solutions and structure in turn until neither helps, and begin anew."""
    # Imported here since compiled kernels are loaded only by those who use them.
    from hedgerow.methods.best_structure import affordable

    splits = start(instance, run, options)
    if splits is None:
        return
    splits = affordable(splits, instance, run)
    leaves = LeafSolver(instance, options, splits, run)
    restart_in_rounds(instance, run, options, partial(leaves.space.draw, run.rng), _in_turn, leaves)


def _in_turn(leaves: "LeafSolver", task: Restart, part: SubRun) -> None:
    """Optimise solutions and structure in turn, from the structure that was drawn, until neither helps."""
    from hedgerow.methods.best_structure import best_structure

    structure, value = task.drawn[0], np.inf
    while not part.must_stop():
        found = leaves.solve(structure, part, value)
        if found is None:
            return
        tree, value = found
        part.offer(tree, value)
        below = value - VALUE * max(1.0, abs(value))
        # A slot that does not exist gets what stands to its left.
        slot_solutions = tree.solutions[np.cumsum(existing_slots(structure)) - 1]
        found = best_structure(leaves.space, slot_solutions, part, below)
        if found is None:
            return
        tree, value = found
        part.offer(tree, value)
        structure = structure_of(tree, leaves.space.splits, leaves.space.instance.depth)


class LeafSolver:
    """Finds the best solutions for one structure: on a table where all solutions can be listed, else by MIP.

    The table of `space` is that of all solutions if `listed`, else of the samples' optima; an oracle's answers count as
    all where nothing else is known. The first solutions may take half of the run's time, if there is a run.
    """

    def __init__(self, instance: Instance, options: Options, splits: Splits, run: Run | None = None) -> None:
        from hedgerow.engine.structures.space import SearchSpace

        self._instance, self._settings = instance, options
        pool = table_pool(instance, run)
        self.listed = pool is not None
        self.space = SearchSpace(instance, options, splits, optima_pool(instance, run) if pool is None else pool)

    def solve(self, structure: IntArray, run: Run, cutoff: float = np.inf) -> tuple[Tree, float] | None:
        """Return the structure with its best solutions and their worst-case loss, if that is below the cut-off."""
        if self.listed:
            found = self.space.best(structure[None], cutoff)
            return None if found is None else (self.space.tree(found), found.value)
        from hedgerow.engine.models.leaf_mip import solve_leaves

        blank = np.zeros((structure.size + 1, len(self._instance.problem.variable_names)))
        tree = tree_of(structure, self.space.splits, blank)
        solved = solve_leaves(tree, self._instance, self._settings, run, cutoff, self._writer)
        if solved.solutions is None:
            return None
        return tree.replace(solutions=solved.solutions), solved.value

    @cached_property
    def _writer(self) -> LeafWriter:
        return LeafWriter(self._instance)
