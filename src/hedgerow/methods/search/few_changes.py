"""The best tree that differs from a given one in a few places: its shape stays, all else is looked at."""

__all__ = ["FewChanges"]

import dataclasses
from collections.abc import Iterator

import numpy as np

from hedgerow.engine.listing.demands import demands_of
from hedgerow.engine.pool import SolutionPool
from hedgerow.engine.structures.space import cutoff_below
from hedgerow.instance import Instance
from hedgerow.methods.parameters import SEARCH
from hedgerow.methods.search.tree_moves import Moves
from hedgerow.methods.search.tree_state import TreeState, slots_below
from hedgerow.methods.search.wish_filter import WishFilter
from hedgerow.run import Options, Run
from hedgerow.run.wishes import Wishes
from hedgerow.tree.splits import Splits, candidate_splits
from hedgerow.tree.structure import NO_SPLIT, existing_slots, structure_of, tree_of
from hedgerow.tree.tree import Tree

# All thresholds of a question are looked at with up to 500 rows. Under a global budget so many candidates for a place
# are evaluated, those first that an estimate says are best.
_THOROUGH = dataclasses.replace(SEARCH, thresholds_at_once=500, n_promising=500, n_promising_among_few=500)


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
    wishes
        What changed trees keep; the first tree should keep it, too.
    run
        Once it must stop, what was looked at so far counts.
    """

    def __init__(self, instance: Instance, tree: Tree, pool: SolutionPool, wishes: Wishes | None, run: Run) -> None:
        questions, depth = tuple(dict.fromkeys([*instance.questions, *tree.questions])), max(1, tree.depth)
        instance, options = dataclasses.replace(instance, questions=questions, depth=depth), Options(wishes=wishes)
        self._splits = _with_own(tree, candidate_splits(instance.question_values, questions=questions))
        structure = structure_of(tree, self._splits, depth)
        exists = existing_slots(structure)
        choice = np.zeros(exists.size, dtype=np.int64)
        choice[exists] = pool.add(tree.solutions)
        kept = None if wishes is None else WishFilter(demands_of(instance, options, splits=self._splits))
        self._moves = Moves(instance, options, self._splits, pool, run, kept, _THOROUGH)
        self._first, self._run = self._moves.evaluated(structure, choice), run
        self._n_inner = structure.size
        nodes = [
            node
            for node in np.flatnonzero(structure != NO_SPLIT).tolist()
            if exists[slots_below(node, self._n_inner)[0]]
        ]
        self._places = [*nodes, *(self._n_inner + slot for slot in np.flatnonzero(exists).tolist())]

    def best(self, most_changes: int) -> Tree:
        """Return the best tree with at most `most_changes` changes; of equally good ones one with fewer.

        A single change is found by looking at all of them. More are made one after the other; then each of them is
        exchanged for another one as long as that helps.
        """
        best, found = self._first, most_changes > 0
        while found and not self._run.must_stop():
            trees = (tree for base in self._bases(best, most_changes) for tree in self._changed_once(base))
            better = min(trees, key=lambda each: each.value, default=best)
            found = better.value < cutoff_below(best.value)
            best = better if found else best
        return tree_of(best.structure, self._splits, self._moves.pool.solutions[best.choice])

    def _changed_once(self, tree: TreeState) -> Iterator[TreeState]:
        """Yield, for each place where a tree is as in the beginning, the best tree that differs there, too."""
        for place in self._places:
            if self._differs(tree, place) or self._run.must_stop():
                continue
            if place < self._n_inner:
                changed = self._moves.better_split(tree, place)
            else:
                changed = self._moves.better_leaf(tree, place - self._n_inner)
            if changed is not None:
                yield changed

    def _bases(self, tree: TreeState, most_changes: int) -> list[TreeState]:
        """Return what a tree may be changed from: the tree without one of its changes, or itself if it has few."""
        changed = [place for place in self._places if self._differs(tree, place)]
        whole = [tree] if len(changed) < most_changes else []
        return whole + [self._reverted(tree, place) for place in changed if most_changes > 1]

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
        return self._moves.evaluated(structure, choice)


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
