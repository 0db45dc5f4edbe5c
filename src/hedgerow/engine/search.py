"""The search over intervals, least bound first."""

import heapq
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

import numpy as np

from hedgerow.adversary import worst_case
from hedgerow.data.arrays import BoolArray, FloatArray
from hedgerow.engine.structures.space import cutoff_below
from hedgerow.engine.two_levels import Settled
from hedgerow.engine.unreached import tree_with
from hedgerow.instance import Instance
from hedgerow.run import Deadline, Run
from hedgerow.tolerances import VALUE
from hedgerow.tree.splits import Splits
from hedgerow.tree.structure import NO_SPLIT
from hedgerow.tree.tree import Tree

_SHARE_OF_GAP = 0.01
"""Bounds are reported when they close this share of the gap, so that statistics stay short."""


class Space(Protocol):
    """What is searched: intervals, or boxes of them, that can be bounded, divided and settled.

    Trees that `settled` could not evaluate to the end cost at least `open_bound`.
    """

    open_bound: float

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


class OpenParts:
    """The parts of a space that are open; only trees below the target are looked for."""

    def __init__(self, space: Space, target: float) -> None:
        self._space, self.target = space, target
        self._heap: list[tuple[float, int, Any]] = []
        self._count = 0
        for part in space.whole():
            self._push(0.0, part)

    def _push(self, bound: float, part: Any) -> None:
        self._count += 1  # of parts with the same bound the first one comes first
        heapq.heappush(self._heap, (bound, self._count, part))

    @property
    def bound(self) -> float:
        """What trees below the target cost at least; ∞ if there is none."""
        return self._heap[0][0] if self._heap and self._heap[0][0] < self.target else np.inf

    @property
    def parts(self) -> list[Any]:
        """The parts that are open."""
        return [part for *_, part in self._heap]

    def step(self, must_stop: Callable[[], bool]) -> Settled | None:
        """Divide the part with the least bound, or settle it; return a tree below the target if one is found."""
        bound, _, part = heapq.heappop(self._heap)
        pieces = self._space.divided(part, self.target)
        better = (self._space.tried if pieces else self._space.settled)(part, self.target, must_stop)
        if must_stop():
            self._push(bound, part)  # perhaps not looked at to the end
            return better
        self.target = self.target if better is None else cutoff_below(better.value)
        for piece in pieces or ():
            bounded = self._space.bounded(piece, self.target, must_stop)
            if bounded.bound < self.target:
                self._push(bounded.bound, bounded)
        return better


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


def search(space: Space, base: float, ground: Ground, run: Run, deadline: Deadline | None = None) -> list[Any]:
    """Settle everything in the space, and report trees and bounds to the run; values are regrets beyond `base`.

    Return the parts that are left where the run or the deadline ends.
    """
    deadline = run.deadline if deadline is None else deadline

    def must_stop() -> bool:
        return run.interrupt.requested or deadline.passed()

    progress = OpenParts(space, cutoff_below(run.value) - base)
    while np.isfinite(progress.bound) and run.running and not must_stop():
        bound = base + min(progress.bound, space.open_bound)
        if bound - run.bound >= _SHARE_OF_GAP * (run.value - run.bound):
            run.raise_bound(bound)
        found = progress.step(must_stop)
        if found is not None:
            tree = ground.tree(found)
            value = ground.value(tree)
            run.offer(tree, value, "better tree")
            if value > base + found.value + VALUE * max(1.0, abs(value)):
                space.open_bound = min(space.open_bound, found.value)  # rounding decided who reaches a leaf
        progress.target = cutoff_below(run.value) - base
        run.count(1, "intervals of thresholds")
    run.raise_bound(min(run.value, base + min(progress.bound, space.open_bound)))
    return progress.parts


class Answer(NamedTuple):
    """What shares give: a bound, by how much it grows with each share, and what it came from."""

    value: float
    slope: FloatArray
    origin: Any


def improve_shares(
    share: FloatArray,
    free: BoolArray,
    target: float,
    aim: float,
    n_steps: int,
    answer: Callable[[FloatArray], Answer | None],
) -> tuple[FloatArray, Answer | None]:
    """Return the best of some shares and their answer: `n_steps` subgradient steps towards `aim`, until the target.

    A sample that reaches both sides of a root costs the larger of the two, so any average of them is a bound: with
    share λ of each sample on the left, the best tree on the left plus the best one on the right. Samples that are not
    free keep their shares. An answer of None ends the steps.
    """
    best_share, best = share, None
    for _ in range(n_steps):
        here = answer(share)
        if here is None:
            break
        if best is None or here.value > best.value:
            best_share, best = share, here
        slope = np.where(free & np.where(here.slope > 0.0, share < 1.0, share > 0.0), here.slope, 0.0)
        length = float(slope @ slope)
        if best.value >= target or length <= 0.0:
            break
        share = np.clip(share + (aim - here.value) / length * slope, 0.0, 1.0)
    return best_share, best
