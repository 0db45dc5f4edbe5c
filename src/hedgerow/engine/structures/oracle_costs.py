"""Subset costs where the solutions can't be listed: the problem's own oracle is asked about every subset."""

__all__ = ["subset_costs_by_oracle"]

from dataclasses import dataclass
from typing import Final

import numpy as np

from hedgerow.data.arrays import FloatArray
from hedgerow.engine.pool import SolutionPool, optima_pool
from hedgerow.instance import Instance
from hedgerow.problem import Best
from hedgerow.run import Deadline, Interrupt, Run
from hedgerow.run.workers import Workers

_SUBSETS_PER_TASK: Final = 8
_TASKS_PER_ROUND: Final = 16


@dataclass(frozen=True)
class _Subsets:
    """Subsets of the samples, as numbers whose bits say who is in, and how many are still to be asked about."""

    masks: range
    n_open: int


def subset_costs_by_oracle(instance: Instance, run: Run, n_jobs: int = 1) -> tuple[SolutionPool, FloatArray | None]:
    """Return a pool with the best solution for every subset of the samples, and what each subset costs at least.

    The costs are None if the run had to stop before they were complete.
    """
    pool = optima_pool(instance, run)
    costs = np.zeros(1 << instance.n_samples)
    workers = Workers(_Asking, instance, n_jobs, run.deadline, run.interrupt)
    starts = range(1, costs.size, _SUBSETS_PER_TASK)
    for first in range(0, len(starts), _TASKS_PER_ROUND):
        tasks = [
            _Subsets(range(start, min(start + _SUBSETS_PER_TASK, costs.size)), costs.size - start)
            for start in starts[first : first + _TASKS_PER_ROUND]
        ]
        for task, answers in zip(tasks, workers.results(tasks), strict=True):
            for mask, best in zip(task.masks, answers, strict=False):
                pool.add(best.solution[None])
                # The bound, not the value: an oracle that ran out of time has proved no more. Nor is one solution
                # better than one for some samples and another for the rest.
                alone = mask & -mask
                in_parts = costs[alone] + costs[mask ^ alone] if mask != alone else -np.inf
                costs[mask] = max(instance.sign * best.bound, in_parts)
            run.count(0, f"{task.masks.stop - 1} of {costs.size - 1} sets of samples priced")
            if len(answers) < len(task.masks):
                return pool, None
    return pool, costs


class _Asking:
    """Asks the oracle about one subset after the other."""

    def __init__(self, instance: Instance) -> None:
        self._instance = instance

    def __call__(self, task: _Subsets, deadline: Deadline, interrupt: Interrupt) -> list[Best]:
        """Return the answers, fewer than subsets where the run has to stop."""
        instance = self._instance
        samples = np.arange(instance.n_samples)
        answers: list[Best] = []
        for number, mask in enumerate(task.masks):
            if interrupt.requested or deadline.passed():
                break
            members = (mask >> samples & 1).astype(bool)
            seconds = deadline.share(task.n_open - number)
            answers.append(
                instance.problem.best_solution(instance.costs[members], instance.weights[members], time_limit=seconds)
            )
        return answers
