"""Trees of depth 3 under local budgets, of any depth where nothing is misread: bounded by trees on a root's sides.

A sample that reaches both sides of a root may be counted on either, or a share of it on each: whatever the shares are,

    value  ≥  best tree for the shares on the left  +  best one for the others on the right

Samples come to a side with what their budgets have left. Intervals of roots are bounded with the largest move costs, as
at depth 2, and divided until a single split is left.

Where nothing is misread, each side is a problem of its own, and exact for a single root: the fewer samples it has, the
less it costs. Mazumder, Meng and Wang (2022) use quantiles of an item in this way for classification
(https://proceedings.mlr.press/v162/mazumder22a.html).
"""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from itertools import pairwise

import numpy as np

from hedgerow.data.arrays import FloatArray, IntArray
from hedgerow.engine.engine_parameters import ENGINE
from hedgerow.engine.moves import side_costs
from hedgerow.engine.nominal_kernels import best_pair, best_split
from hedgerow.engine.samples import Samples
from hedgerow.engine.search import Answer, Ground, OpenParts, improve_shares
from hedgerow.engine.two_levels import Settled, best_two_levels

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
    """Trees whose root is one of some neighbouring splits."""

    # `first`, `last`: the splits.
    first: int
    last: int
    # `bound`, `share`: a bound beyond the samples' least losses, and the samples' shares for it.
    bound: float = 0.0
    share: FloatArray = field(default_factory=lambda: np.empty(0))
    subtrees: tuple[_Subtree, ...] = (_NOTHING, _NOTHING)  # the trees on both sides that gave the bound


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
    """

    def __init__(self, samples: Samples, depth: int, ground: Ground | None = None, base: float = 0.0) -> None:
        self._samples, self._depth, self._ground, self._base = samples, depth, ground, base
        self._can_move = bool((samples.room > 0.0).any())
        first, values = samples.first, samples.values
        self._rank = np.array(
            [np.searchsorted(samples.points[first[row] : first[row + 1]], values[row]) for row in range(len(values))]
        )
        self._question = np.searchsorted(samples.first, np.arange(samples.points.size), side="right") - 1
        self._known: dict[tuple[int, int], _Subtree] = {}
        self.open_bound: float = np.inf
        self.unsettled: list[_Roots] = []

    def whole(self) -> list[_Roots]:
        """Return the parts that the search begins with: each question's splits."""
        first = self._samples.first.tolist()
        return [_Roots(start, end - 1) for start, end in pairwise(first) if start < end]

    def divided(self, part: _Roots, _target: float) -> list[_Roots] | None:
        """Return the halves of a part; a single root is to be bounded, and None then."""
        if part.first == part.last:
            return None if part.share.size else [part]
        middle = (part.first + part.last) // 2
        return [replace(part, last=middle), replace(part, first=middle + 1)]

    def tried(self, part: _Roots, target: float, must_stop: Callable[[], bool]) -> Settled | None:
        """Return the tree of the trees on both sides that gave the bound if it is below the target."""
        if must_stop() or not all(half.tree for half in part.subtrees):
            return None
        tree = self._joined((part.first + part.last) // 2, part.subtrees)
        if self._ground is None:
            value = float(_worst_regrets(tree, self._samples).sum())
        else:
            value = self._ground.value(self._ground.tree(tree)) - self._base
        return tree._replace(value=value) if value < target else None

    def settled(self, part: _Roots, target: float, must_stop: Callable[[], bool]) -> Settled | None:
        """Return a tree with a single root, the best one if nothing is misread; else leave the root unsettled."""
        if not self._can_move:
            return self._joined(part.first, part.subtrees) if all(half.tree for half in part.subtrees) else None
        self.unsettled.append(part)
        self.open_bound = min(self.open_bound, part.bound)
        return self.tried(part, target, must_stop)

    def bounded(self, part: _Roots, target: float, must_stop: Callable[[], bool]) -> _Roots:
        """Return the part with the bound of better shares, by a few steps."""
        spent, sides = _sides(int(self._question[part.first]), part.first, part.last, self._samples)
        free = np.isfinite(spent).all(axis=0)
        share = part.share if part.share.size else (spent[0] <= spent[1]).astype(np.float64)
        share = np.where(free, share, np.isfinite(spent[0]))
        subtrees = [_NOTHING, _NOTHING]
        if self._can_move:
            for side, (half, samples) in enumerate(zip(part.subtrees, sides, strict=True)):
                if half.tree is not None:
                    subtrees[side] = replace(half, costs=_worst_regrets(half.tree, samples))

        def answer(share: FloatArray) -> Answer | None:
            cutoff = target
            for side, weight in ((0, share), (1, 1.0 - share)):
                key = side, (part.first, part.last)[side]
                known = subtrees[side] if self._can_move else self._known.get(key, _NOTHING)
                subtrees[side] = self._best_below(sides[side], spent[side], weight, cutoff, known, must_stop)
                if must_stop():
                    return None
                if not self._can_move:
                    self._known[key] = subtrees[side]
                cutoff -= subtrees[side].value
            left, right = subtrees
            slope = left.costs - right.costs if left.tree and right.tree else np.zeros(free.size)
            return Answer(left.value + right.value, slope, (left, right))

        n_steps = ENGINE.last_deep_steps if part.first == part.last else ENGINE.deep_steps
        aim = ENGINE.aim * target
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
        if known.tree is not None and self._can_move:
            known = replace(known, value=float(share[rows] @ known.costs[rows]))
        elif known.tree is not None or cutoff <= known.value < np.inf:
            return known
        if known.value >= cutoff:
            known = _Subtree(cutoff, None, np.zeros(spent.size))
        some = _weighted(samples, rows, share)
        if self._can_move:
            best = self._best_moved(some, known.value, must_stop)
        else:
            best = self._best_unmoved(some, np.ascontiguousarray(self._rank[:, rows]), known.value, must_stop)
        if best is None:
            return known
        costs = _worst_regrets(best, samples) if self._can_move else known.costs
        return _Subtree(best.value, best, costs)

    def _best_moved(self, samples: Samples, cutoff: float, must_stop: Callable[[], bool]) -> Settled | None:
        tree = Settled(np.full(3, -1), np.zeros(3), np.full(4, -1), np.inf)
        value = cutoff
        for question in range(-1, len(samples.values)):
            if must_stop():
                break
            value = best_two_levels(question, value, samples, tree)
        return tree._replace(value=value) if value < cutoff else None

    def _best_unmoved(
        self, samples: Samples, rank: IntArray, cutoff: float, must_stop: Callable[[], bool]
    ) -> Settled | None:
        """Return the best tree with one level less below the cut-off, where none of the samples is misread."""
        depth = self._depth - 1
        work = samples.order.size * min(samples.points.size, samples.order.size) * samples.regret.shape[1]
        levels = 1 if work > ENGINE.work_at_once else min(depth, 2)
        tree = _best_by_kernel(levels, samples.order, rank, samples, cutoff)
        best = None if tree is None else _deeper(tree, depth)
        if depth > levels:
            search = OpenParts(DeepTrees(samples, depth), cutoff if best is None else best.value)
            while np.isfinite(search.bound) and not must_stop():
                best = search.step(must_stop) or best
        return best

    def _joined(self, split: int, subtrees: tuple[_Subtree, ...]) -> Settled:
        below = [half.tree for half in subtrees if half.tree is not None]
        return _with_root(int(self._question[split]), float(self._samples.points[split]), below)


def _with_root(question: int, threshold: float, below: list[Settled]) -> Settled:
    questions, thresholds = [np.array([question])], [np.array([threshold])]
    first, size = 0, 1
    while first < below[0].questions.size:
        questions += [tree.questions[first : first + size] for tree in below]
        thresholds += [tree.thresholds[first : first + size] for tree in below]
        first, size = first + size, 2 * size
    choice = np.concatenate([tree.choice for tree in below])
    return Settled(np.concatenate(questions), np.concatenate(thresholds), choice, sum(tree.value for tree in below))


def _best_by_kernel(depth: int, order: IntArray, rank: IntArray, samples: Samples, cutoff: float) -> Settled | None:
    """Return the best tree of at most two levels for an ordered set of samples if it is below the cut-off."""
    if depth == 0:
        total = samples.regret[order[0]].sum(axis=0)
        return Settled(np.empty(0, dtype=np.int64), np.empty(0), np.array([total.argmin()]), float(total.min()))
    split, kernel = np.empty(2, dtype=np.int64), best_split if depth == 1 else best_pair
    value = float(kernel(order, rank, samples.regret, cutoff, split))
    if value >= cutoff:
        return None
    question, place = split.tolist()
    if question < 0:
        undivided = _best_by_kernel(0, order, rank, samples, np.inf)
        return undivided and _deeper(undivided, depth)
    goes_right = rank[question, order] > place
    parts = [order[side].reshape(len(order), -1) for side in (~goes_right, goes_right)]
    below = [tree for part in parts if (tree := _best_by_kernel(depth - 1, part, rank, samples, np.inf)) is not None]
    return _with_root(question, float(samples.points[samples.first[question] + place]), below)


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
        values, caps, order = samples.values.copy(), samples.caps.copy(), samples.order.copy()
        values[question], order[question] = value, np.argsort(value, kind="stable")
        caps[question] = 0.0 if crowded else np.maximum(0.0, caps[question] - np.abs(value - before))
        moved = np.where(np.isfinite(cost), cost, 0.0)
        room = np.where(moved > 0.0, (samples.room - moved) * (1.0 - _TINY), samples.room)
        sides.append(samples._replace(values=values, order=order, caps=caps, room=np.maximum(0.0, room)))
    return spent, sides


def _weighted(samples: Samples, rows: IntArray, share: FloatArray) -> Samples:
    number = np.full(samples.room.size, -1)
    number[rows] = np.arange(rows.size)
    order = number[samples.order]
    return samples._replace(
        values=np.ascontiguousarray(samples.values[:, rows]),
        order=order[order >= 0].reshape(len(order), rows.size),
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
    n_leaves, step = 2**depth, 2**depth // tree.choice.size
    more = np.full(n_leaves - 1 - tree.questions.size, -1)
    choice = np.full(n_leaves, -1)
    choice[::step] = tree.choice
    return tree._replace(
        questions=np.append(tree.questions, more),
        thresholds=np.append(tree.thresholds, more.astype(np.float64)),
        choice=choice,
    )
