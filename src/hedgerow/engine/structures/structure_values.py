"""What structures cost, compiled: with their best solutions from a table, or with solutions that are given."""

__all__ = ["best_fixed_of", "best_of", "hard_attack"]

import numpy as np

from hedgerow.adversary.knapsack import solve_knapsack
from hedgerow.adversary.knapsack_kernels import LARGEST_SUM, worst_assignment
from hedgerow.compiled import kernel
from hedgerow.compiled.array_kernels import copy_into
from hedgerow.data.arrays import FloatArray, IntArray
from hedgerow.engine.leaf_problem import ANY_PLANS, Attacks, best_leaves
from hedgerow.engine.structures.attacks import Frontier, SetCosts, fixed_attack, frontier_bound
from hedgerow.engine.structures.reach import Reading, structure_costs
from hedgerow.tolerances import BUDGET

_ATTACK_NODES = 1_000_000
_HARD_ATTACK_NODES = 3_000_000


@kernel
def best_of(
    structures: IntArray,
    reading: Reading,
    costs: SetCosts,
    cutoff: float,
    best_choice: IntArray,
    undecided: IntArray,
    attacks: Attacks,
) -> tuple[int, float, int]:
    """Return which of the structures is best and its value if that is below the cut-off, else −1 and the cut-off.

    Slots that no sample can be sent to keep −1 in its choice. The last number says how many structures were too hard;
    `undecided` lists them. Attacks that are found join the pool and are tried on the structures that follow.
    """
    n_slots, n_samples, local = structures.shape[1] + 1, costs.loss.shape[0], reading.budgets.size > 0
    move_cost, at = np.empty((n_slots, n_samples)), np.empty(n_samples, np.int64)
    choice, slots = np.empty(n_slots, np.int64), np.arange(n_slots)
    frontier = Frontier(slots, np.zeros(n_slots, np.int64), move_cost)
    best, n_undecided = -1, 0
    for number in range(structures.shape[0]):
        structure_costs(structures[number], reading, move_cost)
        if frontier_bound(frontier, costs, reading.limit, cutoff, at) >= cutoff:
            continue
        choice[:] = -1
        value = best_leaves(costs.loss, move_cost, reading.limit, local, cutoff, choice, attacks, ANY_PLANS)
        if np.isnan(value):
            undecided[n_undecided] = number
            n_undecided += 1
        elif value < cutoff:
            best, cutoff = number, value
            copy_into(choice, best_choice)
    return best, cutoff, n_undecided


@kernel
def best_fixed_of(
    structures: IntArray, reading: Reading, slot_loss: FloatArray, cutoff: float, undecided: IntArray
) -> tuple[int, float, int]:
    """Return which of the structures is best and its value if that is below the cut-off, else −1 and the cut-off.

    The last number says how many structures were too much for the built-in adversary; `undecided` lists them.
    """
    n_slots, n_samples = slot_loss.shape
    move_cost, at = np.empty((n_slots, n_samples)), np.empty(n_samples, np.int64)
    frontier = Frontier(np.arange(n_slots), np.zeros(n_slots, np.int64), move_cost)
    gain, local = np.ascontiguousarray(slot_loss.T), reading.budgets.size > 0
    best, n_undecided = -1, 0
    for number in range(structures.shape[0]):
        structure_costs(structures[number], reading, move_cost)
        value = fixed_attack(frontier, slot_loss, reading.limit, cutoff, at)
        if value >= cutoff:
            continue
        if not local:
            by_sample = np.ascontiguousarray(move_cost.T)
            nodes = _ATTACK_NODES // n_samples
            value = worst_assignment(gain, by_sample, reading.limit, -np.inf, nodes, LARGEST_SUM, at)
        if np.isnan(value):
            undecided[n_undecided] = number
            n_undecided += 1
        elif value < cutoff:
            best, cutoff = number, value
    return best, cutoff, n_undecided


def hard_attack(structure: IntArray, reading: Reading, slot_loss: FloatArray) -> float:
    """Return the worst case of a structure with fixed solutions; where it is not exact, a number above it."""
    move_cost, budget = np.empty(slot_loss.shape), reading.limit / (1.0 + BUDGET)
    structure_costs(structure, reading, move_cost)
    gain, by_sample = np.ascontiguousarray(slot_loss.T), np.ascontiguousarray(move_cost.T)
    return solve_knapsack(gain, by_sample, budget, node_limit=_HARD_ATTACK_NODES).bound
