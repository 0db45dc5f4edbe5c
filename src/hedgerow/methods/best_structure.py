"""The best structure for given solutions: branch and bound with every slot's losses known."""

__all__ = ["affordable", "best_fixed", "best_structure"]

import dataclasses
from collections.abc import Callable

import numpy as np

from hedgerow.data.arrays import FloatArray, IntArray
from hedgerow.engine.structures import branching
from hedgerow.engine.structures.attacks import set_costs_of
from hedgerow.engine.structures.reach import Reading
from hedgerow.engine.structures.space import SearchSpace, attack_steps, cutoff_below
from hedgerow.engine.structures.structure_values import best_fixed_of, hard_attack
from hedgerow.instance import Instance
from hedgerow.methods.parameters import PARAMETERS
from hedgerow.run import Run, RunState, SubRun
from hedgerow.tree.splits import Splits
from hedgerow.tree.structure import tree_of
from hedgerow.tree.tree import Tree


def affordable(splits: Splits, instance: Instance, run: Run) -> Splits:
    """Return the splits, or on a large history some of each item's, so that structures are found in reasonable time."""
    most = int(
        min(
            PARAMETERS.most_split_work / attack_steps(instance),
            (PARAMETERS.most_compared / instance.n_samples) ** 0.5,
        )
    )
    if len(splits) <= most:
        return splits
    each = max(1, most // splits.first.size)  # evenly spread in their order
    middles = (np.arange(each) + 0.5) / each
    chosen = np.concatenate(
        [
            part if part.size <= each else part[(middles * part.size).astype(np.int64)]
            for part in np.split(np.arange(len(splits)), splits.first[1:])
        ]
    )
    fewer = dataclasses.replace(
        splits, **{name: getattr(splits, name)[chosen] for name in ("question", "threshold", "below", "above")}
    )
    run.message = f"With this many samples the method tried {len(fewer):,} of {len(splits):,} thresholds."
    return fewer


def best_structure(space: SearchSpace, solutions: FloatArray, run: Run, below: float) -> tuple[Tree, float] | None:
    """Return the tree with the best structure for these solutions, one per slot, if its worst case is below `below`.

    Within the run's time: what is found by then.
    """
    slot_loss = np.ascontiguousarray(space.instance.losses(solutions).T)
    # A placeholder whose value is the one to beat.
    part = SubRun(space.instance, RunState(Tree.single(solutions[0]), below), run.deadline, run.interrupt)

    at_once = max(1, PARAMETERS.work_at_once // (len(solutions) * attack_steps(space.instance)))

    def evaluate(structures: IntArray, bounds: FloatArray, space: SearchSpace, run: Run) -> bool:
        del bounds
        for first in range(0, len(structures), at_once):
            if run.must_stop():
                return False
            found = best_fixed(structures[first : first + at_once], space.reading, slot_loss, run.value, run.must_stop)
            if found is not None:
                run.offer(tree_of(found[0], space.splits, solutions), found[1])
        return not run.must_stop()

    branching.settle(space, part, set_costs_of(fixed=_least_below(slot_loss)), evaluate, stay_here=True)
    return part.found


def best_fixed(
    structures: IntArray, reading: Reading, slot_loss: FloatArray, value: float, must_stop: Callable[[], bool]
) -> tuple[IntArray, float] | None:
    """Return the best of the structures with fixed solutions and its worst case if that is better than `value`."""
    undecided = np.empty(len(structures), dtype=np.int64)
    number, value, n_undecided = best_fixed_of(structures, reading, slot_loss, cutoff_below(value), undecided)
    for candidate in undecided[:n_undecided]:
        if must_stop():
            break
        attacked = hard_attack(structures[candidate], reading, slot_loss)
        if attacked < value:
            number, value = candidate, attacked
    return (structures[number], value) if number >= 0 else None


def _least_below(slot_loss: FloatArray) -> FloatArray:
    """Return per node (numbered level by level, slots last) and sample the least loss at the slots below it."""
    levels = [slot_loss]
    while len(levels[0]) > 1:
        levels.insert(0, np.minimum(levels[0][0::2], levels[0][1::2]))
    return np.concatenate(levels)
