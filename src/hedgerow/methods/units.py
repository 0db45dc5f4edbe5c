"""Units in which methods work: losses and readings of moderate size, so that tolerances are relative to the instance.

Scaling is by powers of two, which is exact: what comes out is the same to the last digit.
"""

__all__ = ["Units"]

import dataclasses
from dataclasses import dataclass
from typing import Self

import numpy as np

from hedgerow.data.arrays import FloatArray, frozen
from hedgerow.instance import Instance
from hedgerow.run import Options
from hedgerow.tree.tree import Tree
from hedgerow.uncertainty import Nominal

_MODERATE = 2.0**-6, 2.0**17
"""Sizes between these stay as they are."""

_USUAL = 16.0


@dataclass(frozen=True)
class Units:
    """What losses and readings are multiplied by; see `of`."""

    losses: float = 1.0
    readings: float = 1.0

    @classmethod
    def of(cls, instance: Instance) -> Self:
        """Return units in which the instance is of moderate size: the typical cost, and the typical range of readings.

        Losses are scaled by the weights of samples, which works for any cost function.
        """
        sizes = np.abs(instance.weights[:, None] * instance.costs)
        return cls(_factor(sizes), _factor(np.ptp(instance.observations, axis=0)))

    def scaled(self, instance: Instance) -> Instance:
        """Return the instance in these units."""
        if self.losses != 1.0:
            instance = dataclasses.replace(instance, weights=frozen(self.losses * instance.weights))
        if self.readings == 1.0:
            return instance
        uncertainty, unit = instance.uncertainty, self.readings
        if not isinstance(uncertainty, Nominal):
            limits = None if uncertainty.limits is None else unit * np.asarray(uncertainty.limits)
            uncertainty = dataclasses.replace(
                uncertainty, budget=unit * uncertainty.budget, limits=limits, epsilon=unit * uncertainty.epsilon
            )
        observations = frozen(unit * instance.observations)
        return dataclasses.replace(instance, observations=observations, uncertainty=uncertainty)

    def options(self, options: Options) -> Options:
        """Return the options in these units."""
        margin = options.threshold_margin
        return options if margin is None else options.replace(threshold_margin=self.readings * margin)

    def tree(self, tree: Tree) -> Tree:
        """Return a tree that was found in these units as one for the instance itself."""
        return tree if self.readings == 1.0 else tree.replace(threshold=tree.threshold / self.readings)


def _factor(sizes: FloatArray) -> float:
    """Return a power of two that brings the typical size near the usual one; 1 if it is moderate already."""
    sizes = sizes[sizes > 0.0]
    typical = float(np.median(sizes)) if sizes.size else 1.0
    if _MODERATE[0] <= typical <= _MODERATE[1]:
        return 1.0
    return float(2.0 ** np.round(np.log2(_USUAL) - np.log2(typical)))
