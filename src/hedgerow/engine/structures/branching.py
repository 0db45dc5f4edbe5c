"""Branch and bound over structures of any depth, root by root."""

__all__ = ["Evaluate", "settle"]

from typing import NamedTuple, Protocol

import numpy as np

from hedgerow.arrays import FloatArray, IntArray
from hedgerow.engine.structures.frontier import SetPrices
from hedgerow.engine.structures.kernel import continue_root, new_state, root_bounds, start_root
from hedgerow.engine.structures.rounds import Root, RootTask, SettledRoot, settle_in_rounds, settled_root
from hedgerow.engine.tables.space import SearchSpace, attack_steps, cutoff_below
from hedgerow.instance import Instance
from hedgerow.run import Deadline, Interrupt, Run
from hedgerow.run.workers import Workers

_SURVIVORS_AT_ONCE = 1 << 14
_MOST_BOUNDS_AT_ONCE = 20_000
_WORK_AT_ONCE = 1 << 26
"""Bounds × the steps of an attack on all samples, between two looks at the clock."""


class Evaluate(Protocol):
    """Evaluates structures that no bound excludes."""

    def __call__(self, structures: IntArray, bounds: FloatArray, space: SearchSpace, run: Run) -> bool:
        """Evaluate the structures, most promising first, given with their bounds; offer the run what is better.

        Return False if not all of them could be settled.
        """


def settle(space: SearchSpace, run: Run, prices: SetPrices, evaluate: Evaluate, *, stay_here: bool = False) -> None:
    """Settle all structures of the space: either a bound excludes them, or they are evaluated.

    Parameters
    ----------
    space
        The structures.
    run
        Takes trees and bounds; the run's best tree prunes.
    prices
        What sets of samples cost at least.
    evaluate
        Evaluates structures.
    stay_here
        Whether all work is to be done in this process.
    """
    roots = _bounded_roots(space, prices, run)
    if roots is None:
        return
    shared = _Shared(space, prices, evaluate)
    options = space.options
    workers = Workers(_Branching, shared, options.n_jobs, run.deadline, run.interrupt, stay_here=stay_here)
    settle_in_rounds(roots, run, workers)


def _bounded_roots(space: SearchSpace, prices: SetPrices, run: Run) -> list[Root[None]] | None:
    """Return the roots with their bounds; None if time was up before."""
    depth, reading, splits = space.instance.depth, space.reading, space.candidates
    state = new_state(depth, len(space.splits), space.instance.n_samples)
    bounds = np.empty(splits.size)
    at_once = _bounds_at_once(space.instance)
    for first in range(0, splits.size, at_once):
        if run.must_stop():
            return None
        part = slice(first, first + at_once)
        # The kernel goes through the splits of the reading that it is given; beyond the last one it asks nothing.
        some = reading._replace(item=reading.item[part], threshold=reading.threshold[part], top=reading.top[part])
        root_bounds(depth, state, some, prices, bounds[part])
    return [Root(int(split), float(bound), None) for split, bound in zip(splits, bounds, strict=True)]


def _bounds_at_once(instance: Instance) -> int:
    """Return how many bounds may be computed without a look at the clock."""
    return max(1, min(_MOST_BOUNDS_AT_ONCE, _WORK_AT_ONCE // attack_steps(instance)))


class _Shared(NamedTuple):
    """What all roots need."""

    space: SearchSpace
    prices: SetPrices
    evaluate: Evaluate


class _Branching:
    """Settles one root after the other."""

    def __init__(self, shared: _Shared) -> None:
        self._space, self._prices, self._evaluate = shared
        space = shared.space
        self._state = new_state(space.instance.depth, len(space.splits), space.instance.n_samples)
        self._buffer = np.empty((_SURVIVORS_AT_ONCE, space.n_inner), dtype=np.int64), np.empty(_SURVIVORS_AT_ONCE)

    def __call__(self, task: RootTask[None], deadline: Deadline, interrupt: Interrupt) -> SettledRoot:
        """Settle the root, as far as time allows."""
        return settled_root(task, self._space, deadline, interrupt, self._settle_below)

    def _settle_below(self, root: Root[None], run: Run) -> bool:
        space, state, buffer = self._space, self._state, self._buffer
        depth, reading, at_once = space.instance.depth, space.reading, _bounds_at_once(space.instance)
        min_samples, max_leaves = space.options.min_samples_leaf, space.options.max_leaves or 0
        start_root(root.split, state, reading, min_samples)
        settled = True
        while state.level[0] >= 0:
            if run.must_stop():
                return False
            target = cutoff_below(run.value)
            count, _ = continue_root(
                depth, state, reading, self._prices, target, min_samples, max_leaves, at_once, *buffer
            )
            best_first = np.argsort(buffer[1][:count], kind="stable")
            # What can't be settled stays open with the root's bound; the other structures may still hold better trees.
            settled = self._evaluate(buffer[0][best_first], buffer[1][best_first], space, run) and settled
        return settled
