"""Global budgets: boxes of thresholds, one interval per inner node, divided until nothing in them can be better.

Attacks on the dearest move costs bound a box, then the leaf problem with these costs does. The middle of the box is
tried as a tree, and the widest interval is divided.
"""

__all__ = ["Boxes", "new_boxes", "settle_boxes"]

from typing import NamedTuple

import numpy as np

from hedgerow.arrays import FloatArray, IntArray
from hedgerow.compiled import kernel
from hedgerow.engine.tables.attack_bound import attack_bound
from hedgerow.engine.tables.leaves import best_leaves_global
from hedgerow.engine.tables.reach import Reading, structure_costs
from hedgerow.engine.tables.search import Table
from hedgerow.tolerances import VALUE

_NARROWEST = 1e-9
"""Boxes no wider than this, relative to the gaps between values, are divided no further."""

_MOST_HALVINGS = 40


class Boxes(NamedTuple):
    """Boxes of one structure that are open, and the best tree found in it.

    Attributes
    ----------
    item
        Per node what it asks about, of which −1 asks nothing.
    low, high, n_open
        The boxes: an interval per node; the first `n_open[0]` of them are open.
    width
        Per node the width of the first box.
    thresholds, choice
        The best tree's thresholds, and the solutions at its slots.
    """

    item: IntArray
    low: FloatArray
    high: FloatArray
    n_open: IntArray
    width: FloatArray
    thresholds: FloatArray
    choice: IntArray


def new_boxes(structure: IntArray, reading: Reading) -> Boxes:
    """Return the box of all thresholds of a structure whose splits are intervals."""
    n_inner, asks = structure.size, structure >= 0
    room = n_inner * _MOST_HALVINGS + 2
    low, high = np.zeros((room, n_inner)), np.zeros((room, n_inner))
    low[0, asks], high[0, asks] = reading.threshold[structure[asks]], reading.top[structure[asks]]
    item = np.full(n_inner, -1, dtype=np.int64)
    item[asks] = reading.item[structure[asks]]
    choice = np.full(n_inner + 1, -1, dtype=np.int64)
    return Boxes(item, low, high, np.ones(1, dtype=np.int64), high[0] - low[0], np.zeros(n_inner), choice)


@kernel
def _costs(item: IntArray, low: FloatArray, high: FloatArray, reading: Reading, out: FloatArray) -> None:
    box = Reading(
        item,
        low,
        high,
        reading.observations,
        reading.prices,
        reading.limits,
        reading.budgets,
        reading.epsilon,
        reading.crowded,
        reading.margin,
        reading.spans,
        reading.limit,
        reading.geometry,
    )
    structure = np.arange(item.size)
    for node in range(item.size):
        if item[node] < 0:
            structure[node] = -1
    structure_costs(structure, box, out)


@kernel
def settle_boxes(boxes: Boxes, reading: Reading, table: Table, target: float, most: int) -> tuple[float, float, int]:
    """Go through some boxes; return the best value below the target, what stays open for good, and how many.

    A tree that is found is written into the boxes, and its value is the target from then on. The second number is a
    bound on boxes that are too narrow to be divided and not settled, ∞ if there are none.
    """
    n_inner = boxes.item.size
    n_slots, n_samples = n_inner + 1, reading.observations.shape[0]
    move_cost = np.empty((n_slots, n_samples))
    slots, levels = np.arange(n_slots), np.zeros(n_slots, np.int64)
    trial = np.empty(n_slots, np.int64)
    best, open_bound, looked = np.inf, np.inf, 0
    while boxes.n_open[0] > 0 and looked < most:
        looked += 1
        last = boxes.n_open[0] - 1
        low, high = boxes.low[last], boxes.high[last]
        _costs(boxes.item, low, high, reading, move_cost)
        bound = attack_bound(slots, levels, n_slots, move_cost, table.subset_costs, reading.limit, target)
        if bound < target:
            value = best_leaves_global(table.loss, move_cost, reading.limit, target, trial)
            bound = bound if np.isnan(value) else value
        if bound >= target:
            boxes.n_open[0] -= 1
            continue
        middle = low + 0.5 * (high - low)
        _costs(boxes.item, middle, middle, reading, move_cost)
        trial[:] = -1
        value = best_leaves_global(table.loss, move_cost, reading.limit, target, trial)
        if value < target:  # never true of NaN
            best = value
            target = value - VALUE * max(1.0, abs(value))
            boxes.thresholds[:] = middle
            boxes.choice[:] = trial
        widest = 0
        for node in range(1, n_inner):
            if reading.prices[boxes.item[node]] * (high[node] - low[node]) > reading.prices[boxes.item[widest]] * (
                high[widest] - low[widest]
            ):
                widest = node
        if bound >= target:
            boxes.n_open[0] -= 1
        elif high[widest] - low[widest] <= _NARROWEST * boxes.width[widest]:
            open_bound = min(open_bound, bound)
            boxes.n_open[0] -= 1
        else:
            boxes.low[last + 1] = low
            boxes.high[last + 1] = high
            boxes.high[last, widest] = middle[widest]
            boxes.low[last + 1, widest] = middle[widest]
            boxes.n_open[0] += 1
    return best, open_bound, looked
