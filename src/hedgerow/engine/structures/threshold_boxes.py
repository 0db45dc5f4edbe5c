"""Global budgets over all thresholds: structures of gaps between values first, then boxes of thresholds in the gaps.

A box is an interval of thresholds per inner node. It is bounded by the leaf problem with the largest move costs.
Attacks that were found on other boxes come first: those that this box can't keep out cost nothing to find. The middle
of the box is tried as a tree in the same way; then the widest interval is divided.
"""

from typing import NamedTuple

import numpy as np

from hedgerow.compiled import kernel
from hedgerow.compiled.array_kernels import copy_into
from hedgerow.data.arrays import FloatArray, IntArray
from hedgerow.engine.engine_parameters import ENGINE
from hedgerow.engine.leaf_problem import Attacks, defended, new_attacks
from hedgerow.engine.pool import SolutionPool
from hedgerow.engine.search import Ground
from hedgerow.engine.structures import branching
from hedgerow.engine.structures.reach import Reading, structure_costs
from hedgerow.engine.structures.space import SearchSpace, cutoff_below
from hedgerow.engine.structures.subsets import subset_costs, subset_tables
from hedgerow.engine.two_levels import Settled
from hedgerow.instance import Instance
from hedgerow.run import Options, Run
from hedgerow.tolerances import VALUE
from hedgerow.tree.splits import Splits
from hedgerow.tree.structure import NO_SPLIT

_MOST_HALVINGS = 40


def settle_boxes(instance: Instance, run: Run, options: Options, splits: Splits, pool: SolutionPool) -> None:
    """Settle all trees over all thresholds; the best tree so far prunes the others."""
    space = SearchSpace(instance, options, splits, pool, spans=True)
    branching.settle(space, run, subset_tables(subset_costs(space.loss, run.heed), instance.depth), in_boxes)


def in_boxes(structures: IntArray, bounds: FloatArray, space: SearchSpace, run: Run) -> bool:
    """Settle structures of gaps, most promising first: find the best thresholds in the gaps, and the best solutions.

    Return False if not all of them could be settled.
    """
    boxes, bounds = new_boxes(space.n_inner), np.array(bounds)
    terms = BoxTerms(space.reading, space.loss, new_attacks(space.n_inner + 1, space.loss))
    for narrowest in ENGINE.narrowest:
        position = 0
        while position < len(structures) or boxes.n_open[0]:
            if run.must_stop():
                return False
            target = cutoff_below(run.value)
            place = structures, bounds, position, boxes, terms
            position, value = divide_boxes(*place, target, narrowest, ENGINE.boxes_at_once)
            if value < target and not _offered(boxes, value, space, run):
                bounds[position - 1] = min(bounds[position - 1], value)  # rounding decided what is affordable
                boxes.n_open[0] -= 1
    space.open_bound = min(space.open_bound, bounds[bounds < cutoff_below(run.value)].min(initial=np.inf))
    return not run.must_stop()


def _offered(boxes: "Boxes", value: float, space: SearchSpace, run: Run) -> bool:
    """Offer the best tree in the boxes to the run; return whether it costs what was found."""
    ground = Ground(space.instance, space.pool.solutions, space.reading.margin)
    tree = ground.tree(Settled(boxes.item, boxes.thresholds, boxes.choice, value))
    loss = ground.value(tree)
    run.offer(tree, loss, "better thresholds")
    return loss <= value + VALUE * max(1.0, abs(value))


class Boxes(NamedTuple):
    """Open boxes of one structure after the other, and the best tree found in them."""

    item: IntArray  # Per node what it asks about, of which −1 asks nothing.
    # The boxes: an interval per node; the first `n_open[0]` of them are open.
    low: FloatArray
    high: FloatArray
    n_open: IntArray
    width: FloatArray  # Per node the width of the structure's first box.
    # The best tree's thresholds, and the solutions at its slots.
    thresholds: FloatArray
    choice: IntArray


class BoxTerms(NamedTuple):
    """What boxes are settled by: splits and readings, losses, and the pool of attacks."""

    reading: Reading
    loss: FloatArray
    attacks: Attacks


def new_boxes(n_inner: int) -> Boxes:
    """Return room for the boxes of structures with `n_inner` nodes; none is open."""
    room = n_inner * _MOST_HALVINGS + 2
    low, high = np.zeros((room, n_inner)), np.zeros((room, n_inner))
    item, choice = np.full(n_inner, -1, dtype=np.int64), np.full(n_inner + 1, -1, dtype=np.int64)
    return Boxes(item, low, high, np.zeros(1, dtype=np.int64), np.zeros(n_inner), np.zeros(n_inner), choice)


@kernel
def divide_boxes(
    structures: IntArray,
    bounds: FloatArray,
    first: int,
    boxes: Boxes,
    terms: BoxTerms,
    target: float,
    narrowest: float,
    most: int,
) -> tuple[int, float]:
    """Go through the boxes of structures from number `first` on; return the next one, and a better value.

    It ends where a tree below the target is found, which is written into the boxes, or after `most` boxes; the value is
    ∞ where there is none. Boxes that are narrower than `narrowest`, relative to their structure's first one, are left.
    A structure's bound becomes the least one of what is left of it, ∞ if that is nothing.
    """
    reading, loss, attacks = terms
    n_inner, n_samples = boxes.item.size, reading.observations.shape[0]
    largest, move_cost = np.empty((n_inner + 1, n_samples)), np.empty((n_inner + 1, n_samples))
    choice, point, structure = np.zeros(n_inner + 1, np.int64), np.empty(n_inner), np.empty(n_inner, np.int64)
    for _ in range(most):
        while boxes.n_open[0] == 0:
            if first == structures.shape[0]:
                return first, np.inf
            if bounds[first] < target:
                _open(structures[first], boxes, reading)
            bounds[first] = np.inf
            first += 1
        last = boxes.n_open[0] - 1
        low, high = boxes.low[last], boxes.high[last]
        for node in range(n_inner):
            structure[node] = node if boxes.item[node] >= 0 else NO_SPLIT
            point[node] = low[node] + 0.5 * (high[node] - low[node])
        _box_costs(structure, boxes.item, low, high, reading, largest)
        bound = defended(loss, largest, reading.limit, target, choice, attacks)[0]
        if bound >= target:
            boxes.n_open[0] -= 1
            continue
        _box_costs(structure, boxes.item, point, point, reading, move_cost)
        value, is_value = defended(loss, move_cost, reading.limit, target, choice, attacks)
        if value < target and is_value:
            copy_into(point, boxes.thresholds)
            copy_into(choice, boxes.choice)
            return first, value
        node = _node_to_divide(boxes, low, high, narrowest, reading)
        if node < 0:
            bounds[first - 1] = min(bounds[first - 1], bound)
            boxes.n_open[0] -= 1
            continue
        copy_into(low, boxes.low[last + 1])
        copy_into(high, boxes.high[last + 1])
        boxes.high[last, node] = low[node] + 0.5 * (high[node] - low[node])
        boxes.low[last + 1, node] = boxes.high[last, node]
        boxes.n_open[0] += 1
    return first, np.inf


@kernel(inline="always")
def _box_costs(
    structure: IntArray, item: IntArray, low: FloatArray, high: FloatArray, reading: Reading, out: FloatArray
) -> None:
    """Write the largest costs of moving samples to the slots of a box, whose nodes are the splits of its structure."""
    observations, limits, budgets = reading.observations, reading.limits, reading.budgets
    how = reading.margin, reading.limit, reading.geometry
    structure_costs(structure, Reading(item, low, high, observations, limits, budgets, *how), out)


@kernel(inline="always")
def _open(structure: IntArray, boxes: Boxes, reading: Reading) -> None:
    """Make the box of all thresholds of a structure, whose splits are intervals, the only open one."""
    for node in range(structure.size):
        split = structure[node]
        boxes.item[node] = -1
        boxes.low[0, node], boxes.high[0, node] = 0.0, 0.0
        if split >= 0:
            boxes.item[node] = reading.item[split]
            boxes.low[0, node], boxes.high[0, node] = reading.threshold[split], reading.top[split]
        boxes.width[node] = boxes.high[0, node] - boxes.low[0, node]
    boxes.n_open[0] = 1


@kernel(inline="always")
def _node_to_divide(boxes: Boxes, low: FloatArray, high: FloatArray, narrowest: float, reading: Reading) -> int:
    """Return the node with the widest interval, by what its width costs; −1 if that is too narrow."""
    best, most = -1, 0.0
    for node in range(boxes.item.size):
        if boxes.item[node] >= 0:
            width = reading.geometry.rate[boxes.item[node]] * (high[node] - low[node])
            if width > most:
                best, most = node, width
    return -1 if best >= 0 and high[best] - low[best] <= narrowest * boxes.width[best] else best
