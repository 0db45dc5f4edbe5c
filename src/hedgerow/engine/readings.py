"""Samples and questions packed for the engine, and what it takes to move a sample across thresholds.

Going left of a threshold in [low, high] costs at most what it costs at `low`, going right at most what it costs at
`high`. With these dearest costs the adversary can do no more than it can against every threshold in the interval, so
bounds computed with them hold for all of them. A point is an interval with low = high.
"""

__all__ = [
    "Readings",
    "Root",
    "box_costs",
    "dearest_costs",
    "is_single",
    "move_geometry",
    "readings_of",
    "separated",
    "stump_reach",
    "turns",
    "turns_of_all",
]

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from hedgerow.compiled import kernel
from hedgerow.data.arrays import BoolArray, FloatArray, IntArray
from hedgerow.geometry import geometry_of, most_changes, reach_limit
from hedgerow.instance import Instance
from hedgerow.tree.splits import Splits
from hedgerow.uncertainty import LocalBudget, Nominal

if TYPE_CHECKING:
    from hedgerow.geometry.kernels import Geometry

_NARROWEST = 1e-12
"""Cells of thresholds narrower than this, relative to the values, are rounding."""


class Readings(NamedTuple):
    """The samples as kernels take them; the budget is local.

    Attributes
    ----------
    values
        Per question (row) and sample its value, after the moves so far.
    as_read, counts
        Its value before all moves, and whether a sample counts for the least number of samples per leaf.
    order
        Per question the samples in increasing order of value.
    prices
        Per question what a unit of change costs at least.
    caps
        Per question and sample the largest change, as far as it is limited otherwise than by that price.
    room
        Per sample the largest affordable move cost.
    step
        Per question ε, the step beyond a threshold.
    margin
        How far each threshold may be moved.
    tiny
        Per question the width below which an interval counts as empty.
    still
        Whether no sample can be moved at all.
    listed, points, first
        Whether only candidates may be thresholds; those of question q are `points[first[q]:first[q + 1]]`.
    regret
        Per sample and solution the loss beyond the sample's least loss.
    """

    values: FloatArray
    as_read: FloatArray
    counts: BoolArray
    order: IntArray
    prices: FloatArray
    caps: FloatArray
    room: FloatArray
    step: FloatArray
    margin: float
    tiny: FloatArray
    still: bool
    listed: bool
    points: FloatArray
    first: IntArray
    regret: FloatArray


class Root(NamedTuple):
    """A root that asks a question, −1 for none, with its threshold anywhere from `low` to `high`."""

    question: int
    low: float
    high: float


def is_single(instance: Instance) -> bool:
    """Return whether all questions are about single readings."""
    return all(question.item is not None for question in instance.questions)


def move_geometry(instance: Instance) -> "Geometry":
    """Return what it takes to change the values of the instance's questions."""
    terms: dict[str, Any] = {"epsilon": 0.0}
    if not isinstance(instance.uncertainty, Nominal):
        terms = {name: getattr(instance.uncertainty, name) for name in ("prices", "limits", "epsilon")}
    return geometry_of(instance.questions, instance.n_features, **terms)


def readings_of(
    instance: Instance, losses: FloatArray, splits: Splits | None, margin: float, geometry: "Geometry | None" = None
) -> Readings:
    """Return the samples of an instance; `splits` is None where any threshold will do.

    A global budget leaves no sample any room. `geometry` is that of `move_geometry`, if it is known already.
    """
    geometry = move_geometry(instance) if geometry is None else geometry
    values = np.array(instance.question_values.T, order="C")
    n_questions, n_samples = values.shape
    room, sizes = np.zeros(n_samples), np.abs(values)
    if isinstance(instance.uncertainty, LocalBudget):
        budget = np.asarray(instance.uncertainty.budget, dtype=np.float64)
        room = np.array(reach_limit(np.array(np.broadcast_to(budget, (n_samples,)))))
    caps = np.array(np.broadcast_to(most_changes(geometry), (n_samples, n_questions)).T, order="C")
    if not is_single(instance):
        caps = _largest_changes(geometry, room) if geometry.limited else caps
        for question, row in zip(instance.questions, sizes, strict=True):  # sums may cancel, their rounding doesn't
            row[:] = np.abs(instance.observations[:, list(question.items)]) @ np.abs(question.coefficients)
    largest = sizes.max(axis=1)
    points, first = np.empty(0), np.zeros(n_questions + 1, dtype=np.int64)
    if splits is not None:
        points, first = np.array(splits.threshold), np.searchsorted(splits.question, np.arange(n_questions + 1))
    return Readings(
        values=values,
        as_read=values,
        counts=np.ones(n_samples, dtype=np.bool_),
        order=np.argsort(values, axis=1, kind="stable"),
        prices=geometry.rate,
        caps=caps,
        room=room,
        step=np.maximum(geometry.epsilon, 2.0 * np.spacing(largest)),
        margin=float(margin),
        tiny=_NARROWEST * np.maximum(largest, np.finfo(np.float64).tiny),
        still=not room.any() and margin == 0.0,
        listed=splits is not None,
        points=points,
        first=first.astype(np.int64),
        regret=np.ascontiguousarray(losses - losses.min(axis=1, keepdims=True)),
    )


def _largest_changes(geometry: "Geometry", room: FloatArray) -> FloatArray:
    """Return per question and sample the largest change that limits and budgets allow, cheapest items first."""
    changes = np.zeros((geometry.rate.size, room.size))
    for question in range(geometry.rate.size):
        left = room.copy()
        for entry in geometry.cheapest[geometry.start[question] : geometry.start[question + 1]]:
            item, size = geometry.item[entry], abs(geometry.coefficient[entry])
            price = geometry.prices[item] / size
            taken = np.minimum(geometry.limits[:, item] * size, left / price)
            changes[question] += taken
            left -= price * taken
    return changes


def separated(readings: Readings) -> Readings:
    """Return the readings with one candidate threshold between two neighbouring values where no sample can be moved.

    It is as good as any other between these values.
    """
    if not (readings.still and readings.listed):
        return readings
    points, first = np.empty_like(readings.points), np.empty_like(readings.first)
    values = np.sort(np.hstack([readings.values, readings.as_read]), axis=1)
    _fill_separating(values, readings, points, first)
    return readings._replace(points=points[: first[-1]], first=first)


@kernel
def _fill_separating(values: FloatArray, readings: Readings, points: FloatArray, first: IntArray) -> None:
    """Write per question the first candidate threshold between each two neighbours of the sorted values."""
    count = 0
    for question in range(values.shape[0]):
        first[question] = count
        place = 0
        for number in range(readings.first[question], readings.first[question + 1]):
            point, before = readings.points[number], place
            while place < values.shape[1] and values[question, place] <= point:
                place += 1
            if before < place < values.shape[1]:
                points[count] = point
                count += 1
    first[values.shape[0]] = count


@kernel
def dearest_costs(root: Root, readings: Readings, spent: FloatArray) -> None:
    """Write the dearest costs of going left (row 0) and right (row 1) of a root; ∞ where that is not affordable.

    A root that asks nothing has everything on its left.
    """
    for row in range(readings.room.size):
        if root.question < 0:
            spent[0, row], spent[1, row] = 0.0, np.inf
            continue
        value, cap = readings.values[root.question, row], readings.caps[root.question, row]
        price, lowest = readings.prices[root.question], root.high - readings.margin
        short = max(0.0, value - readings.margin - root.low)
        cost = price * short if short <= cap else np.inf
        spent[0, row] = cost if cost <= readings.room[row] else np.inf
        short = 0.0 if value > lowest else lowest + readings.step[root.question] - value
        cost = price * short if short <= cap else np.inf
        spent[1, row] = cost if cost <= readings.room[row] else np.inf


@kernel
def turns(question: int, side: int, root: Root, readings: Readings, spent: FloatArray, events: FloatArray) -> None:
    """Write where samples reach the two leaves of a stump that asks `question`, on one side of the root.

    Sample j reaches the left leaf for thresholds of at least `events[0, question, j]`, the right one for those of at
    most `events[1, question, j]`. Samples that don't reach this side of the root reach neither.
    """
    enters, leaves = events[0, question], events[1, question]
    margin, step, price = readings.margin, readings.step[question], readings.prices[question]
    for row in range(readings.room.size):
        if spent[side, row] == np.inf:
            enters[row], leaves[row] = np.inf, -np.inf
            continue
        value = readings.values[question, row]
        # On the root's own question it is the distance to the common box that counts.
        left_over = readings.room[row] - (0.0 if question == root.question else spent[side, row])
        largest = min(left_over / price, readings.caps[question, row])
        enters[row] = value - margin - largest
        stays = np.nextafter(value + margin, -np.inf)
        leaves[row] = value + margin + largest - step if largest >= step else stays
        if question != root.question:
            continue
        if side == 0:
            if value > root.low + margin:
                leaves[row] = np.inf
            else:
                # A box narrower than ε can't be entered from below.
                leaves[row] = max(stays, min(leaves[row], root.low + 2.0 * margin - step))
        elif value <= root.high - margin:
            enters[row] = root.high - 2.0 * margin + step


@kernel
def turns_of_all(side: int, root: Root, readings: Readings, spent: FloatArray, events: FloatArray) -> None:
    """Write the costs of going to the root's sides as `dearest_costs` does, and the `turns` of all questions.

    Questions must be about single readings.
    """
    dearest_costs(root, readings, spent)
    for question in range(readings.values.shape[0]):
        turns(question, side, root, readings, spent, events)


@kernel
def stump_reach(question: int, threshold: float, side: int, root: Root, readings: Readings, reach: BoolArray) -> None:
    """Write whether samples reach the left and right leaf (rows) of a stump below a root, whose thresholds are points.

    A question of −1 asks nothing: the left leaf is all there is.
    """
    margin = readings.margin
    for row in range(readings.room.size):
        for leaf in range(2):
            lower, upper = -np.inf, np.inf
            cost = 0.0
            if question < 0 and leaf == 1:
                cost = np.inf
            if root.question >= 0:
                if side == 0:
                    upper = root.low + margin
                else:
                    lower = root.low - margin
                if question != root.question:
                    cost += _distance(root.question, row, lower, upper, readings)
                    lower, upper = -np.inf, np.inf
            if question >= 0:
                if leaf == 0:
                    upper = min(upper, threshold + margin)
                else:
                    lower = max(lower, threshold - margin)
                cost += _distance(question, row, lower, upper, readings)
            reach[leaf, row] = cost <= readings.room[row]


@kernel
def _distance(question: int, row: int, lower: float, upper: float, readings: Readings) -> float:
    """Return what it takes to move a sample's value into (lower, upper]."""
    value = readings.values[question, row]
    if lower >= upper:
        return np.inf
    if value > upper:
        short = value - upper
    elif value <= lower:
        entry = lower + readings.step[question]
        if entry > upper:
            return np.inf
        short = entry - value
    else:
        return 0.0
    return readings.prices[question] * short if short <= readings.caps[question, row] else np.inf


@kernel
def box_costs(question: IntArray, low: FloatArray, high: FloatArray, readings: Readings, out: FloatArray) -> None:
    """Write into `out[k, j]` the dearest cost of moving sample j to leaf k of a tree of depth 1 or 2.

    Its nodes ask `question` (−1 for nothing) with thresholds anywhere from `low` to `high`.
    """
    n_inner = question.size
    for leaf in range(n_inner + 1):
        node = (n_inner + leaf - 1) // 2
        lower, upper = _interval(node, leaf % 2 == 1, question, low, high, readings.margin)
        first, first_lower, first_upper = -1, -np.inf, np.inf
        if node > 0:
            first_lower, first_upper = _interval(0, node == 2, question, low, high, readings.margin)
            first = question[0]
            if first == question[node]:
                lower, upper, first = max(lower, first_lower), min(upper, first_upper), -1
        for row in range(readings.room.size):
            if lower >= upper or first_lower >= first_upper:
                out[leaf, row] = np.inf
                continue
            cost = 0.0
            if question[node] >= 0:
                cost += _distance(question[node], row, lower, upper, readings)
            if first >= 0:
                cost += _distance(first, row, first_lower, first_upper, readings)
            out[leaf, row] = cost


@kernel
def _interval(
    node: int, goes_right: bool, question: IntArray, low: FloatArray, high: FloatArray, margin: float
) -> tuple[float, float]:
    """Return the values that go to one side of a node for sure; none at all on the right of one that asks nothing."""
    if question[node] < 0:
        return (np.inf, np.inf) if goes_right else (-np.inf, np.inf)
    return (high[node] - margin, np.inf) if goes_right else (-np.inf, low[node] + margin)
