"""Trees of depth 3 under local budgets, of any depth where nothing is misread: bounded by trees on a root's sides.

A sample that reaches both sides of a root may be counted on either, or a share of it on each: whatever the shares are,

    value  ≥  best tree for the shares on the left  +  best one for the others on the right

Samples come to a side with what their budgets have left. Intervals of roots are bounded with the dearest move costs, as
at depth 2, and divided until a single split is left.

Where nothing is misread, each side is a problem of its own, and exact for a single root: the fewer samples it has, the
less it costs. Mazumder, Meng and Wang (2022) use quantiles of an item in this way for classification
(https://proceedings.mlr.press/v162/mazumder22a.html).
"""

__all__ = ["DeepTrees"]

from collections.abc import Callable
from dataclasses import dataclass, field, replace

import numpy as np

from hedgerow.data.arrays import BoolArray, FloatArray, IntArray
from hedgerow.engine.interval_parameters import DEFAULTS, IntervalParameters
from hedgerow.engine.intervals import Settled
from hedgerow.engine.moves import side_costs
from hedgerow.engine.nominal_kernels import best_pair, best_split
from hedgerow.engine.samples import Samples
from hedgerow.engine.search import Ground, explore
from hedgerow.engine.shares import Answer, improve_shares
from hedgerow.engine.two_levels import best_two_levels, no_intervals, no_tree

_TINY = 1e-12


@dataclass(frozen=True, eq=False)
class _Subtree:
    """The best tree on one side: its value, the tree if it is below the cut-off, and what it costs each sample."""

    value: float
    tree: Settled | None
    costs: FloatArray


_NOTHING = _Subtree(np.inf, None, np.full(1, np.inf))


@dataclass(frozen=True, eq=False)
class _Roots:
    """Trees whose root is one of some neighbouring splits.

    Attributes
    ----------
    first, last
        The splits.
    bound, share
        A bound beyond the samples' least losses, and the samples' shares for it.
    is_last
        Whether nothing is left to do but to settle it: shares are then improved by more steps.
    subtrees
        The trees on both sides that gave the bound.
    floors
        What the sides cost at least where nothing is misread.
    """

    first: int
    last: int
    bound: float = 0.0
    share: FloatArray = field(default_factory=lambda: np.empty(0))
    is_last: bool = False
    subtrees: tuple[_Subtree, ...] = (_NOTHING, _NOTHING)
    floors: tuple[float, float] = (0.0, 0.0)


class DeepTrees:
    """The trees over candidate thresholds, as a space for `hedgerow.engine.search`.

    Roots that shares can't close are left `unsettled`.

    Parameters
    ----------
    samples
        The samples. Where they can be moved, questions are about single readings, and the depth is 3.
    depth
        How many levels of questions there may be, 2 or more.
    ground
        What trees are made of; not needed where nothing is misread.
    base
        The samples' least losses together, beyond which values are counted.
    parameters
        How shares are improved.
    """

    settles_last = False

    def __init__(
        self,
        samples: Samples,
        depth: int,
        ground: Ground | None = None,
        base: float = 0.0,
        parameters: IntervalParameters = DEFAULTS,
    ) -> None:
        self._samples, self._depth, self._ground, self._base = samples, depth, ground, base
        self._parameters, self._can_move = parameters, bool((samples.room > 0.0).any())
        first, values = samples.first, samples.values
        self._rank = np.array(
            [np.searchsorted(samples.points[first[row] : first[row + 1]], values[row]) for row in range(len(values))]
        )
        self._question = np.searchsorted(samples.first, np.arange(samples.points.size), side="right") - 1
        self._order = np.argsort(self._rank, axis=1, kind="stable")
        self._known: dict[tuple[int, int], float] = {}
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
        """Return the parts of a part, or a single root once more with more steps; None once it had these.

        Where nothing is misread, the root in the middle is tried and left out.
        """
        if part.first == part.last:
            return None if part.is_last or not self._can_move else [replace(part, is_last=True)]
        middle = (part.first + part.last) // 2
        if not self._can_move:
            pieces = replace(part, last=middle - 1), replace(part, first=middle + 1)
            return [piece for piece in pieces if piece.first <= piece.last]
        return [replace(part, last=middle), replace(part, first=middle + 1)]

    def tried(self, part: _Roots, target: float, must_stop: Callable[[], bool]) -> Settled | None:
        """Return the tree that comes of the first trees on both sides of a root if it is below the target."""
        if not self._can_move:
            return self._tried_unmoved(part, target, must_stop)
        is_new = part.first == part.last and not part.is_last
        if not is_new or not all(half.tree for half in part.subtrees):
            return None
        tree = self._improved(part, must_stop)
        if self._ground is not None:
            tree = replace(tree, value=self._ground.value(self._ground.tree(tree)) - self._base)
        return tree if tree.value < target else None

    def settled(self, part: _Roots, target: float, must_stop: Callable[[], bool]) -> Settled | None:
        """Leave a single root unsettled unless nothing is misread: its sides are exact then."""
        if self._can_move:
            self.unsettled.append(part)
            return None
        return self._tried_unmoved(part, target, must_stop)

    def bounded(self, part: _Roots, target: float, must_stop: Callable[[], bool]) -> _Roots:
        """Return the part with the bound of better shares, by a few steps."""
        if not self._can_move:
            return self._bounded_unmoved(part)
        spent, sides = _sides(int(self._question[part.first]), part.first, part.last, self._samples)
        free = np.isfinite(spent).all(axis=0)
        share = part.share if part.share.size else (spent[0] <= spent[1]).astype(np.float64)
        share = np.where(free, share, np.isfinite(spent[0]))
        subtrees = [
            _Subtree(half.value, half.tree, _worst_regrets(half.tree, samples)) if half.tree else _NOTHING
            for half, samples in zip(part.subtrees, sides, strict=True)
        ]

        def answer(share: FloatArray) -> Answer | None:
            cutoff = target
            for side, weight in ((0, share), (1, 1.0 - share)):
                subtrees[side] = self._best_below(sides[side], spent[side], weight, cutoff, subtrees[side], must_stop)
                cutoff -= subtrees[side].value
            left, right = subtrees
            if must_stop():
                return None
            slope = left.costs - right.costs if left.tree and right.tree else np.zeros(free.size)
            return Answer(left.value + right.value, slope, (left, right))

        n_steps = self._parameters.last_deep_steps if part.is_last else self._parameters.deep_steps
        aim = self._parameters.aim * target
        share, best = improve_shares(share, np.asarray(free), target, aim, n_steps, answer)
        if best is None:
            return part
        return replace(part, bound=max(part.bound, best.value), share=share, subtrees=best.origin)

    def _best_below(
        self,
        samples: Samples,
        spent: FloatArray,
        share: FloatArray,
        cutoff: float,
        known: _Subtree,
        must_stop: Callable[[], bool],
    ) -> _Subtree:
        """Return the best tree with one level less for the samples that reach a side, each counted by its share.

        If none is better than the `known` tree, that is returned with its present value.
        """
        rows = np.flatnonzero(np.isfinite(spent) & (share > 0.0))
        if not rows.size or cutoff <= 0.0:
            return _Subtree(0.0, None, np.zeros(spent.size))
        if known.tree is not None:
            known = replace(known, value=float(share[rows] @ known.costs[rows]))
        if known.value >= cutoff:
            known = _Subtree(cutoff, None, np.zeros(spent.size))
        some = _weighted(samples, rows, share)
        tree, opened, question, value = no_tree(), no_intervals(), -1, known.value
        at_once = max(1, self._parameters.work_at_once // (some.regret.size * max(1, some.points.size)))
        while question < len(some.values) and not must_stop():
            question, value = best_two_levels(question, at_once, value, some, opened, tree)
        if value >= known.value:
            return known
        best = Settled(*tree, value)
        return _Subtree(value, best, _worst_regrets(best, samples))

    def _bounded_unmoved(self, part: _Roots) -> _Roots:
        """Return the part with what its sides cost at the neighbouring roots, where they have fewer samples."""
        left = max(part.floors[0], self._known.get((0, part.first - 1), 0.0))
        right = max(part.floors[1], self._known.get((1, part.last + 1), 0.0))
        return replace(part, bound=max(part.bound, left + right), floors=(left, right))

    def _tried_unmoved(self, part: _Roots, target: float, must_stop: Callable[[], bool]) -> Settled | None:
        """Return the best tree with its root in the middle of the part if it is below the target."""
        middle, subtrees, others = (part.first + part.last) // 2, [], part.floors[1]
        is_left = self._samples.values[self._question[middle]] <= self._samples.points[middle]
        for side, here in ((0, is_left), (1, ~is_left)):
            subtrees.append(self._best_unmoved(here, target - others, must_stop))
            others = subtrees[-1].value
            if must_stop():
                return None
            self._known[side, middle] = max(others, part.floors[side])
            if subtrees[-1].tree is None:
                return None
        return self._joined(middle, tuple(subtrees))

    def _best_unmoved(self, here: BoolArray, cutoff: float, must_stop: Callable[[], bool]) -> _Subtree:
        """Return the best tree with one level less for some samples, none of which is misread."""
        samples, depth, nothing = self._samples, self._depth - 1, np.empty(0)
        if not here.any():  # a root that leaves a side without samples asks nothing
            return _Subtree(np.inf, None, nothing)
        order = self._order[here[self._order]].reshape(len(self._order), -1)
        work = order.size * min(samples.points.size, order.size) * samples.regret.shape[1]
        levels = 1 if work > self._parameters.work_at_once else min(depth, 2)
        tree = _best_by_kernel(levels, order, self._rank, samples, cutoff)
        best = None if tree is None else _deeper(tree, depth)
        if depth > levels:
            space = DeepTrees(_weighted(samples, np.flatnonzero(here), np.ones(here.size)), depth)
            cutoff = cutoff if best is None else best.value
            best = explore(space, space.whole(), cutoff, np.inf, must_stop, settles=True).found or best
        return _Subtree(cutoff if best is None else best.value, best, nothing)

    def _improved(self, part: _Roots, must_stop: Callable[[], bool]) -> Settled:
        """Return the tree of two subtrees each of which, in turn, answers the other: a sample costs the worse one."""
        subtrees = list(part.subtrees)
        spent, sides = _sides(int(self._question[part.first]), part.first, part.last, self._samples)
        everything, side = np.ones(len(spent[0])), 0
        for _ in range(self._parameters.answers):
            floor = np.where(np.isfinite(spent[1 - side]), subtrees[1 - side].costs, 0.0)
            above = np.maximum(0.0, sides[side].regret - floor[:, None])
            samples = sides[side]._replace(regret=above)
            half = self._best_below(samples, spent[side], everything, np.inf, _NOTHING, must_stop)
            if half.tree is None:
                break
            subtrees[side] = replace(half, costs=_worst_regrets(half.tree, sides[side]))
            side = 1 - side
        return self._joined(part.first, tuple(subtrees))

    def _joined(self, split: int, subtrees: tuple[_Subtree, ...]) -> Settled:
        """Return the tree with this root and these two trees below it."""
        below = [half.tree for half in subtrees if half.tree is not None]
        questions, thresholds = [self._question[split : split + 1]], [self._samples.points[split : split + 1]]
        for level in range(self._depth - 1):
            here = slice(2**level - 1, 2 ** (level + 1) - 1)
            questions += [tree.questions[here] for tree in below]
            thresholds += [tree.thresholds[here] for tree in below]
        choice = np.concatenate([tree.choice for tree in below])
        value = sum(half.value for half in subtrees)
        return Settled(np.concatenate(questions), np.concatenate(thresholds), choice, value)


def _best_by_kernel(depth: int, order: IntArray, rank: IntArray, samples: Samples, cutoff: float) -> Settled | None:
    """Return the best tree of depth 1 or 2 for an ordered set of samples if it is below the cut-off."""
    split, kernel = np.empty(2, dtype=np.int64), best_split if depth == 1 else best_pair
    value = float(kernel(order, rank, samples.regret, cutoff, split))
    if value >= cutoff:
        return None
    question, rows = int(split[0]), order[0]
    if question < 0:
        undivided = Settled(np.empty(0, dtype=np.int64), np.empty(0), _cheapest([rows], samples), value)
        return _deeper(undivided, depth)
    goes_right = rank[question, order] > split[1]
    parts = [order[side].reshape(len(order), -1) for side in (~goes_right, goes_right)]
    questions, thresholds = np.array([question]), samples.points[[samples.first[question] + split[1]]]
    if depth == 1:
        return Settled(questions, thresholds, _cheapest([part[0] for part in parts], samples), value)
    below = [tree for part in parts if (tree := _best_by_kernel(1, part, rank, samples, np.inf)) is not None]
    return Settled(
        np.concatenate([questions, *(tree.questions for tree in below)]),
        np.concatenate([thresholds, *(tree.thresholds for tree in below)]),
        np.concatenate([tree.choice for tree in below]),
        value,
    )


def _cheapest(parts: list[IntArray], samples: Samples) -> IntArray:
    return np.array([samples.regret[rows].sum(axis=0).argmin() for rows in parts])


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


def _weighted(samples: Samples, rows: IntArray, share: FloatArray) -> Samples:
    """Return some of the samples, each counted by its share."""
    values = np.ascontiguousarray(samples.values[:, rows])
    return samples._replace(
        values=values,
        order=np.argsort(values, axis=1, kind="stable"),
        caps=np.ascontiguousarray(samples.caps[:, rows]),
        room=samples.room[rows],
        regret=np.ascontiguousarray(samples.regret[rows] * share[rows, None]),
    )


def _worst_regrets(tree: Settled, samples: Samples) -> FloatArray:
    """Return what a tree costs each sample, roughly where a question is asked twice."""
    worst, n_inner = np.zeros(samples.room.size), tree.questions.size
    for slot in np.flatnonzero(tree.choice >= 0):
        cost, child = np.zeros(worst.size), int(slot) + n_inner
        while child > 0:
            node, goes_right = (child - 1) // 2, child % 2 == 0
            question, threshold, child = tree.questions[node], tree.thresholds[node], node
            if question < 0:
                continue
            value, step = samples.values[question], samples.step[question]
            up = np.where(value > threshold, 0.0, threshold + step - value)
            down = np.maximum(0.0, value - threshold)
            cost += samples.prices[question] * (up if goes_right else down)
        worst = np.where(cost <= samples.room, np.maximum(worst, samples.regret[:, tree.choice[slot]]), worst)
    return worst


def _deeper(tree: Settled, depth: int) -> Settled:
    """Return the tree with as many levels, of which the last ones ask nothing."""
    n_leaves, step = 2**depth, 2**depth // tree.choice.size
    more = np.full(n_leaves - 1 - tree.questions.size, -1)
    choice = np.full(n_leaves, -1)
    choice[::step] = tree.choice
    return replace(
        tree,
        questions=np.append(tree.questions, more),
        thresholds=np.append(tree.thresholds, more.astype(np.float64)),
        choice=choice,
    )
