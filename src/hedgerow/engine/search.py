"""The search over intervals: least bound first, in rounds, so that any number of processes finds the same tree."""

__all__ = ["Ground", "Outcome", "Space", "explore", "search"]

import heapq
from collections.abc import Callable
from dataclasses import dataclass
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
from hedgerow.run.workers import Workers
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
    n_settled: int
    open_bound: float
    unsettled: list[Any]


class _Worker:
    """Divides and settles parts of a space."""

    def __init__(self, space: Space) -> None:
        self._space = space

    def __call__(self, task: _Task, deadline: Deadline, interrupt: Interrupt) -> Outcome:
        """Go through a part, least bound first, until a number of its parts is examined or time is up."""

        def must_stop() -> bool:
            return interrupt.requested or deadline.passed()

        return explore(self._space, [task.part], task.target, task.most, must_stop, settles=task.settles)


def explore(
    space: Space, parts: list[Any], target: float, most: float, must_stop: Callable[[], bool], *, settles: bool
) -> Outcome:
    """Go through parts and theirs, least bound first, until `most` of them are examined or it must stop."""
    space.open_bound, space.unsettled = np.inf, []
    heap = [(part.bound, number, part) for number, part in enumerate(parts)]
    heapq.heapify(heap)
    found: Settled | None = None
    to_settle: list[Any] = []
    count, n_looked, n_settled = len(heap), 0, 0
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
        n_settled += pieces is None
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
    return Outcome(found, still_open, to_settle, n_settled, space.open_bound, space.unsettled)


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
    workers = Workers(_Worker, space, n_jobs, deadline, run.interrupt)
    unsettled: list[Any] = []
    heap: list[tuple[float, int, Any]] = []
    last: list[tuple[float, int, Any]] = []
    open_bound, count = np.inf, 0
    for part in space.whole():
        heapq.heappush(heap, (-np.inf, count, part))
        count += 1
    size, most = 1, 1
    while heap or last:
        target = cutoff_below(run.value) - base
        at_last = not heap or heap[0][0] >= target
        queue = last if at_last else heap
        if not queue or queue[0][0] >= target:
            break
        least = min(parts[0][0] for parts in (heap, last) if parts)
        run.raise_bound(min(run.value, open_bound, base + max(0.0, least)))
        if deadline.passed() or not run.running:
            return unsettled + [part for _, _, part in heap + last]
        tasks: list[_Task] = []
        each = int(min(most, run.iterations_left))
        while queue and len(tasks) < min(size, run.iterations_left // each) and queue[0][0] < target:
            tasks.append(_Task(heapq.heappop(queue)[2], target, each, at_last or not space.settles_last))
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
            for parts, pieces in ((last if at_last else heap, outcome.still_open), (last, outcome.to_settle)):
                for part in pieces:
                    heapq.heappush(parts, (part.bound, count, part))
                    count += 1
            run.count(outcome.n_settled, f"{len(heap) + len(last)} intervals of thresholds open")
        size, most = min(2 * size, parameters.largest_round), min(2 * most, parameters.most_per_task)
    run.raise_bound(min(run.value, open_bound))
    return unsettled
