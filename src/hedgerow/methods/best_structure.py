"""The best structure for given solutions: branch and bound with every slot's losses known."""

__all__ = ["best_structure"]

import numpy as np

from hedgerow.arrays import FloatArray, IntArray
from hedgerow.methods.exact import branching
from hedgerow.methods.exact.frontier import prices_of
from hedgerow.methods.tables.fixed import best_fixed_of
from hedgerow.methods.tables.large_leaves import large_attack
from hedgerow.methods.tables.space import SearchSpace, cutoff_below
from hedgerow.run import Run
from hedgerow.structure import tree_of
from hedgerow.tree import Tree


def best_structure(space: SearchSpace, solutions: FloatArray, run: Run, below: float) -> tuple[Tree, float] | None:
    """Return the tree with the best structure for these solutions, one per slot, if its worst case is below `below`.

    Within the run's time: what is found by then.
    """
    slot_loss = np.ascontiguousarray(space.instance.losses(solutions).T)
    fork = run.fork(space.instance)
    # A placeholder whose value is the one to beat.
    fork.offer(Tree.single(solutions[0]), below)
    found: list[IntArray] = []

    def evaluate(structures: IntArray, bounds: FloatArray) -> bool:
        del bounds
        undecided = np.empty(len(structures), dtype=np.int64)
        cutoff = cutoff_below(fork.value)
        number, value, n_undecided = best_fixed_of(structures, space.reading, slot_loss, cutoff, undecided)
        for candidate in undecided[:n_undecided]:
            attacked = large_attack(structures[candidate], space.reading, slot_loss)
            if attacked < value:
                number, value = candidate, attacked
        if number >= 0:
            found.append(structures[number].copy())
            fork.offer(tree_of(structures[number], space.splits, solutions), value)
        return not fork.must_stop()

    branching.settle(space, fork, prices_of(fixed=_least_below(slot_loss)), evaluate)
    if not found or fork.tree is None:
        return None
    return fork.tree, fork.value


def _least_below(slot_loss: FloatArray) -> FloatArray:
    """Return per node (numbered level by level, slots last) and sample the least loss at the slots below it."""
    levels = [slot_loss]
    while len(levels[0]) > 1:
        levels.insert(0, np.minimum(levels[0][0::2], levels[0][1::2]))
    return np.concatenate(levels)
