"""Questions, prices and limits as the flat arrays that the kernels want."""

__all__ = ["Asked", "geometry_of", "most_changes", "separate"]

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

import numpy as np

from hedgerow.data.arrays import FloatArray
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

    Prices, limits and ε are as in an uncertainty set.
    """
    from hedgerow.geometry.kernels import Geometry
    from hedgerow.geometry.pairs import Links, list_pairs

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
    limited = bool(np.isfinite(limit).any())
    known = (start, item, coefficient, cheapest, rate, price, limit, limited, float(epsilon))
    if separate(questions):
        links = Links(np.empty((0, 0), np.int64), np.zeros(1, np.int64), np.empty((0, 2)), np.empty((0, 2)))
    else:
        links = list_pairs(start, item, coefficient, price)
    return Geometry(*known, links)


def most_changes(geometry: "Geometry") -> FloatArray:
    """Return how much limits let each question's value change at most, in one row for all samples or one each."""
    terms = np.abs(geometry.coefficient) * geometry.limits[:, geometry.item]
    most: FloatArray = np.add.reduceat(terms, geometry.start[:-1], axis=1)
    return most
