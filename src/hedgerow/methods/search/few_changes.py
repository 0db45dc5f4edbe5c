"""The best tree that differs from a given one in a few places: its shape stays, all else is looked at."""

__all__ = ["FewChanges"]

import dataclasses
from collections.abc import Callable, Iterator
from itertools import pairwise

import numpy as np

from hedgerow.data.arrays import FloatArray, IntArray
from hedgerow.engine.pool import SolutionPool
from hedgerow.engine.structures.reach import reading_of
from hedgerow.engine.structures.space import cutoff_below
from hedgerow.instance import Instance
from hedgerow.methods.search.tree_state import TreeState, slots_below
from hedgerow.methods.search.value import leaf_sums, price_splits, refresh, tree_value, worst_outside
from hedgerow.tree.splits import Splits, candidate_splits
from hedgerow.tree.structure import NO_SPLIT, existing_slots, structure_of, tree_of
from hedgerow.tree.tree import Tree

_MOST_THRESHOLDS = 500
"""So many thresholds of each question are looked at, evenly spread: all of them with up to so many rows."""

_MOST_EVALUATED = 500
"""Under a global budget so many candidates for a place are evaluated, those first that an estimate says are best."""

_WIDTH = 4
"""How many trees are kept after each change but the last."""

_SPLITS_PER_CALL = 2_000


class FewChanges:
    """Trees that differ from a first one in a few places; a place is an inner node with its split, or a leaf's plan.

    Parameters
    ----------
    instance
        What is solved; its questions are those that a node may ask.
    tree
        The first tree.
    pool
        The plans that a leaf may get; those of the first tree join it.
    keeps
        Whether a tree keeps what is wished for; the first tree need not.
    must_stop
        Asked again and again; once it returns True, what was looked at so far counts.
    """

    def __init__(
        self,
        instance: Instance,
        tree: Tree,
        pool: SolutionPool,
        keeps: Callable[[Tree], bool],
        must_stop: Callable[[], bool],
    ) -> None:
        questions = tuple(dict.fromkeys([*instance.questions, *tree.questions]))
        self._instance = dataclasses.replace(instance, questions=questions)
        self._splits = _with_own(tree, candidate_splits(self._instance.question_values, questions=questions))
        self._reading = reading_of(self._instance, self._splits)
        self._is_exact = self._reading.budgets.size > 0
        self._keeps, self._must_stop = keeps, must_stop
        depth = max(1, tree.depth)
        self._n_inner = 2**depth - 1
        structure = structure_of(tree, self._splits, depth)
        exists = existing_slots(structure)
        choice = np.zeros(self._n_inner + 1, dtype=np.int64)
        choice[exists] = pool.add(tree.solutions)
        self._pool, self._loss = pool, np.ascontiguousarray(pool.losses)
        nodes = [
            node
            for node in np.flatnonzero(structure != NO_SPLIT).tolist()
            if exists[slots_below(node, self._n_inner)[0]]
        ]
        self._places = [*nodes, *(self._n_inner + slot for slot in np.flatnonzero(exists).tolist())]
        self._allowed = _spread_out(self._splits)
        self._first = self._evaluated(structure, choice)

    def best(self, most_changes: int) -> Tree:
        """Return the best tree within so many changes of the first one; of equally good ones one with fewer.

        A single change is found by looking at all of them. More are made one after the other, with a few trees kept
        each time; in the end each of them is exchanged for another one as long as that helps.
        """
        best, kept = self._first, [self._first]
        for _ in range(min(most_changes, len(self._places))):
            grown = {each.structure.tobytes() + each.choice.tobytes(): each for each in self._changed_once(kept)}
            kept = sorted(grown.values(), key=lambda each: each.value)[:_WIDTH]
            best = _better(best, kept)
        while most_changes > 1 and not self._must_stop():
            better = _better(best, self._changed_once(self._bases(best, most_changes)))
            if better is best:
                break
            best = better
        return tree_of(best.structure, self._splits, self._pool.solutions[best.choice])

    def _changed_once(self, trees: list[TreeState]) -> Iterator[TreeState]:
        """Yield, for each place where a tree is as in the beginning, the best tree that differs there, too."""
        for tree in trees:
            for place in self._places:
                if not self._differs(tree, place) and not self._must_stop():
                    yield from self._best_at(tree, place)

    def _bases(self, tree: TreeState, most_changes: int) -> list[TreeState]:
        """Return what a tree may be changed from: the tree without one of its changes, or itself if it has few."""
        changed = [place for place in self._places if self._differs(tree, place)]
        whole = [tree] if len(changed) < most_changes else []
        return whole + [self._reverted(tree, place) for place in changed]

    def _differs(self, tree: TreeState, place: int) -> bool:
        if place < self._n_inner:
            return bool(tree.structure[place] != self._first.structure[place])
        slot = place - self._n_inner
        return bool(tree.choice[slot] != self._first.choice[slot])

    def _reverted(self, tree: TreeState, place: int) -> TreeState:
        structure, choice = tree.structure.copy(), tree.choice.copy()
        if place < self._n_inner:
            structure[place] = self._first.structure[place]
        else:
            choice[place - self._n_inner] = self._first.choice[place - self._n_inner]
        return self._evaluated(structure, choice)

    def _evaluated(self, structure: IntArray, choice: IntArray, cutoff: float = np.inf) -> TreeState:
        move_cost = np.empty((choice.size, self._instance.n_samples))
        refresh(structure, self._reading, 0, choice.size, move_cost)
        slot_loss = np.ascontiguousarray(self._loss[:, choice].T)
        value, rate = tree_value(move_cost, slot_loss, self._reading.limit, cutoff)
        return TreeState(structure, choice, move_cost, slot_loss, value, rate)

    def _best_at(self, tree: TreeState, place: int) -> Iterator[TreeState]:
        """Yield the best tree with something else at a place; nothing if there is nothing else."""
        node, slot = place, place - self._n_inner
        estimates = self._of_splits(tree, node) if slot < 0 else self._of_plans(tree, slot)
        best: TreeState | None = None
        # Where budgets are local the estimates are the values.
        for number in np.argsort(estimates, kind="stable")[: None if self._is_exact else _MOST_EVALUATED]:
            if np.isinf(estimates[number]) or self._must_stop():
                break
            structure, choice = tree.structure.copy(), tree.choice.copy()
            if slot < 0:
                structure[node] = number
            else:
                choice[slot] = number
            found = self._evaluated(structure, choice, np.inf if best is None else best.value)
            if best is not None and found.value >= best.value:
                continue
            if self._keeps(tree_of(structure, self._splits, self._pool.solutions[choice])):
                best = found
                if self._is_exact:
                    break
        if best is not None:
            yield best

    def _of_splits(self, tree: TreeState, node: int) -> FloatArray:
        """Return what the tree costs at most with each other split at a node; ∞ for those not looked at."""
        values, rate = np.full(len(self._splits), np.inf), tree.rate
        begin, end = slots_below(node, self._n_inner)
        outside = worst_outside(tree.move_cost, tree.slot_loss, self._reading.limit, rate, begin, end)
        for start in range(0, self._allowed.size, _SPLITS_PER_CALL):
            if self._must_stop():
                break
            some = self._allowed[start : start + _SPLITS_PER_CALL]
            price_splits(node, some, tree.structure, tree.slot_loss, outside, rate, self._reading, values)
        values[tree.structure[node]] = np.inf
        return values

    def _of_plans(self, tree: TreeState, slot: int) -> FloatArray:
        """Return what the tree costs at most with each other plan of the pool at a slot."""
        limit = self._reading.limit
        outside = worst_outside(tree.move_cost, tree.slot_loss, limit, tree.rate, slot, slot + 1)
        values = leaf_sums(self._loss, outside, tree.move_cost[slot], limit, tree.rate)
        values[tree.choice[slot]] = np.inf
        return values


def _better(best: TreeState, others: "list[TreeState] | Iterator[TreeState]") -> TreeState:
    """Return the best of the others if it is better by more than rounding."""
    least = min(others, key=lambda each: each.value, default=best)
    return least if least.value < cutoff_below(best.value) else best


def _with_own(tree: Tree, splits: Splits) -> Splits:
    """Return the candidate splits with those of a tree among them."""
    assert splits.questions is not None
    place = {question: number for number, question in enumerate(splits.questions)}
    known = {*zip(splits.question.tolist(), splits.threshold.tolist(), strict=True)}
    nodes = [tree.split(node)[:2] for node in np.flatnonzero(tree.is_inner).tolist()]
    own = sorted({(place[question], threshold) for question, threshold in nodes} - known)
    question = np.append(splits.question, np.array([number for number, _ in own], dtype=np.int64))
    threshold = np.append(splits.threshold, [float(at) for _, at in own])
    order = np.lexsort((threshold, question))
    below, above = np.append(splits.below, threshold[len(splits) :]), np.append(splits.above, threshold[len(splits) :])
    return Splits(question[order], threshold[order], below[order], above[order], splits.questions)


def _spread_out(splits: Splits) -> IntArray:
    """Return the splits that are looked at."""
    ends = [*splits.first.tolist(), len(splits)]
    parts = [
        np.unique(np.linspace(first, end - 1, min(_MOST_THRESHOLDS, end - first)).round().astype(np.int64))
        for first, end in pairwise(ends)
    ]
    return np.concatenate([np.empty(0, dtype=np.int64), *parts])
