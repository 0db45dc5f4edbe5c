"""Trees where nothing is misread: each side of a question is a problem of its own.

The best tree for a set of samples is the best question with the best trees for its two sides. Thresholds of a question
are settled from the middle outwards: the fewer samples a side has, the less it costs, so that what is known at one
threshold bounds both sides of all others. Mazumder, Meng and Wang (2022) use quantiles of an item in this way for
classification (https://proceedings.mlr.press/v162/mazumder22a.html).
"""

__all__ = ["NominalTrees", "Thresholds"]

from collections.abc import Callable
from dataclasses import replace
from typing import Final, NamedTuple

import numpy as np

from hedgerow.data.arrays import IntArray
from hedgerow.engine.nominal_kernels import best_pair, best_split, boundaries, part_of
from hedgerow.engine.root_intervals import Settled
from hedgerow.engine.samples import Samples
from hedgerow.engine.search import explore

_IN_ONE_CALL: Final = 2
"""Levels that one kernel call can settle."""

_WORK_OF_A_PAIR: Final = 1 << 28
"""Largest product of samples, questions, solutions and thresholds for which two levels are left to one kernel call."""

_NONE: Final = np.empty(0, dtype=np.int64)


class Thresholds(NamedTuple):
    """Thresholds of a root that are open, and what the two sides cost there at least.

    Attributes
    ----------
    bound
        What trees with such a root cost at least.
    question
        What the root asks; −1 for nothing.
    first, last
        Numbers of the thresholds, among those that divide the samples.
    left, right
        What the sides cost at least.
    """

    bound: float
    question: int
    first: int = 0
    last: int = -1
    left: float = 0.0
    right: float = 0.0


class NominalTrees:
    """The trees for a set of samples, as a space for `hedgerow.engine.search`.

    Parameters
    ----------
    samples
        All samples. Their budgets are not looked at.
    depth
        How many levels of questions there may be.
    min_samples
        The least number of samples per leaf; with 2 or more only a depth of 1 is right.
    rank
        Per question and sample how many candidate thresholds lie below its value.
    order
        The set, per question in the order of that rank.
    """

    settles_last, settles_middle = False, True
    unsettled: list[Thresholds]

    def __init__(self, samples: Samples, depth: int, min_samples: int, rank: IntArray, order: IntArray) -> None:
        self._samples, self._depth, self._min_samples = samples, depth, min_samples
        self._rank, self._order = rank, order
        self._places: list[IntArray] = []
        self._known: dict[tuple[int, int, int], float] = {}
        self.open_bound: float = np.inf

    @classmethod
    def of(cls, samples: Samples, depth: int, min_samples: int) -> "NominalTrees":
        """Return the trees for all samples."""
        first, values = samples.first, samples.values
        rank = np.array(
            [np.searchsorted(samples.points[first[row] : first[row + 1]], values[row]) for row in range(len(values))]
        )
        return cls(samples, depth, min_samples, rank, np.argsort(rank, axis=1, kind="stable"))

    def _boundaries(self, question: int) -> IntArray:
        places = np.empty(self._order.shape[1], dtype=np.int64)
        return places[: boundaries(self._order, self._rank, question, self._min_samples, places)]

    def whole(self) -> list[Thresholds]:
        """Return the parts that the search begins with: no question at first, then one per question."""
        self._places = [self._boundaries(question) for question in range(len(self._order) if self._depth > 1 else 0)]
        asked = [(question, places.size) for question, places in enumerate(self._places) if places.size]
        return [Thresholds(-np.inf, -1), *(Thresholds(0.0, question, 0, size - 1) for question, size in asked)]

    def divided(self, part: Thresholds, _target: float) -> list[Thresholds] | None:
        """Return what is left of a part beside its middle; None where there is no question."""
        if part.question < 0:
            return None
        middle = (part.first + part.last) // 2
        pieces = part._replace(last=middle - 1), part._replace(first=middle + 1)
        return [piece for piece in pieces if piece.first <= piece.last] or [part._replace(bound=np.inf)]

    def bounded(self, part: Thresholds, _target: float, _must_stop: Callable[[], bool]) -> Thresholds:
        """Return the part with what its sides cost at the neighbouring thresholds, where they have fewer samples."""
        left = max(part.left, self._known.get((0, part.question, part.first - 1), 0.0))
        right = max(part.right, self._known.get((1, part.question, part.last + 1), 0.0))
        return part._replace(bound=max(part.bound, left + right), left=left, right=right)

    def tried(self, part: Thresholds, target: float, must_stop: Callable[[], bool]) -> Settled | None:
        """Return the best tree with its root in the middle of the part if it is below the target."""
        middle = (part.first + part.last) // 2
        place = int(self._places[part.question][middle])
        sides: list[Settled | None] = []
        values = [0.0, part.right]
        for side in (0, 1):
            space = self._side(part.question, place, side)
            values[side], tree = space.best(target - values[1 - side], must_stop)
            if must_stop():
                return None
            self._known[side, part.question, middle] = max(values[side], part.right if side else part.left)
            sides.append(tree)
            if tree is None:
                return None
        return self._with_solutions(self._joined(part.question, place, sides))

    def settled(self, part: Thresholds, target: float, must_stop: Callable[[], bool]) -> Settled | None:
        """Return the best tree that has one level less than there may be if it is below the target."""
        del part
        if self._depth == 1:
            tree = self._by_kernel(target)
        else:
            fewer = NominalTrees(self._samples, self._depth - 1, self._min_samples, self._rank, self._order)
            tree = fewer.best(target, must_stop)[1]
        if tree is None:
            return None
        more = np.full(2**self._depth - 1 - tree.questions.size, -1)
        tree = replace(
            tree, questions=np.append(tree.questions, more), thresholds=np.append(tree.thresholds, more.astype(float))
        )
        return self._with_solutions(tree)

    def best(self, cutoff: float, must_stop: Callable[[], bool]) -> tuple[float, Settled | None]:
        """Return the value of the best tree and its questions if it is below the cut-off, else the cut-off."""
        n_thresholds = min(self._samples.points.size, self._order.size)
        work = self._order.size * n_thresholds * self._samples.regret.shape[1]
        if self._depth <= _IN_ONE_CALL and (self._depth == 1 or work <= _WORK_OF_A_PAIR):
            tree = self._by_kernel(cutoff)
        else:
            tree = explore(self, self.whole(), cutoff, np.inf, must_stop, settles=True).found
        return (cutoff, None) if tree is None else (tree.value, tree)

    def _by_kernel(self, cutoff: float) -> Settled | None:
        """Return the questions of the best tree with one or two levels if it is below the cut-off."""
        split = np.empty(2, dtype=np.int64)
        kernel = best_split if self._depth == 1 else best_pair
        value = float(kernel(self._order, self._rank, self._samples.regret, self._min_samples, cutoff, split))
        if value >= cutoff:
            return None
        question, n_inner = int(split[0]), 2**self._depth - 1
        if question < 0:
            return Settled(np.full(n_inner, -1), np.full(n_inner, np.nan), _NONE, value)
        place = int(np.count_nonzero(self._rank[question, self._order[0]] <= split[1])) - 1
        below = [self._side(question, place, side)._by_kernel(np.inf) for side in (0, 1)] if n_inner > 1 else []
        return replace(self._joined(question, place, below), value=value)

    def _side(self, question: int, place: int, side: int) -> "NominalTrees":
        """Return the trees with one level less for the samples up to a place in the question's order, or behind it."""
        n_questions, n_samples = self._order.shape
        order = np.empty((n_questions, n_samples - place - 1 if side else place + 1), dtype=np.int64)
        threshold = self._rank[question, self._order[question, place]]
        part_of(self._order, self._rank, question, threshold, bool(side), order)
        return NominalTrees(self._samples, self._depth - 1, self._min_samples, self._rank, order)

    def _joined(self, question: int, place: int, below: list[Settled | None]) -> Settled:
        """Return the tree that divides the question's order at a place, with these trees below."""
        number = self._samples.first[question] + self._rank[question, self._order[question, place]]
        questions, thresholds = [np.array([question])], [self._samples.points[number : number + 1]]
        trees = [tree for tree in below if tree is not None]
        for level in range(self._depth - 1):
            here = slice(2**level - 1, 2 ** (level + 1) - 1)
            questions += [tree.questions[here] for tree in trees]
            thresholds += [tree.thresholds[here] for tree in trees]
        value = sum(tree.value for tree in trees)
        return Settled(np.concatenate(questions), np.concatenate(thresholds), _NONE, value)

    def _with_solutions(self, tree: Settled) -> Settled:
        """Return the tree with the cheapest solution at each leaf, −1 where there is no sample."""
        rows, node = self._order[0], np.zeros(self._order.shape[1], dtype=np.int64)
        for _ in range(self._depth):
            question = tree.questions[node]
            node = 2 * node + 1 + ((question >= 0) & (self._samples.values[question, rows] > tree.thresholds[node]))
        sums, slots = np.zeros((tree.questions.size + 1, self._samples.regret.shape[1])), node - tree.questions.size
        np.add.at(sums, slots, self._samples.regret[rows])
        is_empty = np.bincount(slots, minlength=len(sums)) == 0
        return replace(tree, choice=np.where(is_empty, -1, sums.argmin(axis=1)))
