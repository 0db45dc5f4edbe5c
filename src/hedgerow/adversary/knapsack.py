"""The worst case under a global budget: a multiple-choice knapsack, solved exactly in compiled code.

One leaf per sample, the summed cost as high as possible, the summed move cost within the budget. A first search, by the
relaxation and in depth, settles most; the kernels for the others are compiled when they are first needed.
"""

__all__ = ["NODE_LIMIT", "KnapsackSolution", "solve_knapsack"]

from dataclasses import dataclass
from functools import lru_cache
from threading import get_ident
from typing import NamedTuple

import numpy as np

from hedgerow.adversary.knapsack_core import Core, Terms, best_single, build_core, depth_first, empty_core
from hedgerow.adversary.knapsack_count import bounds_by_count, relax_shifted
from hedgerow.adversary.knapsack_relaxation import Rows, empty_rows, gain_step, reduce_rows, relax
from hedgerow.adversary.knapsack_sweep import sweep
from hedgerow.compiled import kernel
from hedgerow.compiled.array_kernels import copy_into
from hedgerow.data.arrays import FloatArray, IntArray
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

MOST_KEPT = 4096
"""Up to this many gains, working space is kept for the next knapsack of the same shape."""

PRUNING = 1e-12
"""A state that promises no more than this beyond the best value, relative to its size, is not followed."""


@dataclass(frozen=True)
class KnapsackSolution:
    """A choice of one entry per row."""

    value: float  # the summed gain of the choice, added up in row order
    choice: IntArray  # the chosen column of each row; read-only
    bound: float  # an upper bound on the value of every affordable choice; equals `value` if that is exact
    exact: bool  # whether the value is proven to be the optimum, up to `hedgerow.tolerances.VALUE` relative to its size


def solve_knapsack(
    gain: FloatArray, move_cost: FloatArray, budget: float, *, node_limit: int = NODE_LIMIT
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
    space = _kept_space(*gain.shape, get_ident()) if gain.size <= MOST_KEPT else _space(*gain.shape)
    choice = np.empty(len(gain), np.int64)
    limit, nodes = min(reach_limit(float(budget)), UNLIMITED), min(node_limit, MOST_NODES)
    found = _first_search(_plain(gain), _plain(move_cost), limit, nodes, space.rows, space.core, choice)
    exact, value, bound = found[:3]
    if not exact:
        value, bound, exact = _search_on(space, _Begun(*found[1:]), choice)
    choice.flags.writeable = False
    return KnapsackSolution(float(value), choice, float(bound), bool(exact))


def _plain(numbers: FloatArray) -> FloatArray:
    """Return the array, or a copy if it is read-only or strided: kernels would be compiled for that once more."""
    if numbers.flags.carray and numbers.dtype == np.float64:
        return numbers
    return np.require(numbers, np.float64, ["C", "W"])


class _Space(NamedTuple):
    """The arrays that a search works on; `shifted` are the rows themselves until the search by count needs others."""

    rows: Rows
    shifted: Rows
    core: Core


def _space(n_rows: int, n_columns: int) -> _Space:
    """Return working space."""
    core = empty_core(n_rows, n_columns)
    rows = empty_rows(n_rows, n_columns, core.gain, core.score)  # a core is built after its rows are relaxed
    return _Space(rows, rows, core)


@lru_cache(maxsize=16)
def _kept_space(n_rows: int, n_columns: int, _thread: int) -> _Space:
    """Return working space of a thread's own, since small knapsacks come by the thousand and in few shapes."""
    return _space(n_rows, n_columns)


class _Begun(NamedTuple):
    """Where a search stands.

    The best value so far, an upper bound on all better ones, and the nodes left. What is looked for is a value above
    the best by `margin`, unless that is within `tolerance` of its bound. Then the `size` of the values, for rounding
    errors, and the relaxation that the search started from: its limit, multiplier and room.
    """

    best: float
    bound: float
    nodes: int
    margin: float
    tolerance: float
    size: float
    limit: float
    multiplier: float
    room: float

    @property
    def is_over(self) -> bool:
        """Whether the best value is as good as its bound."""
        return self.best >= self.bound - self.tolerance


def _search_on(space: _Space, begun: _Begun, answer: IntArray) -> tuple[float, float, bool]:
    """Search on where the first search did not settle it; write the choice and return (value, bound, exact).

    Most knapsacks never need this, nor its kernels.
    """
    begun = _search_around(space, begun, FIRST_WIDTH, answer)
    if begun.nodes > 0 and not begun.is_over:
        changed = ("worth", "slope", "base")
        shifted = space.rows._replace(**{name: getattr(space.rows, name).copy() for name in changed})
        begun = _search_by_count(space._replace(shifted=shifted), begun, answer)
    value = 0.0
    for worth in space.rows.worth[answer].tolist():
        value += worth
    answer[:] = space.rows.column[answer]
    bound = value if begun.is_over else max(value, begun.bound + PRUNING * begun.size)
    return value, bound, begun.is_over


def _search_around(
    space: _Space, begun: _Begun, widest: int, answer: IntArray, shift: float = 0.0, count: float = -1.0
) -> _Begun:
    """Search around the optimum of the relaxation, or around that with moves worth `shift` more."""
    best, bound, nodes, margin, tolerance, _, limit, multiplier, room = begun
    best, bound, nodes = _search(
        *space, limit, multiplier, room, shift, count, best, bound, nodes, margin, tolerance, widest, answer
    )
    return begun._replace(best=best, bound=bound, nodes=nodes)


def _search_by_count(space: _Space, begun: _Begun, answer: IntArray) -> _Begun:
    """Search with what the number of moves says.

    The relaxation often moves a row in part. Where gains are costs plus or minus about a constant, that is most of its
    error: with the number of moves bounded, from above or from below, little of the gap is left. This bound alone ends
    many a search; for the others, the choices with fewer moves than the relaxation's and those with more are then
    searched on their own.
    """
    to_beat = begun.best + begun.margin
    fewer, more = bounds_by_count(space.rows, begun.limit, to_beat, space.shifted)
    sides = (fewer, more) if fewer[0] >= more[0] else (more, fewer)
    begun = begun._replace(bound=min(begun.bound, max(begun.best, sides[0][0])))
    parts = 1 + sum(side[0] > to_beat for side in sides)
    remaining = -np.inf
    for side_bound, *side in ((begun.bound,), *sides):
        part = begun._replace(bound=min(begun.bound, side_bound), nodes=begun.nodes // parts)
        if part.bound > begun.best + begun.margin:
            parts = max(1, parts - 1)
            rest = begun.nodes - part.nodes
            part = _search_around(space, part, WIDEST, answer, *side)
            begun = begun._replace(best=part.best, nodes=rest + part.nodes)
        if side:
            remaining = max(remaining, part.bound)
        else:
            begun = begun._replace(bound=part.bound)
            if begun.is_over:
                return begun
    return begun._replace(bound=max(begun.best, remaining))


@kernel
def _value(rows: Rows, answer: IntArray) -> float:
    """Return the worth of one entry per row, in row order."""
    worth, value = rows.worth, 0.0
    for row in range(answer.size):
        value += worth[answer[row]]
    return value


@kernel
def _dive(
    rows: Rows,
    core: Core,
    multiplier: float,
    room: float,
    shift: float,
    count: float,
    best: float,
    bound: float,
    nodes: int,
    margin: float,
    tolerance: float,
    answer: IntArray,
) -> tuple[float, float, int, float, Terms]:
    """Search around the base in depth; return best, bound, nodes, the base's value and the core's terms."""
    base = rows.base
    nominal = _value(rows, base)
    single, row, entry = best_single(rows, room)
    if nominal + single > best:
        best = nominal + single
        copy_into(base, answer)
        if row >= 0:
            answer[row] = entry
    offset = -shift * count
    for at in range(base.size):
        if base[at] > rows.start[at]:
            offset += shift
    terms = build_core(rows, multiplier, room, shift, offset, best + margin - nominal, core)
    if terms.members == 0:
        return best, best, nodes, nominal, terms
    bound = min(bound, max(best, nominal + offset + terms.multiplier * terms.room))
    if nodes > 0 and best < bound - tolerance:
        goal = bound - tolerance - nominal
        found, left_out, nodes = depth_first(core, terms, best - nominal, margin, goal, nodes)
        best, bound = _take(rows, core, terms.members, nominal, found, left_out, goal, best, bound, margin, answer)
    return best, bound, nodes, nominal, terms


@kernel
def _take(
    rows: Rows,
    core: Core,
    members: int,
    nominal: float,
    found: float,
    left_out: float,
    goal: float,
    best: float,
    bound: float,
    margin: float,
    answer: IntArray,
) -> tuple[float, float]:
    """Take over what a search of the core has found; return best and bound, which are equal if that is all there is."""
    if found > best - nominal:
        best = nominal + found
        copy_into(rows.base, answer)
        for at in range(members):
            option = core.picked[at]
            if option >= 0:
                answer[core.member[at]] = core.entry[option]
    to_beat = best + margin
    if found >= goal or nominal + left_out <= to_beat:
        return best, best
    return best, min(bound, max(nominal + left_out, to_beat))


@kernel
def _first_search(
    gain: FloatArray, move_cost: FloatArray, limit: float, nodes: int, rows: Rows, core: Core, answer: IntArray
) -> tuple[bool, float, float, int, float, float, float, float, float, float]:
    """Relax the knapsack and search in depth; return whether that settles it, and the fields of `_Begun`.

    Moves may cost `limit` together. The answer is the choice if it is settled, else the best entries so far.
    """
    unit_limit = reduce_rows(gain, move_cost, limit, rows)
    multiplier, room = relax(rows, unit_limit)
    copy_into(rows.base, answer)
    best = _value(rows, answer)
    bound = best + multiplier * room
    # Where large gains cancel out, rounding errors are relative to the gains, not to their sum.
    size = 0.0
    for row in range(answer.size):
        size += 1e-3 * abs(rows.worth[answer[row]])
    size = max(1.0, size)
    size = max(size, abs(bound))
    margin, tolerance = PRUNING * size, VALUE * size
    if best < bound - tolerance:
        best, bound, nodes, _, _ = _dive(
            rows, core, multiplier, room, 0.0, 0.0, best, bound, nodes, margin, tolerance, answer
        )
        if best < bound - tolerance:
            # Where gains lie on a grid, what is better is better by a step.
            margin = max(margin, gain_step(gain, move_cost, limit) - margin)
            tolerance = max(tolerance, margin)
    settled = best >= bound - tolerance
    if settled:
        best = bound = _value(rows, answer)
        for row in range(answer.size):
            answer[row] = rows.column[answer[row]]
    return settled, best, bound, nodes, margin, tolerance, size, unit_limit, multiplier, room


@kernel
def _search(
    rows: Rows,
    shifted: Rows,
    core: Core,
    limit: float,
    multiplier: float,
    room: float,
    shift: float,
    count: float,
    best: float,
    bound: float,
    nodes: int,
    margin: float,
    tolerance: float,
    widest: int,
    answer: IntArray,
) -> tuple[float, float, int]:
    """Search around the base in depth and then with lists of up to `widest` states; return best, bound and nodes.

    Unless it is negative, `count` bounds the number of moves, by the relaxation with moves worth `shift` more.
    """
    if count >= 0.0:
        multiplier, room = relax_shifted(rows, limit, shift, shifted)
        copy_into(shifted.base, rows.base)
    best, bound, nodes, nominal, terms = _dive(
        rows, core, multiplier, room, shift, count, best, bound, nodes, margin, tolerance, answer
    )
    width = FIRST_WIDTH
    while width <= widest and nodes > 0 and best < bound - tolerance:
        goal = bound - tolerance - nominal
        found, left_out, nodes = sweep(core, terms, best - nominal, margin, goal, width, nodes)
        best, bound = _take(rows, core, terms.members, nominal, found, left_out, goal, best, bound, margin, answer)
        width *= WIDER
    return best, bound, nodes
