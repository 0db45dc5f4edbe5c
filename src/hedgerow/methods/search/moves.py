"""Moves that improve one tree: another question at a node, another solution at a leaf, a part grown anew."""

__all__ = ["Moves", "nodes_below"]

import dataclasses
from collections.abc import Iterable

import numpy as np

from hedgerow.data.arrays import FloatArray, IntArray
from hedgerow.engine.pool import SolutionPool
from hedgerow.engine.tables.space import Found, SearchSpace, cutoff_below
from hedgerow.instance import Instance
from hedgerow.methods.search.candidate import Candidate, passing, slots_below, splits_with_rows
from hedgerow.methods.search.division import best_division, part_of
from hedgerow.methods.search.open_node import OpenNode
from hedgerow.methods.search.value import (
    FEW_SAMPLES,
    leaf_sums,
    refresh,
    tree_value,
    worst_outside,
)
from hedgerow.run import Options, Run
from hedgerow.tree.splits import Splits
from hedgerow.tree.structure import NO_SPLIT, existing_slots, structure_allowed
from hedgerow.tree.tree import Tree

_WORK_PER_CALL = 4_000_000
"""Samples × slots × splits or items that one call of a kernel looks at: some tenths of a second at most."""

_COARSE = 17
"""Under a global budget: how many thresholds of an item are tried, and then between the neighbours of the best one."""

_PROMISING = 6
"""Under a global budget: how many of the best splits by price are evaluated, and how many items are examined."""

_PROMISING_AMONG_FEW = 8
"""The same for few samples, where prices are a poor guide and evaluations cheap."""

_FEW_TO_POLISH = 8
"""Up to this many samples, all solutions are chosen anew at every step."""

_BINS = 32
"""Thresholds per item, and _MOST_ROWS samples, that are looked at when a part is grown: the descent does the rest."""

_MOST_ROWS = 4_000


class Moves:
    """The moves on candidates of one instance. Each returns a better candidate, or None if there is none.

    Call `reload` when the pool of solutions has grown. A move that the run cuts short returns the best of what it has
    looked at.
    """

    def __init__(self, instance: Instance, options: Options, splits: Splits, pool: SolutionPool, run: Run) -> None:
        self.instance = instance
        self.options = options
        self.splits = splits
        self.pool = pool
        self.n_inner = 2**instance.depth - 1
        self._run = run
        self.space = SearchSpace(instance, options, splits, pool)
        self._reading = self.space.reading
        self._observations = self._reading.observations
        self._unbudgeted = self._reading._replace(budgets=np.empty(0))
        self._local = self._reading.budgets.size > 0
        self._open_nodes: dict[int, OpenNode] = {}  # by their number of slots
        self._must_ask = np.zeros(self.n_inner, dtype=bool)
        self._item_first = splits.first
        self._item_after = np.append(self._item_first[1:], len(splits))
        self._bins, self._coarse = self._some_of_each_item(_BINS), self._some_of_each_item(_COARSE)
        self._take_over()

    def _some_of_each_item(self, count: int) -> IntArray:
        """Return at most `count` splits of each question, evenly spread, with the first and the last."""
        first, last = self._item_first, self._item_after - 1
        many = last - first >= count
        chosen = np.repeat(~many, last - first + 1)
        chosen[np.linspace(first[many], last[many], count).round().astype(np.int64)] = True
        return np.flatnonzero(chosen)

    def turn_to(self, pool: SolutionPool, run: Run) -> None:
        """Choose from another pool, and report to another run, from now on."""
        self._run = run
        if pool is not self.pool:
            self.pool = pool
            self.reload()

    def reload(self) -> None:
        """Take over what has joined the pool."""
        self.space = SearchSpace(self.instance, self.options, self.splits, self.pool)
        self._take_over()

    def _take_over(self) -> None:
        self._loss = self.space.table.loss
        self._floor = self._loss.min(axis=1)

    @property
    def limit(self) -> float:
        """The largest sum of move costs that is affordable; 0 where budgets are local."""
        return self._reading.limit

    # -- candidates ----------------------------------------------------------------------------------------------

    def evaluated(self, structure: IntArray, choice: IntArray) -> Candidate:
        """Return the tree with this structure and these solutions of the pool."""
        move_cost = np.empty((self.n_inner + 1, self.instance.n_samples))
        refresh(structure, self._reading, 0, len(move_cost), move_cost)
        slot_loss = np.ascontiguousarray(self._loss[:, choice].T)
        return Candidate(
            structure, choice, move_cost, slot_loss, *tree_value(move_cost, slot_loss, self._reading.limit, np.inf)
        )

    def taken(self, structure: IntArray, choice: IntArray, instead: Candidate | None = None) -> Candidate:  # noqa: ARG002
        """Return the tree with this structure, and these solutions or ones that go with it; else the one instead."""
        return self.evaluated(structure, choice)

    def drawn(self, rng: np.random.Generator) -> IntArray:
        """Return a random structure."""
        structure: IntArray = self.space.draw(rng, 1)[0]
        return structure

    def one_solution(self) -> Candidate:
        """Return the tree that asks nothing and holds the pool's first solution."""
        nothing = np.full(self.n_inner, NO_SPLIT, dtype=np.int64)
        return self.evaluated(nothing, np.zeros(self.n_inner + 1, dtype=np.int64))

    def tree(self, candidate: Candidate) -> Tree:
        """Return the candidate as a tree; leaves that no sample can reach hold their neighbour's solution."""
        reached = (candidate.move_cost <= self._reading.limit).any(axis=1)
        return self.space.tree(Found(candidate.structure, np.where(reached, candidate.choice, -1), candidate.value))

    def allowed(self, structure: IntArray) -> bool:
        """Return whether a structure keeps the limits on leaves."""
        return structure_allowed(structure, self.splits, self._observations, self.options)

    def may_ask(self, structure: IntArray, node: int) -> bool:
        """Return whether a node exists, and may ask something without there being too many leaves."""
        exists = existing_slots(structure)
        if not exists[slots_below(node, self.n_inner)[0]]:
            return False
        most = self.options.max_leaves
        return structure[node] != NO_SPLIT or most is None or int(exists.sum()) < most

    # -- one question --------------------------------------------------------------------------------------------

    def better_split(self, now: Candidate, node: int) -> Candidate | None:
        """Return the tree with the best question at a node, all else as it is, if that is better."""
        if not self.may_ask(now.structure, node):
            return None
        begin, end = slots_below(node, self.n_inner)
        values = np.full(len(self.splits), np.inf)
        self._price(now, node, begin, end, values)
        best, cutoff = None, cutoff_below(now.value)
        for split in self._promising(values, now.value):
            structure, move_cost = now.structure.copy(), now.move_cost.copy()
            structure[node] = split
            refresh(structure, self._reading, begin, end, move_cost)
            value, rate = tree_value(move_cost, now.slot_loss, self.limit, cutoff)
            if value < cutoff:
                cutoff = value
                best = dataclasses.replace(now, structure=structure, move_cost=move_cost, value=value, rate=rate)
        return best

    def _price(self, now: Candidate, node: int, begin: int, end: int, values: FloatArray) -> None:
        """Write what the tree costs with each split that is allowed at a node, as far as it is looked at."""
        look = self._sweep if self._local else self._narrow_down
        look(now, node, begin, end, values)
        if self.options.min_samples_leaf:
            fewest = self.options.min_samples_leaf
            keeps = splits_with_rows(now.structure, node, self.splits, self._observations, fewest)
            values[~keeps] = np.inf

    def _opened(self, now: Candidate, node: int, begin: int, end: int) -> OpenNode:
        """Return a node of a candidate with its question left open."""
        n_slots = end - begin
        if n_slots not in self._open_nodes:
            n_items = min(self._item_first.size, self._at_once(n_slots))
            self._open_nodes[n_slots] = OpenNode(self.n_inner, n_slots, n_items, self._reading)
        opened = self._open_nodes[n_slots]
        outside = worst_outside(now.move_cost, now.slot_loss, self._reading.limit, now.rate, begin, end)
        opened.fill(node, begin, now.structure, now.slot_loss[begin:end], outside)
        return opened

    def _at_once(self, n_slots: int) -> int:
        """Return how many items or splits one call of a kernel looks at."""
        return max(1, _WORK_PER_CALL // (self.instance.n_samples * n_slots))

    def _sweep(self, now: Candidate, node: int, begin: int, end: int, values: FloatArray) -> None:
        """Write what the tree costs with each split, item by item."""
        opened, at_once = self._opened(now, node, begin, end), self._at_once(end - begin)
        for item in range(0, self._item_first.size, at_once):
            if self._run.must_stop():
                return
            first, last = self._item_first[item], self._item_after[min(item + at_once, self._item_first.size) - 1]
            opened.sweep(first, last, values)

    def _narrow_down(self, now: Candidate, node: int, begin: int, end: int, values: FloatArray) -> None:
        """Write what the tree costs at most with some splits of each item: ever more of them around the best."""
        opened, at_once = self._opened(now, node, begin, end), max(_COARSE, self._at_once(end - begin))
        looked_at = self._coarse
        while looked_at.size:
            for start in range(0, looked_at.size, at_once):
                if self._run.must_stop():
                    return
                opened.price(now.rate, looked_at[start : start + at_once], values)
            looked_at = self._closer(values)

    def _closer(self, values: FloatArray) -> IntArray:
        """Return what to look at next: the splits between the neighbours of the best one, for the best few items."""
        if self._coarse.size == len(self.splits):
            return self._coarse[:0]
        least = np.minimum.reduceat(values, self._item_first)
        best_items = np.sort(np.argsort(least, kind="stable")[:_PROMISING])
        closer = [_around_best(self._item_first[item], self._item_after[item], values) for item in best_items]
        return np.concatenate(closer)

    def _promising(self, values: FloatArray, to_beat: float) -> IntArray:
        """Return the splits, or solutions, that deserve an evaluation of their own."""
        if self._local:
            best = np.argmin(values)
            return np.array([best]) if values[best] < cutoff_below(to_beat) else np.empty(0, dtype=np.int64)
        count = _PROMISING_AMONG_FEW if self.instance.n_samples <= FEW_SAMPLES else _PROMISING
        order = np.argsort(values, kind="stable")[:count]
        return order[np.isfinite(values[order])]

    # -- one solution --------------------------------------------------------------------------------------------

    def better_leaf(self, now: Candidate, slot: int) -> Candidate | None:
        """Return the tree with the best solution of the pool at a slot, all else as it is, if that is better."""
        cost, limit = now.move_cost[slot], self._reading.limit
        if not (cost <= limit).any():
            return None
        outside = worst_outside(now.move_cost, now.slot_loss, limit, now.rate, slot, slot + 1)
        sums = leaf_sums(self._loss, outside, cost, limit, now.rate)
        best, cutoff = None, cutoff_below(now.value)
        for solution in self._plans_to_try(now, slot, sums):
            choice, slot_loss = now.choice.copy(), now.slot_loss.copy()
            choice[slot], slot_loss[slot] = solution, self._loss[:, solution]
            value, rate = tree_value(now.move_cost, slot_loss, self.limit, cutoff - now.fee)
            if value + now.fee < cutoff:
                cutoff = value + now.fee
                best = dataclasses.replace(now, choice=choice, slot_loss=slot_loss, value=cutoff, rate=rate)
                if self._local:
                    break
        return best

    def _plans_to_try(self, now: Candidate, slot: int, sums: FloatArray) -> Iterable[int]:  # noqa: ARG002
        """Return the solutions that deserve an evaluation of their own at a slot."""
        return self._promising(sums, now.value)

    # -- everything at once, for few samples ---------------------------------------------------------------------

    def polished(self, now: Candidate) -> Candidate:
        """Return what comes of changing one question at a time with all solutions chosen anew, where that is cheap."""
        if not self.pool.complete or self.instance.n_samples > _FEW_TO_POLISH:
            return now
        found = self.space.best(now.structure[None], now.value) or Found(now.structure, now.choice, now.value)
        found = self.space.improve(found, self._run)
        if found.value >= cutoff_below(now.value):
            return now
        return self.evaluated(found.structure, np.where(found.choice < 0, now.choice, found.choice))

    # -- a part anew ---------------------------------------------------------------------------------------------

    def regrown(self, now: Candidate, node: int, items: IntArray | None = None, caution: float = 1.0) -> Candidate:
        """Return the tree whose part from a node on is grown anew from the top, greedily, as far as limits allow.

        Only `items` are asked about, if given; `caution` is the share of the budget that samples are thought to have.
        """
        structure, choice = now.structure.copy(), now.choice.copy()
        places = np.array(nodes_below(node, self.n_inner))
        structure[places[~self._must_ask[places]]] = NO_SPLIT
        bins = self._bins if items is None else self._bins[np.isin(self.splits.question[self._bins], items)]
        for place in places.tolist():
            if self._run.must_stop():
                break
            if self.may_ask(structure, place):
                before, structure[place] = structure[place], NO_SPLIT
                candidates = self._askable(structure, place, bins)
                if candidates.size:
                    self._divide(structure, choice, place, candidates, caution)
                if structure[place] == NO_SPLIT:
                    structure[place] = before
        return self.taken(structure, choice, now)

    def _askable(self, structure: IntArray, node: int, candidates: IntArray) -> IntArray:  # noqa: ARG002
        """Return which of the candidates a node may have, all else as it is, if there is anything to choose."""
        return candidates

    def _divide(self, structure: IntArray, choice: IntArray, node: int, candidates: IntArray, caution: float) -> None:
        """Let a node that asks nothing ask the best question with the best two solutions, if there is one."""
        begin, end = slots_below(node, self.n_inner)
        now = self.evaluated(structure, choice)
        limit = self._reading.limit
        outside = worst_outside(now.move_cost, now.slot_loss, limit, now.rate, begin, end)
        inside = passing(structure, node, self.splits, self._observations)
        cost = self._way_to(structure, begin)
        budget = caution * (self._reading.budgets if self._local else np.full(inside.size, limit / inside.size))
        rows = np.flatnonzero(inside | (cost <= budget))
        fewest = self.options.min_samples_leaf
        if rows.size > _MOST_ROWS:
            fewest = fewest * _MOST_ROWS // rows.size
            rows = np.sort(self._run.rng.choice(rows, _MOST_ROWS, replace=False))
        spare = np.maximum(0.0, budget[rows] - cost[rows])
        part = part_of(rows, spare, inside[rows], outside, self._loss, self._floor, candidates, self._reading)
        _, split, left, right = best_division(part, fewest, self._reading)
        if split < 0:
            return
        structure[node] = split
        middle = (begin + end) // 2
        before = choice[begin:end].copy()
        choice[begin:middle], choice[middle:end] = left, right
        if not self.allowed(structure):
            structure[node] = NO_SPLIT
            choice[begin:end] = before

    def _way_to(self, structure: IntArray, slot: int) -> FloatArray:
        """Return what it takes to send each sample to a slot, in units of the budget also where that is local."""
        cost = np.empty((self.n_inner + 1, self.instance.n_samples))
        refresh(structure, self._unbudgeted, slot, slot + 1, cost)
        to_slot: FloatArray = cost[slot]
        return to_slot


def nodes_below(node: int, n_inner: int) -> list[int]:
    """Return a node and all inner nodes below it, from the top down."""
    found, level = [], [node]
    while level[0] < n_inner:
        found += level
        level = [child for place in level for child in (2 * place + 1, 2 * place + 2)]
    return found


def _around_best(first: int, last: int, values: FloatArray) -> IntArray:
    """Return splits between the neighbours of the best one that was looked at, if there are more to look at."""
    looked_at = first + np.flatnonzero(np.isfinite(values[first:last]))
    best = int(np.argmin(values[looked_at]))
    begin, end = looked_at[max(best - 1, 0)], looked_at[min(best + 1, looked_at.size - 1)] + 1
    if not np.isinf(values[begin:end]).any():
        return np.empty(0, dtype=np.int64)
    return np.unique(np.linspace(begin, end - 1, min(_COARSE, end - begin)).round().astype(np.int64))
