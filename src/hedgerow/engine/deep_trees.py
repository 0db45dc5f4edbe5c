"""Trees of depth 3 and more: roots are bounded by the best trees of one level less on either side.

A sample that reaches both sides of a root may be counted on either, or a share of it on each: whatever the shares are,

    value  ≥  best tree for the shares on the left  +  best tree for the others on the right

Samples come to a side with what their budgets have left. Intervals of roots are bounded with the dearest move costs, as
at depth 2, and divided until a single candidate is left. Where no sample reaches both sides, that settles it.
"""

__all__ = ["NO_HALF", "DeepTrees", "Parameters", "Roots", "arrivals", "best_shares"]

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from hedgerow.data.arrays import BoolArray, FloatArray, IntArray
from hedgerow.engine.readings import Readings, Root, dearest_costs, separated
from hedgerow.engine.search import DividedSpace, Outcome, Settled
from hedgerow.engine.tables.leaves import best_leaves_local
from hedgerow.engine.two_levels import ShallowTrees
from hedgerow.tolerances import VALUE


@dataclass(frozen=True)
class Parameters:
    """How shares are improved.

    Attributes
    ----------
    steps
        Improvements before the search looks at other intervals, since one with a lower bound may be next.
    most_steps
        Improvements of one interval in all; few intervals gain from more.
    shortest_way
        How far shares go at least towards the best ones against the trees seen; below it bounds hardly change.
    answers
        How often one side of a tree is made anew to fit the other.
    leaf_work
        Table entries that the choice of a tree's solutions may look at: some milliseconds.
    """

    steps: int = 4
    most_steps: int = 16
    shortest_way: float = 0.05
    answers: int = 4
    leaf_work: float = 1e7


@dataclass(frozen=True, eq=False)
class Half:
    """The best tree on one side: its value, the tree if it is below the cut-off, and what it costs each sample."""

    value: float
    tree: Settled | None
    costs: FloatArray


@dataclass(frozen=True, eq=False)
class Roots:
    """Trees whose root is one of some neighbouring candidates of a question.

    Attributes
    ----------
    first, last
        The candidates.
    bound
        What these trees cost at least.
    left, right
        What the sides cost at least with all samples that reach them.
    halves
        The best trees on the sides, as far as they are known.
    share, reached, seen, way
        The samples' shares on the left, the bound that they gave, what the trees seen so far cost each sample on both
        sides, and how far to go for better shares.
    is_done
        Whether better shares are no longer looked for.
    """

    first: int
    last: int
    bound: float = -np.inf
    left: float = 0.0
    right: float = 0.0
    halves: tuple[Half, Half] | None = None
    share: FloatArray = field(default_factory=lambda: np.empty(0))
    reached: float = -np.inf
    seen: tuple[tuple[FloatArray, FloatArray], ...] = ()
    way: float = 0.5
    is_done: bool = True


NO_HALF = Half(np.inf, None, np.empty(0))
_TINY = 1e-12


class DeepTrees(DividedSpace):
    """The space of trees of depth 3 and more over candidate thresholds; questions are about single readings.

    Parameters
    ----------
    readings
        The samples.
    depth
        At least 3.
    min_samples
        The least number of samples per leaf.
    parameters
        How shares are improved.
    """

    settles_last = False
    largest_round, most_per_task = 4, 1

    def __init__(
        self, readings: Readings, depth: int, min_samples: int = 0, parameters: Parameters = Parameters()
    ) -> None:
        self._readings, self._depth, self._min_samples = readings, depth, min_samples
        self._parameters = parameters
        self._question = np.searchsorted(readings.first, np.arange(readings.points.size), side="right") - 1
        self._known: dict[tuple[int, tuple[int, ...], bool], Half] = {}
        self._still = readings.still and min_samples <= 1
        self.open_bound, self.unsettled = np.inf, []

    def whole(self) -> list[Roots]:
        """Return the parts that the search begins with: one per question, and one without a question."""
        ends = zip(self._readings.first[:-1].tolist(), self._readings.first[1:].tolist(), strict=True)
        return [Roots(-1, -1), *(Roots(first, end - 1) for first, end in ends if first < end)]

    def divided(self, part: Roots, _target: float) -> list[Roots] | None:
        """Return the parts of a part, or itself if its shares are to be improved; None for a single candidate."""
        if not part.is_done:
            return [part]
        if part.first == part.last:
            return None
        middle = (part.first + part.last) // 2
        ends = (part.first, middle - 1 if self._still else middle), (middle + 1, part.last)
        known = part.bound, part.left, part.right, None, part.share
        return [Roots(first, last, *known) for first, last in ends if first <= last]

    def bounded(self, part: Roots, target: float, must_stop: Callable[[], bool]) -> Roots:
        """Return the part with a better bound."""
        if self._still:
            return self._bounded_by_neighbours(part)
        spent, sides, _ = arrivals(int(self._question[part.first]), part.first, part.last, self._readings)
        free: BoolArray = np.asarray(np.isfinite(spent).all(axis=0))
        if free.any():
            return self._bounded_by_shares(part, spent, sides, free, target, must_stop)
        return self._bounded_apart(part, target, must_stop)

    def _bounded_apart(self, part: Roots, target: float, must_stop: Callable[[], bool]) -> Roots:
        """Return the part with what its two sides cost where no sample is free."""
        spent, sides, crowded = arrivals(int(self._question[part.first]), part.first, part.last, self._readings)
        left = self._known_half(0, part, crowded, spent, sides, target - part.right, must_stop)
        right = self._known_half(1, part, crowded, spent, sides, target - left.value, must_stop)
        if must_stop():
            return part
        bound = max(part.bound, left.value + right.value)
        return replace(part, bound=bound, left=left.value, right=right.value, halves=(left, right))

    def _bounded_by_neighbours(self, part: Roots) -> Roots:
        """Return the part with what the candidates beside it cost: where nothing moves, more samples cost more."""
        left, right = self._known.get((0, (part.first - 1,), False)), self._known.get((1, (part.last + 1,), False))
        on_left = part.left if left is None or part.first - 1 < self._start(part) else max(part.left, left.value)
        on_right = (
            part.right if right is None or part.last + 1 >= self._start(part, 1) else max(part.right, right.value)
        )
        return replace(part, bound=max(part.bound, on_left + on_right), left=on_left, right=on_right)

    def _start(self, part: Roots, offset: int = 0) -> int:
        """Return the first candidate of the part's question, or of the next one."""
        return int(self._readings.first[self._question[part.first] + offset])

    def _known_half(
        self,
        side: int,
        part: Roots,
        crowded: bool,
        spent: FloatArray,
        sides: list[Readings],
        cutoff: float,
        must_stop: Callable[[], bool],
    ) -> Half:
        """Return the best tree on one side where no sample is free.

        It depends on one end of the part only, if not for the samples that count for the least number per leaf.
        """
        both_ends = self._min_samples and not self._still
        ends = (part.first, part.last) if both_ends else ((part.first,), (part.last,))[side]
        key = side, ends, crowded and not self._still
        known = self._known.get(key)
        if known is None or (known.tree is None and known.value < cutoff):
            everything = np.ones(spent.shape[1])
            known = self._best_half(
                sides[side], self._rows_that_count(side, part), spent[side], everything, cutoff, NO_HALF, must_stop
            )
            if not must_stop():  # otherwise it may not be the best one
                self._known[key] = known
        return known

    def _rows_that_count(self, side: int, part: Roots) -> BoolArray:
        """Return which samples may count on a side for the least number of samples per leaf."""
        if not self._min_samples:
            return np.zeros(self._readings.room.size, dtype=np.bool_)
        value = self._readings.as_read[self._question[part.first]]
        low, high = self._readings.points[[part.first, part.last]]
        return np.asarray(self._readings.counts & (value <= high if side == 0 else value > low))

    def _best_half(
        self,
        readings: Readings,
        counts: BoolArray,
        spent: FloatArray,
        share: FloatArray,
        cutoff: float,
        known: Half,
        must_stop: Callable[[], bool],
    ) -> Half:
        """Return the best tree of one level less for the samples that reach a side, each counted by its share.

        If none is better than the `known` tree, that is returned with its present value.
        """
        reaches = np.isfinite(spent) & (share > 0.0)
        rows = np.flatnonzero(reaches | counts)
        if cutoff <= 0.0:
            return Half(0.0, None, np.zeros(spent.size))
        if not rows.size:
            tree = None if self._min_samples else _one_solution(self._depth - 1, -1)
            return Half(cutoff if tree is None else 0.0, tree, np.zeros(spent.size))
        if known.tree is not None:
            known = replace(known, value=float(share[reaches] @ known.costs[reaches]))
        if known.tree is None or known.value >= cutoff:
            known = Half(cutoff, None, np.zeros(spent.size))
        some = _part_of(readings, rows, np.where(reaches, share, 0.0)[rows], counts[rows])
        space: Any = ShallowTrees(some, 2, self._min_samples, tries=False)
        if self._depth > 3:
            space = DeepTrees(some, self._depth - 1, self._min_samples, self._parameters)
        outcome: Outcome = space.explore(space.whole(), known.value, np.inf, must_stop, settles=True)
        if outcome.found is None:
            return known
        costs = _worst_regrets(outcome.found, readings) if some.room.any() else NO_HALF.costs
        return Half(outcome.found.value, outcome.found, costs)

    def _bounded_by_shares(
        self,
        part: Roots,
        spent: FloatArray,
        sides: list[Readings],
        free: BoolArray,
        target: float,
        must_stop: Callable[[], bool],
    ) -> Roots:
        """Return the part with the bound of better shares, a few steps at a time."""
        is_single, settings = part.first == part.last, self._parameters
        share = part.share if part.share.size else (spent[0] <= spent[1]).astype(np.float64)
        share = np.where(free, share, np.isfinite(spent[0]))
        best, best_share, seen, way = part.reached, share, part.seen, part.way
        left, right = part.halves or (NO_HALF, NO_HALF)
        counts, is_done = [self._rows_that_count(side, part) for side in (0, 1)], False
        for _ in range(settings.steps):
            if seen:
                towards, most = best_shares(seen, share, free)
                # Where no shares will do, smaller intervals may.
                enough = way < settings.shortest_way or len(seen) == settings.most_steps
                is_done = enough or most <= (max(best, part.bound) if is_single else target)
                if is_done:
                    break
                share = best_share + way * (towards - best_share)
            left = self._best_half(sides[0], counts[0], spent[0], share, target, left, must_stop)
            cutoff = target - left.value
            right = self._best_half(sides[1], counts[1], spent[1], 1.0 - share, cutoff, right, must_stop)
            if must_stop():
                return part
            total = left.value + right.value
            way = min(1.0, 2.0 * way) if total > best else 0.5 * way
            if total > best:
                best, best_share = total, share
            if best >= target or left.tree is None or right.tree is None:
                is_done = True
                break
            seen = (*seen, (left.costs, right.costs))
        known = max(part.bound, best), part.left, part.right, (left, right)
        return Roots(part.first, part.last, *known, best_share, best, seen, way, is_done)

    def tried(self, part: Roots, target: float, must_stop: Callable[[], bool]) -> Settled | None:
        """Return the tree that is made of the best ones on the sides if it is below the target."""
        if self._still and part.first >= 0:
            middle = (part.first + part.last) // 2
            part = self._bounded_apart(replace(part, first=middle, last=middle), target, must_stop)
        if part.halves is None:
            return None
        left, right = part.halves
        if left.tree is None or right.tree is None:
            return None
        middle = (part.first + part.last) // 2
        question, threshold = int(self._question[middle]), float(self._readings.points[middle])
        if part.first == part.last and 0 < len(part.seen) <= self._parameters.steps:
            left, right = self._answered(part, [left, right], must_stop)
        assert left.tree is not None
        assert right.tree is not None
        return self._with_solutions(_joined(question, threshold, left.tree, right.tree), target)

    def settled(self, part: Roots, target: float, must_stop: Callable[[], bool]) -> Settled | None:
        """Return the best tree found with a single root; if it may not be the best one, the part is left unsettled."""
        if part.first < 0:
            sums = self._readings.regret.sum(axis=0)
            return self._with_solutions(_one_solution(self._depth, int(sums.argmin())), target)
        tree = self.tried(part, target, must_stop)
        if not self._still and (tree is None or tree.value > part.bound + VALUE * max(1.0, abs(part.bound))):
            self.unsettled.append(part)
        return tree

    def _answered(self, part: Roots, halves: list[Half], must_stop: Callable[[], bool]) -> list[Half]:
        """Return two halves each of which, in turn, was made anew to answer the other: a sample costs the worse one."""
        spent, sides, _ = arrivals(int(self._question[part.first]), part.first, part.last, self._readings)
        everything, side = np.ones(spent.shape[1]), 0
        for _ in range(self._parameters.answers):
            floor = np.where(np.isfinite(spent[1 - side]), halves[1 - side].costs, 0.0)
            above = sides[side]._replace(regret=np.maximum(0.0, sides[side].regret - floor[:, None]))
            counts = self._rows_that_count(side, part)
            half = self._best_half(above, counts, spent[side], everything, np.inf, NO_HALF, must_stop)
            if half.tree is None or must_stop():
                break
            halves[side] = replace(half, costs=_worst_regrets(half.tree, sides[side]))
            side = 1 - side
        return halves

    def _with_solutions(self, tree: Settled, target: float) -> Settled | None:
        """Return the tree with the best solutions for its leaves if it is below the target."""
        reach = _reach(tree, self._readings)
        if self._min_samples and not self._has_enough(tree):
            return None
        choice = np.full(len(reach), -1)
        slots = np.where(reach, 0.0, np.inf)
        value = best_leaves_local(self._readings.regret, slots, target, choice, self._parameters.leaf_work)
        if value < target:
            return replace(tree, choice=choice, value=float(value))
        value = float(_worst_regrets(tree, self._readings).sum())
        return replace(tree, value=value) if value < target else None

    def _has_enough(self, tree: Settled) -> bool:
        """Return whether each leaf has its least number of samples as they are read."""
        readings = self._readings._replace(values=self._readings.as_read, room=np.zeros_like(self._readings.room))
        here = _reach(tree, readings)[:, self._readings.counts].sum(axis=1)
        exists = np.array([_box(tree, slot) is not None for slot in range(len(here))])
        return bool((here[exists] >= self._min_samples).all())


def arrivals(question: int, first: int, last: int, readings: Readings) -> tuple[FloatArray, list[Readings], bool]:
    """Return what samples pay to get to the sides of roots from `first` to `last`, and how they arrive there.

    Samples that had to be moved stand at the threshold, with what their budgets have left. Where another threshold of
    the same question lies within ε, some boxes below the root can't be entered, and True is returned as well. Samples
    then go on to a value that is right for all thresholds, and their answers to this question don't change any more:
    the adversary may do less.
    """
    start, end = readings.first[question], readings.first[question + 1]
    low, high, step = readings.points[first], readings.points[last], readings.step[question]
    around = readings.points[max(start, first - 1) : min(end, last + 2)]
    crowded = bool((np.diff(around) < 2.0 * step).any())
    spent = np.empty((2, readings.room.size))
    dearest_costs(Root(question, low, high), readings, spent)
    before, price, edge = readings.values[question], readings.prices[question], high + step
    if crowded:
        for point in readings.points[last + 1 : end]:
            if point < edge < point + step:
                edge = point + step
        far = np.where(before > high, 0.0, edge - before)
        affordable = (far <= readings.caps[question]) & (price * far <= readings.room)
        spent[1] = np.where(affordable, price * far, np.inf)
    sides = []
    for cost, value in zip(spent, (np.minimum(before, low), np.where(before > high, before, edge)), strict=True):
        values, caps = readings.values.copy(), readings.caps.copy()
        values[question] = value
        caps[question] = 0.0 if crowded else np.maximum(0.0, caps[question] - np.abs(value - before))
        moved = np.where(np.isfinite(cost), cost, 0.0)
        room = np.where(moved > 0.0, (readings.room - moved) * (1.0 - _TINY), readings.room)
        sides.append(readings._replace(values=values, caps=caps, room=np.maximum(0.0, room)))
    return spent, sides, crowded


def _part_of(readings: Readings, rows: IntArray, share: FloatArray, counts: BoolArray) -> Readings:
    """Return some of the samples, each with its share of regret; those with none may still count."""
    values = np.ascontiguousarray(readings.values[:, rows])
    as_read = np.ascontiguousarray(readings.as_read[:, rows])
    room = np.where(share > 0.0, readings.room[rows], 0.0)
    return separated(
        readings._replace(
            values=values,
            as_read=as_read,
            counts=counts,
            order=np.argsort(values, axis=1, kind="stable"),
            caps=np.ascontiguousarray(readings.caps[:, rows]),
            room=room,
            still=readings.margin == 0.0 and not room.any(),
            regret=np.ascontiguousarray(readings.regret[rows] * share[:, None]),
        )
    )


def best_shares(
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


def _box(tree: Settled, slot: int) -> dict[int, tuple[float, float]] | None:
    """Return the intervals that a leaf's path leaves for its questions; None right of a node that asks nothing."""
    box: dict[int, tuple[float, float]] = {}
    node = tree.questions.size + slot
    while node:
        parent, goes_right = (node - 1) // 2, node % 2 == 0
        question, threshold = int(tree.questions[parent]), float(tree.thresholds[parent])
        node = parent
        if question < 0:
            if goes_right:
                return None
            continue
        lower, upper = box.get(question, (-np.inf, np.inf))
        box[question] = (max(lower, threshold), upper) if goes_right else (lower, min(upper, threshold))
    return box


def _reach(tree: Settled, readings: Readings) -> BoolArray:
    """Return which leaves (rows) samples can be sent to."""
    reach = np.zeros((tree.questions.size + 1, readings.room.size), dtype=np.bool_)
    for slot in range(len(reach)):
        box = _box(tree, slot)
        cost = np.full(readings.room.size, 0.0 if box is not None else np.inf)
        for question, (lower, upper) in (box or {}).items():
            value, entry = readings.values[question], lower + readings.step[question]
            up = entry - value if entry <= upper else np.full(value.size, np.inf)
            short = np.where(value > upper, value - upper, np.where(value <= lower, up, 0.0))
            short = short if lower < upper else np.full(value.size, np.inf)
            cost += np.where(short <= readings.caps[question], readings.prices[question] * short, np.inf)
        reach[slot] = cost <= readings.room
    return reach


def _worst_regrets(tree: Settled, readings: Readings) -> FloatArray:
    """Return what a tree costs each sample at the worst leaf that it can be sent to."""
    worst = np.zeros(readings.room.size)
    for choice, reach in zip(tree.choice, _reach(tree, readings), strict=True):
        if choice >= 0:
            worst = np.where(reach, np.maximum(worst, readings.regret[:, choice]), worst)
    return worst


def _one_solution(depth: int, choice: int) -> Settled:
    """Return the tree that asks nothing and holds one solution; −1 for any."""
    choices = np.full(2**depth, -1)
    choices[0] = choice
    return Settled(np.full(2**depth - 1, -1), np.zeros(2**depth - 1), choices, 0.0)


def _joined(question: int, threshold: float, left: Settled, right: Settled) -> Settled:
    """Return the tree with this root and these two trees below it."""
    questions, thresholds = [np.array([question])], [np.array([threshold])]
    for level in range(int(left.choice.size).bit_length() - 1):
        here = slice(2**level - 1, 2 ** (level + 1) - 1)
        questions += [left.questions[here], right.questions[here]]
        thresholds += [left.thresholds[here], right.thresholds[here]]
    choice = np.concatenate([left.choice, right.choice])
    return Settled(np.concatenate(questions), np.concatenate(thresholds), choice, left.value + right.value)
