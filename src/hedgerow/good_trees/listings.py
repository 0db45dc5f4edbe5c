"""Good trees as they were found: structures over candidate thresholds, or trees that search has met."""

__all__ = ["Listing", "Met", "OfStructures"]

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

import numpy as np

from hedgerow.data.arrays import FloatArray, IntArray
from hedgerow.engine.listing.roots import Block
from hedgerow.engine.listing.wished import Ground
from hedgerow.good_trees.picks import Candidate
from hedgerow.tolerances import VALUE
from hedgerow.tree.structure import NO_SPLIT
from hedgerow.tree.tree import Tree
from hedgerow.uncertainty import GlobalBudget

_ENTRIES_LOOKED_AT = 500


@dataclass(frozen=True, eq=False)
class Met:
    """Trees that search has met, sorted by their losses."""

    found: tuple[Candidate, ...]

    @property
    def losses(self) -> FloatArray:
        """Per tree its loss."""
        return np.array([each.loss for each in self.found])

    def trees(self) -> Iterator[tuple[Tree, float]]:
        """Yield every tree with its loss."""
        return ((each.tree, each.loss) for each in self.found)

    def candidate(self, number: int) -> Candidate:
        """Return one of the trees."""
        return self.found[number]


@dataclass(frozen=True, eq=False)
class OfStructures:
    """All structures over candidate thresholds, in blocks."""

    ground: Ground
    blocks: tuple[Block, ...]

    @cached_property
    def _groups(self) -> tuple[IntArray, IntArray, FloatArray]:
        """Per entry of all blocks its group and number of structures; per group its loss, in increasing order."""
        if not self.blocks:
            none = np.empty(0, dtype=np.int64)
            return none, none, np.empty(0)
        mark = np.concatenate([block.mark for block in self.blocks])
        value = np.concatenate([block.value for block in self.blocks])
        counts = np.concatenate([block.counts for block in self.blocks])
        key = np.column_stack([mark, np.zeros(len(mark), dtype=np.int64)])
        if isinstance(self.ground.instance.uncertainty, GlobalBudget):
            order = np.argsort(value, kind="stable")
            steps = np.diff(value[order], prepend=value[order[0]]) > VALUE * float(np.abs(value).max())
            key[order, 2] = np.cumsum(steps)
        _, first, group = np.unique(key, axis=0, return_index=True, return_inverse=True)
        by_loss = np.argsort(value[first], kind="stable")
        place = np.empty_like(by_loss)
        place[by_loss] = np.arange(by_loss.size)
        return place[group.ravel()], counts, value[first][by_loss]

    @cached_property
    def _entries(self) -> tuple[IntArray, IntArray, IntArray, IntArray]:
        """Return where blocks start, entries sorted by group, and per group its end and its number of structures."""
        group, counts, _ = self._groups
        starts = np.cumsum([0, *(len(block.value) for block in self.blocks)])
        sizes = np.bincount(group, weights=counts).astype(np.int64)
        return starts, np.argsort(group, kind="stable"), np.cumsum(np.bincount(group)), sizes

    @property
    def losses(self) -> FloatArray:
        """Per way to behave its loss."""
        return self._groups[2]

    def trees(self) -> Iterator[tuple[Tree, float]]:
        """Yield the tree of every structure with its loss."""
        for block in self.blocks:
            for entry in range(len(block.value)):
                for structure in block.structures(entry):
                    yield self.ground.tree(structure, block.choice[entry]), float(block.value[entry])

    def candidate(self, number: int) -> Candidate:
        """Return one of the simplest trees of a way to behave."""
        starts, order, ends, sizes = self._entries
        entries = order[ends[number - 1] if number else 0 : ends[number]][:_ENTRIES_LOOKED_AT]
        where = np.searchsorted(starts, entries, side="right") - 1
        simple = (self._simplest(self.blocks[at], int(entries[n] - starts[at])) for n, at in enumerate(where))
        best = min(simple, key=lambda each: each[0])
        return Candidate(self.ground.tree(*best[1]), float(self.losses[number]), int(sizes[number]))

    def _simplest(self, block: Block, entry: int) -> tuple[tuple[int, int], tuple[IntArray, IntArray]]:
        """Return how many questions and readings the simplest structure of an entry needs, and that structure."""
        choice, splits = block.choice[entry], self.ground.splits
        asked = {int(splits.question[block.root])} if block.root != NO_SPLIT else set()
        n_questions, structure = len(asked), [block.root]
        for side in (0, 1):
            members = block.members[side][block.pair[entry, side]]
            held = {plan for plan in choice[2 * side : 2 * side + 2].tolist() if plan >= 0}
            split = int(members[0])
            if len(held) > 1:
                known = [member for member in members.tolist() if int(splits.question[member]) in asked]
                split = int(known[0] if known else split)
                asked.add(int(splits.question[split]))
                n_questions += 1
            structure.append(split)
        return (n_questions, len(asked)), (np.array(structure), choice)


Listing: TypeAlias = Met | OfStructures
"""Trees grouped by the way they behave; `losses` has the loss of each group, in increasing order."""
