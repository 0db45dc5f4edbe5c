"""What a rule book keeps of its training data: ranges and counts, but no samples."""

__all__ = ["Training"]

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from hedgerow.data.arrays import BoolArray, FloatArray, IntArray, frozen
from hedgerow.data.checks import finite_vector, integer_between, number_at_least
from hedgerow.errors import InputError
from hedgerow.instance import MAX_DEPTH, Instance
from hedgerow.tree.tree import Tree
from hedgerow.uncertainty import GlobalBudget, LocalBudget, Uncertainty


@dataclass(frozen=True, eq=False)
class Training:
    """A summary of the training data: what a fraction λ refers to, and how the tree sorts the samples.

    Attributes
    ----------
    n_samples
        N: number of samples.
    depth
        The requested depth D.
    ranges
        Smallest and largest value of each feature, features × 2.
    total_weight
        What means divide by.
    observes_costs
        Whether the tree asks about the costs themselves, rather than about other features.
    leaf_samples
        Per leaf of the tree, from left to right, how many samples reach it as read; None if not known.
    weighted
        Whether any sample has another weight than 1; None if not known.
    draws
        How many of these samples stand for each row of the data, with readings drawn at random; 1 if none were drawn.
    """

    n_samples: int
    depth: int
    ranges: FloatArray
    total_weight: float
    observes_costs: bool
    leaf_samples: IntArray | None = None
    weighted: bool | None = None
    draws: int = 1

    @classmethod
    def of(cls, instance: Instance, tree: Tree | None = None) -> Self:
        """Return the summary of an instance's data, and of how a tree sorts it."""
        observed = instance.observations
        return cls(
            n_samples=instance.n_samples,
            depth=instance.depth,
            ranges=frozen(np.stack([observed.min(axis=0), observed.max(axis=0)], axis=1)),
            total_weight=instance.total_weight,
            observes_costs=instance.observes_costs,
            leaf_samples=None if tree is None else frozen(np.bincount(tree.apply(observed), minlength=tree.n_leaves)),
            weighted=not np.allclose(instance.weights * instance.draws, 1.0, rtol=1e-12, atol=0.0),
            draws=instance.draws,
        )

    @classmethod
    def from_dict(cls, data: Mapping[str, Any], n_features: int, n_leaves: int) -> Self:
        """Return the summary that `to_dict` described; raise `InputError` if it is damaged."""
        low, high = (
            finite_vector(data.get(name), f"training {name}", length=n_features, per="features")
            for name in ("minima", "maxima")
        )
        counts = data.get("leaf_samples")
        if counts is not None:
            if not isinstance(counts, list) or len(counts) != n_leaves:
                raise InputError(f"training leaf_samples must be a list of {n_leaves} numbers.")
            whole = [integer_between(count, "training leaf_samples", 0, 2**53) for count in counts]
            counts = frozen(np.array(whole, dtype=np.int64))
        return cls(
            n_samples=integer_between(data.get("n_samples"), "training n_samples", 1),
            depth=integer_between(data.get("depth"), "training depth", 0, MAX_DEPTH),
            ranges=frozen(np.stack([low, np.maximum(low, high)], axis=1)),
            total_weight=number_at_least(data.get("total_weight"), "training total_weight", strict=True),
            observes_costs=data.get("observes_costs") is not False,
            leaf_samples=counts,
            weighted=data.get("weighted") if isinstance(data.get("weighted"), bool) else None,
            draws=integer_between(data.get("draws", 1), "training draws", 1),
        )

    def to_dict(self) -> dict[str, Any]:
        """Return a JSON-ready description."""
        plain = ("n_samples", "depth", "total_weight", "weighted", "observes_costs", "draws")
        minima, maxima = self.ranges.T.tolist()
        counts = {} if self.leaf_samples is None else {"leaf_samples": self.leaf_samples.tolist()}
        return {**{name: getattr(self, name) for name in plain}, "minima": minima, "maxima": maxima, **counts}

    def outside(self, readings: FloatArray) -> BoolArray:
        """Return which readings, rows of all features, lie outside of what was seen; missing ones (NaN) don't."""
        return (readings < self.ranges[:, 0]) | (readings > self.ranges[:, 1])

    def bind(self, uncertainty: Uncertainty) -> Uncertainty:
        """Return the set with absolute budget and prices, as on the training data: what `model.uncertainty_` is.

        >>> training = Training(10, 2, np.array([[0.0, 4.0], [1.0, 2.0]]), 10.0, True)
        >>> training.bind(GlobalBudget(fraction=0.5))
        GlobalBudget(40.0)
        """
        # Two rows have the same ranges as all of them; only the number of samples has to be put back.
        extremes = np.ascontiguousarray(self.ranges.T)
        if not isinstance(uncertainty, GlobalBudget) or uncertainty.fraction is None:
            return uncertainty.bind(extremes, self.depth)
        options = {name: getattr(uncertainty, name) for name in ("limits", "prices", "epsilon")}
        each = LocalBudget(fraction=uncertainty.fraction, **options).bind(extremes, self.depth)
        return GlobalBudget(each.budget * self.n_samples, **{**options, "prices": each.prices})
