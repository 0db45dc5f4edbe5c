"""Pairs of halves as whole trees of depth 2: the leaf problem for those that no bound excludes."""

__all__ = ["best_pair"]

import numpy as np

from hedgerow.compiled import kernel
from hedgerow.compiled.array_kernels import copy_into
from hedgerow.data.arrays import FloatArray, IntArray
from hedgerow.engine.leaf_problem import ANY_PLANS, best_leaves_local


@kernel
def best_pair(
    first: int,
    last: int,
    left: FloatArray,
    left_reach: FloatArray,
    right: FloatArray,
    right_reach: FloatArray,
    regret: FloatArray,
    allowed: FloatArray,
    target: float,
    pair: IntArray,
    choice: IntArray,
) -> float:
    """Return the least value of a pair of halves below the target, else the target; write the pair and its solutions.

    Left halves are those from `first` up to `last`. `left[0, l]` and `left[1, l]` are what half l costs with all
    samples that reach its side, and with those alone that reach no other. `allowed[l, r]` is 0 where a pair would have
    too many leaves.
    """
    slots = np.empty((4, regret.shape[0]))
    trial = np.empty(4, np.int64)
    best = target
    for number in range(first, last):
        for slot in range(2):
            copy_into(left_reach[number, slot], slots[slot])
        for second in range(right.shape[1]):
            if left[0, number] + right[1, second] >= best or left[1, number] + right[0, second] >= best:
                continue
            if allowed.size and allowed[number, second] == 0.0:
                continue
            for slot in range(2):
                copy_into(right_reach[second, slot], slots[2 + slot])
            trial[:] = -1
            value = best_leaves_local(regret, slots, best, trial, np.inf, ANY_PLANS)
            if value < best:
                best = value
                pair[0], pair[1] = number, second
                copy_into(trial, choice)
    return best
