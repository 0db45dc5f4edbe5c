"""The search over intervals: least bound first, in rounds, so that any number of processes finds the same tree."""

__all__ = ["Ground", "Space", "explore", "search"]

import heapq
import itertools
from collections.abc import Callable
from dataclasses import dataclass
from operator import itemgetter
from typing import Any, NamedTuple, Protocol

import numpy as np

from hedgerow.adversary import worst_case
from hedgerow.data.arrays import FloatArray
from hedgerow.engine.interval_parameters import DEFAULTS, IntervalParameters
from hedgerow.engine.intervals import Settled
from hedgerow.engine.structures.space import cutoff_below
from hedgerow.engine.unreached import tree_with
from hedgerow.instance import Instance
from hedgerow.run import Deadline, Interrupt, Run
from hedgerow.run.workers import Work, Workers
from hedgerow.tolerances import VALUE
from hedgerow.tree.splits import Splits
from hedgerow.tree.structure import NO_SPLIT
from hedgerow.tree.tree import Tree


class Space(Protocol):
    """What is searched: intervals, or boxes of them, that can be bounded, divided and settled.

    Trees that `settled` could not evaluate to the end cost at least `open_bound`, or are in parts that it left
    `unsettled`. With `settles_last` parts are settled once nothing else is left to do, as that may take long.
    """

    open_bound: float
    unsettled: list[Any]
    settles_last: bool

    def whole(self) -> list[Any]:
        """Return the parts that the search begins with."""

    def bounded(self, part: Any, target: float, must_stop: Callable[[], bool]) -> Any:
        """Return the part with a bound, as good as it takes to see whether it reaches the target, if there is time."""

    def divided(self, part: Any, target: float) -> list[Any] | None:
        """Return the parts of a part, or None where it can be settled as it is."""

    def tried(self, part: Any, target: float, must_stop: Callable[[], bool]) -> Settled | None:
        """Return a tree in the part if one below the target is found quickly."""

    def settled(self, part: Any, target: float, must_stop: Callable[[], bool]) -> Settled | None:
        """Return the best tree in a part that can't be divided if it is below the target."""


class _Task(NamedTuple):
    part: Any
    target: float
    most: int
    settles: bool


class Outcome(NamedTuple):
    """What came of a part: trees, what is still open or to be settled, what trees that were too hard cost, or are."""

    found: Settled | None
    still_open: list[Any]
    to_settle: list[Any]
    n_looked: int
    open_bound: float
    unsettled: list[Any]


def _explorer(space: Space) -> Work[_Task, Outcome]:
    """Return what goes through a part, least bound first, until a number of its parts is examined or time is up."""

    def work(task: _Task, deadline: Deadline, interrupt: Interrupt) -> Outcome:
        def must_stop() -> bool:
            return interrupt.requested or deadline.passed()

        return explore(space, [task.part], task.target, task.most, must_stop, settles=task.settles)

    return work


def explore(
    space: Space, parts: list[Any], target: float, most: float, must_stop: Callable[[], bool], *, settles: bool
) -> Outcome:
    """Go through parts and theirs, least bound first, until `most` of them are examined or it must stop."""
    space.open_bound, space.unsettled = np.inf, []
    heap = [(part.bound, number, part) for number, part in enumerate(parts)]
    heapq.heapify(heap)
    found: Settled | None = None
    to_settle: list[Any] = []
    count, n_looked = len(heap), 0
    while heap and n_looked < most and not must_stop():
        bound, _, part = heapq.heappop(heap)
        if bound >= target:
            break
        n_looked += 1
        pieces = space.divided(part, target)
        if pieces is None and not settles:
            to_settle.append(part)
            continue
        better = (space.tried if pieces else space.settled)(part, target, must_stop)
        if must_stop():
            heapq.heappush(heap, (bound, count, part))  # perhaps not looked at to the end
            pieces = None
        if better is not None:
            found, target = better, cutoff_below(better.value)
        for piece in pieces or ():
            bounded = space.bounded(piece, target, must_stop)
            if bounded.bound < target:
                heapq.heappush(heap, (bounded.bound, count, bounded))
                count += 1
    still_open = [part for bound, _, part in heap if bound < target]
    return Outcome(found, still_open, to_settle, n_looked, space.open_bound, space.unsettled)


@dataclass(frozen=True)
class Ground:
    """What trees are made of: the instance, the pool's solutions, and how far thresholds may be moved."""

    instance: Instance
    solutions: FloatArray
    margin: float

    def tree(self, found: Settled) -> Tree:
        """Return the tree that was found; leaves that no sample reaches hold their sibling's solution."""
        own = np.flatnonzero(found.questions >= 0)
        structure = np.full(found.questions.size, NO_SPLIT, dtype=np.int64)
        structure[own] = np.arange(own.size)
        thresholds = found.thresholds[own]
        splits = Splits(found.questions[own], thresholds, thresholds, thresholds, self.instance.questions)
        return tree_with(structure, splits, self.solutions, found.choice)

    def value(self, tree: Tree) -> float:
        """Return the worst-case loss of a tree."""
        return self.instance.sign * worst_case(tree, self.instance, margin=self.margin).bound


def search(
    space: Space,
    base: float,
    ground: Ground,
    run: Run,
    n_jobs: int,
    parameters: IntervalParameters = DEFAULTS,
    deadline: Deadline | None = None,
) -> list[Any]:
    """Settle everything in the space, and report trees and bounds to the run; values are regrets beyond `base`.

    Return the parts that are left: those that can't be settled and, where the run or the deadline ends, all open ones.
    """
    deadline = run.deadline if deadline is None else deadline
    workers = Workers(_explorer, space, n_jobs, deadline, run.interrupt)
    unsettled: list[Any] = []
    open_bound, size, most = np.inf, 1, 1
    # Parts that are to be settled last are sorted behind all others; numbers say which part came first.
    queue: list[tuple[bool, float, int, Any]] = [(False, -np.inf, -1, part) for part in space.whole()]
    n_parts = itertools.count()
    while True:
        target = cutoff_below(run.value) - base
        queue = sorted((each for each in queue if each[1] < target), key=itemgetter(0, 1, 2))
        if not queue:
            break
        run.raise_bound(min(run.value, open_bound, base + max(0.0, min(each[1] for each in queue))))
        if deadline.passed() or not run.running:
            return unsettled + [part for *_, part in queue]
        at_last, each_most = queue[0][0], int(min(most, run.iterations_left))
        count = int(min(size, run.iterations_left // each_most))
        now = [part for is_last, _, _, part in queue[:count] if is_last == at_last]
        queue = queue[len(now) :]
        tasks = [_Task(part, target, each_most, at_last or not space.settles_last) for part in now]
        for outcome in workers.results(tasks):
            unsettled += outcome.unsettled
            open_bound = min(
                [open_bound, base + outcome.open_bound, *(base + part.bound for part in outcome.unsettled)]
            )
            if outcome.found is not None:
                tree = ground.tree(outcome.found)
                value = ground.value(tree)
                run.offer(tree, value, "better tree")
                if value > base + outcome.found.value + VALUE * max(1.0, abs(value)):
                    open_bound = min(open_bound, base + outcome.found.value)  # rounding decided who reaches a leaf
            queue += [(at_last, part.bound, next(n_parts), part) for part in outcome.still_open]
            queue += [(True, part.bound, next(n_parts), part) for part in outcome.to_settle]
            run.count(outcome.n_looked, f"{len(queue)} intervals of thresholds open")
        size, most = min(2 * size, parameters.largest_round), min(2 * most, parameters.most_per_task)
    run.raise_bound(min(run.value, open_bound))
    return unsettled
