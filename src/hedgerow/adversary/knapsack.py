"""The worst case under a global budget: a multiple-choice knapsack, solved exactly in compiled code.

One leaf per sample, the summed cost as high as possible, the summed move cost within the budget. Importing this module
imports numba: import it where it is used.
"""

__all__ = ["NODE_LIMIT", "KnapsackSolution", "solve_knapsack"]

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from hedgerow.adversary.knapsack_core import best_single, build_core, depth_first
from hedgerow.adversary.knapsack_count import count_bound, count_moves, count_range, shift_moves
from hedgerow.adversary.knapsack_relaxation import Relaxation, Rows, gain_step, reduce_rows, relax, whole
from hedgerow.adversary.knapsack_sweep import sweep
from hedgerow.compiled import kernel
from hedgerow.compiled.array_kernels import copy_into
from hedgerow.geometry import reach_limit
from hedgerow.tolerances import VALUE

NODE_LIMIT = 10_000_000
"""The default limit on search nodes: up to a second's work, and at most some 40 MB for their history."""

MOST_NODES = 2_000_000_000
"""Above any node limit that fits into memory, and below 2³¹."""

FIRST_WIDTH, WIDER, WIDEST = 256, 32, 262_144
"""States per list in the first sweep, how many times more each sweep has than the one before, and the most."""

UNLIMITED = 1e300
"""Stands in for an infinite limit, so that differences from it exist."""

PRUNING = 1e-12
"""A state that promises no more than this beyond the best value, relative to its size, is not followed."""


@dataclass(frozen=True)
class KnapsackSolution:
    """A choice of one entry per row."""

    value: float  # the summed gain of the choice, added up in row order
    choice: NDArray[np.int64]  # the chosen column of each row; read-only
    bound: float  # an upper bound on the value of every affordable choice; equals `value` if that is exact
    exact: bool  # whether the value is proven to be the optimum, up to `hedgerow.tolerances.VALUE` relative to its size


def solve_knapsack(
    gain: NDArray[np.float64], move_cost: NDArray[np.float64], budget: float, *, node_limit: int = NODE_LIMIT
) -> KnapsackSolution:
    """Choose one entry per row so that the summed gain is highest and the summed move cost affordable.

    `gain` is what sample j costs in leaf k, f(c_j, x_k), finite, of any sign; `move_cost` what moving it there takes
    (ρ), zero or more, perhaps ∞, with a zero in every row. All moves may cost `budget` (Γ) together: the exact sum
    counts, and `reach_limit` says how far it may go. At the `node_limit` the search gives up proving optimality; with 0
    the rounded relaxation and its bound are returned at once. The same input gives the same solution.

    Examples
    --------
    >>> import numpy as np
    >>> gain = np.array([[6.0, 13.0], [9.0, 12.0], [5.0, 7.0]])
    >>> move_cost = np.array([[0.0, 4.0], [0.0, 1.5], [0.0, 1.0]])
    >>> solve_knapsack(gain, move_cost, 5.0)
    KnapsackSolution(value=29.0, choice=array([1, 0, 1]), bound=29.0, exact=True)
    """
    choice = np.empty(len(gain), np.int64)
    # Read-only or strided arrays would be compiled for once more.
    gain = np.require(gain, np.float64, ["C", "W"])
    move_cost = np.require(move_cost, np.float64, ["C", "W"])
    value, bound, exact = _knapsack(gain, move_cost, reach_limit(float(budget)), node_limit, choice)
    choice.flags.writeable = False
    return KnapsackSolution(float(value), choice, float(bound), bool(exact))


class Quest(NamedTuple):
    """What is looked for: a value above the best by `margin`, unless that is within `tolerance` of its bound."""

    margin: float
    tolerance: float


class Progress(NamedTuple):
    """The best value so far, an upper bound on all better ones, and the nodes left."""

    best: float
    bound: float
    nodes: int


@kernel
def _closed(progress: Progress, quest: Quest) -> bool:
    """Return whether the search is over: the best is as good as its bound."""
    return progress.best >= progress.bound - quest.tolerance


@kernel
def _value(rows: Rows, answer: NDArray[np.int64]) -> float:
    """Return the worth of one entry per row, in row order."""
    value = 0.0
    for row in range(answer.size):
        value += rows.worth[answer[row]]
    return value


@kernel
def _search(
    rows: Rows,
    relaxation: Relaxation,
    shift: float,
    count: float,
    progress: Progress,
    quest: Quest,
    widest: int,
    answer: NDArray[np.int64],
) -> Progress:
    """Search around the base of a relaxation, in depth and then with lists of up to `widest` states."""
    margin, tolerance = quest
    best, bound, nodes = progress
    base = relaxation.base
    nominal = _value(rows, base)
    single, row, entry = best_single(rows, relaxation)
    if nominal + single > best:
        best = nominal + single
        copy_into(base, answer)
        if row >= 0:
            answer[row] = entry
    offset = -shift * count
    for at in range(base.size):
        if base[at] > rows.start[at]:
            offset += shift
    core = build_core(rows, relaxation, shift, offset, best + margin - nominal)
    picked = np.empty(core.member.size, np.int64)
    if core.member.size == 0:
        return Progress(best, best, nodes)
    bound = min(bound, max(best, nominal + offset + core.multiplier * core.room))

    width = whole(0)
    while width <= widest and nodes > 0 and not _closed(Progress(best, bound, nodes), quest):
        goal = bound - tolerance - nominal
        if width == 0:
            found, left_out, nodes = depth_first(core, best - nominal, margin, goal, nodes, picked)
        else:
            found, left_out, nodes = sweep(core, best - nominal, margin, goal, width, nodes, picked)
        if found > best - nominal:
            best = nominal + found
            copy_into(base, answer)
            for at in range(picked.size):
                if picked[at] >= 0:
                    answer[core.member[at]] = core.entry[picked[at]]
        to_beat = best + margin
        if found >= goal or nominal + left_out <= to_beat:
            return Progress(best, best, nodes)
        bound = min(bound, max(nominal + left_out, to_beat))
        width = max(FIRST_WIDTH, width * WIDER)
    return Progress(best, bound, nodes)


@kernel
def _search_by_count(
    rows: Rows, relaxation: Relaxation, progress: Progress, quest: Quest, answer: NDArray[np.int64]
) -> Progress:
    """Search with what the number of moves says.

    The relaxation often moves a row in part. Where gains are costs plus or minus about a constant, that is most of its
    error: with the number of moves bounded, from above or from below, little of the gap is left. This bound alone ends
    many a search; for the others, the choices with fewer moves than the relaxation's and those with more are then
    searched on their own.
    """
    best, bound, nodes = progress
    least, most = count_range(rows, best + quest.margin)
    moves = np.floor(count_moves(rows))
    fewer, more = min(moves, most), max(moves + 1.0, least)
    bound_fewer, shift_fewer = count_bound(rows, fewer, -1.0) if fewer >= least else (-np.inf, 0.0)
    bound_more, shift_more = count_bound(rows, more, 1.0) if more <= most else (-np.inf, 0.0)
    bound = min(bound, max(best, bound_fewer, bound_more))
    to_beat = best + quest.margin
    parts = 1 + int(bound_fewer > to_beat) + int(bound_more > to_beat)
    remaining = -np.inf
    for turn in range(3):
        count, shift, part = 0.0, 0.0, bound
        if turn > 0 and (turn == 1) == (bound_fewer >= bound_more):
            count, shift, part = fewer, shift_fewer, min(bound, bound_fewer)
        elif turn > 0:
            count, shift, part = more, shift_more, min(bound, bound_more)
        if turn > 0:
            relaxation = relax(shift_moves(rows, shift))
        if part > best + quest.margin:
            share = nodes // parts
            parts = max(1, parts - 1)
            found = _search(rows, relaxation, shift, count, Progress(best, part, share), quest, whole(WIDEST), answer)
            best, part, nodes = found.best, found.bound, nodes - share + found.nodes
        if turn > 0:
            remaining = max(remaining, part)
        else:
            bound = part
            if _closed(Progress(best, bound, nodes), quest):
                return Progress(best, bound, nodes)
    return Progress(best, max(best, remaining), nodes)


@kernel
def _knapsack(
    gain: NDArray[np.float64],
    move_cost: NDArray[np.float64],
    limit: float,
    node_limit: int,
    choice: NDArray[np.int64],
) -> tuple[float, float, bool]:
    """Write the choice, and return (value, bound, exact) as in `KnapsackSolution`; moves may cost `limit` together."""
    rows = reduce_rows(gain, move_cost, min(limit, UNLIMITED))
    relaxation = relax(rows)
    answer = np.empty(relaxation.base.size, np.int64)
    copy_into(relaxation.base, answer)
    nominal = _value(rows, answer)
    bound = nominal + relaxation.multiplier * relaxation.room
    # Where large gains cancel out, rounding errors are relative to the gains, not to their sum.
    size = 0.0
    for row in range(answer.size):
        size += 1e-3 * abs(rows.worth[answer[row]])
    size = max(1.0, abs(bound), size)
    margin = PRUNING * size
    quest = Quest(margin, VALUE * size)
    progress = Progress(nominal, bound, min(node_limit, MOST_NODES))
    for widest in (whole(0), whole(FIRST_WIDTH)):
        if not _closed(progress, quest):
            progress = _search(rows, relaxation, 0.0, 0.0, progress, quest, widest, answer)
        if widest == 0 and not _closed(progress, quest):
            # Where gains lie on a grid, what is better is better by a step.
            margin = max(margin, gain_step(gain, move_cost, limit) - margin)
            quest = Quest(margin, max(quest.tolerance, margin))
    if progress.nodes > 0 and not _closed(progress, quest):
        progress = _search_by_count(rows, relaxation, progress, quest, answer)
    for row in range(answer.size):
        choice[row] = rows.column[answer[row]]
    value = _value(rows, answer)
    exact = _closed(progress, quest)
    return value, (value if exact else max(value, progress.bound + PRUNING * size)), exact
