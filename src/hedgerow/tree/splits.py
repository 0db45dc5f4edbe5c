"""Where a tree may split: candidate thresholds, Θ(i) in the paper."""

__all__ = ["GRID_POINTS", "Splits", "ThresholdSet", "between", "candidate_splits"]

from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from hedgerow.data.arrays import FloatArray, IntArray
from hedgerow.errors import InputError
from hedgerow.tree.questions import Question

ThresholdSet: TypeAlias = Literal["midpoints", "grid", "continuous"]

GRID_POINTS = tuple(tenths / 10 for tenths in range(9, 0, -1))
"""The paper's Π in the order of growing thresholds: θ = π · left + (1 − π) · right."""

_VALUES_AT_ONCE = 100_000
"""How many values are sorted in one call: many columns of a wide table, one column of a long one."""


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
    if thresholds not in (None, "midpoints", "grid", "continuous"):
        raise InputError(f'thresholds must be "midpoints", "grid" or "continuous"; got {thresholds!r}.')
    if values.shape[1] == 0:
        raise InputError("there are no items to split on.")
    shares = GRID_POINTS if thresholds == "grid" else (0.5,)
    most = len(values) * len(shares)
    # Made at full size once: pieces that are joined later take the memory twice.
    fields = np.empty(most * values.shape[1], dtype=np.int64), *(np.empty(most * values.shape[1]) for _ in range(3))
    at_once, count = max(1, _VALUES_AT_ONCE // max(1, len(values))), 0
    for first in range(0, values.shape[1], at_once):
        parts = _splits_of_columns(values[:, first : first + at_once], first, shares)
        end = count + parts[0].size
        for field, part in zip(fields, parts, strict=True):
            field[count:end] = part
        count = end
    question, threshold, below, above = (_read_only(field[:count]) for field in fields)
    return Splits(question, threshold, below, above, questions)


def _read_only(array: NDArray[Any]) -> NDArray[Any]:
    array.flags.writeable = False
    return array


def _splits_of_columns(
    values: FloatArray, first: int, shares: tuple[float, ...]
) -> tuple[IntArray, FloatArray, FloatArray, FloatArray]:
    """Return question, threshold, below and above of the splits of some columns, the first of which has this number."""
    ordered = np.sort(values.T, axis=1)
    gap = ordered[:, :-1] < ordered[:, 1:]
    question, below, above = np.nonzero(gap)[0], ordered[:, :-1][gap], ordered[:, 1:][gap]
    if len(shares) == 1:
        threshold = between(below, above, shares[0])
    else:
        points = np.stack([between(below, above, share) for share in shares], axis=1)
        new = np.ones_like(points, dtype=bool)
        new[:, 1:] = np.diff(points, axis=1) > 0.0
        place, threshold = np.nonzero(new)[0], points[new]
        question, below, above = question[place], below[place], above[place]
    return question + first, threshold, below, above


def between(below: FloatArray, above: FloatArray, share_of_below: float) -> FloatArray:
    """Return `share · below + (1 − share) · above`, never rounded up to `above`, where sides would change."""
    # Each term is scaled on its own so that huge values don't overflow.
    point = share_of_below * below + (1.0 - share_of_below) * above
    return np.where((point < above) & (point >= below), point, below)
