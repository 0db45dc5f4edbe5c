"""What 64 workers would be worth: a simulation from the recorded times of tasks, and what would hold them up."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from heapq import heappop, heappush
from typing import Any
from unittest.mock import patch

import numpy as np

from benchmarks.instances import paper, recipe_costs
from benchmarks.outcome import Goal, Outcome, Table
from benchmarks.progress import tell
from hedgerow import GlobalBudget, Instance, LocalBudget, RobustTree, alternatives, solve
from hedgerow.problems import ShortestPath
from hedgerow.run.workers import Workers
from hedgerow.study import tune

_WORKERS = (1, 2, 4, 8, 16, 32, 64)
_SECONDS_PER_TASK = 0.005
"""Assumed for sending a task and its answer."""


@dataclass(frozen=True)
class _Record:
    """CPU seconds of the tasks of each round, and of everything between the rounds."""

    rounds: list[list[float]]
    alone: float


def run() -> Outcome:
    """Record the tasks of four jobs on one process, and schedule them on more."""
    rows, goals = [], []
    for name, work in _jobs().items():
        record = _recorded(work)
        spent = [_simulated(record, workers) for workers in _WORKERS]
        most = max((len(tasks) for tasks in record.rounds), default=0)
        why = _bottleneck(record, most)
        n_tasks = sum(map(len, record.rounds))
        rows.append((name, n_tasks, len(record.rounds), most, *(spent[0] / each for each in spent), why))
        found = f"{spent[0] / spent[-1]:.1f} times as fast, held up by {why}"
        goals.append(Goal(f"{name}: 64 workers against one, simulated", found))
        tell(f"{name}: {spent}")
    columns = ("job", "tasks", "rounds", "most tasks in a round", *(f"{w} workers" for w in _WORKERS), "held up by")
    note = (
        f"Simulated: tasks are given to the next free worker, round by round, and cost {1000 * _SECONDS_PER_TASK:g} ms "
        "each to send; what happens between rounds is done by one process."
    )
    return Outcome("Many workers", [Table("speedups", "Times as fast as one worker", columns, rows)], goals, note=note)


def _jobs() -> dict[str, Callable[[], object]]:
    problem = ShortestPath.grid(6)
    costs = recipe_costs(0, 250, problem.n_items)
    search = Instance.create(problem, costs, uncertainty=LocalBudget(fraction=0.05), depth=3)
    listed = paper(0, 20, 4, LocalBudget(fraction=0.05))
    proof = paper(0, 10, 4, GlobalBudget(fraction=0.05))
    model = RobustTree(problem, method="local_search", iteration_limit=2, random_state=0)
    budgets = [LocalBudget(fraction=share) for share in (0.01, 0.05)]
    return {
        "local_search, N = 250": lambda: solve(search, method="local_search", iteration_limit=48, random_state=0),
        "tune, 2 depths, 3 folds": lambda: tune(model, costs[:60], uncertainties=budgets, depths=[1, 2], folds=3),
        "alternatives, N = 20": lambda: alternatives(listed, within=0.02, time_limit=None),
        "exact, global, N = 10": lambda: solve(proof, method="exact", thresholds="midpoints", time_limit=None),
    }


def _recorded(work: Callable[[], object]) -> _Record:
    work()  # kernels are compiled
    with recorded_rounds() as rounds:
        start = time.process_time()
        work()
        total = time.process_time() - start
    return _Record(rounds, total - sum(map(sum, rounds)))


@contextmanager
def recorded_rounds() -> Iterator[list[list[float]]]:
    """Record the CPU seconds of the tasks done in this process, one list per round; rounds in a task are part of it."""
    rounds: list[list[float]] = []
    working: list[Any] = []
    here = Workers._here

    def timed(workers: Any, task: Any) -> Any:
        if working:
            return here(workers, task)
        working.append(task)
        start = time.process_time()
        try:
            return here(workers, task)
        finally:
            rounds[-1].append(time.process_time() - start)
            working.clear()

    def beginning_a_round(method: Callable[..., Any]) -> Callable[..., Any]:
        def begin(workers: Any, tasks: Any) -> Any:
            if not working:
                rounds.append([])
            return method(workers, tasks)

        return begin

    changed: dict[str, Any] = {name: beginning_a_round(getattr(Workers, name)) for name in ("results", "stream")}
    with patch.multiple(Workers, **changed, _here=timed):
        yield rounds


def _simulated(record: _Record, n_workers: int) -> float:
    """Return the seconds with so many workers: each task goes to the one that is free first, rounds wait for all."""
    total = record.alone
    for tasks in record.rounds:
        free = [0.0] * n_workers
        for seconds in tasks:
            heappush(free, heappop(free) + seconds + (_SECONDS_PER_TASK if n_workers > 1 else 0.0))
        total += max(free)
    return total


def _bottleneck(record: _Record, most: int) -> str:
    """Return what most of the time with 64 workers goes to."""
    longest = sum(max(tasks, default=0.0) for tasks in record.rounds)
    if record.alone > longest:
        return "the work between rounds"
    mean = np.mean([np.mean(tasks) for tasks in record.rounds if tasks])
    if longest / max(len(record.rounds), 1) > 2.0 * mean:
        return "the longest task of each round"
    return f"rounds of at most {most} tasks"
