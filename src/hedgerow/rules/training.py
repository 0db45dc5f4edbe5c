"""What a rule book keeps of its training data: ranges, counts and a few hashes of rows, but no samples."""

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Self

import numpy as np

from hedgerow.data.arrays import FloatArray, IntArray, frozen
from hedgerow.data.checks import finite_vector, integer_between, number_at_least
from hedgerow.errors import InputError
from hedgerow.instance import MAX_DEPTH, Instance
from hedgerow.tree.questions import Feature
from hedgerow.tree.tree import Tree
from hedgerow.uncertainty import Uncertainty

_MAX_HASHES: Final = 128
_HASH_BYTES: Final = 4
_HASH: Final = re.compile(f"[0-9a-f]{{{2 * _HASH_BYTES}}}")
_MOST_REPEATED: Final = 0.02
"""If a larger share of the training rows repeats, new rows may equal them by chance, and no hashes are kept."""
_FEWEST_SEEN: Final = 3
"""Fewer rows than this may equal training rows by chance."""


@dataclass(frozen=True, eq=False)
class Training:
    """A summary of the training data: what a fraction λ refers to, and how the tree sorts the samples.

    Attributes
    ----------
    n_samples
        N: number of samples.
    depth
        The requested depth D.
    minima, maxima
        Smallest and largest value of each feature.
    total_weight
        What means divide by.
    observes_costs
        Whether the tree asks about the costs themselves, rather than about other features.
    leaf_samples
        Per leaf of the tree, from left to right, how many samples reach it as read; per row of its solutions where
        leaves have several plans. None if not known.
    draws
        How many of these samples stand for each row of the data, with readings drawn at random; 1 if none were drawn.
    flags
        Numbers of the columns of context that hold nothing but 0 and 1: answers to yes/no questions.
    row_hashes
        The 128 smallest hashes of rows of costs, by which training rows are recognised; none if rows repeat.
    """

    n_samples: int
    depth: int
    minima: FloatArray
    maxima: FloatArray
    total_weight: float
    observes_costs: bool = True
    leaf_samples: IntArray | None = None
    draws: int = 1
    flags: tuple[int, ...] = ()
    row_hashes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        integer_between(self.n_samples, "training n_samples", 1)
        integer_between(self.depth, "training depth", 0, MAX_DEPTH)
        integer_between(self.draws, "training draws", 1)
        number_at_least(self.total_weight, "training total_weight", strict=True)
        for name in ("minima", "maxima"):
            finite_vector(getattr(self, name), f"training {name}", length=len(self.minima), per="features")
        if self.leaf_samples is not None and (self.leaf_samples < 0).any():
            raise InputError("training leaf_samples must be zero or more.")
        if len(self.row_hashes) > _MAX_HASHES or not all(map(_HASH.fullmatch, self.row_hashes)):
            raise InputError(f"training row_hashes must be at most {_MAX_HASHES} hashes.")

    @property
    def ranges(self) -> FloatArray:
        """Smallest and largest value of each feature, features × 2."""
        return frozen(np.stack([self.minima, np.maximum(self.minima, self.maxima)], axis=1))

    @classmethod
    def of(cls, instance: Instance, tree: Tree) -> Self:
        """Return the summary of an instance's data, and of how a tree sorts it."""
        observed, rows = instance.observations, instance.costs[:: instance.draws]
        hashes = _row_hashes(rows)
        are_repeated = len(rows) - len(hashes) > _MOST_REPEATED * len(rows)
        return cls(
            n_samples=instance.n_samples,
            depth=instance.depth,
            minima=frozen(observed.min(axis=0)),
            maxima=frozen(observed.max(axis=0)),
            total_weight=instance.total_weight,
            observes_costs=instance.observes_costs,
            leaf_samples=frozen(np.bincount(tree.choose(observed), minlength=len(tree.solutions))),
            draws=instance.draws,
            flags=_flags(instance),
            row_hashes=() if are_repeated else tuple(sorted(hashes)[:_MAX_HASHES]),
        )

    def share_seen(self, costs: FloatArray) -> float:
        """Return about which share of some rows of costs are training rows; 0 if that can't be told.

        The smallest hashes are a random sample of the training rows, so that parts of these are recognised, too.

        >>> from hedgerow.problems import Selection
        >>> rows = np.arange(12.0).reshape(6, 2)
        >>> training = Training.of(Instance.create(Selection(2, 1), rows[:4]), Tree.single([1.0, 0.0]))
        >>> training.share_seen(rows), training.share_seen(rows[4:])
        (0.6666666666666666, 0.0)
        """
        n_seen = len(_row_hashes(costs) & {*self.row_hashes})
        if n_seen < _FEWEST_SEEN:
            return 0.0
        n_rows = self.n_samples / self.draws
        return min(1.0, n_seen * n_rows / (len(self.row_hashes) * len(costs)))

    def bind(self, uncertainty: Uncertainty, names: Sequence[str] = (), context: Sequence[Feature] = ()) -> Uncertainty:
        """Return the set with absolute budget and prices, as on the training data: what `model.uncertainty_` is.

        >>> from hedgerow import GlobalBudget
        >>> training = Training(10, 2, np.array([0.0, 1.0]), np.array([4.0, 2.0]), 10.0)
        >>> training.bind(GlobalBudget(fraction=0.5))
        GlobalBudget(40.0)
        """
        # Two rows have the same ranges as all of them.
        ranges = np.ascontiguousarray(self.ranges.T)
        return uncertainty.bind(ranges, self.depth, self.n_samples, names=names, context=context)


def _flags(instance: Instance) -> tuple[int, ...]:
    """Return the columns of context that hold both 0 and 1, and nothing else."""
    observed = instance.observations
    is_flag = np.isin(observed, (0.0, 1.0)).all(axis=0) & (observed.min(axis=0) < observed.max(axis=0))
    is_flag[: instance.n_readings] = False
    return tuple(np.flatnonzero(is_flag).tolist())


def _row_hashes(costs: FloatArray) -> set[str]:
    """Return a short hash of each row; −0.0 counts as 0.0."""
    return {hashlib.blake2b(row.tobytes(), digest_size=_HASH_BYTES).hexdigest() for row in costs + 0.0}
