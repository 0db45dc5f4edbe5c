"""The best structure for given solutions: branch and bound with every slot's losses known."""

__all__ = ["best_structure"]

import numpy as np

from hedgerow.arrays import FloatArray, IntArray
from hedgerow.methods.exact import branching
from hedgerow.methods.exact.frontier import prices_of
from hedgerow.methods.tables.fixed import best_fixed_of
from hedgerow.methods.tables.large_leaves import large_attack
from hedgerow.methods.tables.space import SearchSpace, cutoff_below
from hedgerow.run import Part, Run, Standing
from hedgerow.structure import tree_of
from hedgerow.tree import Tree


def best_structure(space: SearchSpace, solutions: FloatArray, run: Run, below: float) -> tuple[Tree, float] | None:
    """Return the tree with the best structure for these solutions, one per slot, if its worst case is below `below`.

    Within the run's time: what is found by then.
    """
    slot_loss = np.ascontiguousarray(space.instance.losses(solutions).T)
    # A placeholder whose value is the one to beat.
    part = Part(space.instance, Standing(Tree.single(solutions[0]), below), run.deadline, run.interrupt)

    def evaluate(structures: IntArray, bounds: FloatArray, space: SearchSpace, run: Run) -> bool:
        del bounds
        undecided = np.empty(len(structures), dtype=np.int64)
        cutoff = cutoff_below(run.value)
        number, value, n_undecided = best_fixed_of(structures, space.reading, slot_loss, cutoff, undecided)
        for candidate in undecided[:n_undecided]:
            attacked = large_attack(structures[candidate], space.reading, slot_loss)
            if attacked < value:
                number, value = candidate, attacked
        if number >= 0:
            run.offer(tree_of(structures[number], space.splits, solutions), value)
        return not run.must_stop()

    branching.settle(space, part, prices_of(fixed=_least_below(slot_loss)), evaluate, stay_here=True)
    return part.found


def _least_below(slot_loss: FloatArray) -> FloatArray:
    """Return per node (numbered level by level, slots last) and sample the least loss at the slots below it."""
    levels = [slot_loss]
    while len(levels[0]) > 1:
        levels.insert(0, np.minimum(levels[0][0::2], levels[0][1::2]))
    return np.concatenate(levels)
