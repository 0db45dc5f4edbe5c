"""A node whose question is open, with the working space of the kernels that say what each question would cost."""

__all__ = ["OpenNode"]

from functools import cached_property

from hedgerow.data.arrays import FloatArray, IntArray
from hedgerow.engine.tables.reach import Reading
from hedgerow.methods.search.boxes import node_for
from hedgerow.methods.search.linked_prices import price_linked
from hedgerow.methods.search.linked_turns import Beside, beside_for, write_turns
from hedgerow.methods.search.links import Links, links_for
from hedgerow.methods.search.split_global import price_splits
from hedgerow.methods.search.split_local import Sweep, sweep_for, sweep_local


class OpenNode:
    """Any node with this many slots below it, in a structure with `n_inner` inner nodes; sweeps take `n_items` at most.

    It is filled for one node after the other. What is only needed where questions share items is compiled only then.
    """

    def __init__(self, n_inner: int, n_slots: int, n_items: int, reading: Reading) -> None:
        self._node = node_for(n_inner, n_slots, reading)
        self._n_items = n_items
        self._shares_items = reading.geometry.pair.size > 0
        self._number, self._begin = 0, 0

    @cached_property
    def _sweep(self) -> Sweep:
        return sweep_for(self._node, self._n_items)

    @cached_property
    def _beside(self) -> Beside:
        return beside_for(self._sweep)

    @cached_property
    def _links(self) -> Links:
        return links_for(self._node)

    def fill(self, number: int, begin: int, structure: IntArray, slot_loss: FloatArray, outside: FloatArray) -> None:
        """Make it node `number` of a structure, whose slots begin with `begin`; see `Node`."""
        self._number, self._begin = number, begin
        self._node.structure[:], self._node.slot_loss[:], self._node.outside[:] = structure, slot_loss, outside

    def sweep(self, first: int, last: int, values: FloatArray) -> None:
        """Write what the tree costs with each of the splits first … last − 1 under local budgets; see `sweep_local`."""
        self._sweep.own_loss[:], values[first:last] = self._node.outside, 0.0
        if self._shares_items:
            write_turns(self._number, self._begin, self._beside, first, last)
        sweep_local(self._number, self._begin, self._sweep, first, last, values)

    def price(self, rate: float, splits: IntArray, values: FloatArray) -> None:
        """Write what the tree costs at most with each of the splits under a global budget; see `price_splits`."""
        if self._shares_items:
            price_linked(self._number, self._begin, self._links, rate, splits, values)
        else:
            price_splits(self._number, self._begin, self._node, rate, splits, values)
