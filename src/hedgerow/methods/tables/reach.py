"""Move costs of structures, compiled: what it takes to send each sample to each slot."""

__all__ = ["Reading", "largest_change", "node_path", "path_costs", "reading_of", "structure_costs"]

from typing import NamedTuple

import numpy as np

from hedgerow.arrays import BoolArray, FloatArray, IntArray
from hedgerow.compiled import kernel
from hedgerow.instance import Instance
from hedgerow.splits import Splits
from hedgerow.tolerances import BUDGET
from hedgerow.uncertainty import LocalBudget, Nominal

_MAX_PATH = 64


class Reading(NamedTuple):
    """How samples are read, and how wrongly: all that move costs depend on, as arrays.

    Attributes
    ----------
    item, threshold
        The candidate splits.
    observations
        One row per sample.
    prices
        Per feature what a unit of change costs.
    limits
        Largest changes: one row for all samples, or one per sample.
    budgets
        Local budgets, one per sample; empty where the budget is global. With local budgets a move costs 0 within the
        budget and ∞ beyond, so that kernels need to know one kind of budget only.
    epsilon
        The step beyond a threshold.
    crowded
        Per feature whether two of its thresholds lie within ε of each other, so that a box between them is too narrow
        to be entered from below.
    limit
        The largest sum of move costs that is affordable; 0 where budgets are local.
    """

    item: IntArray
    threshold: FloatArray
    observations: FloatArray
    prices: FloatArray
    limits: FloatArray
    budgets: FloatArray
    epsilon: float
    crowded: BoolArray
    limit: float


def reading_of(instance: Instance, splits: Splits) -> Reading:
    """Return the instance's observations and uncertainty as the kernels want them."""
    uncertainty = instance.uncertainty
    n_samples, n_features = instance.observations.shape
    prices, limits = np.ones(n_features), np.full((1, n_features), np.inf)
    budgets, epsilon, limit = np.zeros(n_samples), 0.001, 0.0
    if not isinstance(uncertainty, Nominal):
        epsilon = uncertainty.epsilon
        prices = prices if uncertainty.prices is None else uncertainty.prices
        if uncertainty.limits is not None:
            limits = np.array(
                np.broadcast_to(np.atleast_2d(uncertainty.limits), (_rows(uncertainty.limits), n_features))
            )
        if isinstance(uncertainty, LocalBudget):
            budgets = np.array(np.broadcast_to(uncertainty.budget, (n_samples,)), dtype=np.float64)
        else:
            budgets, limit = np.empty(0), float(uncertainty.budget)
    limit = limit + BUDGET if limit > 0.0 else 0.0
    # Writable copies, since kernels are compiled once for such arrays.
    return Reading(
        np.array(splits.question),
        np.array(splits.threshold),
        np.array(instance.observations),
        np.array(prices),
        limits,
        budgets,
        float(epsilon),
        _crowded(splits, n_features, float(epsilon)),
        limit,
    )


def _crowded(splits: Splits, n_features: int, epsilon: float) -> BoolArray:
    crowded = np.zeros(n_features, dtype=np.bool_)
    neighbours = np.flatnonzero(np.diff(splits.question) == 0)
    too_near = splits.threshold[neighbours + 1] < splits.threshold[neighbours] + 2.0 * epsilon
    crowded[splits.question[neighbours[too_near]]] = True
    return crowded


def _rows(limits: float | FloatArray) -> int:
    return limits.shape[0] if isinstance(limits, np.ndarray) and limits.ndim == 2 else 1


@kernel
def largest_change(row: int, item: int, reading: Reading) -> float:
    """Return how much a reading may change; a limit of zero allows no change at all."""
    limit = reading.limits[row if reading.limits.shape[0] > 1 else 0, item]
    return limit + BUDGET if limit > 0.0 else 0.0


@kernel
def path_costs(
    count: int, splits: IntArray, goes_right: IntArray, reading: Reading, levels_below: int, out: FloatArray
) -> None:
    """Write into `out` what it takes to move each sample into the box of a path of `count` questions.

    `splits` are the questions' numbers (negative: asks nothing, all go left), `goes_right` the answers. Where the box
    will be divided further, by `levels_below` levels, it is what suffices to get into one of the parts, however it is
    divided: each further threshold may make a sample that comes from below overshoot by another ε.
    """
    lower = np.empty(count)
    upper = np.empty(count)
    asked = np.empty(count, np.int64)
    n_asked = 0
    exists = True
    for step in range(count):
        split = splits[step]
        if split < 0:
            exists = exists and not goes_right[step]
            continue
        place = n_asked
        for known in range(n_asked):
            if asked[known] == reading.item[split]:
                place = known
        if place == n_asked:
            n_asked += 1
            asked[place] = reading.item[split]
            lower[place] = -np.inf
            upper[place] = np.inf
        if goes_right[step]:
            lower[place] = max(lower[place], reading.threshold[split])
        else:
            upper[place] = min(upper[place], reading.threshold[split])
    for place in range(n_asked):
        exists = exists and lower[place] < upper[place]
    if not exists:
        out[:] = np.inf
        return
    for row in range(reading.observations.shape[0]):
        total = 0.0
        for place in range(n_asked):
            observed = reading.observations[row, asked[place]]
            if observed > upper[place]:
                distance = observed - upper[place]
            elif observed <= lower[place]:
                entry = max(lower[place] + reading.epsilon, np.nextafter(lower[place], np.inf))
                if levels_below and reading.crowded[asked[place]]:
                    entry += ((1 << levels_below) - 1) * reading.epsilon
                if entry > upper[place]:
                    total = np.inf
                    break
                distance = entry - observed
            else:
                continue
            if distance > largest_change(row, asked[place], reading):
                total = np.inf
                break
            total += reading.prices[asked[place]] * distance
        if reading.budgets.size:
            budget = reading.budgets[row]
            total = 0.0 if total <= (budget + BUDGET if budget > 0.0 else 0.0) else np.inf
        out[row] = total


@kernel
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
    splits = np.empty(_MAX_PATH, np.int64)
    goes_right = np.empty(_MAX_PATH, np.int64)
    for slot in range(structure.size + 1):
        count = node_path(structure.size + slot, structure, splits, goes_right)
        path_costs(count, splits, goes_right, reading, 0, out[slot])
