"""Assign each task to a different worker."""

from collections.abc import Iterable
from itertools import product
from typing import Any, Final, Unpack

import numpy as np
import scipy.sparse as sp

from hedgerow.data.arrays import FloatArray
from hedgerow.errors import InputError
from hedgerow.problem import FeasibleSet, RowBlock, Sense
from hedgerow.problems.base import MAX_ITEMS, LinearProblem, Units, distinct_names, named_or_numbered


class Assignment(LinearProblem):
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

    kind = "assignment"

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
        if len(self.workers) * len(self.tasks) > MAX_ITEMS:
            raise InputError(f"there must be at most {MAX_ITEMS} pairs of a worker and a task; got {self._shape}.")
        super().__init__(distinct_names(product(self.workers, self.tasks)), **units, sense=sense)

    def _minimise(self, costs: FloatArray) -> FloatArray:
        from scipy.optimize import linear_sum_assignment

        solution = np.zeros(self._shape)
        solution[linear_sum_assignment(costs.reshape(self._shape))] = 1.0
        return solution.reshape(-1)

    def feasible_set(self) -> FeasibleSet:
        """Return X: binaries with one pair for each worker and task; at most one on the side that is larger."""
        n_workers, n_tasks = self._shape
        by_worker = sp.kron(sp.eye_array(n_workers), np.ones((1, n_tasks)))
        by_task = sp.kron(np.ones((1, n_workers)), sp.eye_array(n_tasks))
        tasks_of = [f"the number of tasks of '{worker}'" for worker in self.workers]
        workers_of = [f"the number of workers for '{task}'" for task in self.tasks]
        return FeasibleSet.of(
            RowBlock(tasks_of, [by_worker], n_workers <= n_tasks, 1.0),
            RowBlock(workers_of, [by_task], n_tasks <= n_workers, 1.0),
        )

    def describe(self, solution: FloatArray) -> str:
        """Return who does what: "Ann → bar, Bob → shop"."""
        if self.infeasibility(solution) is not None:
            return super().describe(solution)
        pairs = np.argwhere(np.rint(solution).reshape(self._shape))
        return ", ".join(f"{self.workers[worker]} → {self.tasks[task]}" for worker, task in pairs)
