"""Wishes as a filter of local search: which splits a node may have."""

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

    def candidates(self, node: int) -> IntArray:
        """Return the splits that a node may have."""
        return np.flatnonzero(self._demands.allowed[node, :-1])

    def may_have(self, structure: IntArray, node: int) -> BoolArray:
        """Return which splits a node may have, all else as it is."""
        allowed: BoolArray = self._demands.allowed[node, :-1]
        if self._demands.max_items is None:
            return allowed
        others = self._asked(structure, node)
        extra = (self._demands.reads[:-1] & ~others).sum(axis=1)
        return np.asarray(allowed & (others.sum() + extra <= self._demands.max_items))

    def keeps(self, structure: IntArray) -> bool:
        """Return whether the questions of a structure are what they may be."""
        most, nodes = self._demands.max_items, _existing(structure)
        if not self._demands.allowed[nodes, structure[nodes]].all():
            return False
        return most is None or int(self._asked(structure).sum()) <= most

    def _asked(self, structure: IntArray, but: int = -1) -> BoolArray:
        """Return which items a structure reads, apart from one node."""
        nodes = [node for node in _existing(structure) if node != but and structure[node] != NO_SPLIT]
        return np.asarray(self._demands.reads[structure[nodes]].any(axis=0), dtype=np.bool_)


def _existing(structure: IntArray) -> list[int]:
    """Return the nodes that don't lie to the right of one that asks nothing."""
    exists = existing_slots(structure)
    return [node for node in range(structure.size) if exists[slots_below(node, structure.size)[0]]]
