"""What evaluates structures that no bound excludes: a table of solutions, leaf problems, or an oracle's answers."""

__all__ = ["ByLeafProblem", "on_table", "over_answers"]

from functools import cached_property

import numpy as np

from hedgerow.data.arrays import FloatArray, IntArray
from hedgerow.engine.models.leaf_mip import solve_leaves
from hedgerow.engine.models.leaves import LeafWriter
from hedgerow.engine.structures.space import SearchSpace, cutoff_below
from hedgerow.instance import Instance
from hedgerow.run import Options, Run
from hedgerow.tree.splits import Splits
from hedgerow.tree.structure import tree_of


def on_table(structures: IntArray, bounds: FloatArray, space: SearchSpace, run: Run) -> bool:
    """Evaluate structures on the table of a pool that holds every solution that matters."""
    del bounds
    space.take_best(structures, run, "better structure")
    return not run.must_stop()


def over_answers(structures: IntArray, bounds: FloatArray, space: SearchSpace, run: Run) -> bool:
    """Evaluate structures on the table of an oracle's answers, and note what other solutions might make of them."""
    space.take_best(structures, run, "better structure")
    # Solutions that the oracle never returned might serve these better, down to the bound.
    still_open = bounds[bounds < cutoff_below(run.value)]
    if still_open.size:
        space.open_bound = min(space.open_bound, float(still_open.min()))
    return not run.must_stop()


class ByLeafProblem:
    """Evaluates structures by MIPs, where the table does not hold all solutions that matter.

    Parameters
    ----------
    instance, options, splits
        What is solved, by which solver, over which splits.
    """

    def __init__(self, instance: Instance, options: Options, splits: Splits) -> None:
        self._instance, self._settings, self._splits = instance, options, splits

    def __call__(self, structures: IntArray, bounds: FloatArray, space: SearchSpace, run: Run) -> bool:
        """Evaluate the structures that the table doesn't settle."""
        # The pool's table finds better trees quickly; the MIP then has to find little and to prove much.
        space.take_best(structures, run, "better structure")
        settled = True
        for structure, bound in zip(structures, bounds, strict=True):
            if bound >= cutoff_below(run.value):
                break
            if run.must_stop():
                return False
            settled = self._settle(structure, run) and settled
        return settled and not run.must_stop()

    def _settle(self, structure: IntArray, run: Run) -> bool:
        blank = np.zeros((structure.size + 1, len(self._instance.problem.variable_names)))
        tree = tree_of(structure, self._splits, blank)
        found = solve_leaves(tree, self._instance, self._settings, run, cutoff_below(run.value), self._writer)
        if found.solutions is not None:
            run.offer(tree.replace(solutions=found.solutions), found.value, "better structure")
        return found.proven

    @cached_property
    def _writer(self) -> LeafWriter:
        return LeafWriter(self._instance)
