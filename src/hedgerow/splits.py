"""Where a tree may split: candidate thresholds, Θ(i) in the paper."""

__all__ = ["GRID_POINTS", "Splits", "ThresholdSet", "between", "candidate_splits"]

from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np

from hedgerow.arrays import FloatArray, IntArray, frozen
from hedgerow.errors import InputError

ThresholdSet: TypeAlias = Literal["midpoints", "grid"]

GRID_POINTS = tuple(tenths / 10 for tenths in range(9, 0, -1))
"""The paper's Π in the order of growing thresholds: θ = π · left + (1 − π) · right."""


@dataclass(frozen=True)
class Splits:
    """All candidate splits, sorted by item and threshold.

    Attributes
    ----------
    item, threshold
        Per split the item asked about and the threshold.
    below, above
        The neighbouring sample values between which the threshold lies: `below <= threshold < above`.
    """

    item: IntArray
    threshold: FloatArray
    below: FloatArray
    above: FloatArray

    def __len__(self) -> int:
        return int(self.item.size)


def candidate_splits(
    observations: FloatArray, thresholds: ThresholdSet = "midpoints", max_thresholds: int | None = None
) -> Splits:
    """Return the candidate splits between consecutive distinct values of each item; constant items have none.

    Where an item has more than `max_thresholds`, so many are kept: those at evenly spaced places in their order.

    Examples
    --------
    >>> import numpy as np
    >>> from hedgerow.splits import candidate_splits
    >>> candidate_splits(np.array([[0.0, 7.0], [1.0, 7.0], [9.0, 7.0]])).threshold
    array([0.5, 5. ])
    """
    if thresholds not in ("midpoints", "grid"):
        raise InputError(f'thresholds must be "midpoints" or "grid"; got {thresholds!r}.')
    shares = (0.5,) if thresholds == "midpoints" else GRID_POINTS
    items, candidates, lower, upper = [], [], [], []
    for item in range(observations.shape[1]):
        values = np.unique(observations[:, item])
        below, above = values[:-1], values[1:]
        for_item = np.stack([between(below, above, share) for share in shares], axis=1)
        keep = np.ones_like(for_item, dtype=bool)
        keep[:, 1:] = np.diff(for_item, axis=1) > 0.0
        if max_thresholds is not None and keep.sum() > max_thresholds:
            # In the middle of as many equal stretches, so that a single one is the median.
            places = ((np.arange(max_thresholds) + 0.5) * keep.sum() / max_thresholds).astype(np.int64)
            chosen = np.flatnonzero(keep)[places]
            keep[:] = False
            keep.flat[chosen] = True
        items.append(np.full(int(keep.sum()), item, dtype=np.int64))
        candidates.append(for_item[keep])
        lower.append(np.repeat(below, keep.sum(axis=1)))
        upper.append(np.repeat(above, keep.sum(axis=1)))
    if not items:
        raise InputError("there are no items to split on.")
    return Splits(*(frozen(np.concatenate(parts)) for parts in (items, candidates, lower, upper)))


def between(below: FloatArray, above: FloatArray, share_of_below: float) -> FloatArray:
    """Return `share · below + (1 − share) · above`, never rounded up to `above`, where sides would change."""
    # Each term is scaled on its own so that huge values don't overflow.
    point = share_of_below * below + (1.0 - share_of_below) * above
    return np.where((point < above) & (point >= below), point, below)
