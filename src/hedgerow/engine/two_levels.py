"""Trees of depth 1 and 2 under local budgets: branch and bound over intervals of the root's threshold, compiled.

An interval is bounded with the dearest move costs, divided at events, and settled at a point once nothing changes in
it. Midpoints, grid and continuous thresholds differ only in where this ends.
"""

__all__ = ["COUNTERS", "ShallowTrees", "shrink_of"]

from collections.abc import Callable
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from hedgerow.compiled import kernel
from hedgerow.compiled.array_kernels import copy_into, stable_order
from hedgerow.data.arrays import BoolArray, FloatArray, IntArray
from hedgerow.engine.general_moves import fill_turns, general_meeting, reach_of
from hedgerow.engine.readings import Readings, Root, dearest_costs, stump_reach
from hedgerow.engine.search import Outcome, Settled
from hedgerow.engine.stumps import (
    FORCED,
    REACHES,
    Workspace,
    best_leaf_pair,
    best_stump,
    bound_stumps,
    covers,
    new_workspace,
)
from hedgerow.engine.tables.leaves import best_leaves_local
from hedgerow.tolerances import VALUE

if TYPE_CHECKING:
    from hedgerow.geometry.kernels import Geometry

_WORK_AT_ONCE: Final = 1 << 28
"""Entries of the table of regrets that are looked at between two looks at the clock: some tenths of a second."""

_STUMPS_TO_TRY: Final = 2
"""How many stumps are tried on either side of an interval's middle, for better trees."""

BOUND, QUESTION, FIRST, LAST, LOW, HIGH, LEFT, LEFT_FORCED, RIGHT, RIGHT_FORCED, LEFT_AT, RIGHT_AT, WIDTH = range(13)
"""Columns of an interval: what its trees cost at least; the root's question, −1 for none; the numbers of the events at
its ends, and the ends; what the left and the right side cost at least, with all samples that reach them and with those
alone that reach no other side; and for which ends of the interval that was computed."""

COUNTERS: Final = ("work", "intervals", "by sides", "tried", "points", "pairs", "unfinished", "resume")
WORK, INTERVALS, BY_SIDES, TRIED, POINTS, PAIRS, UNFINISHED, RESUME = range(8)
"""Entries of an explorer's counters: what work and how many intervals are left; intervals that the bound on their
sides settled, points that were settled, and pairs of stumps whose leaf problem was solved; whether the last point was
left unfinished, and behind which stump to go on there."""


class Roots(NamedTuple):
    """What is searched: the samples, where intervals of roots are divided, and limits on leaves.

    Attributes
    ----------
    readings
        The samples.
    events, first_event
        Where intervals of question q are divided: at `events[first_event[q]:first_event[q + 1]]`, in increasing
        order. The first and the last are its ends.
    min_samples, max_leaves
        Limits on leaves; 0 for no limit on their number.
    still
        Whether no sample can be moved, and any set of samples costs at least what a part of it costs.
    tries
        Whether the middle of intervals is tried as a root, for better trees.
    space, counters
        Arrays to work with, and the counters that `COUNTERS` names.
    """

    readings: Readings
    events: FloatArray
    first_event: IntArray
    min_samples: int
    max_leaves: int
    still: bool
    tries: bool
    space: Workspace
    counters: FloatArray


class Best(NamedTuple):
    """The best tree so far: questions (−1 for none), thresholds and solutions, level by level; value and cut-off."""

    questions: IntArray
    thresholds: FloatArray
    choice: IntArray
    value: FloatArray


def new_best(cutoff: float) -> Best:
    """Return the place for a tree below the cut-off."""
    return Best(np.full(3, -1), np.zeros(3), np.full(4, -1), np.array([np.inf, cutoff]))


def roots_of(readings: Readings, min_samples: int, max_leaves: int, *, tries: bool) -> Roots:
    """Return the roots that the samples allow for."""
    still = readings.still and readings.listed and min_samples <= 1 and max_leaves == 0
    limits = min_samples, max_leaves, still, tries, new_workspace(readings), np.zeros(len(COUNTERS))
    if readings.listed:
        return Roots(readings, readings.points, readings.first, *limits)
    rows = [_root_events(question, readings, min_samples > 0) for question in range(len(readings.values))]
    first = np.cumsum([0, *map(len, rows)])
    return Roots(readings, np.concatenate(rows) if rows else np.empty(0), first, *limits)


def _root_events(question: int, readings: Readings, count_rows: bool) -> FloatArray:
    """Return in increasing order where a root's threshold changes who can be sent to which side, and how costs grow."""
    values, margin = readings.values[question], readings.margin
    least, largest = values.min(), values.max()
    room = np.minimum(readings.room / readings.prices[question], readings.caps[question])
    events = [values - margin - room, values - margin, values + margin]
    events.append((values + margin + room - readings.step[question])[room >= readings.step[question]])
    if count_rows:
        events.append(values)
    inside = np.unique(np.concatenate(events))
    tiny = 4.0 * shrink_of(question, readings)
    inside = inside[(inside > least + tiny) & (inside < largest - tiny)]
    inside = inside[np.append(True, np.diff(inside) > tiny)] if inside.size else inside
    return np.concatenate([[least], inside, [largest]]) if least < largest else np.empty(0)


def whole_intervals(roots: Roots, depth: int) -> FloatArray:
    """Return the intervals that the search begins with: one per question, and one without a question."""
    n_questions = len(roots.readings.values)
    rows = np.zeros((1 + n_questions, WIDTH))
    rows[:, QUESTION] = np.arange(-1, n_questions)
    rows[1:, LAST] = np.diff(roots.first_event) - 1
    rows[:, BOUND] = -np.inf
    rows[:, [LEFT_AT, RIGHT_AT]] = rows[1:, [LOW, HIGH]] = np.nan
    if depth == 1:
        return rows[:1]
    step = 0 if roots.readings.listed else 1
    asked = rows[1:][rows[1:, LAST] >= step]
    return np.concatenate([rows[:1], asked]) if roots.min_samples or roots.max_leaves or not len(asked) else asked


class Part(NamedTuple):
    """An interval as a part of the search: what its trees cost at least, and its row."""

    bound: float
    row: FloatArray


class ShallowTrees:
    """The space of trees of depth 1 and 2.

    Parameters
    ----------
    readings
        The samples.
    depth
        1 or 2.
    min_samples, max_leaves
        Limits on leaves; 0 for no limit on their number.
    geometry
        What it takes to move samples, needed where questions read several items.
    """

    settles_last = False
    largest_round, most_per_task = 16, 64

    def __init__(
        self,
        readings: Readings,
        depth: int,
        min_samples: int = 0,
        max_leaves: int = 0,
        geometry: "Geometry | None" = None,
        *,
        tries: bool = True,
    ) -> None:
        self.roots = roots_of(readings, min_samples, max_leaves, tries=tries)
        self._depth, self._geometry = depth, geometry

    def whole(self) -> list[Part]:
        """Return the parts that the search begins with."""
        return [Part(-np.inf, row) for row in whole_intervals(self.roots, self._depth)]

    def explore(
        self,
        parts: list[Part],
        target: float,
        most: float,
        must_stop: Callable[[], bool],
        *,
        settles: bool = True,  # noqa: ARG002
    ) -> Outcome:
        """Go through parts and theirs, least bound first, until `most` of them are examined or it must stop."""
        rows = np.array([part.row for part in parts]).reshape(-1, WIDTH)
        best, counters, work = new_best(target), self.roots.counters, float(_WORK_AT_ONCE)
        counters[[INTERVALS, RESUME]], n_settled = (most, 0.0), counters[POINTS]
        while len(rows) and counters[INTERVALS] > 0.0 and not must_stop():
            counters[WORK] = work
            rows = explore_roots(rows, self.roots, self._geometry, best)
            if counters[UNFINISHED]:
                work *= 2.0
        tree = Settled(best.questions, best.thresholds, best.choice, float(best.value[0]))
        still_open = [Part(float(row[BOUND]), row) for row in rows if row[BOUND] < best.value[1]]
        return Outcome(tree if best.choice.max() >= 0 else None, still_open, [], int(counters[POINTS] - n_settled))


@kernel
def shrink_of(question: int, readings: Readings) -> float:
    """Return by how much a root's threshold must move for events of other questions to move noticeably."""
    return float(np.max(readings.tiny * readings.prices) / readings.prices[question])


@kernel
def _set_ends(row: FloatArray, roots: Roots) -> None:
    """Write the ends of an interval between two events; where all numbers may be thresholds, it is an open cell."""
    first = roots.first_event[int(row[QUESTION])]
    row[LOW], row[HIGH] = roots.events[first + int(row[FIRST])], roots.events[first + int(row[LAST])]
    if not roots.readings.listed and row[LAST] - row[FIRST] <= 1.0:
        shrink = shrink_of(int(row[QUESTION]), roots.readings)
        row[LOW] += shrink
        row[HIGH] -= shrink


@kernel
def explore_roots(rows: FloatArray, roots: Roots, geometry: "Geometry | None", best: Best) -> FloatArray:
    """Go through intervals of roots and their parts, least bound first; return those that are still open.

    It ends when the work or the number of intervals is used up. `geometry` is needed where questions read several
    items.
    """
    counters, n_open, parts = roots.counters, rows.shape[0], np.empty((2, WIDTH))
    open_rows = np.empty((n_open + 64, WIDTH))
    open_rows[:n_open] = rows
    while n_open > 0 and counters[WORK] > 0.0 and counters[INTERVALS] > 0.0:
        at = np.argmin(open_rows[:n_open, BOUND])
        row = open_rows[at].copy()
        n_open -= 1
        open_rows[at] = open_rows[n_open]
        if row[BOUND] >= best.value[1]:
            return open_rows[:0]
        counters[INTERVALS] -= 1.0
        if np.isnan(row[LOW]):
            _set_ends(row, roots)
        counters[UNFINISHED] = 0.0
        if roots.still and row[QUESTION] >= 0.0:
            _settle_middle(row, roots, best, parts)
        elif _divide(row, roots, geometry, best.value[1], parts):
            if roots.tries:
                counters[TRIED] += 1.0
                _settle(_middle(row, roots), roots, geometry, best, _STUMPS_TO_TRY)
                counters[UNFINISHED] = 0.0
            for part in parts:
                _bound_interval(part, roots, geometry, best.value[1])
        else:
            counters[POINTS] += 1.0
            _settle(row.copy(), roots, geometry, best, roots.space.low.shape[1])
            parts[:, BOUND] = np.inf
        if counters[UNFINISHED] > 0.0:
            parts[0], parts[1, BOUND] = row, np.inf
        if n_open + 2 > open_rows.shape[0]:
            larger = np.empty((2 * n_open + 2, WIDTH))
            larger[:n_open] = open_rows[:n_open]
            open_rows = larger
        for part in parts:
            if part[BOUND] < best.value[1]:
                open_rows[n_open] = part
                n_open += 1
            elif part[BOUND] < np.inf:
                counters[BY_SIDES] += 1.0
        if counters[UNFINISHED] > 0.0:
            break
    return open_rows[:n_open]


@kernel
def _divide(row: FloatArray, roots: Roots, geometry: "Geometry | None", target: float, parts: FloatArray) -> bool:
    """Write the parts of an interval; return False if nothing changes in it and it can be settled at a point."""
    step = 0 if roots.readings.listed else 1
    for part in parts:
        part[:] = row
        part[LEFT_FORCED] = part[RIGHT_FORCED] = 0.0  # more samples may reach both sides of a part
    if row[LAST] - row[FIRST] > step:
        middle = (int(row[FIRST]) + int(row[LAST])) // 2
        parts[0, LAST], parts[1, FIRST] = middle, middle + 1 - step
        for part in parts:
            _set_ends(part, roots)
        return True
    if row[LOW] == row[HIGH]:
        return False
    at = _crossing(row, roots, geometry, target)
    shrink = shrink_of(int(row[QUESTION]), roots.readings)
    if np.isnan(at) or row[HIGH] - row[LOW] <= 8.0 * shrink:
        return False
    at = min(max(at, row[LOW] + 2.0 * shrink), row[HIGH] - 2.0 * shrink)
    parts[0, HIGH], parts[1, LOW] = at - shrink, at + shrink
    return True


@kernel
def _bound_interval(row: FloatArray, roots: Roots, geometry: "Geometry | None", target: float) -> None:
    """Raise what the sides of an interval cost at least, and its bound: free samples all go left, or all right.

    Where no sample is free, a side that was bounded at this end of the interval needs no second look.
    """
    root, space = Root(int(row[QUESTION]), row[LOW], row[HIGH]), roots.space
    if root.question < 0:
        return
    dearest_costs(root, roots.readings, space.spent)
    is_any_free = _is_any_free(space.spent)
    for side in range(2):
        if not is_any_free and row[LEFT_AT + side] == row[LOW + side]:
            row[LEFT_FORCED + 2 * side] = row[LEFT + 2 * side]
    for side in range(2):
        if not is_any_free and row[LEFT_AT + side] == row[LOW + side]:
            continue
        fill_turns(side, root, roots.readings, geometry, space.spent, space.events)
        _stumps_of(side, root, row, roots, target)
        row[LEFT_AT + side] = row[LOW + side]
        if _sum_of_sides(row) >= target:
            break
    row[BOUND] = max(row[BOUND], _sum_of_sides(row))


@kernel
def _sum_of_sides(row: FloatArray) -> float:
    return float(max(row[LEFT] + row[RIGHT_FORCED], row[LEFT_FORCED] + row[RIGHT]))


@kernel
def _is_any_free(spent: FloatArray) -> bool:
    """Return whether some sample reaches both sides."""
    for row in range(spent.shape[1]):  # noqa: SIM110 (a generator takes long to compile)
        if spent[0, row] < np.inf and spent[1, row] < np.inf:
            return True
    return False


@kernel
def _stumps_of(side: int, root: Root, row: FloatArray, roots: Roots, target: float) -> int:
    """List the stumps of a side that matter where the other side costs what is known, and raise what this one costs."""
    own, other, space = LEFT + 2 * side, RIGHT - 2 * side, roots.space
    roots.counters[WORK] -= 2.0 * roots.readings.values.size * roots.readings.regret.shape[1]
    cut = np.empty(2)
    cut[0], cut[1] = target - row[other + 1], target - row[other]
    count = bound_stumps(side, root, roots.readings, roots.min_samples, cut, space)
    for number in range(2):
        least = cut[number]
        for stump in range(count):
            least = min(least, space.value[side, number, stump])
        row[own + number] = max(row[own + number], least)
    return count


@kernel
def _crossing(row: FloatArray, roots: Roots, geometry: "Geometry | None", target: float) -> float:
    """Return where in a cell of roots a stump that matters ceases to be possible, NaN if all last from end to end."""
    readings, space, question = roots.readings, roots.space, int(row[QUESTION])
    middle, best = 0.5 * (row[LOW] + row[HIGH]), np.nan
    whole = Root(question, row[LOW], row[HIGH])
    for side in range(2):
        near, far = (row[LOW], row[HIGH]) if side == 0 else (row[HIGH], row[LOW])
        fill_turns(side, whole, readings, geometry, space.spent, space.events)
        count = _stumps_of(side, whole, row.copy(), roots, target)
        fill_turns(side, Root(question, far, far), readings, geometry, space.spent, space.far_events)
        fill_turns(side, Root(question, near, near), readings, geometry, space.spent, space.events)
        for number in range(count):
            asked = space.question[side, number]
            if asked < 0:
                continue
            at, first, last = _end_of_stump(number, side, Root(question, near, far), readings, space)
            if geometry is not None:  # noqa: SIM102 (Numba leaves out this branch without a geometry)
                if first >= 0 and not abs(at - middle) >= abs(best - middle):
                    at = general_meeting(asked, first, last, side, Root(question, near, far), readings, geometry)
            if not np.isnan(at) and not abs(at - middle) >= abs(best - middle):
                best = at
    return best


@kernel
def _end_of_stump(number: int, side: int, root: Root, readings: Readings, space: Workspace) -> tuple[float, int, int]:
    """Return where between `root.low` and `root.high` a stump ceases to be possible; NaN if it lasts.

    The stumps are those at `root.low`, which is the low end of an interval for the left side and the high end for the
    right one. Events are taken for linear in between. Where two samples' events meet, these are returned, too; −1 and
    −1 where the stump asks the root's question and events are linear.
    """
    near, far, question, place = root.low, root.high, space.question[side, number], space.low[side, number]
    tiny = readings.tiny[question]
    enters, leaves = space.events[0, question], space.events[1, question]
    far_enters, far_leaves = space.far_events[0, question], space.far_events[1, question]
    first, last = -1, -1
    for row in range(enters.size):
        if leaves[row] <= place and (last < 0 or far_leaves[row] > far_leaves[last]):
            last = row
        if enters[row] > place + tiny and (first < 0 or far_enters[row] < far_enters[first]):
            first = row
    if question == root.question and side == 0 and place >= near - tiny:
        return place, -1, -1
    if question == root.question and side == 1 and space.high[side, number] <= near + tiny:
        return space.high[side, number], -1, -1
    if last < 0 or first < 0 or far_enters[first] > far_leaves[last]:
        return np.nan, -1, -1
    gap, far_gap = enters[first] - leaves[last], far_enters[first] - far_leaves[last]
    at = near + (far - near) * gap / (gap - far_gap)
    return (at, -1, -1) if question == root.question else (at, first, last)


@kernel
def _settle_middle(row: FloatArray, roots: Roots, best: Best, parts: FloatArray) -> None:
    """Settle the root in the middle of an interval, and write what is left of it on both sides.

    Where no sample can be moved, what a side costs at the middle, it costs at least wherever it has more samples.
    """
    readings, space, question = roots.readings, roots.space, int(row[QUESTION])
    middle = (int(row[FIRST]) + int(row[LAST])) // 2
    at = roots.events[roots.first_event[question] + middle]
    root, sides = Root(question, at, at), np.array([row[LEFT], row[RIGHT]])
    roots.counters[WORK] -= readings.values.size * readings.regret.shape[1]
    roots.counters[POINTS] += 1.0
    for side in range(2):
        if sides[0] + sides[1] < best.value[1]:
            sides[side] = max(sides[side], best_stump(side, root, readings, best.value[1] - sides[1 - side], space))
    if sides[0] + sides[1] < best.value[1]:
        reach = np.zeros((2, 1, 2, readings.room.size), np.bool_)
        for side in range(2):
            stump_reach(space.question[side, 0], space.low[side, 0], side, root, readings, reach[side, 0])
            space.value[side, :, 0] = sides[side]
        _best_pair(root, reach[0], reach[1], roots, best)
    for part in parts:
        part[:] = row
    parts[0, LAST], parts[0, RIGHT], parts[1, FIRST], parts[1, LEFT] = middle - 1, sides[1], middle + 1, sides[0]
    for part in parts:
        part[BOUND] = part[LEFT] + part[RIGHT] if part[FIRST] <= part[LAST] else np.inf


@kernel
def _middle(row: FloatArray, roots: Roots) -> FloatArray:
    """Return the interval that is the threshold in the middle of another one, without what is known of that."""
    point = np.zeros(WIDTH)
    point[QUESTION] = row[QUESTION]
    point[LOW] = 0.5 * (row[LOW] + row[HIGH])
    if roots.readings.listed:
        point[LOW] = roots.events[roots.first_event[int(row[QUESTION])] + int(row[FIRST] + row[LAST]) // 2]
    point[HIGH] = point[LOW]
    return point


@kernel
def _settle(row: FloatArray, roots: Roots, geometry: "Geometry | None", best: Best, most: int) -> None:
    """Look for a tree below the cut-off with its root in the middle of an interval in which nothing changes.

    At most so many stumps are tried on either side.
    """
    at = 0.5 * (row[LOW] + row[HIGH])
    root, known = Root(int(row[QUESTION]), at, at), row
    left_reach = _evaluate(0, root, known, roots, geometry, best.value[1], most)
    if not len(left_reach):
        return
    if root.question >= 0:
        right_reach = _evaluate(1, root, known, roots, geometry, best.value[1], most)
    else:
        right_reach = np.zeros((1, 2, roots.readings.room.size), np.bool_)
        space = roots.space
        space.question[1, 0], space.low[1, 0], space.value[1, 0, 0], space.value[1, 1, 0] = -1, 0.0, 0.0, 0.0
    _best_pair(root, left_reach, right_reach, roots, best)


@kernel
def _evaluate(
    side: int, root: Root, known: FloatArray, roots: Roots, geometry: "Geometry | None", target: float, most: int
) -> BoolArray:
    """Evaluate the stumps on one side of a root at a point; return which leaves samples reach in those that matter.

    They move to the front of the workspace's stumps, least value first, without those that another one covers. Where
    no sample is free the best one is enough.
    """
    readings, space, counters = roots.readings, roots.space, roots.counters
    fill_turns(side, root, readings, geometry, space.spent, space.events)
    count = _stumps_of(side, root, known, roots, target)
    cut = np.array([target - known[RIGHT_FORCED - 2 * side], target - known[RIGHT - 2 * side]])
    only_best = roots.max_leaves == 0 and not _is_any_free(space.spent)
    order = stable_order(space.value[side, 0, :count])
    question, threshold = space.question[side][order], 0.5 * (space.low[side][order] + space.high[side][order])
    bound, value = space.value[side, 0][order], np.empty((2, count))
    count = min(count, most)
    reach, trial = np.zeros((count, 2, readings.room.size), np.bool_), np.zeros((2, readings.room.size), np.bool_)
    resumes = only_best and root.question < 0
    n_found, place = 0, int(counters[RESUME]) if resumes else 0
    counters[RESUME] = 0.0
    while place < count and bound[place] < cut[0]:
        if counters[WORK] < 0.0:
            counters[UNFINISHED], counters[RESUME] = 1.0, place if resumes else 0
            break
        counters[WORK] -= readings.regret.size + n_found
        reach_of(question[place], threshold[place], side, root, readings, geometry, space.events, trial)
        place += 1
        if roots.max_leaves == 0 and _is_covered(trial, reach[:n_found]):
            continue
        value[0, n_found] = best_leaf_pair(trial, space.flags[REACHES], readings.regret, cut[0])
        if value[0, n_found] >= cut[0]:
            continue
        value[1, n_found] = value[0, n_found]
        if not only_best:
            value[1, n_found] = best_leaf_pair(trial, space.flags[FORCED], readings.regret, cut[1])
        if value[1, n_found] >= cut[1]:
            continue
        if only_best:
            cut[:] = value[0, n_found]
            value[:, 0] = value[0, n_found]
            n_found = 0
        reach[n_found] = trial
        space.question[side, n_found], space.low[side, n_found] = question[place - 1], threshold[place - 1]
        n_found += 1
    for number in range(2 if n_found else 0):
        known[LEFT + 2 * side + number] = value[number, :n_found].min()
    return _sorted_stumps(side, space, value[:, :n_found], reach)


@kernel
def _sorted_stumps(side: int, space: Workspace, value: FloatArray, reach: BoolArray) -> BoolArray:
    """Write the first stumps in the order of their values; return the leaves that samples reach in the same order."""
    order = stable_order(value[0].copy())
    question, threshold = space.question[side][order], space.low[side][order]
    sorted_reach = np.empty((order.size, *reach.shape[1:]), np.bool_)
    for place in range(order.size):
        space.question[side, place], space.low[side, place] = question[place], threshold[place]
        for number in range(2):
            space.value[side, number, place] = value[number, order[place]]
        sorted_reach[place] = reach[order[place]]
    return sorted_reach


@kernel
def _is_covered(reach: BoolArray, others: BoolArray) -> bool:
    for number in range(len(others)):  # noqa: SIM110
        if covers(reach, others[number]):
            return True
    return False


@kernel
def _best_pair(root: Root, left_reach: BoolArray, right_reach: BoolArray, roots: Roots, best: Best) -> None:
    """Solve the leaf problem of pairs of stumps whose bound is below the cut-off, and keep the best tree."""
    space, regret, counters = roots.space, roots.readings.regret, roots.counters
    slots, choice = np.empty((4, regret.shape[0])), np.empty(4, np.int64)
    for first in range(len(left_reach)):
        for second in range(len(right_reach)):
            all_left = space.value[0, 0, first] + space.value[1, 1, second]
            all_right = space.value[0, 1, first] + space.value[1, 0, second]
            if max(all_left, all_right) >= best.value[1]:
                continue
            n_leaves = 1 + (root.question >= 0) + (space.question[0, first] >= 0) + (space.question[1, second] >= 0)
            if roots.max_leaves and n_leaves > roots.max_leaves:
                continue
            if counters[WORK] < 0.0:
                counters[UNFINISHED] = 1.0
                return
            counters[WORK] -= 4.0 * regret.size
            counters[PAIRS] += 1.0
            for slot in range(2):
                for row in range(regret.shape[0]):
                    slots[slot, row] = 0.0 if left_reach[first, slot, row] else np.inf
                    slots[2 + slot, row] = 0.0 if right_reach[second, slot, row] else np.inf
            choice[:] = -1
            value = best_leaves_local(regret, slots, best.value[1], choice, np.inf)
            if value < best.value[1]:
                best.value[0], best.value[1] = value, value - VALUE * max(1.0, abs(value))
                best.questions[0], best.thresholds[0] = root.question, root.low
                best.questions[1], best.thresholds[1] = space.question[0, first], space.low[0, first]
                best.questions[2], best.thresholds[2] = space.question[1, second], space.low[1, second]
                copy_into(choice, best.choice)
