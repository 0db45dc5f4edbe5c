"""Questions, prices and limits as the flat arrays that the kernels want."""

__all__ = ["Asked", "geometry_of", "separate"]

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

import numpy as np

from hedgerow.arrays import FloatArray, IntArray
from hedgerow.geometry.budget import reach_limit

if TYPE_CHECKING:
    from hedgerow.geometry.kernels import Geometry


class Asked(Protocol):
    """What move costs need to know of a question: the items that it reads, in increasing order, and coefficients."""

    @property
    def items(self) -> Sequence[int]:
        """Indices of the items."""

    @property
    def coefficients(self) -> Sequence[float]:
        """Their coefficients, none of them 0."""


def separate(questions: Sequence[Asked]) -> bool:
    """Return whether no item is read by two questions, so that the costs of moving them add up."""
    items = [item for question in questions for item in question.items]
    return len(items) == len(set(items))


def geometry_of(
    questions: Sequence[Asked],
    n_items: int,
    *,
    prices: FloatArray | None = None,
    limits: float | FloatArray | None = None,
    epsilon: float = 0.001,
) -> "Geometry":
    """Return the geometry of some questions: what their values cost to change, alone and together.

    Parameters
    ----------
    questions
        What may be asked.
    n_items
        How many items there are.
    prices, limits, epsilon
        As in an uncertainty set.

    Examples
    --------
    >>> import numpy as np
    >>> from types import SimpleNamespace as Asked
    >>> from hedgerow.geometry import geometry_of
    >>> from hedgerow.geometry.kernels import change_range, pair_cost
    >>> less, more = Asked(items=(0, 1), coefficients=(1.0, -1.0)), Asked(items=(0, 2), coefficients=(1.0, 1.0))
    >>> geometry = geometry_of([less, more], 3)
    >>> up = change_range(1.0, 3.0, np.inf, 0.001)
    >>> round(pair_cost(0, *up, 1, *up, geometry), 9)  # raising item 0 serves both
    2.001
    """
    from hedgerow.geometry.kernels import Geometry

    start = np.cumsum([0, *(len(question.items) for question in questions)])
    item = np.array([index for question in questions for index in question.items], dtype=np.int64)
    coefficient = np.array([number for question in questions for number in question.coefficients], dtype=np.float64)
    price = np.ones(n_items) if prices is None else np.array(prices, dtype=np.float64)
    limit = np.full((1, n_items), np.inf)
    if limits is not None:
        given = np.atleast_2d(np.asarray(limits, dtype=np.float64))
        limit = np.array(np.broadcast_to(reach_limit(given), (given.shape[0], n_items)))
    per_unit = price[item] / np.abs(coefficient)
    question_of = np.repeat(np.arange(len(questions)), np.diff(start))
    cheapest = np.lexsort((per_unit, question_of))
    rate = per_unit[cheapest[start[:-1]]]
    return Geometry(
        start,
        item,
        coefficient,
        cheapest,
        rate,
        price,
        limit,
        bool(np.isfinite(limit).any()),
        float(epsilon),
        *_pairs(questions, start, item, coefficient, price),
    )


def _pairs(
    questions: Sequence[Asked], start: IntArray, item: IntArray, coefficient: FloatArray, price: FloatArray
) -> tuple[IntArray, IntArray, FloatArray, FloatArray, int]:
    # Compiled only where some question isn't about an item of its own.
    if separate(questions):
        return np.empty((0, 0), np.int64), np.zeros(1, np.int64), np.empty((0, 2)), np.empty((0, 2)), 0
    from hedgerow.geometry.least_change import solver_address
    from hedgerow.geometry.pairs import list_pairs

    return (*list_pairs(start, item, coefficient, price), solver_address())
