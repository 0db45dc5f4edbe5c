"""Branch and bound over structures of any depth, root by root.

Roots are settled in rounds, least bound first, those of a round side by side, wherever that is. After each round the
best tree is known to all. Rounds are the same for any number of processes, and so is the result.
"""

__all__ = ["Branching", "Evaluate", "settle"]

from collections.abc import Callable, Iterator
from typing import NamedTuple, Protocol

import numpy as np

from hedgerow.data.arrays import FloatArray, IntArray
from hedgerow.engine.engine_parameters import ENGINE
from hedgerow.engine.structures.attacks import SetCosts
from hedgerow.engine.structures.branch_kernels import Survivors, bound_below, list_splits, new_branch, pair_splits
from hedgerow.engine.structures.space import SearchSpace, attack_steps, cutoff_below
from hedgerow.run import Deadline, Interrupt, Run, RunState
from hedgerow.run.workers import Workers
from hedgerow.tree.structure import NO_SPLIT
from hedgerow.tree.tree import Tree


class Evaluate(Protocol):
    """Evaluates structures that no bound excludes."""

    def __call__(self, structures: IntArray, bounds: FloatArray, space: SearchSpace, run: Run) -> bool:
        """Evaluate the structures, most promising first, given with their bounds; offer the run what is better.

        Return False if not all of them could be settled.
        """


def settle(
    space: SearchSpace,
    run: Run,
    costs: SetCosts,
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
    costs
        What sets of samples cost at least.
    evaluate
        Evaluates structures.
    floors
        Per split what trees with this root cost at least, if that is known.
    stay_here
        Whether all work is to be done in this process.
    """
    shared, bounds = _Shared(space, costs, evaluate), np.empty(space.candidates.size)
    branching = Branching(space, costs)
    for number, split in enumerate(space.candidates):
        if run.must_stop():
            return
        bounds[number] = branching.bound(0, int(split), np.inf)
        if floors is not None:
            bounds[number] = max(bounds[number], floors[split])
    workers = Workers(_Settling, shared, space.options.n_jobs, run.deadline, run.interrupt, stay_here=stay_here)
    best_first = np.argsort(bounds, kind="stable")
    _settle_in_rounds(space.candidates[best_first], bounds[best_first], run, workers)


class _RootTask(NamedTuple):
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
    costs: SetCosts
    evaluate: Evaluate


class _Settling:
    """Settles one root after the other."""

    def __init__(self, shared: _Shared) -> None:
        self._space, costs, self._evaluate = shared
        self._branching = Branching(self._space, costs)

    def __call__(self, task: _RootTask, deadline: Deadline, interrupt: Interrupt) -> _Settled:
        """Settle the root, as far as time allows."""
        part = Run(self._space.instance, before=task.standing, deadline=deadline, interrupt=interrupt)
        self._space.open_bound = np.inf
        self._space.forget_attacks()
        is_settled = True
        for structures, bounds in self._branching.below(task.split, lambda: cutoff_below(part.value), part.must_stop):
            best_first = np.argsort(bounds, kind="stable")
            # What can't be settled stays open with the root's bound; other structures may still hold better trees.
            is_settled &= self._evaluate(structures[best_first], bounds[best_first], self._space, part)
        return _Settled(part.found, is_settled and not part.must_stop(), self._space.open_bound)


class Branching:
    """Goes through the structures of a space, root by root, node by node, past those that a bound excludes."""

    def __init__(self, space: SearchSpace, costs: SetCosts) -> None:
        self._space, self._costs, options = space, costs, space.options
        self._branch, self._lists = new_branch(
            space.instance.depth, space.reading, options.min_samples_leaf, options.max_leaves or 0
        )
        at_once = max(1, min(ENGINE.bounds_per_call, ENGINE.attack_work_per_call // attack_steps(space.instance)))
        self._survivors = Survivors(np.empty((at_once, space.n_inner), dtype=np.int64), np.empty(at_once))
        self._attack = np.empty(space.instance.n_samples, dtype=np.int64)

    def bound(self, node: int, split: int, target: float) -> float:
        """Give a node its split, and return a bound on all structures below it."""
        return bound_below(node, split, target, self._branch, self._space.reading, self._costs, self._attack)

    def below(
        self, root: int, cutoff: Callable[[], float], must_stop: Callable[[], bool]
    ) -> Iterator[tuple[IntArray, FloatArray]]:
        """Yield the structures below a root that no bound excludes, some at a time, with their bounds.

        The cut-off may fall in between. If it must stop, some are left out.
        """
        self._cutoff, self._must_stop = cutoff, must_stop
        self._branch.kept.worth[:] = -np.inf  # so that results don't depend on earlier roots
        self._branch.kept.oldest[:] = 0
        return self._below(0, [root])

    def _below(self, node: int, splits: list[int]) -> Iterator[tuple[IntArray, FloatArray]]:
        """Yield what no bound excludes below the splits of the nodes before this one."""
        n_inner = self._space.n_inner
        if 0 < node == n_inner - 2:
            yield from self._pairs()
            return
        for split in splits:
            if self._must_stop():
                return
            bound = self.bound(node, split, self._cutoff())
            if bound >= self._cutoff():
                continue
            if n_inner == 1:
                yield self._branch.structure[None].copy(), np.array([bound])
                continue
            for child in (2 * node + 1, 2 * node + 2):
                if child < n_inner:
                    self._list(child)
            listed = self._lists[node + 1]
            yield from self._below(node + 1, listed.split[: listed.counts[0]].tolist())

    def _pairs(self) -> Iterator[tuple[IntArray, FloatArray]]:
        """Yield what no bound excludes once the last two nodes have their splits."""
        left, right = self._lists[-2:]
        pair = 0 if right.counts[0] else -1
        while pair >= 0 and not self._must_stop():
            reading, costs, survivors = self._space.reading, self._costs, self._survivors
            count, pair = pair_splits(pair, self._cutoff(), self._branch, left, right, reading, costs, survivors)
            yield self._survivors.structure[:count], self._survivors.bound[:count]

    def _list(self, node: int) -> None:
        """List the splits of a node that may lead to something better, the most promising first."""
        space, listed, at_once = self._space, self._lists[node], self._survivors.bound.size
        listed.counts[:] = 0
        for first in range(NO_SPLIT if space.constrained else 0, len(space.splits), at_once):
            if self._must_stop():
                break
            last, target = min(first + at_once, len(space.splits)), self._cutoff()
            list_splits(node, first, last, target, self._branch, listed, space.reading, self._costs)
        count = int(listed.counts[0])
        best_first = np.argsort(listed.bound[:count], kind="stable")
        listed.split[:count] = listed.split[best_first]
        if count <= len(listed.cost) and self._costs.tables.shape[1]:
            listed.cost[:count] = listed.cost[best_first]
        self._branch.kept.known[:] = False


def _settle_in_rounds(
    roots: IntArray, bounds: FloatArray, run: Run, workers: Workers[_Shared, _RootTask, _Settled]
) -> None:
    """Settle all roots, and tell the run of trees and bounds."""
    open_bound = np.inf
    first, size = 0, ENGINE.first_round
    while first < roots.size:
        run.raise_bound(min(float(bounds[first]), run.value, open_bound))
        if bounds[first] >= cutoff_below(run.value):
            break
        if not run.running:
            return
        count = int(min(size, run.iterations_left))
        tasks = [_RootTask(int(root), run.state) for root in roots[first : first + count]]
        settled_so_far = True
        for settled in workers.results(tasks):
            if settled.found is not None:
                run.offer(*settled.found, "better structure")
            open_bound = min(open_bound, settled.open_bound)
            settled_so_far &= settled.is_settled
            if settled_so_far:
                first += 1
                run.count(1, f"{first} of {roots.size} open roots settled")
        if not settled_so_far:
            run.raise_bound(min(float(bounds[first]), run.value, open_bound))
            return
        size = min(2 * size, ENGINE.largest_round)
    run.raise_bound(min(run.value, open_bound))
