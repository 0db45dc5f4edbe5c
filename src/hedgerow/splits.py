"""Where a tree may split: candidate thresholds, Θ(i) in the paper."""

__all__ = ["GRID_POINTS", "Splits", "ThresholdSet", "between", "candidate_splits"]

from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np

from hedgerow.arrays import FloatArray, IntArray, frozen
from hedgerow.errors import InputError
from hedgerow.questions import Question

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

    def question_of(self, split: int) -> Question:
        """Return the question of a split."""
        number = int(self.question[split])
        return Question.of_item(number) if self.questions is None else self.questions[number]


def candidate_splits(
    values: FloatArray,
    thresholds: ThresholdSet | None = "midpoints",
    max_thresholds: int | None = None,
    questions: tuple[Question, ...] | None = None,
) -> Splits:
    """Return the candidate splits between consecutive distinct values of each question; constant ones have none.

    `values` has one column per question. Where a question has more than `max_thresholds` candidates, that many are
    kept, evenly spaced in their order. Without `questions` the columns are items.
    Where any number may be a threshold, midpoints stand for all: one in each gap between values.

    Examples
    --------
    >>> import numpy as np
    >>> from hedgerow.splits import candidate_splits
    >>> candidate_splits(np.array([[0.0, 7.0], [1.0, 7.0], [9.0, 7.0]])).threshold
    array([0.5, 5. ])
    """
    if thresholds not in (None, "midpoints", "grid", "continuous"):
        raise InputError(f'thresholds must be "midpoints", "grid" or "continuous"; got {thresholds!r}.')
    shares = GRID_POINTS if thresholds == "grid" else (0.5,)
    numbers, candidates, lower, upper = [], [], [], []
    for number in range(values.shape[1]):
        distinct = np.unique(values[:, number])
        below, above = distinct[:-1], distinct[1:]
        of_question = np.stack([between(below, above, share) for share in shares], axis=1)
        keep = np.ones_like(of_question, dtype=bool)
        keep[:, 1:] = np.diff(of_question, axis=1) > 0.0
        if max_thresholds is not None and keep.sum() > max_thresholds:
            # In the middle of as many equal stretches, so that a single one is the median.
            places = ((np.arange(max_thresholds) + 0.5) * keep.sum() / max_thresholds).astype(np.int64)
            chosen = np.flatnonzero(keep)[places]
            keep[:] = False
            keep.flat[chosen] = True
        numbers.append(np.full(int(keep.sum()), number, dtype=np.int64))
        candidates.append(of_question[keep])
        lower.append(np.repeat(below, keep.sum(axis=1)))
        upper.append(np.repeat(above, keep.sum(axis=1)))
    if not numbers:
        raise InputError("there are no items to split on.")
    question, threshold, below, above = (frozen(np.concatenate(parts)) for parts in (numbers, candidates, lower, upper))
    return Splits(question, threshold, below, above, questions)


def between(below: FloatArray, above: FloatArray, share_of_below: float) -> FloatArray:
    """Return `share · below + (1 − share) · above`, never rounded up to `above`, where sides would change."""
    # Each term is scaled on its own so that huge values don't overflow.
    point = share_of_below * below + (1.0 - share_of_below) * above
    return np.where((point < above) & (point >= below), point, below)
