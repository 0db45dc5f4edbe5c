"""The worst case under a global budget: a multiple-choice knapsack, solved exactly in compiled code.

One leaf per sample, the summed cost as high as possible, the summed move cost within the budget. Importing this module imports numba:
import it where it is used.
"""

__all__ = ["NODE_LIMIT", "KnapsackSolution", "knapsack_kernel", "knapsack_reaches", "solve_knapsack"]

from dataclasses import dataclass

import numpy as np
from numba import njit
from numpy.typing import NDArray

from hedgerow.adversary.knapsack_relaxation import Rows, count_bound, gain_step, reduce_rows, relax
from hedgerow.adversary.knapsack_search import Aim, Core, best_single, build_core, depth_first, sweep
from hedgerow.tolerances import VALUE, reach_limit

NODE_LIMIT = 10_000_000
"""The default limit on search nodes: about a second's work, and 80 MB for their history."""

DEPTH_FIRST_NODES = 2_000
"""Depth-first search gives up after so many nodes: what takes longer is better done with lists of states."""

FIRST_WIDTH, WIDEST, WIDER = 256, 262_144, 16
"""States per list in the first sweep and in any, and how many times more each sweep has than the one before."""

PRUNING = 1e-12
"""A state that promises no more than this beyond the best value, relative to its size, is not followed."""


@dataclass(frozen=True)
class KnapsackSolution:
    """A choice of one entry per row.

    Attributes
    ----------
    value
        The summed gain of the choice, added up in row order.
    choice
        The chosen column of each row; read-only.
    bound
        An upper bound on the value of every affordable choice; equals `value` if that is exact.
    exact
        Whether the value is proven to be the optimum, up to `hedgerow.tolerances.VALUE` relative to its size.
    """

    value: float
    choice: NDArray[np.int64]
    bound: float
    exact: bool


def solve_knapsack(
    gain: NDArray[np.float64], move_cost: NDArray[np.float64], budget: float, *, node_limit: int = NODE_LIMIT
) -> KnapsackSolution:
    """Choose one entry per row so that the summed gain is highest and the summed move cost affordable.

    Parameters
    ----------
    gain
        What sample j costs in leaf k: f(c_j, x_k). Shape (N, K), finite, of any sign.
    move_cost
        What moving sample j into leaf k takes (ρ). Shape (N, K), zero or more, perhaps ∞; every row has a zero.
    budget
        What all moves may cost together (Γ). The exact sum is what counts, and `reach_limit` says how far it may go.
    node_limit
        When to give up proving optimality. With 0 the rounded relaxation and its bound come back at once.

    Returns
    -------
    KnapsackSolution
        The same for the same input, always.

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
    value, bound, exact = knapsack_kernel(gain, move_cost, float(reach_limit(float(budget))), node_limit, choice)
    choice.flags.writeable = False
    return KnapsackSolution(value, choice, bound, exact)


@njit(cache=True)
def knapsack_kernel(
    gain: NDArray[np.float64],
    move_cost: NDArray[np.float64],
    limit: float,
    node_limit: int,
    choice: NDArray[np.int64],
) -> tuple[float, float, bool]:
    """Solve the knapsack from compiled code: write the choice, return (value, bound, exact) as in `KnapsackSolution`.

    `limit` is the most that the moves may cost together: `reach_limit(budget)`.
    """
    value, bound, complete = _solve(gain, move_cost, limit, -np.inf, node_limit, choice)
    return value, (value if complete else bound), complete


@njit(cache=True)
def knapsack_reaches(
    gain: NDArray[np.float64],
    move_cost: NDArray[np.float64],
    limit: float,
    target: float,
    node_limit: int,
    choice: NDArray[np.int64],
) -> int:
    """Tell whether some affordable choice is worth `target`: 1 if so, 0 if none is, -1 if the node limit left it open.

    Stops at the first such choice, and writes it; otherwise writes the best one met. Worth is judged up to 1e-12 relative to its size.
    """
    value, _, complete = _solve(gain, move_cost, limit, target, node_limit, choice)
    if value >= target - PRUNING * max(1.0, abs(target)):
        return 1
    return 0 if complete else -1


@njit(cache=True)
def _goal(bound: float, tolerance: float, floor: float) -> float:
    """Return the gain that ends the search: as good as the bound, or the floor if there is one."""
    return min(bound - tolerance, floor) if floor > -np.inf else bound - tolerance


@njit(cache=True)
def _search(
    gain: NDArray[np.float64],
    move_cost: NDArray[np.float64],
    limit: float,
    rows: Rows,
    core: Core,
    nominal: float,
    best: float,
    margin: float,
    floor: float,
    tolerance: float,
    node_limit: int,
    picked: NDArray[np.int64],
) -> tuple[float, float, bool]:
    """Search the core; return (best gain, upper bound on the larger of gain and floor, whether nothing better is left)."""
    bound = core.multiplier * core.room
    members = core.member.size
    if members == 0 or best >= _goal(bound, tolerance, floor):
        return best, max(bound, best), True
    nodes = min(node_limit, DEPTH_FIRST_NODES)
    best, complete = depth_first(core, best, Aim(margin, floor, _goal(bound, tolerance, floor)), nodes, picked)
    if complete:
        return best, max(best, floor), True

    # Where gains lie on a grid, what is better is better by a step.
    margin = max(margin, gain_step(gain, move_cost, limit) - margin)
    tolerance = max(tolerance, margin)
    nodes = node_limit - nodes
    options = core.entry.size + members
    width, counted = FIRST_WIDTH, False
    while nodes >= options and best < _goal(bound, tolerance, floor):
        width = min(width, nodes // options)
        goal = _goal(bound, tolerance, floor)
        best, left_out, used = sweep(core, best, Aim(margin, floor, goal), width, picked)
        to_beat = max(best + margin, floor)
        if best >= goal or left_out <= to_beat:
            return best, max(best, floor), True
        bound = min(bound, max(left_out, to_beat))
        if not counted:
            bound = min(bound, max(to_beat, count_bound(rows, nominal + to_beat) - nominal))
            counted = True
        elif width == WIDEST:
            break
        nodes -= used
        width = min(width * WIDER, WIDEST)
    return best, bound, best >= _goal(bound, tolerance, floor) or bound <= floor


@njit(cache=True)
def _solve(
    gain: NDArray[np.float64],
    move_cost: NDArray[np.float64],
    limit: float,
    target: float,
    node_limit: int,
    choice: NDArray[np.int64],
) -> tuple[float, float, bool]:
    """Write the best choice; return (value, upper bound on the larger of optimum and target, whether nothing better is left).

    A finite target ends the search at the first choice that reaches it, and leaves out all that can't.
    """
    rows = reduce_rows(gain, move_cost, limit)
    relaxation = relax(rows)
    base = relaxation.base
    nominal = 0.0
    for row in range(base.size):
        nominal += rows.worth[base[row]]

    # In between, gains are relative to the relaxation's base.
    bound = relaxation.multiplier * relaxation.room
    size = max(1.0, abs(nominal + bound))
    floor = target - PRUNING * max(1.0, abs(target)) - nominal
    margin = PRUNING * size
    tolerance = VALUE * size if target == -np.inf else margin
    complete = _goal(bound, tolerance, floor) <= 0.0 or bound < floor
    if not complete:
        best, row, entry = best_single(rows, relaxation)
        core = build_core(rows, relaxation, max(best + margin, floor))
        picked = np.full(core.member.size, -1, np.int64)
        found, bound, complete = _search(gain, move_cost, limit, rows, core, nominal, best, margin, floor, tolerance, node_limit, picked)
        if found > best:
            for at in range(picked.size):
                if picked[at] >= 0:
                    base[core.member[at]] = core.entry[picked[at]]
        elif row >= 0:
            base[row] = entry
    value = 0.0
    for row in range(base.size):
        choice[row] = rows.column[base[row]]
        value += rows.worth[base[row]]
    return value, max(value, nominal + bound + margin), complete
