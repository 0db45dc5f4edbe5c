"""Wishes as a filter of local search: which splits a node may have."""

__all__ = ["WishFilter"]

import numpy as np

from hedgerow.data.arrays import BoolArray, IntArray
from hedgerow.engine.listing.demands import Demands
from hedgerow.methods.search.tree_state import slots_below
from hedgerow.tree.structure import NO_SPLIT, existing_slots


class WishFilter:
    """What wishes demand of the structures of a search."""

    def __init__(self, demands: Demands) -> None:
        self._demands = demands
        self.must_ask: BoolArray = ~demands.allowed[:, -1]

    def may_have(self, structure: IntArray, node: int) -> BoolArray:
        """Return which splits a node may have, all else as it is; the last entry is whether it may ask nothing."""
        allowed: BoolArray = self._demands.allowed[node]
        if self._demands.max_items is None:
            return allowed
        others = self._asked(structure, node)
        extra = (self._demands.reads & ~others).sum(axis=1)
        return np.asarray(allowed & (others.sum() + extra <= self._demands.max_items))

    def keeps(self, structure: IntArray) -> bool:
        """Return whether the questions of a structure are what they may be."""
        most, allowed = self._demands.max_items, self._demands.allowed
        if not all(allowed[node, structure[node]] for node in _existing(structure)):
            return False
        return most is None or int(self._asked(structure).sum()) <= most

    def _asked(self, structure: IntArray, but: int = -1) -> BoolArray:
        """Return which items a structure reads, apart from one node."""
        nodes = [node for node in _existing(structure) if node != but and structure[node] != NO_SPLIT]
        return np.asarray(self._demands.reads[structure[nodes]].any(axis=0), dtype=np.bool_)

    def least(self) -> IntArray:
        """Return a structure that asks only where a question is wished for."""
        structure = np.full(self.must_ask.size, NO_SPLIT, dtype=np.int64)
        for node in np.flatnonzero(self.must_ask):
            splits = self._demands.candidates(int(node))
            structure[node] = splits[splits.size // 2] if splits.size else NO_SPLIT
        return structure

    def draw(self, rng: np.random.Generator) -> IntArray:
        """Return a random structure whose nodes ask what they may; items are left out where there are too many."""
        most, reads, splits = self._demands.max_items, self._demands.reads, self._demands.splits
        structure = np.full(self.must_ask.size, NO_SPLIT, dtype=np.int64)
        by_node = [np.flatnonzero(allowed[:-1]) for allowed in self._demands.allowed]
        asked = np.any([reads[each[0]] for each in by_node if each.size == 1] or reads[-1:], axis=0)
        for node, allowed in enumerate(by_node):
            few = allowed if most is None else allowed[(reads[allowed] | asked).sum(axis=1) <= most]
            if few.size:
                questions = splits.question[few]
                structure[node] = rng.choice(few[questions == rng.choice(np.unique(questions))])
                asked |= reads[structure[node]]
        return structure


def _existing(structure: IntArray) -> list[int]:
    """Return the nodes that don't lie to the right of one that asks nothing."""
    exists = existing_slots(structure)
    return [node for node in range(structure.size) if exists[slots_below(node, structure.size)[0]]]
