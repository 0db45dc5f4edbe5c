"""What the kernels know about the samples: values of the questions, budgets, prices, limits and regrets, as arrays."""

from typing import NamedTuple

import numpy as np

from hedgerow.data.arrays import FloatArray, IntArray
from hedgerow.geometry.kernels import geometry_of, most_changes
from hedgerow.geometry.pairs import Links
from hedgerow.instance import Instance
from hedgerow.tree.splits import Splits

_NARROWEST = 1e-12
"""Cells of thresholds narrower than this, relative to the values, are rounding."""


class Samples(NamedTuple):
    """The samples as kernels want them; the budget is local."""

    values: FloatArray  # Per question (row) and sample its value.
    order: IntArray  # Per question the samples in increasing order of value.
    prices: FloatArray  # Per question what a unit of change costs at least.
    # Per question and sample the largest change, as far as it is limited otherwise than by that price.
    caps: FloatArray
    room: FloatArray  # Per sample the largest affordable move cost.
    step: FloatArray  # Per question ε, the step beyond a threshold.
    margin: float  # How far each threshold may be moved.
    tiny: FloatArray  # Per question the width below which an interval counts as empty.
    # Candidate thresholds of question q are `points[first[q]:first[q + 1]]`; none at all where any number may be one.
    points: FloatArray
    first: IntArray
    regret: FloatArray  # Per sample and solution the loss beyond the sample's least loss.
    min_samples: int  # The least number of samples per leaf.
    links: Links  # What changes cost where questions share items; not known where changes are limited, too.


def is_single(instance: Instance) -> bool:
    """Return whether all questions are about single readings."""
    return all(question.item is not None for question in instance.questions)


def samples_of(
    instance: Instance, losses: FloatArray, splits: Splits | None, margin: float, min_samples: int = 0
) -> Samples:
    """Return the samples of an instance; `splits` is None where any threshold will do.

    A global budget leaves no sample any room. Entry limits are known for single readings only.
    """
    terms = {name: getattr(instance.uncertainty, name) for name in ("prices", "limits", "epsilon")}
    geometry = geometry_of(instance.questions, instance.n_features, **terms)
    values = np.array(instance.question_values.T, order="C")
    n_questions, n_samples = values.shape
    each, sizes = instance.uncertainty.sample_budgets(n_samples).each, np.abs(values)
    room = each if each.size else np.zeros(n_samples)
    caps = np.array(np.broadcast_to(most_changes(geometry), (n_samples, n_questions)).T, order="C")
    if not is_single(instance):
        for question, row in zip(instance.questions, sizes, strict=True):  # sums may cancel, their rounding doesn't
            row[:] = np.abs(instance.observations[:, list(question.items)]) @ np.abs(question.coefficients)
    largest = sizes.max(axis=1)
    points, first = np.empty(0), np.zeros(n_questions + 1, dtype=np.int64)
    if splits is not None:
        points, first = np.array(splits.threshold), np.searchsorted(splits.question, np.arange(n_questions + 1))
    return Samples(
        values=values,
        order=np.argsort(values, axis=1, kind="stable"),
        prices=geometry.rate,
        caps=caps,
        room=room,
        step=np.maximum(geometry.epsilon, 2.0 * np.spacing(largest)),
        margin=float(margin),
        tiny=_NARROWEST * np.maximum(largest, np.finfo(np.float64).tiny),
        points=points,
        first=first.astype(np.int64),
        regret=np.ascontiguousarray(losses - losses.min(axis=1, keepdims=True)),
        min_samples=min_samples,
        links=geometry.links,
    )
