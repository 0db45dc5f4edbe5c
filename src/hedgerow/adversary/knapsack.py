"""The worst case under a global budget: a multiple-choice knapsack, solved exactly in compiled code.

One leaf per sample, the summed cost as high as possible, the summed move cost within the budget. The linear relaxation,
rounded, is nearly optimal; sweeps through the few rows that may differ from it close the rest.
"""

__all__ = ["KnapsackParameters", "KnapsackSolution", "solve_knapsack", "worst_choice"]

import math
from dataclasses import dataclass

import numpy as np

from hedgerow.adversary.knapsack_kernels import (
    best_single,
    build_core,
    gain_step,
    reduce_rows,
    relax,
    sweep,
)
from hedgerow.data.arrays import FloatArray, IntArray
from hedgerow.geometry import reach_limit
from hedgerow.tolerances import KNAPSACK_MARGIN


@dataclass(frozen=True)
class KnapsackParameters:
    """How much work a worst case may take."""

    nodes: int = 10_000_000  # of the sweeps: up to a second's work, and at most some 80 MB for their history
    widths: tuple[int, ...] = (256, 8_192, 262_144)  # states per sweep: most need few; one that needs more begins anew
    unlimited: float = 1e300  # stands in for an infinite limit, so that weights can be in units of it


DEFAULTS = KnapsackParameters()


@dataclass(frozen=True)
class KnapsackSolution:
    """A choice of one entry per row."""

    value: float  # the summed gain of the choice, added up in row order
    choice: IntArray  # the chosen column of each row; read-only
    bound: float  # an upper bound on the value of every affordable choice; equals `value` if that is exact
    exact: bool  # whether the value is proven to be the optimum, up to `hedgerow.tolerances.VALUE` relative to its size


def solve_knapsack(
    gain: FloatArray, move_cost: FloatArray, budget: float, *, node_limit: int = DEFAULTS.nodes
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
    gain, move_cost, most = _plain(gain), _plain(move_cost), min(reach_limit(float(budget)), DEFAULTS.unlimited)
    rows, limit = reduce_rows(gain, move_cost, most)
    relaxed = relax(rows, limit)
    entries = relaxed.base.copy()
    best, row, entry = best_single(rows, relaxed)
    if row >= 0:
        entries[row] = entry
    # Values from here on are relative to the base's; where large gains cancel out, rounding errors are not.
    bound, worth = relaxed.multiplier * relaxed.room, rows.worth[relaxed.base]
    margin = KNAPSACK_MARGIN * max(1.0, 1e-3 * float(np.abs(worth).sum()), abs(float(worth.sum()) + bound))
    nodes = node_limit
    if bound > best + margin:
        # Where gains lie on a grid, what is better is better by a step.
        margin = max(margin, gain_step(gain, move_cost, most) - margin)
    for width in DEFAULTS.widths:
        if bound <= best + margin or nodes <= 0:
            break
        core = build_core(rows, relaxed, best + margin)
        best, left_out, nodes, options = sweep(core, relaxed.room, best, margin, width, nodes)
        if options.size:
            entries = relaxed.base.copy()
            entries[core.row[np.searchsorted(core.start, options, side="right") - 1]] = core.entry[options]
        bound = min(bound, max(best, left_out))
    exact = bound <= best + margin
    choice = rows.column[entries]
    choice.flags.writeable = False
    value = float(np.cumsum(rows.worth[entries])[-1])
    return KnapsackSolution(value, choice, value if exact else value + bound - best + margin, exact)


def worst_choice(loss: FloatArray, move_cost: FloatArray, budget: float) -> tuple[IntArray, float, bool]:
    """Return each sample's slot in a worst attack, a bound on every attack's loss, and whether that is attained."""
    # In units of the largest loss, since kernels compare with tolerances; powers of two change no digit.
    unit = 2.0 ** -math.frexp(float(np.abs(loss).max(initial=0.0)))[1]
    gain = np.ascontiguousarray(unit * loss)
    found = solve_knapsack(gain, move_cost, budget)
    return found.choice, found.bound / unit, found.exact


def _plain(numbers: FloatArray) -> FloatArray:
    """Return the array, or a copy if it is read-only or strided: kernels would be compiled for that once more."""
    if numbers.flags.carray and numbers.dtype == np.float64:
        return numbers
    return np.require(numbers, np.float64, ["C", "W"])
