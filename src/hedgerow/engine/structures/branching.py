"""Branch and bound over structures of any depth, root by root, for as many samples as have tables of subsets.

Roots are settled one after the other, least bound first.
"""

from collections.abc import Callable, Iterator
from typing import TypeAlias

import numpy as np

from hedgerow.data.arrays import FloatArray, IntArray
from hedgerow.engine.engine_parameters import ENGINE
from hedgerow.engine.models.leaf_mip import solve_leaves
from hedgerow.engine.structures.branch_kernels import Survivors, bound_below, list_splits, new_branch, pair_splits
from hedgerow.engine.structures.space import SearchSpace, cutoff_below
from hedgerow.run import Run
from hedgerow.tree.structure import NO_SPLIT

Evaluate: TypeAlias = Callable[[IntArray, FloatArray, SearchSpace, Run], bool]
"""Evaluates structures that no bound excludes, given with their bounds, most promising first.

It offers the run what is better, and returns False if not all of them could be settled.
"""


def on_table(structures: IntArray, bounds: FloatArray, space: SearchSpace, run: Run) -> bool:
    """Evaluate structures on the table of the pool, and note what solutions outside of it might make of them."""
    space.offer_best(structures, run)
    if not space.pool.complete:  # others might serve these better, down to the bound
        still_open = bounds[bounds < cutoff_below(run.value)]
        space.open_bound = min(space.open_bound, float(still_open.min(initial=float("inf"))))
    return not run.must_stop()


def by_leaf_problems(structures: IntArray, bounds: FloatArray, space: SearchSpace, run: Run) -> bool:
    """Evaluate structures by MIPs, where the table does not hold all solutions that matter."""
    # The pool's table finds better trees quickly; the MIP then has to find little and to prove much.
    space.offer_best(structures, run)
    is_settled = True
    for structure in structures[bounds < cutoff_below(run.value)]:
        if run.must_stop():
            return False
        best = solve_leaves(structure, space, run, cutoff_below(run.value))
        if best.tree is not None:
            run.offer(best.tree, best.value, "better structure")
        is_settled = best.proven and is_settled
    return is_settled and not run.must_stop()


def settle(
    space: SearchSpace, run: Run, tables: FloatArray, evaluate: Evaluate, floors: FloatArray | None = None
) -> None:
    """Settle all structures of the space: either a bound excludes them, or they are evaluated.

    Parameters
    ----------
    space
        The structures.
    run
        Takes trees and bounds; the run's best tree prunes.
    tables
        Row d: for every subset of the samples the least cost with 2^d solutions.
    evaluate
        Evaluates structures.
    floors
        Per split what trees with this root cost at least, if that is known.
    """
    branching = Branching(space, tables)
    roots = branching.candidates(0)
    bounds = np.full(roots.size, -np.inf) if floors is None else floors[roots]
    for number, split in enumerate(roots):
        if run.must_stop():
            return
        bounds[number] = max(bounds[number], branching.bound(0, int(split), np.inf))
    best_first = np.argsort(bounds, kind="stable")
    roots, bounds = roots[best_first], bounds[best_first]
    for number, root in enumerate(roots):
        run.raise_bound(min(float(bounds[number]), run.value, space.open_bound))
        if bounds[number] >= cutoff_below(run.value):
            break
        if not run.running:
            return
        is_settled = True
        for structures, below in branching.below(int(root), lambda: cutoff_below(run.value), run.must_stop):
            order = np.argsort(below, kind="stable")
            is_settled &= evaluate(structures[order], below[order], space, run)
        if run.must_stop():
            return
        if not is_settled:  # it stays open with its bound; other roots may still hold better trees
            space.open_bound = min(space.open_bound, float(bounds[number]))
        run.count(1, f"{number + 1} of {roots.size} open roots settled")
    run.raise_bound(min(run.value, space.open_bound))


class Branching:
    """Goes through the structures of a space, root by root, node by node, past those that a bound excludes."""

    def __init__(self, space: SearchSpace, tables: FloatArray) -> None:
        self._space, self._tables = space, tables
        self._branch, self._lists = new_branch(space.instance.depth, space.reading)
        # An attack moves one sample at a time, and looks at all of them to choose it.
        steps = space.instance.n_samples**2
        self._at_once = max(1, min(ENGINE.bounds_per_call, ENGINE.attack_work_per_call // steps))
        self._survivors = Survivors(np.empty((self._at_once, space.n_inner), dtype=np.int64), np.empty(self._at_once))
        self._attack = np.empty(space.instance.n_samples, dtype=np.int64)

    def candidates(self, node: int) -> IntArray:
        """Return the splits that a node may have, given those above it, if leaves are to be large enough.

        Where there are limits on leaves a node may ask nothing, and must if it is to the right of such a node.
        """
        space, structure = self._space, self._branch.structure
        if not space.constrained:
            return space.candidates
        here = np.ones(space.instance.n_samples, dtype=bool)
        while node > 0:
            above, is_right = (node - 1) // 2, node % 2 == 0
            if structure[above] != NO_SPLIT:
                here &= space.goes_right[:, structure[above]] == is_right
            elif is_right:
                return np.array([NO_SPLIT])
            node = above
        fewest, n_right = space.options.min_samples_leaf, space.goes_right[here].sum(axis=0)
        large_enough = np.flatnonzero((n_right >= fewest) & (here.sum() - n_right >= fewest))
        return np.append(large_enough, NO_SPLIT)

    def bound(self, node: int, split: int, target: float) -> float:
        """Give a node its split, and return a bound on all structures below it."""
        return bound_below(node, split, target, self._branch, self._space.reading, self._tables, self._attack)

    def below(
        self, root: int, cutoff: Callable[[], float], must_stop: Callable[[], bool]
    ) -> Iterator[tuple[IntArray, FloatArray]]:
        """Yield the structures below a root that no bound excludes, some at a time, with their bounds.

        The cut-off may fall in between. If it must stop, some are left out.
        """
        self._cutoff, self._must_stop = cutoff, must_stop
        most = self._space.options.max_leaves or self._space.n_inner + 1
        for structures, bounds in self._below(0, [root]):
            few = (structures != NO_SPLIT).sum(axis=1) < most
            yield structures[few], bounds[few]

    def _below(self, node: int, splits: list[int]) -> Iterator[tuple[IntArray, FloatArray]]:
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
            reading, tables, survivors = self._space.reading, self._tables, self._survivors
            count, pair = pair_splits(pair, self._cutoff(), self._branch, left, right, reading, tables, survivors)
            yield survivors.structure[:count], survivors.bound[:count]

    def _list(self, node: int) -> None:
        """List the splits of a node that may lead to something better, the most promising first."""
        space, listed, candidates = self._space, self._lists[node], self.candidates(node)
        listed.counts[:] = 0
        for first in range(0, candidates.size, self._at_once):
            if self._must_stop():
                break
            some = candidates[first : first + self._at_once]
            list_splits(node, some, self._cutoff(), self._branch, listed, space.reading, self._tables)
        count = int(listed.counts[0])
        best_first = np.argsort(listed.bound[:count], kind="stable")
        for values in (listed.split, listed.bound, listed.cost):
            if len(values):
                values[: best_first.size] = values[best_first]
        self._branch.kept.known[:] = False
