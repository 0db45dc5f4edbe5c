"""Restarts in rounds: those of a round are tried side by side, wherever that is.

Rounds are the same for any number of processes, and all randomness is drawn here; so the result is the same, too.
"""

__all__ = ["Attempt", "Restart", "restart_in_rounds"]

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from hedgerow.data.arrays import FloatArray, IntArray
from hedgerow.instance import Instance
from hedgerow.methods.parameters import PARAMETERS
from hedgerow.run import Deadline, Interrupt, Options, Run, RunState, SubRun
from hedgerow.run.workers import Work, Workers
from hedgerow.tree.tree import Tree


@dataclass(frozen=True, eq=False)
class Restart:
    """What to begin with: what was drawn, where the run stands, and the solutions that earlier rounds brought."""

    drawn: IntArray
    standing: RunState
    solutions: FloatArray


Attempt: TypeAlias = Callable[[Any, Restart, SubRun], FloatArray | None]
"""Tries what was drawn, offers trees to its part of the run, and may return solutions for later rounds."""

_Tried: TypeAlias = tuple[tuple[Tree, float] | None, FloatArray | None]


def restart_in_rounds(
    instance: Instance,
    run: Run,
    options: Options,
    draw: Callable[[int], IntArray],
    attempt: Attempt,
    shared: Any,
    *,
    each: int = 1,
    named: str = "restarts",
) -> None:
    """Restart until the run ends: `draw(count)` returns starting points, one per row, and each attempt takes `shared`.

    A task is `each` iterations, which are called as `named` says.
    """
    assert run.tree is not None  # there is one solution at least
    workers = Workers(_attempts, (attempt, instance, shared), options.n_jobs, run.deadline, run.interrupt)
    solutions = run.tree.solutions[:0]
    while run.running:
        left = int(min(run.iterations_left, PARAMETERS.tasks_per_round * each))
        sizes = [min(each, left - first) for first in range(0, left, each)]
        tasks = [Restart(draw(size), RunState.of(run), solutions) for size in sizes]
        for size, (found, more) in zip(sizes, workers.results(tasks), strict=True):
            if found is not None:
                run.offer(*found, "better tree")
            solutions = solutions if more is None else np.concatenate([solutions, more])
            run.count(size, named)


def _attempts(shared: tuple[Attempt, Instance, Any]) -> Work[Restart, _Tried]:
    attempt, instance, given = shared

    def tried(task: Restart, deadline: Deadline, interrupt: Interrupt) -> _Tried:
        part = SubRun(instance, task.standing, deadline, interrupt)
        solutions = None if part.must_stop() else attempt(given, task, part)
        return part.found, solutions

    return tried
