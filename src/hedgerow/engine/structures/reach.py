"""Move costs of structures, compiled: what it takes to send each sample to each slot."""

from typing import NamedTuple

import numpy as np

from hedgerow.compiled import kernel
from hedgerow.compiled.array_kernels import integer
from hedgerow.data.arrays import FloatArray, IntArray, frozen
from hedgerow.geometry.kernels import (
    Geometry,
    Path,
    change_range,
    geometry_of,
    link_questions,
    most_changes,
    single_cost,
)
from hedgerow.geometry.path_kernels import linked_cost
from hedgerow.instance import Instance
from hedgerow.tree.questions import item_questions, values_of
from hedgerow.tree.splits import Splits

MAX_PATH = 64
"""The longest path to a node."""

NO_LEVELS = integer(0)
"""Below a slot, where nothing is divided further."""


class Reading(NamedTuple):
    """How samples are read, and how wrongly: all that move costs depend on, as arrays."""

    # The candidate splits: the number of the question that each asks, and its threshold. Where it may lie anywhere
    # from `threshold` to `top`, moves cost what they cost at most: going left at the threshold, going right at the
    # top. Otherwise both are the same.
    item: IntArray
    threshold: FloatArray
    top: FloatArray
    # Samples × questions, read-only: the questions' values. Where questions are about single readings, these are the
    # readings.
    observations: FloatArray
    # Per question the largest change that entry limits allow: one row for all samples, or one per sample.
    limits: FloatArray
    # What local budgets afford (see `hedgerow.geometry.reach_limit`), one per sample; empty where the budget is
    # global. With local budgets a move costs 0 within the budget and ∞ beyond, so that kernels need to know one kind
    # of budget only.
    budgets: FloatArray
    margin: float  # How far each threshold may be moved.
    limit: float  # The largest sum of move costs that is affordable; 0 where budgets are local.
    geometry: Geometry  # What changes cost.


def reading_of(instance: Instance, splits: Splits, margin: float = 0.0, *, spans: bool = False) -> Reading:
    """Return the instance's observations and uncertainty as the kernels want them.

    With `spans` every split stands for all thresholds between its neighbouring values.
    """
    uncertainty = instance.uncertainty
    budgets, limit = uncertainty.sample_budgets(instance.n_samples)
    options = {name: getattr(uncertainty, name) for name in ("prices", "limits", "epsilon")}
    questions = item_questions(instance.n_features) if splits.questions is None else splits.questions
    geometry = geometry_of(questions, instance.n_features, **options)
    threshold = np.array(splits.below) if spans else frozen(splits.threshold)
    return Reading(
        np.array(splits.question) if spans else frozen(splits.question),
        threshold,
        np.nextafter(splits.above, -np.inf) if spans else threshold,
        frozen(values_of(questions, instance.observations)),
        most_changes(geometry),
        budgets,
        float(margin),
        limit,
        geometry,
    )


@kernel
def path_costs(
    count: int, splits: IntArray, goes_right: IntArray, reading: Reading, levels_below: int, out: FloatArray
) -> None:
    """Write into `out` what it takes to move each sample into the box of a path of `count` questions.

    `splits` are the questions' numbers (negative: asks nothing, all go left), `goes_right` the answers. Where the box
    will be divided further, by `levels_below` levels, it is what suffices to get into one of the parts, however it is
    divided: each further threshold may make a sample that comes from below overshoot by another ε. Where questions
    share items, a later one can end up between threshold and threshold + ε, so only samples that need not move are
    counted.
    """
    questions, ends = np.empty((2, count), np.int64), np.empty((4, count))
    asked, group = questions[0], questions[1]
    lower, upper, least, most = ends[0], ends[1], ends[2], ends[3]
    n_asked = _path_box(count, splits, goes_right, reading, asked, lower, upper)
    if n_asked < 0:
        out[:] = np.inf
        return
    geometry = reading.geometry
    linked = link_questions(n_asked, asked, geometry, group)
    limited, rate = geometry.limited, geometry.rate
    must_stay = levels_below > 0 and geometry.links.pair.size > 0
    for row in range(reading.observations.shape[0]):
        total = largest = 0.0
        enough = reading.limit
        if reading.budgets.size:
            enough = reading.budgets[row]
        for place in range(n_asked):
            observed = reading.observations[row, asked[place]]
            least[place], most[place] = change_range(observed, lower[place], upper[place], geometry.epsilon)
            if levels_below and least[place] > 0.0:
                least[place] += ((1 << levels_below) - 1) * geometry.epsilon
                if least[place] > most[place]:
                    least[place] = np.inf
            if not limited:  # as in `single_cost`, which takes ten times as long to call
                distance = max(least[place], -most[place])
                alone = rate[asked[place]] * distance if distance > 0.0 else 0.0
                total, largest = total + alone, max(largest, alone)
            elif not linked:
                total += single_cost(asked[place], least[place], most[place], row, geometry)
        # No path costs less than one of its questions, which is far cheaper to compute.
        if linked and (limited or 0.0 < largest <= enough):
            total = linked_cost(Path(n_asked, asked, group, least, most), row, enough, geometry)
        if must_stay and total > 0.0:
            total = np.inf
        if reading.budgets.size:
            total = 0.0 if total <= enough else np.inf
        out[row] = total


@kernel(inline="always")
def _path_box(
    count: int,
    splits: IntArray,
    goes_right: IntArray,
    reading: Reading,
    asked: IntArray,
    lower: FloatArray,
    upper: FloatArray,
) -> int:
    """Write the questions on a path, each once, and their intervals; return how many, −1 where nothing is left."""
    n_asked = 0
    for step in range(count):
        split = splits[step]
        if split < 0:
            if goes_right[step]:
                return -1
            continue
        place = n_asked
        for known in range(n_asked):
            if asked[known] == reading.item[split]:
                place = known
        if place == n_asked:
            n_asked += 1
            asked[place] = reading.item[split]
            lower[place], upper[place] = -np.inf, np.inf
        if goes_right[step]:
            lower[place] = max(lower[place], reading.top[split] - reading.margin)
        else:
            upper[place] = min(upper[place], reading.threshold[split] + reading.margin)
    for place in range(n_asked):
        if lower[place] >= upper[place]:
            return -1
    return n_asked


@kernel(inline="always")
def node_path(node: int, structure: IntArray, splits: IntArray, goes_right: IntArray) -> int:
    """Write the questions and answers on the way to a node (numbered level by level); return how many there are."""
    count = 0
    while node > 0:
        parent = (node - 1) // 2
        splits[count] = structure[parent]
        goes_right[count] = node == 2 * parent + 2
        count += 1
        node = parent
    return count


@kernel
def structure_costs(structure: IntArray, reading: Reading, out: FloatArray) -> None:
    """Write into `out[k, j]` what it takes to move sample j into slot k of the structure."""
    splits = np.empty(MAX_PATH, np.int64)
    goes_right = np.empty(MAX_PATH, np.int64)
    for slot in range(structure.size + 1):
        count = node_path(structure.size + slot, structure, splits, goes_right)
        path_costs(count, splits, goes_right, reading, NO_LEVELS, out[slot])
