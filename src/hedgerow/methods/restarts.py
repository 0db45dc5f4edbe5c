"""Restarts in rounds: those of a round are tried side by side, wherever that is.

Rounds are the same for any number of processes, and all randomness is drawn here; so the result is the same, too.
"""

__all__ = ["Restart", "Tried", "restart_in_rounds"]

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from hedgerow.arrays import FloatArray, IntArray
from hedgerow.run import Run, RunState
from hedgerow.run.workers import Workers
from hedgerow.tree import Tree

_TASKS_PER_ROUND: Final = 8


@dataclass(frozen=True, eq=False)
class Restart:
    """What to begin with: what was drawn, where the run stands, and the solutions that earlier rounds brought."""

    drawn: IntArray
    standing: RunState
    solutions: FloatArray


@dataclass(frozen=True, eq=False)
class Tried:
    """What came of it: a better tree with its worst-case loss, if there is one, and solutions for later rounds."""

    found: tuple[Tree, float] | None
    solutions: Sequence[FloatArray] = ()


def restart_in_rounds(
    run: Run,
    draw: Callable[[int], IntArray],
    workers: Workers[Any, Restart, Tried],
    *,
    each: int = 1,
    named: str = "restarts",
) -> None:
    """Restart until the run ends: `draw(count)` returns starting points, one per row, and workers try them.

    A task is `each` iterations, which are called as `named` says.
    """
    assert run.tree is not None  # there is one solution at least
    solutions = run.tree.solutions[:0]
    while run.running:
        left = int(min(run.iterations_left, _TASKS_PER_ROUND * each))
        sizes = [min(each, left - first) for first in range(0, left, each)]
        tasks = [Restart(draw(size), RunState.of(run), solutions) for size in sizes]
        for size, tried in zip(sizes, workers.results(tasks), strict=True):
            if tried.found is not None:
                run.offer(*tried.found, "better tree")
            solutions = np.concatenate([solutions, *tried.solutions])
            run.count(size, named)
