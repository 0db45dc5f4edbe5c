"""The worst case under a global budget: a multiple-choice knapsack, solved exactly.

One leaf per sample, the summed cost as high as possible, the summed move cost within the budget. The linear relaxation,
rounded, is nearly optimal; sweeps through the few rows that may differ from it, the *core*, close the rest. Weights are
whole numbers, held in doubles and with a limit below 2⁵³, so that sums within the limit are exact and don't depend on
their order.
"""

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from hedgerow.adversary.knapsack_kernels import Options, States, extend_states, find_options
from hedgerow.data.arrays import FloatArray, IntArray, frozen
from hedgerow.geometry import reach_limit
from hedgerow.tolerances import GRID_NOISE, KNAPSACK_MARGIN, ROUNDING


@dataclass(frozen=True)
class KnapsackParameters:
    """How much work a worst case may take, and how numbers are represented."""

    nodes: int = 10_000_000  # of the sweeps: up to a second's work, and at most some 80 MB for their history
    widths: tuple[int, ...] = (256, 8_192, 262_144)  # states per sweep: most need few; one that needs more begins anew
    first_rows: int = 256  # of the core, for the first sweep: what it finds makes the core of the others far smaller
    unlimited: float = 1e300  # stands in for an infinite limit, so that weights can be in units of it
    limit_bits: int = 53  # doubles are exact for whole numbers of this many bits
    largest_exponent: int = 1000  # of the power of two that costs are multiplied by, so that it stays finite
    # Steps of decimal grids that make 1. Half steps count too: thresholds are midpoints of decimal data.
    grids: tuple[float, ...] = tuple(part * 10.0**power for power in range(8) for part in (1.0, 2.0))
    looked_at_first: int = 64  # entries that are compared with a grid before all others
    far: float = 1e-3  # of states with nearly equal bounds those far from using up the room come last, at this rate


DEFAULTS = KnapsackParameters()


@dataclass(frozen=True)
class KnapsackSolution:
    """A choice of one entry per row."""

    value: float  # the summed gain of the choice, added up in row order
    choice: IntArray  # the chosen column of each row; read-only
    bound: float  # an upper bound on the value of every affordable choice; equals `value` if that is exact
    exact: bool  # whether the value is proven to be the optimum, up to `hedgerow.tolerances.VALUE` relative to its size


def solve_knapsack(gain: FloatArray, move_cost: FloatArray, budget: float) -> KnapsackSolution:
    """Choose one entry per row so that the summed gain is highest and the summed move cost affordable.

    `gain` is what sample j costs in leaf k, f(c_j, x_k), finite, of any sign; `move_cost` what moving it there takes
    (ρ), zero or more, perhaps ∞, with a zero in every row. All moves may cost `budget` (Γ) together: the exact sum
    counts, and `reach_limit` says how far it may go. After a number of nodes the search gives up proving optimality.
    The same input gives the same solution.

    Examples
    --------
    >>> import numpy as np
    >>> gain = np.array([[6.0, 13.0], [9.0, 12.0], [5.0, 7.0]])
    >>> move_cost = np.array([[0.0, 4.0], [0.0, 1.5], [0.0, 1.0]])
    >>> solve_knapsack(gain, move_cost, 5.0)
    KnapsackSolution(value=29.0, choice=array([1, 0, 1]), bound=29.0, exact=True)
    """
    most = min(reach_limit(float(budget)), DEFAULTS.unlimited)
    options, limit = _options(gain, move_cost, most)
    relaxed = _relaxation(options, limit)
    # Values from here on are relative to the base's; where large gains cancel out, rounding errors are not.
    entries, best, bound = relaxed.base.copy(), 0.0, relaxed.multiplier * relaxed.room
    worth = options.worth[relaxed.base]
    margin = KNAPSACK_MARGIN * max(1.0, 1e-3 * float(np.abs(worth).sum()), abs(float(worth.sum()) + bound))
    nodes = DEFAULTS.nodes
    for width in DEFAULTS.widths:
        if bound <= best + margin or nodes <= 0:
            break
        most_rows = DEFAULTS.first_rows if width == DEFAULTS.widths[0] else len(gain)
        core, is_whole = _core_of(options, relaxed, best + margin, most_rows)
        best, left_out, nodes, path = _sweep(core, relaxed.room, best, margin, width, nodes)
        if path:
            entries = relaxed.base.copy()
            entries[options.row[core.entry[path]]] = core.entry[path]
        if is_whole:
            bound = min(bound, max(best, left_out))
    exact = bool(bound <= best + margin)
    value = float(np.cumsum(options.worth[entries])[-1])
    highest = value if exact else float(value + bound - best + margin)
    return KnapsackSolution(value, frozen(options.column[entries]), highest, exact)


def worst_choice(loss: FloatArray, move_cost: FloatArray, budget: float) -> tuple[IntArray, float, bool]:
    """Return each sample's slot in a worst attack, a bound on every attack's loss, and whether that is attained."""
    # In units of the largest loss, since sums are compared with tolerances; powers of two change no digit.
    unit = 2.0 ** -math.frexp(float(np.abs(loss).max(initial=0.0)))[1]
    found = solve_knapsack(unit * loss, move_cost, budget)
    return found.choice, found.bound / unit, found.exact


class _Relaxed(NamedTuple):
    """The optimum of the linear relaxation, rounded down.

    `base` is the entry of each row. A unit of the `room` that they leave is worth at most `multiplier` (λ).
    """

    base: IntArray
    multiplier: float
    room: float


class _Core(NamedTuple):
    """The options that a choice better than the best one known may use, relative to the base, row by row.

    The i-th row of the core has its base at start[i] and options up to start[i + 1] − 1; `entry` names each in the
    options, and `weight` and `gain` are what it has more than the base, both above zero or both below. For the
    rows from i on, `fill[i]` is the highest gain per unit of room filled, `free[i]` the lowest loss per unit freed (∞
    where none can be), and `freeable[i]` the most that can be freed.
    """

    start: IntArray
    entry: IntArray
    weight: FloatArray
    gain: FloatArray
    fill: FloatArray
    free: FloatArray
    freeable: FloatArray


def _grid(move_cost: FloatArray, limit: float) -> float:
    """Return how many steps of a decimal grid make 1, 0 if rounding to it may decide what is affordable."""
    affordable = move_cost[move_cost <= limit]

    def is_on(numbers: FloatArray, steps: float) -> bool:
        return bool(np.abs(steps * numbers - np.rint(steps * numbers)).max() <= GRID_NOISE)

    first = affordable[: DEFAULTS.looked_at_first]
    steps = next((steps for steps in DEFAULTS.grids if is_on(first, steps) and is_on(affordable, steps)), 0.0)
    exact = steps * affordable
    # As much may all choices together lie off the grid.
    error = len(move_cost) * float(np.abs(exact - np.rint(exact)).max() + ROUNDING * exact.max())
    error += ROUNDING * limit * steps
    rest = limit * steps % 1.0
    return steps if error < rest < 1.0 - error and limit * steps < 2.0**DEFAULTS.limit_bits else 0.0


def _options(gain: FloatArray, move_cost: FloatArray, limit: float) -> tuple[Options, float]:
    """Return the options that an optimum may need, and the limit in the unit of their weights.

    The unit is the step of a decimal grid where there is one: sums that are equal on paper are then equal here. Else
    costs are rounded up, so that what fits here fits in truth, and the unit is so small that all choices within the
    budget fit, by the tolerance that a limit has beyond it.
    """
    steps = _grid(move_cost, limit)
    exponent = min(DEFAULTS.limit_bits - math.frexp(limit)[1], DEFAULTS.largest_exponent)
    units = steps if steps > 0.0 else math.ldexp(1.0, exponent)
    scaled = units * np.where(move_cost <= limit, move_cost, np.inf)
    whole_limit = float(math.floor(limit * units))
    return find_options(gain, np.rint(scaled) if steps > 0.0 else np.ceil(scaled), whole_limit), whole_limit


def _break_slope(slope: FloatArray, size: FloatArray, limit: float) -> float:
    """Return the slope at which steps of these sizes, the steepest first, use up the limit; 0 if they never do."""
    while slope.size > 0:
        middle = np.partition(slope, slope.size // 2)[slope.size // 2]
        above, equal = float(size[slope > middle].sum()), float(size[slope == middle].sum())
        if above <= limit < above + equal:
            return float(middle)
        rest = slope > middle if above > limit else slope < middle
        limit -= 0.0 if above > limit else above + equal
        slope, size = slope[rest], size[rest]
    return 0.0


def _relaxation(options: Options, limit: float) -> _Relaxed:
    """Solve the linear relaxation: steps along the concave hulls, from the steepest on.

    That is Lagrange's relaxation at its best multiplier (Sinha and Zoltners, 1979, doi 10.1287/opre.27.3.503).
    """
    first, is_corner = options.start[:-1], options.slope > 0.0
    is_corner[first] = True
    corners = np.flatnonzero(is_corner)
    slope, size = options.slope[corners], np.diff(options.weight[corners], prepend=0.0)
    multiplier = _break_slope(slope[slope > 0.0], size[slope > 0.0], limit)
    taken = np.where(options.slope > multiplier, np.arange(options.slope.size), 0)
    base = np.maximum(first, np.maximum.reduceat(taken, first))
    room = limit - float(options.weight[base].sum())
    for entry in np.flatnonzero((options.slope == multiplier) & (options.slope > 0.0)):
        row = options.row[entry]
        more = float(options.weight[entry] - options.weight[base[row]])
        if more <= room:
            room -= more
            base[row] = entry
    return _Relaxed(base, multiplier, room)


def _beyond_base(options: Options, relaxed: _Relaxed) -> tuple[FloatArray, FloatArray]:
    """Return how much more each entry weighs, and is worth, than the base of its row."""
    here = relaxed.base[options.row]
    return options.weight - options.weight[here], options.worth - options.worth[here]


def _core_of(options: Options, relaxed: _Relaxed, to_beat: float, most_rows: int) -> tuple[_Core, bool]:
    """Return the core for a search of choices that gain more than `to_beat` over the base, and whether it is whole.

    It is not if it has more than `most_rows` rows, of which the first are returned.

    An option's loss, λ·(extra weight) − gain, is what it takes off the relaxation's bound for certain. Most rows keep
    their base in every choice that is better (after Pisinger, 1995, doi 10.1016/0377-2217(95)00015-I).
    """
    extra, more = _beyond_base(options, relaxed)
    loss = relaxed.multiplier * extra - more
    entry = np.flatnonzero((loss < relaxed.multiplier * relaxed.room - to_beat) & (extra != 0.0))
    extra, more, loss = extra[entry], more[entry], loss[entry]
    begin = np.flatnonzero(np.append(True, np.diff(options.row[entry]) > 0)) if entry.size else np.empty(0, np.int64)
    fills, sizes = extra > 0.0, np.diff(np.append(begin, entry.size))

    def by_row(reduce: np.ufunc, numbers: FloatArray) -> FloatArray:
        reduced: FloatArray = reduce.reduceat(numbers, begin) if begin.size else np.empty(0)
        return reduced

    order = np.argsort(by_row(np.minimum, loss / np.abs(extra)), kind="stable")[:most_rows]
    rate = more / extra
    fill = by_row(np.maximum, np.where(fills, rate, 0.0))[order][::-1]
    free = by_row(np.minimum, np.where(fills, np.inf, rate))[order][::-1]
    freeable = by_row(np.maximum, np.where(fills, 0.0, -extra))[order][::-1]
    # The base comes before the options of its row.
    entry = np.insert(entry, begin, relaxed.base[options.row[entry[begin]]])
    extra, more = np.insert(extra, begin, 0.0), np.insert(more, begin, 0.0)
    begin, sizes = begin + np.arange(begin.size), sizes + 1
    start = np.append(0, np.cumsum(sizes[order]))
    chosen = np.repeat(begin[order] - start[:-1], sizes[order]) + np.arange(start[-1])
    core = _Core(
        start,
        entry[chosen],
        extra[chosen],
        more[chosen],
        np.append(0.0, np.maximum.accumulate(fill))[::-1],
        np.append(np.inf, np.minimum.accumulate(free))[::-1],
        np.append(0.0, np.cumsum(freeable))[::-1],
    )
    return core, begin.size <= most_rows


def _sweep(
    core: _Core, room: float, best: float, margin: float, width: int, nodes: int
) -> tuple[float, float, int, list[int]]:
    """Go through the core once with a list of at most `width` states, fewer where the nodes would not last to the end.

    Returns the best gain over the base, an upper bound on the gain of all that was left out for want of width, the
    nodes left over, and the options of a choice better than `best`; none if there is no such choice by the margin.
    """
    start, n_members = core.start.tolist(), core.start.size - 1
    ahead = list(zip(core.fill.tolist(), core.free.tolist(), core.freeable.tolist(), strict=True))
    states = States(np.zeros(1, np.int64), np.array([room]), np.zeros(1), np.zeros(1))
    origins: list[IntArray] = []
    best_path, left_out, reach = (-1, -1), -np.inf, float(np.abs(core.weight).max(initial=0.0))
    for at in range(n_members):
        row = slice(start[at], start[at + 1])
        nodes -= states.room.size * (row.stop - row.start)
        # Gains that differ by rounding only count as equal. Over all rows these differences stay below the margin.
        limits = ahead[at + 1], best, margin, margin / n_members
        states, gain, origin = extend_states(states, core.weight[row], core.gain[row], *limits)
        if origin >= 0:
            best, best_path = gain, (at, origin)
        allowed = max(1, min(width, nodes // (start[-1] - row.stop + 1)))
        # After the last row there is nothing left to lose.
        if states.room.size > allowed and at + 1 < n_members:
            states, bound = _thinned_out(states, allowed, margin, reach, ahead[0][0])
            left_out = max(left_out, bound)
        origins.append(states.origin)
        if not states.room.size:
            break
    at, origin = best_path
    chosen: list[int] = []
    while at >= 0:
        way, before = divmod(origin, origins[at - 1].size if at else 1)
        if way:
            chosen.append(start[at] + way)
        at -= 1
        origin = int(origins[at][before]) if at >= 0 else 0
    return best, left_out, nodes, chosen


def _thinned_out(states: States, width: int, margin: float, reach: float, rate: float) -> tuple[States, float]:
    """Return the `width` most promising states, and the highest bound left out.

    Promising is a high bound, and then room not further from none than one option reaches. Of equals an even sample by
    room is kept: where gains equal costs all bounds are equal, and variety is what finds the optimum.
    """
    beyond = np.maximum(np.abs(states.room) - reach, 0.0)
    score = np.rint((states.bound - DEFAULTS.far * rate * beyond) / margin)
    last = score.size - width
    threshold = np.partition(score, last)[last]
    keep, equal = score > threshold, np.flatnonzero(score == threshold)
    room = states.room[equal]
    slot = np.floor((room[0] - room) * ((width - np.count_nonzero(keep)) / (1.0 + (room[0] - room[-1]))))
    keep[equal] = np.append(True, np.diff(slot) > 0.0)
    return States(*(array[keep] for array in states)), float(states.bound[~keep].max(initial=-np.inf))
