"""Assign each task to a different worker."""

__all__ = ["Assignment"]

import math
from collections.abc import Iterable, Mapping
from itertools import permutations, product
from typing import Any, Final, Self, Unpack

import numpy as np
import scipy.sparse as sp

from hedgerow.data.arrays import FloatArray, IntArray
from hedgerow.problem import FeasibleSet, Sense
from hedgerow.problems import _reading as reading
from hedgerow.problems._graph_names import distinct_names
from hedgerow.problems._named import AllOrNothing, Units, named_or_numbered
from hedgerow.problems.linear import LinearProblem


class Assignment(AllOrNothing, LinearProblem):
    """Match workers with tasks, one to one.

    For sending people, vehicles or machines to jobs: taxis to callers, nurses to shifts, cranes to
    ships. The items are the pairs of a worker and a task, worker by worker. If there are more of one side than of the
    other, some of it stays unmatched.

    Parameters
    ----------
    workers, tasks
        Names, or how many there are (they are then called w1, w2, … and t1, t2, …). As many tasks as workers if
        left out.
    unit, reading_unit, sense
        As in `LinearProblem`.

    Examples
    --------
    >>> import numpy as np
    >>> from hedgerow.problems import Assignment
    >>> problem = Assignment(["Ann", "Bob"], ["shop", "bar"], unit="min")
    >>> problem.item_names
    ('Ann-shop', 'Ann-bar', 'Bob-shop', 'Bob-bar')
    >>> best = problem.best_solution(np.array([[4.0, 1.0, 3.0, 9.0]]))
    >>> problem.describe(best.solution), best.value
    ('Ann → bar, Bob → shop', 4.0)
    """

    _thing = "a pair"

    def __init__(
        self,
        workers: int | Iterable[Any],
        tasks: int | Iterable[Any] | None = None,
        *,
        sense: Sense = "min",
        **units: Unpack[Units],
    ) -> None:
        self.workers: Final = named_or_numbered(workers, "workers", "w")
        self.tasks: Final = named_or_numbered(len(self.workers) if tasks is None else tasks, "tasks", "t")
        self._shape = len(self.workers), len(self.tasks)
        super().__init__(distinct_names(product(self.workers, self.tasks)), **units, sense=sense)

    def _minimise(self, cost_vectors: FloatArray) -> FloatArray:
        from scipy.optimize import linear_sum_assignment

        solutions = np.zeros((len(cost_vectors), *self._shape))
        for solution, costs in zip(solutions, cost_vectors, strict=True):
            solution[linear_sum_assignment(costs.reshape(self._shape))] = 1.0
        return solutions.reshape(len(cost_vectors), self.n_items)

    def _fault(self, chosen: FloatArray) -> str | None:
        table = chosen.reshape(self._shape)
        sides = (
            ("worker", "tasks", self.workers, table.sum(axis=1)),
            ("task", "workers", self.tasks, table.sum(axis=0)),
        )
        fewest = min(self._shape)
        for side, others, names, counts in sides:
            if counts.max() > 1.0:
                place = int(np.argmax(counts))
                return f"{side} '{names[place]}' has {int(counts[place])} {others}; one is the most"
            if len(names) == fewest and counts.min() < 1.0:
                return f"{side} '{names[int(np.argmin(counts))]}' has none of the {others}"
        return None

    def feasible_set(self) -> FeasibleSet:
        """Return X: binaries with one pair for each worker and task; at most one on the side that is larger."""
        n_workers, n_tasks = self._shape
        by_worker = sp.kron(sp.eye_array(n_workers), np.ones((1, n_tasks)))
        by_task = sp.kron(np.ones((1, n_workers)), sp.eye_array(n_tasks))
        least_each, least_task = n_workers <= n_tasks, n_tasks <= n_workers
        return FeasibleSet.of(([by_worker], least_each, 1.0), ([by_task], least_task, 1.0))

    def all_solutions(self, limit: int) -> FloatArray | None:
        """Return every matching (one per row) if there are at most `limit`, else None."""
        fewer, more = min(self._shape), max(self._shape)
        if math.perm(more, fewer) > limit:
            return None
        partners: IntArray = np.array(list(permutations(range(more), fewer)), dtype=np.int64)
        solutions = np.zeros((len(partners), *self._shape))
        matched = (np.arange(fewer), partners) if self._shape[0] == fewer else (partners, np.arange(fewer))
        solutions[np.arange(len(partners))[:, np.newaxis], *matched] = 1.0
        return solutions.reshape(len(partners), self.n_items)

    def _in_words(self, chosen: FloatArray) -> str:
        pairs = np.argwhere(chosen.reshape(self._shape))
        return ", ".join(f"{self.workers[worker]} → {self.tasks[task]}" for worker, task in pairs)

    def to_dict(self) -> dict[str, Any]:
        """Return a JSON-ready description."""
        return self._described("assignment", workers=list(self.workers), tasks=list(self.tasks))

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Return the problem that `to_dict` described."""
        options = reading.options(data, "workers", "tasks")
        workers, tasks = reading.texts(data, "workers"), reading.texts(data, "tasks")
        reading.at_most(len(workers) * len(tasks), "pairs of a worker and a task")
        return cls(workers, tasks, **options)

    def __repr__(self) -> str:
        n_workers, n_tasks = self._shape
        return f"Assignment({n_workers} workers, {n_tasks} tasks{self._options_in_words()})"
