"""The best solutions for one structure: on a table where all solutions can be listed, else by MIP."""

__all__ = ["LeafSolver", "SolvedLeaves"]

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from hedgerow.arrays import FloatArray, IntArray
from hedgerow.engine.models.leaves import LeafWriter
from hedgerow.engine.pool import optima_pool, table_pool
from hedgerow.instance import Instance
from hedgerow.run import Options, Run
from hedgerow.splits import Splits
from hedgerow.structure import existing_slots, tree_of
from hedgerow.tree import Tree


@dataclass(frozen=True)
class SolvedLeaves:
    """A tree whose leaves hold the best solutions for its structure."""

    tree: Tree  # the tree
    slot_solutions: FloatArray  # one solution per slot of the structure, also where a slot does not exist
    value: float  # the tree's worst-case loss


class LeafSolver:
    """Solves leaf problems of one instance.

    Parameters
    ----------
    instance, options, splits
        What is solved, by which solver, over which splits.
    run
        Whose time the first solutions may take half of; without one they take what they need.

    Attributes
    ----------
    space
        The structures; their table is that of all solutions, or of the samples' optima where these are too many. Where
        the problem's oracle is all there is, its answers stand for all solutions.
    """

    def __init__(self, instance: Instance, options: Options, splits: Splits, run: Run | None = None) -> None:
        from hedgerow.engine.tables.space import SearchSpace

        self._instance, self._settings = instance, options
        pool = table_pool(instance, run)
        self._listed = pool is not None
        self.space = SearchSpace(instance, options, splits, optima_pool(instance, run) if pool is None else pool)

    def solve(self, structure: IntArray, run: Run, cutoff: float = np.inf) -> SolvedLeaves | None:
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

    def _solved(self, tree: Tree, structure: IntArray, value: float) -> SolvedLeaves:
        # A slot that does not exist gets what stands to its left.
        leaf_of_slot = np.cumsum(existing_slots(structure)) - 1
        return SolvedLeaves(tree, tree.solutions[leaf_of_slot], value)
