"""Roots in rounds, least bound first: those of a round are settled side by side, wherever that is.

After each round all know of the best tree. Rounds are the same for any number of processes, and so is the result.
"""

__all__ = ["Root", "RootTask", "SettledRoot", "settle_in_rounds", "settled_root"]

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final, Generic, TypeVar

import numpy as np

from hedgerow.engine.tables.space import SearchSpace, cutoff_below
from hedgerow.run import Deadline, Interrupt, Run, RunState, SubRun
from hedgerow.run.workers import Workers
from hedgerow.tree import Tree

_Given = TypeVar("_Given")

_FIRST_ROUND: Final = 2
_LARGEST_ROUND: Final = 16
"""Rounds are small in the beginning, where better trees are found, and grow."""


@dataclass(frozen=True, eq=False)
class Root(Generic[_Given]):
    """A root split (or none) that is open: a bound on all structures below it, and what else is known of it."""

    split: int
    bound: float
    known: _Given


@dataclass(frozen=True, eq=False)
class RootTask(Generic[_Given]):
    """A root to settle, and where the run stands."""

    root: Root[_Given]
    standing: RunState


@dataclass(frozen=True, eq=False)
class SettledRoot:
    """What came of a root.

    Attributes
    ----------
    found
        The best tree that is better than the run's, with its worst-case loss.
    is_settled
        Whether nothing else below the root can be better.
    open_bound
        What was too hard to be settled for good costs at least this.
    """

    found: tuple[Tree, float] | None
    is_settled: bool
    open_bound: float = np.inf


def settled_root(
    task: RootTask[_Given],
    space: SearchSpace,
    deadline: Deadline,
    interrupt: Interrupt,
    settle: Callable[[Root[_Given], Run], bool],
) -> SettledRoot:
    """Return what comes of a root, settled as far as time allows; `settle` returns whether it was to the end."""
    part = SubRun(space.instance, task.standing, deadline, interrupt)
    space.open_bound = np.inf
    is_settled = settle(task.root, part)
    return SettledRoot(part.found, is_settled, space.open_bound)


def settle_in_rounds(
    roots: Sequence[Root[_Given]], run: Run, workers: Workers[Any, RootTask[_Given], SettledRoot]
) -> None:
    """Settle all roots, and tell the run of trees and bounds."""
    roots = sorted(roots, key=lambda root: root.bound)
    open_bound = np.inf
    first, size = 0, _FIRST_ROUND
    while first < len(roots):
        run.raise_bound(min(roots[first].bound, run.value, open_bound))
        if roots[first].bound >= cutoff_below(run.value):
            break
        if not run.running:
            return
        count = int(min(size, run.iterations_left))
        tasks = [RootTask(root, RunState.of(run)) for root in roots[first : first + count]]
        settled_so_far = True
        for settled in workers.results(tasks):
            if settled.found is not None:
                run.offer(*settled.found, "better structure")
            open_bound = min(open_bound, settled.open_bound)
            settled_so_far &= settled.is_settled
            if settled_so_far:
                first += 1
                run.count(1, f"{first} of {len(roots)} open roots settled")
        if not settled_so_far:
            run.raise_bound(min(roots[first].bound, run.value, open_bound))
            return
        size = min(2 * size, _LARGEST_ROUND)
    run.raise_bound(min(run.value, open_bound))
