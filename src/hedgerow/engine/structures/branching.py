"""Branch and bound over structures of any depth, root by root.

Roots are settled in rounds, least bound first, those of a round side by side, wherever that is. After each round the
best tree is known to all. Rounds are the same for any number of processes, and so is the result.
"""

__all__ = ["Evaluate", "settle"]

from typing import Final, NamedTuple, Protocol

import numpy as np

from hedgerow.data.arrays import FloatArray, IntArray
from hedgerow.engine.structures.frontier import SetPrices
from hedgerow.engine.structures.kernel import continue_root, new_state, root_bounds, start_root
from hedgerow.engine.tables.space import SearchSpace, attack_steps, cutoff_below
from hedgerow.instance import Instance
from hedgerow.run import Deadline, Interrupt, Run, RunState, SubRun
from hedgerow.run.workers import Workers
from hedgerow.tree.tree import Tree

_SURVIVORS_AT_ONCE = 1 << 14
_MOST_BOUNDS_AT_ONCE = 20_000
_WORK_AT_ONCE = 1 << 21
"""Bounds × the steps of an attack on all samples, between two looks at the clock."""

_FIRST_ROUND: Final = 2
_LARGEST_ROUND: Final = 16
"""Rounds are small in the beginning, where better trees are found, and grow."""


class Evaluate(Protocol):
    """Evaluates structures that no bound excludes."""

    def __call__(self, structures: IntArray, bounds: FloatArray, space: SearchSpace, run: Run) -> bool:
        """Evaluate the structures, most promising first, given with their bounds; offer the run what is better.

        Return False if not all of them could be settled.
        """


def settle(
    space: SearchSpace,
    run: Run,
    prices: SetPrices,
    evaluate: Evaluate,
    floors: FloatArray | None = None,
    *,
    stay_here: bool = False,
) -> None:
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
    floors
        Per split what trees with this root cost at least, if that is known.
    stay_here
        Whether all work is to be done in this process.
    """
    roots = _bounded_roots(space, prices, run)
    if roots is None:
        return
    if floors is not None:
        roots = [root._replace(bound=max(root.bound, floors[root.split])) for root in roots]
    shared = _Shared(space, prices, evaluate)
    options = space.options
    workers = Workers(_Branching, shared, options.n_jobs, run.deadline, run.interrupt, stay_here=stay_here)
    _settle_in_rounds(roots, run, workers)


def _bounded_roots(space: SearchSpace, prices: SetPrices, run: Run) -> "list[_Root] | None":
    """Return the roots with their bounds; None if time was up before."""
    depth, reading, splits = space.instance.depth, space.reading, space.candidates
    state = new_state(depth, reading)
    bounds = np.empty(splits.size)
    at_once = _bounds_at_once(space.instance)
    for first in range(0, splits.size, at_once):
        if run.must_stop():
            return None
        part = slice(first, first + at_once)
        # The kernel goes through the splits of the reading that it is given; beyond the last one it asks nothing.
        some = reading._replace(item=reading.item[part], threshold=reading.threshold[part], top=reading.top[part])
        root_bounds(depth, state, some, prices, bounds[part])
    return [_Root(int(split), float(bound)) for split, bound in zip(splits, bounds, strict=True)]


def _bounds_at_once(instance: Instance) -> int:
    """Return how many bounds may be computed without a look at the clock."""
    return max(1, min(_MOST_BOUNDS_AT_ONCE, _WORK_AT_ONCE // attack_steps(instance)))


class _Root(NamedTuple):
    """A root split (or none) that is open, and a bound on all structures below it."""

    split: int
    bound: float


class _Task(NamedTuple):
    """A root to settle, and where the run stands."""

    split: int
    standing: RunState


class _Settled(NamedTuple):
    """What came of a root: a better tree and its loss, whether it is settled, and a bound on what was too hard."""

    found: tuple[Tree, float] | None
    is_settled: bool
    open_bound: float


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
        self._state = new_state(space.instance.depth, space.reading)
        self._buffer = np.empty((_SURVIVORS_AT_ONCE, space.n_inner), dtype=np.int64), np.empty(_SURVIVORS_AT_ONCE)

    def __call__(self, task: "_Task", deadline: Deadline, interrupt: Interrupt) -> "_Settled":
        """Settle the root, as far as time allows."""
        part = SubRun(self._space.instance, task.standing, deadline, interrupt)
        self._space.open_bound = np.inf
        self._space.forget_attacks()
        is_settled = self._settle_below(task.split, part)
        return _Settled(part.found, is_settled, self._space.open_bound)

    def _settle_below(self, split: int, run: Run) -> bool:
        space, state, buffer = self._space, self._state, self._buffer
        depth, reading, at_once = space.instance.depth, space.reading, _bounds_at_once(space.instance)
        min_samples, max_leaves = space.options.min_samples_leaf, space.options.max_leaves or 0
        start_root(split, state)
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


def _settle_in_rounds(roots: list[_Root], run: Run, workers: Workers[_Shared, _Task, _Settled]) -> None:
    """Settle all roots, and tell the run of trees and bounds."""
    roots = sorted(roots, key=lambda root: root.bound)
    open_bound = np.inf
    first, size = 0, _FIRST_ROUND
    while first < len(roots):
        run.raise_bound(min(roots[first].bound, run.value, open_bound))
        if roots[first].bound >= cutoff_below(run.value):
            break
        if not run.running:
            return
        count = int(min(size, run.iterations_left))
        tasks = [_Task(root.split, RunState.of(run)) for root in roots[first : first + count]]
        settled_so_far = True
        for settled in workers.results(tasks):
            if settled.found is not None:
                run.offer(*settled.found, "better structure")
            open_bound = min(open_bound, settled.open_bound)
            settled_so_far &= settled.is_settled
            if settled_so_far:
                first += 1
                run.count(1, f"{first} of {len(roots)} open roots settled")
        if not settled_so_far:
            run.raise_bound(min(roots[first].bound, run.value, open_bound))
            return
        size = min(2 * size, _LARGEST_ROUND)
    run.raise_bound(min(run.value, open_bound))
