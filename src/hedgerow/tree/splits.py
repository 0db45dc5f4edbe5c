"""Where a tree may split: candidate thresholds, Θ(i) in the paper."""

__all__ = ["GRID_POINTS", "Splits", "ThresholdSet", "between", "candidate_splits"]

from dataclasses import dataclass
from functools import cached_property
from typing import Literal, TypeAlias

import numpy as np

from hedgerow.data.arrays import FloatArray, IntArray, frozen
from hedgerow.tree.questions import Question

ThresholdSet: TypeAlias = Literal["midpoints", "grid", "continuous"]

GRID_POINTS = tuple(tenths / 10 for tenths in range(9, 0, -1))
"""The paper's Π in the order of growing thresholds: θ = π · left + (1 − π) · right."""


@dataclass(frozen=True)
class Splits:
    """All candidate splits, sorted by question and threshold.

    Attributes
    ----------
    question, threshold
        Per split the number of its question and the threshold.
    below, above
        The neighbouring sample values between which the threshold lies: `below <= threshold < above`.
    questions
        The questions that the numbers refer to; if left out, a number is that of an item.
    """

    question: IntArray
    threshold: FloatArray
    below: FloatArray
    above: FloatArray
    questions: tuple[Question, ...] | None = None

    def __len__(self) -> int:
        return int(self.question.size)

    @cached_property
    def first(self) -> IntArray:
        """Per question that has splits the number of the first one."""
        new = np.ones(len(self), dtype=bool)
        new[1:] = self.question[1:] != self.question[:-1]
        return np.flatnonzero(new)

    @property
    def asked(self) -> IntArray:
        """The questions that have splits."""
        return self.question[self.first]

    def question_of(self, split: int) -> Question:
        """Return the question of a split."""
        number = int(self.question[split])
        return Question.of_item(number) if self.questions is None else self.questions[number]


def candidate_splits(
    values: FloatArray,
    thresholds: ThresholdSet | None = "midpoints",
    questions: tuple[Question, ...] | None = None,
) -> Splits:
    """Return the candidate splits between consecutive distinct values of each question; constant ones have none.

    `values` has one column per question. Without `questions` the columns are items.
    Where any number may be a threshold, midpoints stand for all: one in each gap between values.

    Examples
    --------
    >>> import numpy as np
    >>> from hedgerow.tree.splits import candidate_splits
    >>> candidate_splits(np.array([[0.0, 7.0], [1.0, 7.0], [9.0, 7.0]])).threshold
    array([0.5, 5. ])
    """
    shares = GRID_POINTS if thresholds == "grid" else (0.5,)
    pieces: list[tuple[FloatArray, ...]] = []
    for number, column in enumerate(values.T):
        distinct = np.unique(column)
        below, above = np.repeat(distinct[:-1], len(shares)), np.repeat(distinct[1:], len(shares))
        points = between(below, above, np.tile(shares, distinct.size - 1))
        is_new = np.append(True, points[1:] > points[:-1])[: points.size]
        pieces.append(tuple(part[is_new] for part in (np.full(points.size, number), points, below, above)))
    question, threshold, low, high = (frozen(np.concatenate(parts)) for parts in zip(*pieces, strict=True))
    return Splits(question, threshold, low, high, questions)


def between(below: FloatArray, above: FloatArray, share_of_below: FloatArray | float) -> FloatArray:
    """Return `share · below + (1 − share) · above`, never rounded up to `above`, where sides would change."""
    # Each term is scaled on its own so that huge values don't overflow.
    point = share_of_below * below + (1.0 - share_of_below) * above
    return np.where((point < above) & (point >= below), point, below)
