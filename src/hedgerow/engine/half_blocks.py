"""Halves in blocks of neighbouring thresholds, with what it costs at most to move samples into them below a root."""

__all__ = ["Halves", "blocks_of", "spanning"]

import numpy as np

from hedgerow.data.arrays import IntArray
from hedgerow.engine.priced_halves import half_costs, side_costs
from hedgerow.engine.structures.reach import Reading
from hedgerow.geometry.pairs import NOT_LINKED
from hedgerow.tree.structure import NO_SPLIT


class Halves:
    """Halves in blocks of neighbouring thresholds, and what moves cost there below one root after the other.

    Parameters
    ----------
    reading
        How samples are read.
    blocks
        First and last split of each block.
    """

    def __init__(self, reading: Reading, blocks: IntArray) -> None:
        self._whole, self.blocks = reading, blocks
        count, n_samples = len(self.blocks), len(reading.observations)
        # Behind the blocks there is room for the root's own interval.
        self._reading = spanning(reading, np.vstack([self.blocks, self.blocks[-1:]]))
        self._alone = np.empty((count, 2, n_samples))
        half_costs(np.full(count, NO_SPLIT), 0, np.arange(count), self._reading, self._alone)
        self.costs, self.of_side = np.empty((2, count, 2, n_samples)), np.empty((2, n_samples))
        self.dearest = 0.0
        self._root: tuple[int, int] | None = None

    def take_root(self, first: int, last: int) -> None:
        """Compute `costs` (side × half × leaf × sample) and `of_side` below a root that is one of some splits."""
        if self._root == (first, last):
            return
        self._root = first, last
        reading, place = self._reading, len(self.blocks)
        if first == NO_SPLIT:
            place = NO_SPLIT
        else:
            reading.item[place], reading.threshold[place] = self._whole.item[first], self._whole.threshold[first]
            reading.top[place] = self._whole.top[last]
        side_costs(place, reading, self.of_side)
        np.add(self._alone, self.of_side[:, None, None], out=self.costs)
        if first != NO_SPLIT:  # where questions share items, costs don't add up
            question, asked, pair = reading.item[place], reading.item[:place], reading.geometry.links.pair
            linked = np.flatnonzero((asked == question) | (pair[question, asked] != NOT_LINKED if pair.size else False))
            below = np.empty((linked.size, *self.costs.shape[2:]))
            for side in (0, 1):
                half_costs(np.full_like(linked, place), side, linked, reading, below)
                self.costs[side, linked] = below
        self.dearest = float(self.costs[np.isfinite(self.costs)].max(initial=0.0))


def blocks_of(reading: Reading, most: int) -> IntArray:
    """Return first and last splits of blocks of neighbours, at most `most` of them per question."""
    rows: list[IntArray] = []
    for question in np.unique(reading.item):
        splits = np.flatnonzero(reading.item == question)
        rows += [part[[0, -1]] for part in np.array_split(splits, min(most, splits.size))]
    return np.array(rows)


def spanning(reading: Reading, blocks: IntArray) -> Reading:
    """Return the reading with intervals that span from the first to the last split of each block."""
    first, last = blocks.T
    return reading._replace(
        item=reading.item[first].copy(), threshold=reading.threshold[first].copy(), top=reading.top[last].copy()
    )
