"""What the kernels know about the samples: values of the questions, budgets, prices, limits and regrets, as arrays."""

__all__ = ["Samples", "samples_of"]

from typing import NamedTuple

import numpy as np

from hedgerow.arrays import FloatArray, IntArray
from hedgerow.geometry import reach_limit
from hedgerow.instance import Instance
from hedgerow.splits import Splits
from hedgerow.uncertainty import LocalBudget, Nominal

_NARROWEST = 1e-12
"""Cells of thresholds narrower than this, relative to the values, are rounding."""


class Samples(NamedTuple):
    """The samples as kernels want them; the budget is local.

    Attributes
    ----------
    values
        Per question (row) and sample its value.
    order
        Per question the samples in increasing order of value.
    prices
        Per question what a unit of change costs.
    caps
        Per question and sample the largest change.
    room
        Per sample the largest affordable move cost.
    step
        Per question ε, the step beyond a threshold.
    margin
        How far each threshold may be moved.
    tiny
        Per question the width below which an interval counts as empty.
    points, first
        Candidate thresholds of question q are `points[first[q]:first[q + 1]]`; none at all where any number may be
        one.
    regret
        Per sample and solution the loss beyond the sample's least loss.
    """

    values: FloatArray
    order: IntArray
    prices: FloatArray
    caps: FloatArray
    room: FloatArray
    step: FloatArray
    margin: float
    tiny: FloatArray
    points: FloatArray
    first: IntArray
    regret: FloatArray


def samples_of(instance: Instance, losses: FloatArray, splits: Splits | None, margin: float) -> Samples:
    """Return the samples of an instance with a local budget or none; `splits` is None where any threshold will do."""
    uncertainty = instance.uncertainty
    values = np.array(instance.question_values.T, order="C")
    items = [question.items[0] for question in instance.questions]
    n_questions, n_samples = values.shape
    prices, caps, room, epsilon = np.ones(n_questions), np.full(values.shape, np.inf), np.zeros(n_samples), 0.0
    if not isinstance(uncertainty, Nominal):
        epsilon = uncertainty.epsilon
        if uncertainty.prices is not None:
            prices = np.array(uncertainty.prices[items], dtype=np.float64)
        if uncertainty.limits is not None:
            limits = np.asarray(uncertainty.limits, dtype=np.float64)
            caps = np.array(np.broadcast_to(limits, instance.observations.shape).T[items], order="C")
            caps = np.where(caps > 0.0, reach_limit(caps), 0.0)
        if isinstance(uncertainty, LocalBudget):
            budget = np.asarray(uncertainty.budget, dtype=np.float64)
            room = np.array(reach_limit(np.array(np.broadcast_to(budget, (n_samples,)))))
    largest = np.abs(values).max(axis=1)
    points, first = np.empty(0), np.zeros(n_questions + 1, dtype=np.int64)
    if splits is not None:
        points, first = np.array(splits.threshold), np.searchsorted(splits.question, np.arange(n_questions + 1))
    return Samples(
        values=values,
        order=np.argsort(values, axis=1, kind="stable"),
        prices=prices,
        caps=caps,
        room=room,
        step=np.maximum(epsilon, 2.0 * np.spacing(largest)),
        margin=float(margin),
        tiny=_NARROWEST * np.maximum(largest, np.finfo(np.float64).tiny),
        points=points,
        first=first.astype(np.int64),
        regret=np.ascontiguousarray(losses - losses.min(axis=1, keepdims=True)),
    )
