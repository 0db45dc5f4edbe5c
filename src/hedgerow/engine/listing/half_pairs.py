"""Pairs of halves below one root, compiled: the value of every structure that no bound excludes.

A *half* is a split below the root with its two slots. Halves that the same samples reach in the same way have the same
values, so each such kind of half is looked at once. A root's pair of halves costs at least what the left half costs on
all samples that reach it plus what the right half costs on those that reach no other half, and the other way round.
"""

from typing import NamedTuple

import numpy as np

from hedgerow.compiled import kernel
from hedgerow.data.arrays import BoolArray, FloatArray, IntArray
from hedgerow.engine.leaf_problem import Attacks, best_leaves, best_leaves_local
from hedgerow.engine.structures.reach import Reading
from hedgerow.tolerances import VALUE

_PAIRS_AT_ONCE = 1 << 22
_PAIRS_PER_ENTRY = 1 << 3
"""Pairs that are looked at in one go, and how many of them take the time of one sample and plan of a leaf problem."""


class HalfKinds(NamedTuple):
    """The kinds of halves on one side of a root, the most promising first."""

    splits: IntArray  # per kind one of its splits
    cost: FloatArray  # per kind, slot and sample what it takes to move the sample there
    value: FloatArray  # per kind what it costs on samples that reach it, and on those that reach no other half


class PairTerms(NamedTuple):
    """What pairs of halves are evaluated by."""

    reading: Reading
    regret: FloatArray  # per sample and plan the loss beyond the sample's least one
    attacks: Attacks


@kernel
def half_values(cost: FloatArray, limits: FloatArray, regret: FloatArray, others: BoolArray, out: FloatArray) -> None:
    """Write what each half costs on the samples that reach it, and on those that can't go to the other side.

    `limits` says per sample what is affordable for it alone.
    """
    n_samples = regret.shape[0]
    counted = np.empty((2, n_samples))
    choice = np.empty(2, np.int64)
    for half in range(cost.shape[0]):
        for part in range(2):
            some = False
            for row in range(n_samples):
                for slot in range(2):
                    here = cost[half, slot, row] <= limits[row] and not (part == 1 and others[row])
                    counted[slot, row] = 0.0 if here else np.inf
                    some = some or here
            value = best_leaves_local(regret, counted, np.inf, choice, np.inf) if some else 0.0
            out[half, part] = value


@kernel
def list_pairs(
    start: int,
    left: HalfKinds,
    right: HalfKinds,
    forbidden: BoolArray,
    terms: PairTerms,
    cutoff: float,
    most: int,
) -> tuple[IntArray, FloatArray, IntArray, int, int]:
    """List the pairs of halves below the cut-off from a pair on: at most `most`, and as many as take little time.

    Returns the numbers of their left and right halves, their worst cases beyond each sample's own best, their plans at
    the four slots (−1 where no sample can be sent), where to go on, and how many others were too hard to be settled.

    `forbidden[l, r]` says which pairs are left out; it is empty where none is. If only one is to be listed, the cut-off
    falls with each better pair, and the best is kept.
    """
    reading, regret = terms.reading, terms.regret
    n_samples, local, improving = regret.shape[0], reading.budgets.size > 0, most == 1
    slots, choice = np.empty((4, n_samples)), np.empty(4, np.int64)
    pairs, values, choices = np.empty((most, 2), np.int64), np.empty(most), np.empty((most, 4), np.int64)
    count, n_hard, n_looked = 0, 0, 0
    n_right = right.splits.size
    n_pairs = left.splits.size * n_right
    for number in range(start, n_pairs):
        if (count == most and not improving) or n_looked >= _PAIRS_AT_ONCE:
            return pairs[:count], values[:count], choices[:count], number, n_hard
        n_looked += 1
        first, second = number // n_right, number % n_right
        one, other = left.value[first, 0] + right.value[second, 1], left.value[first, 1] + right.value[second, 0]
        if max(one, other) >= cutoff or (forbidden.size > 0 and forbidden[first, second]):
            continue
        slots[:2], slots[2:] = left.cost[first], right.cost[second]
        choice[:] = -1
        n_looked += _PAIRS_PER_ENTRY * regret.size
        value, is_value = best_leaves(regret, slots, reading.limit, local, cutoff, choice, terms.attacks)
        if value >= cutoff:
            continue
        if not is_value:
            n_hard, n_looked = n_hard + 1, _PAIRS_AT_ONCE
            continue
        if improving:
            cutoff, count = value - VALUE * max(1.0, abs(value)), 0
        pairs[count, 0], pairs[count, 1] = first, second
        values[count], choices[count] = value, choice
        count += 1
    return pairs[:count], values[:count], choices[:count], n_pairs, n_hard
