"""Units in which methods work: losses and readings of moderate size, so that tolerances are relative to the instance.

Scaling is by powers of two, which is exact: what comes out is the same to the last digit.
"""

import dataclasses
from dataclasses import dataclass
from typing import Self

import numpy as np

from hedgerow.data.arrays import FloatArray, frozen
from hedgerow.instance import Instance
from hedgerow.methods.parameters import PARAMETERS
from hedgerow.run import Options
from hedgerow.tree.tree import Tree


@dataclass(frozen=True)
class WorkingUnits:
    """What losses and readings are multiplied by; see `of`."""

    losses: float = 1.0
    readings: float = 1.0

    @classmethod
    def of(cls, instance: Instance) -> Self:
        """Return units in which the instance is of moderate size: what good plans cost, and the range of readings.

        Losses are scaled by the weights of samples, which works for any cost function. Entries that are larger than
        what any good plan costs, such as placeholders for what must not be used, don't count.
        """
        return cls(_factor(_good_losses(instance)), _factor(np.ptp(instance.observations, axis=0)))

    def scaled(self, instance: Instance) -> Instance:
        """Return the instance in these units."""
        if self.losses != 1.0:
            instance = dataclasses.replace(instance, weights=frozen(self.losses * instance.weights))
        if self.readings == 1.0:
            return instance
        uncertainty = instance.uncertainty.in_unit(self.readings)
        observations = frozen(self.readings * instance.observations)
        return dataclasses.replace(instance, observations=observations, uncertainty=uncertainty)

    def options(self, options: Options) -> Options:
        """Return the options in these units."""
        margin = options.threshold_margin
        return options if margin is None else options.replace(threshold_margin=self.readings * margin)

    def tree(self, tree: Tree) -> Tree:
        """Return a tree that was found in these units as one for the instance itself."""
        return tree if self.readings == 1.0 else tree.replace(threshold=tree.threshold / self.readings)


def _good_losses(instance: Instance) -> FloatArray:
    """Return sizes of losses that good plans have: the least losses of some samples, or the least costs if all are 0.

    If all costs are of moderate size, so are these losses, and the costs are returned.
    """
    sizes = np.abs(instance.weights[:, None] * instance.costs)
    counts = sizes[sizes > 0.0]
    if not counts.size or (_is_moderate(counts.min()) and _is_moderate(counts.max())):
        return counts
    rows = np.flatnonzero(sizes.any(axis=1))
    rows = rows[np.unique(np.linspace(0, rows.size - 1, PARAMETERS.samples_for_size).astype(np.int64))]
    least, most = instance.problem.cost_bounds(instance.costs[rows])
    losses = np.abs(instance.weights[rows] * (least if instance.sign > 0.0 else most))
    losses = losses[np.isfinite(losses) & (losses > 0.0)]
    return losses if losses.size else np.where(sizes[rows] > 0.0, sizes[rows], np.inf).min(axis=1)


def _factor(sizes: FloatArray) -> float:
    """Return a power of two that brings the typical size near the usual one; 1 if it is moderate already."""
    sizes = sizes[sizes > 0.0]
    typical = float(np.median(sizes)) if sizes.size else 1.0
    if _is_moderate(typical):
        return 1.0
    return float(2.0 ** np.round(np.log2(PARAMETERS.usual_size) - np.log2(typical)))


def _is_moderate(size: float) -> bool:
    least, most = PARAMETERS.moderate_size
    return bool(least <= size <= most)
