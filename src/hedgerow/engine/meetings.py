"""A bound on trees of any depth under a global budget: samples that can be read as others get the advice of these.

Wherever a tree of depth D sends sample j, it asks at most D questions on the way. So sample i can be misread as j at
the price of the D questions on which they differ most, whatever the tree is. If the adversary sends sample i to where j
belongs with probability w_ij, within the budget, and s_j is the solution that the tree has for j, then

    value  ≥  Σ_i Σ_j w_ij · loss(i, s_j)  =  Σ_j L_w(j, s_j),    L_w(j, s) = Σ_i w_ij · loss(i, s),

and the tree has no more solutions than leaves. For every w that is a p-median problem with losses L_w, bounded as
without a tree. Attacks that are best against the solutions picked last are mixed into w, which is an average of whole
attacks that keep the budget: the adversary can draw one of them by lot.
"""

__all__ = ["bound_by_meetings", "meeting_costs"]

from collections.abc import Callable

import numpy as np

from hedgerow.data.arrays import FloatArray, IntArray
from hedgerow.engine.bounds import Shares
from hedgerow.engine.engine_parameters import ENGINE
from hedgerow.engine.samples import Samples, is_single, samples_of
from hedgerow.geometry import entry_from_below
from hedgerow.instance import Instance
from hedgerow.tree.splits import Splits


def bound_by_meetings(
    instance: Instance,
    losses: FloatArray,
    splits: Splits | None,
    margin: float,
    count: int,
    must_stop: Callable[[], bool],
) -> float:
    """Return a loss that no tree with `count` leaves beats, −∞ where nothing is known.

    Parameters
    ----------
    instance
        The samples; the bound needs a global budget and questions about single readings.
    losses
        What each sample costs with each of all solutions.
    splits
        The candidate thresholds, or None where any number may be one.
    margin
        How far each threshold may be moved.
    count
        How many leaves trees may have.
    must_stop
        Whether to end with the bound so far.
    """
    budget = instance.uncertainty
    if budget.is_separable or not is_single(instance) or must_stop():
        return -np.inf
    if not 1 < instance.n_samples <= ENGINE.most_samples_that_meet:
        return -np.inf
    samples, limit = samples_of(instance, losses, splits, margin), float(budget.budget)
    costs = meeting_costs(samples, instance.depth, must_stop)
    costs[costs > limit] = np.inf
    np.fill_diagonal(costs, 0.0)
    if np.isfinite(costs).sum() == instance.n_samples:
        return -np.inf
    return _bound(losses, costs, limit, min(count, losses.shape[1]), must_stop)


def meeting_costs(samples: Samples, depth: int, must_stop: Callable[[], bool]) -> FloatArray:
    """Return what it takes at most to read a sample (row) as something that belongs where another one (column) does.

    Neighbouring candidate thresholds say how far one must go; where any number may be a threshold, one goes all the
    way. A box that is too narrow to be entered from below is out of reach, and so is everything if there is no time.
    """
    n_questions, n_samples = samples.values.shape
    dearest = np.zeros((min(depth, n_questions), n_samples, n_samples))
    for question in range(n_questions):
        if must_stop():
            return np.full((n_samples, n_samples), np.inf)
        lower, upper = _boxes(question, samples.values[question], samples)
        here = samples.values[question][:, None]
        up = np.where(here > lower, 0.0, entry_from_below(lower, upper, float(samples.step[question])) - here)
        change = np.maximum(up, np.maximum(0.0, here - upper))
        cost = np.where(change <= samples.caps[question][:, None], samples.prices[question] * change, np.inf)
        for level in dearest:
            level[:], cost = np.maximum(level, cost), np.minimum(level, cost)
    return np.asarray(dearest.sum(axis=0))


def _boxes(question: int, values: FloatArray, samples: Samples) -> tuple[FloatArray, FloatArray]:
    """Return the ends of the narrowest boxes in which these values can lie, with thresholds moved apart."""
    if not samples.points.size:
        return values - samples.margin, values + samples.margin
    points = np.concatenate(
        [[-np.inf], samples.points[samples.first[question] : samples.first[question + 1]], [np.inf]]
    )
    above = np.searchsorted(points, values, side="left")
    return points[above - 1] - samples.margin, points[above] + samples.margin


def _bound(losses: FloatArray, costs: FloatArray, limit: float, count: int, must_stop: Callable[[], bool]) -> float:
    """Improve the samples' shares and the attack, a step of each at a time, and return the best bound on the way."""
    rows, mixed = np.arange(len(losses)), losses.copy()
    shares = Shares(mixed.min(axis=1), count, ENGINE.meeting_patience)
    target = np.inf
    for step in range(min(ENGINE.most_meeting_steps, 1 + ENGINE.most_meeting_entries // (mixed.size + costs.size))):
        if must_stop() or shares.scale < ENGINE.shortest_meeting_step:
            break
        picked = shares.pick(mixed)
        served = np.argmin(mixed[:, picked], axis=1)
        sent = _attack(losses[:, picked], served, costs, limit)
        target = min(target, float(losses[rows, picked[served[sent]]].sum()))
        shares.improve(target)
        before = mixed[rows, picked[served]]
        way = 1.0 / (ENGINE.first_meeting_steps + step)
        mixed *= 1.0 - way
        np.add.at(mixed, sent, way * losses)
        shares.of_rows += mixed[rows, picked[served]] - before
    return shares.best


def _attack(losses: FloatArray, served: IntArray, costs: FloatArray, limit: float) -> IntArray:
    """Return as which sample each is read: what gains most for its price first, within the budget.

    `losses` are those of the solutions picked, `served` says which of them each sample gets.
    """
    rows = np.arange(len(losses))
    gain = losses[:, served] - losses[rows, served[rows]][:, None]
    with np.errstate(divide="ignore", invalid="ignore"):
        rate = np.where((gain > 0.0) & np.isfinite(costs), gain / costs, 0.0)
    to = np.argmax(rate, axis=1)
    sent, left = rows.copy(), limit
    for row in np.argsort(-rate[rows, to], kind="stable"):
        if rate[row, to[row]] > 0.0 and costs[row, to[row]] <= left:
            sent[row] = to[row]
            left -= costs[row, to[row]]
    return sent
