"""Pairs of truth and reading, split into rows to learn from and rows to be judged on."""

__all__ = ["Pairs", "Status", "row_splits"]

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, Self, TypeAlias

import numpy as np

from hedgerow.data.arrays import FloatArray, IntArray
from hedgerow.data.checks import in_short, integer_between
from hedgerow.data.readings import checked_readings, shown_to_tree
from hedgerow.errors import InputError
from hedgerow.instance import Instance
from hedgerow.problem import Problem

if TYPE_CHECKING:
    from hedgerow.estimator import RobustTree


Status: TypeAlias = Literal["complete", "time_limit", "interrupted"]
"""Whether a study judged all folds, or what ended it before."""


@dataclass(frozen=True, eq=False)
class Pairs:
    """What was true beside what was read, row by row, checked once.

    Observations are the same array as the costs unless there is context. Readings are None if observations were read
    as they are.

    >>> from hedgerow.problems import Selection
    >>> pairs = Pairs.create(Selection(2, 1), [[1.0, 3.0], [4.0, 2.0]], readings=[[2.0, 3.0], [4.0, 5.0]])
    >>> pairs.rows([1]).read, pairs.cost([[1, 0], [1, 0]])
    (array([[4., 5.]]), array([1., 4.]))
    """

    problem: Problem
    costs: FloatArray
    observations: FloatArray
    readings: FloatArray | None
    weights: FloatArray

    @classmethod
    def create(
        cls, problem: Problem, costs: Any, *, readings: Any = None, context: Any = None, weights: Any = None
    ) -> Self:
        """Check everything once and return the pairs."""
        data = Instance.create(problem, costs, context=context, weights=weights, depth=0)
        shown_to_tree(readings, context)
        read = None if readings is None else checked_readings(readings, data.observations, data.feature_names)
        return cls(problem, data.costs, data.observations, read, data.weights)

    def __len__(self) -> int:
        return len(self.costs)

    @property
    def read(self) -> FloatArray:
        """What advice is based on."""
        return self.observations if self.readings is None else self.readings

    def rows(self, rows: Sequence[int] | IntArray) -> Self:
        """Return some of the pairs."""
        costs = self.costs[rows]
        observed = costs if self.observations is self.costs else self.observations[rows]
        read = None if self.readings is None else self.readings[rows]
        return type(self)(self.problem, costs, observed, read, self.weights[rows])

    def fitted(self, model: "RobustTree") -> "RobustTree":
        """Return the model, fitted to these pairs in the way that its `learn_from` says."""
        observed = None if self.observations is self.costs else self.observations
        return model.fit(self.costs, readings=self.readings, context=observed, sample_weight=self.weights)

    def cost(self, solutions: Any) -> FloatArray:
        """Return what each row costs with its solution, not weighted, in the problem's own sign."""
        distinct, which = np.unique(np.asarray(solutions, dtype=np.float64), axis=0, return_inverse=True)
        return self.problem.costs(distinct, self.costs)[np.arange(len(self)), which.ravel()]


def row_splits(folds: Any, n_rows: int, fewest: int = 1) -> list[tuple[IntArray, IntArray]]:
    """Return which rows to learn from and which to judge on, fold by fold; `folds` is that of `compare` and `tune`.

    >>> [held_out.tolist() for _, held_out in row_splits(2, 5)]
    [[0, 1, 2], [3, 4]]
    """
    from sklearn.model_selection import KFold, check_cv

    rows = np.arange(n_rows)
    if isinstance(folds, int | np.integer):
        return list(KFold(integer_between(folds, "folds", 2, n_rows)).split(rows))
    try:
        pairs = [(rows[train], rows[test]) for train, test in check_cv(folds).split(rows)]
    except (IndexError, TypeError, ValueError) as error:
        raise InputError(f"folds must be a number, or split the {n_rows} rows: {error}.") from None
    if len(pairs) < fewest or not all(train.size and test.size for train, test in pairs):
        raise InputError(
            f"folds must be at least {fewest}, each with rows to learn from and rows held out; got {in_short(folds)}."
        )
    return pairs
