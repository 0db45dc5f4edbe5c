"""Depth 3 under local budgets: roots are bounded by the best trees of depth 2 on either side.

A sample that reaches both sides of a root may be counted on either, or a share of it on each: whatever the shares are,

    value  ≥  best depth-2 tree for the shares on the left  +  best one for the others on the right

Samples come to a side with what their budgets have left. Intervals of roots are bounded with the dearest move costs, as
at depth 2, and divided until a single split is left.
"""

__all__ = ["DepthThree"]

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any, Final

import numpy as np

from hedgerow.data.arrays import BoolArray, FloatArray
from hedgerow.engine.interval_parameters import DEFAULTS, IntervalParameters
from hedgerow.engine.moves import side_costs
from hedgerow.engine.root_intervals import RootIntervals, Settled
from hedgerow.engine.samples import Samples
from hedgerow.engine.search import Ground, explore

_TINY: Final = 1e-12


@dataclass(frozen=True, eq=False)
class _Half:
    """The best tree on one side: its value, the tree if it is below the cut-off, and what it costs each sample."""

    value: float
    tree: Settled | None
    costs: FloatArray


@dataclass(frozen=True, eq=False)
class _Roots:
    """Trees whose root is one of some neighbouring splits.

    Attributes
    ----------
    first, last
        The splits.
    bound, share
        A bound beyond the samples' least losses, and the samples' shares for it.
    seen, way
        What the trees on both sides cost each sample that were best so far, and how far to go for better shares.
    is_done
        Whether better shares are no longer looked for.
    halves
        The first trees on both sides of a single root, until they are tried.
    """

    first: int
    last: int
    bound: float = 0.0
    share: FloatArray = field(default_factory=lambda: np.empty(0))
    seen: tuple[tuple[FloatArray, FloatArray], ...] = ()
    way: float = 0.5
    is_done: bool = False
    halves: tuple[_Half, ...] = ()


class DepthThree:
    """The trees of depth 3 over candidate thresholds, as a space for `hedgerow.engine.search`.

    Questions are about single readings. Roots that shares can't close are left `unsettled`.

    Parameters
    ----------
    samples
        The samples.
    ground
        What trees are made of.
    base
        The samples' least losses together, beyond which values are counted.
    parameters
        How shares are improved.
    """

    settles_last = settles_middle = False

    def __init__(
        self, samples: Samples, ground: Ground, base: float, parameters: IntervalParameters = DEFAULTS
    ) -> None:
        self._samples, self._ground, self._base, self._parameters = samples, ground, base, parameters
        self._question = np.searchsorted(samples.first, np.arange(samples.points.size), side="right") - 1
        self.open_bound: float = np.inf
        self.unsettled: list[_Roots] = []

    def whole(self) -> list[_Roots]:
        """Return the parts that the search begins with: two per question, as one is hardly ever closed undivided."""
        parts = []
        for first, end in zip(self._samples.first[:-1].tolist(), self._samples.first[1:].tolist(), strict=True):
            middle = (first + end) // 2
            parts += [_Roots(low, high - 1) for low, high in ((first, middle), (middle, end)) if low < high]
        return parts

    def divided(self, part: _Roots, _target: float) -> list[_Roots] | None:
        """Return the parts of a part, or itself if its shares are to be improved; None for a single root."""
        if not part.is_done:
            return [replace(part, halves=())]
        if part.first == part.last:
            return None
        middle = (part.first + part.last) // 2
        ends = (part.first, middle), (middle + 1, part.last)
        return [_Roots(first, last, part.bound, part.share) for first, last in ends]

    def tried(self, part: _Roots, target: float, must_stop: Callable[[], bool]) -> Settled | None:
        """Return the tree that comes of the first trees on both sides of a root if it is below the target."""
        if not part.halves:
            return None
        tree = self._improved(part, must_stop)
        value = self._ground.value(self._ground.tree(tree)) - self._base
        return replace(tree, value=value) if value < target else None

    def settled(self, part: _Roots, target: float, must_stop: Callable[[], bool]) -> Settled | None:
        """Leave a single root unsettled, with a tree that is tried."""
        self.unsettled.append(part)
        return self.tried(part, target, must_stop)

    def bounded(self, part: _Roots, target: float, must_stop: Callable[[], bool]) -> _Roots:
        """Return the part with the bound of better shares, a few steps at a time."""
        is_single, settings = part.first == part.last, self._parameters
        spent, sides = _sides(int(self._question[part.first]), part.first, part.last, self._samples)
        free: BoolArray = np.asarray(np.isfinite(spent).all(axis=0))
        share = part.share if part.share.size else (spent[0] <= spent[1]).astype(np.float64)
        share = np.where(free, share, np.isfinite(spent[0]))
        best, best_share, seen, way, is_done, halves = part.bound, share, part.seen, part.way, False, part.halves
        left = right = _Half(np.inf, None, np.full(free.size, np.inf))
        for _ in range(settings.pair_steps):
            if seen:
                towards, most = _best_shares(seen, share, free)
                # Where no shares will do, smaller intervals may.
                enough = way < settings.shortest_way or len(seen) == settings.most_pair_steps
                is_done = enough or most <= (best if is_single else target)
                if is_done:
                    break
                share = best_share + way * (towards - best_share)
            left = _best_half(sides[0], spent[0], share, target, left, must_stop)
            right = _best_half(sides[1], spent[1], 1.0 - share, target - left.value, right, must_stop)
            if must_stop():
                break
            total = left.value + right.value
            way = min(1.0, 2.0 * way) if total > best else 0.5 * way
            if total > best:
                best, best_share = total, share
            if best >= target or left.tree is None or right.tree is None:
                is_done = True
                break
            if is_single and not seen:
                halves = left, right
            seen = (*seen, (left.costs, right.costs))
        return _Roots(part.first, part.last, best, best_share, seen, way, is_done, halves)

    def _improved(self, part: _Roots, must_stop: Callable[[], bool]) -> Settled:
        """Return the tree of two halves each of which, in turn, answers the other: a sample costs the worse one."""
        question, halves = int(self._question[part.first]), list(part.halves)
        spent, sides = _sides(question, part.first, part.last, self._samples)
        everything, side = np.ones(len(spent[0])), 0
        for _ in range(self._parameters.answers):
            floor = np.where(np.isfinite(spent[1 - side]), halves[1 - side].costs, 0.0)
            above = np.maximum(0.0, sides[side].regret - floor[:, None])
            samples = sides[side]._replace(regret=above)
            nothing = _Half(np.inf, None, np.full(everything.size, np.inf))
            half = _best_half(samples, spent[side], everything, np.inf, nothing, must_stop)
            if half.tree is None:
                break
            halves[side] = replace(half, costs=_worst_regrets(half.tree, sides[side]))
            side = 1 - side
        left, right = halves[0].tree, halves[1].tree
        assert left is not None
        assert right is not None
        return _joined(question, self._samples.points[part.first], left, right)


def _sides(question: int, first: int, last: int, samples: Samples) -> tuple[FloatArray, list[Samples]]:
    """Return what samples pay to get to the sides of roots from `first` to `last`, and how they arrive there.

    Samples that had to be moved stand at the threshold, with what their budgets have left. Where another threshold of
    the same question lies within ε, some boxes below the root can't be entered. Samples then go on to a value that is
    right for all thresholds, and their answers to this question don't change any more: the adversary may do less.
    """
    start, end = samples.first[question], samples.first[question + 1]
    low, high, step = samples.points[first], samples.points[last], samples.step[question]
    around = samples.points[max(start, first - 1) : min(end, last + 2)]
    crowded = bool((np.diff(around) < 2.0 * step).any())
    spent = np.empty((2, samples.room.size))
    side_costs(question, low, high, samples, spent)
    before, price, edge = samples.values[question], samples.prices[question], high + step
    if crowded:
        for point in samples.points[last + 1 : end]:
            if point < edge < point + step:
                edge = point + step
        far = np.where(before > high, 0.0, edge - before)
        affordable = (far <= samples.caps[question]) & (price * far <= samples.room)
        spent[1] = np.where(affordable, price * far, np.inf)
    arrived = np.minimum(before, low), np.where(before > high, before, edge)
    sides = []
    for cost, value in zip(spent, arrived, strict=True):
        values, caps = samples.values.copy(), samples.caps.copy()
        values[question] = value
        caps[question] = 0.0 if crowded else np.maximum(0.0, caps[question] - np.abs(value - before))
        moved = np.where(np.isfinite(cost), cost, 0.0)
        room = np.where(moved > 0.0, (samples.room - moved) * (1.0 - _TINY), samples.room)
        sides.append(samples._replace(values=values, caps=caps, room=np.maximum(0.0, room)))
    return spent, sides


def _best_shares(
    seen: tuple[tuple[FloatArray, FloatArray], ...], share: FloatArray, free: BoolArray
) -> tuple[FloatArray, float]:
    """Return the shares that are best against the trees seen on the left and on the right, and what they reach.

    If the linear programme can't be solved, these are the given shares, and nothing is said to be reached.
    """
    from scipy.optimize import linprog

    left, right = (np.array(costs) for costs in zip(*seen, strict=True))
    ones, zeros = np.ones((len(seen), 1)), np.zeros((len(seen), 1))
    rows = np.block([[-left, ones, zeros], [right, zeros, ones]])
    sides = np.concatenate([np.zeros(len(seen)), right.sum(axis=1)])
    limits = [*np.where(free[:, None], (0.0, 1.0), share[:, None]).tolist(), (None, None), (None, None)]
    found: Any = linprog(np.append(np.zeros(share.size), (-1.0, -1.0)), rows, sides, bounds=limits)
    if found.x is None:
        return share, -np.inf
    return np.clip(found.x[:-2], 0.0, 1.0), -float(found.fun)


def _best_half(
    samples: Samples, spent: FloatArray, share: FloatArray, cutoff: float, known: _Half, must_stop: Callable[[], bool]
) -> _Half:
    """Return the best tree of depth 2 for the samples that reach a side, each counted by its share of them.

    If none is better than the `known` tree, that is returned with its present value.
    """
    rows = np.flatnonzero(np.isfinite(spent) & (share > 0.0))
    if not rows.size or cutoff <= 0.0:
        return _Half(0.0, None, np.zeros(spent.size))
    known = replace(known, value=float(share[rows] @ known.costs[rows]))
    if known.value >= cutoff:
        known = _Half(cutoff, None, np.zeros(spent.size))
    values = np.ascontiguousarray(samples.values[:, rows])
    some = samples._replace(
        values=values,
        order=np.argsort(values, axis=1, kind="stable"),
        caps=np.ascontiguousarray(samples.caps[:, rows]),
        room=samples.room[rows],
        regret=np.ascontiguousarray(samples.regret[rows] * share[rows, None]),
    )
    space = RootIntervals(some, 2, 0, 0)
    outcome = explore(space, space.whole(), known.value, np.inf, must_stop, settles=True)
    if outcome.found is None:
        return known
    return _Half(outcome.found.value, outcome.found, _worst_regrets(outcome.found, samples))


def _worst_regrets(tree: Settled, samples: Samples) -> FloatArray:
    """Return what a tree of depth 2 costs each sample, roughly where a question is asked twice."""
    worst = np.zeros(samples.room.size)
    for slot, choice in enumerate(tree.choice):
        if choice < 0:
            continue
        cost = np.zeros(worst.size)
        for node, goes_right in ((0, slot // 2), (1 + slot // 2, slot % 2)):
            question, threshold = tree.questions[node], tree.thresholds[node]
            if question < 0:
                continue
            value, step = samples.values[question], samples.step[question]
            up = np.where(value > threshold, 0.0, threshold + step - value)
            down = np.maximum(0.0, value - threshold)
            cost += samples.prices[question] * (up if goes_right else down)
        worst = np.where(cost <= samples.room, np.maximum(worst, samples.regret[:, choice]), worst)
    return worst


def _joined(question: int, threshold: float, left: Settled, right: Settled) -> Settled:
    """Return the tree of depth 3 with this root and these two trees below it."""
    order = [0, 3, 1, 2, 4, 5]
    below = np.concatenate([left.questions, right.questions])[order]
    thresholds = np.concatenate([left.thresholds, right.thresholds])[order]
    return Settled(
        np.append(question, below),
        np.append(threshold, thresholds),
        np.concatenate([left.choice, right.choice]),
        left.value + right.value,
    )
