"""Trial changes of one tree, evaluated one by one, compiled: for the few that a look at all of them has picked."""

__all__ = ["refresh", "try_solutions", "try_splits"]

import numpy as np

from hedgerow.arrays import FloatArray, IntArray
from hedgerow.compiled import kernel
from hedgerow.engine.tables.reach import Reading, node_path, path_costs
from hedgerow.methods.search.value import tree_value

_MAX_PATH = 64


@kernel
def refresh(structure: IntArray, reading: Reading, begin: int, end: int, move_cost: FloatArray) -> None:
    """Write the move costs of the slots begin … end − 1 anew."""
    splits = np.empty(_MAX_PATH, np.int64)
    goes_right = np.empty(_MAX_PATH, np.int64)
    for slot in range(begin, end):
        count = node_path(structure.size + slot, structure, splits, goes_right)
        path_costs(count, splits, goes_right, reading, 0, move_cost[slot])


@kernel
def try_splits(
    structure: IntArray,
    node: int,
    begin: int,
    end: int,
    splits: IntArray,
    reading: Reading,
    move_cost: FloatArray,
    slot_loss: FloatArray,
    cutoff: float,
) -> tuple[int, float, float]:
    """Return the best of some splits for a node, the tree's value with it and the rate that belongs to it.

    The split is −1 and the value the cut-off if none stays below that.
    """
    structure, move_cost = structure.copy(), move_cost.copy()
    best, best_value, best_rate = -1, cutoff, 0.0
    for split in splits:
        structure[node] = split
        refresh(structure, reading, begin, end, move_cost)
        value, rate = tree_value(move_cost, slot_loss, reading.limit, best_value)
        if value < best_value:
            best, best_value, best_rate = split, value, rate
    return best, best_value, best_rate


@kernel
def try_solutions(
    slot: int,
    solutions: IntArray,
    loss: FloatArray,
    limit: float,
    move_cost: FloatArray,
    slot_loss: FloatArray,
    cutoff: float,
) -> tuple[int, float, float]:
    """Return the best of some solutions for a slot in the same way."""
    slot_loss = slot_loss.copy()
    best, best_value, best_rate = -1, cutoff, 0.0
    for solution in solutions:
        slot_loss[slot] = loss[:, solution]
        value, rate = tree_value(move_cost, slot_loss, limit, best_value)
        if value < best_value:
            best, best_value, best_rate = solution, value, rate
    return best, best_value, best_rate
