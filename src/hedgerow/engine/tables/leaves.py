"""The leaf problem on a table: the best solutions for the slots of a structure (LSAP in the paper).

Exact by depth-first search over the slots. All searches take a cut-off and say nothing (∞) about structures that are
not better than it: most need no closer look.
"""

__all__ = [
    "MASTER_WORK",
    "ChoiceState",
    "begin_choice",
    "best_leaves",
    "best_leaves_global",
    "best_leaves_local",
    "cheapest_against",
    "continue_choice",
    "fill_scenario",
    "no_attacks",
    "rounding_noise",
    "slot_order",
]

from typing import NamedTuple

import numpy as np

from hedgerow.adversary.small_knapsack import worst_assignment
from hedgerow.compiled import kernel
from hedgerow.compiled.array_kernels import copy_into, integer, place_of_smallest, smallest, stable_order
from hedgerow.data.arrays import BoolArray, FloatArray, IntArray

MASTER_WORK = 30_000_000
"""How many table entries the choice of solutions may look at in one go: some hundredths of a second."""

LOCAL_WORK = 3e8
"""How many table entries a leaf problem under a local budget may look at: some tenths of a second."""

_ROUNDS = 60
_ATTACK_NODES = 1_000_000
_PATIENCE = integer(200)
_TOLERANCE = 1e-10
_ROUNDING = 4e-16


@kernel
def best_leaves(
    loss: FloatArray,
    move_cost: FloatArray,
    limit: float,
    local: bool,
    cutoff: float,
    choice: IntArray,
    known: IntArray,
) -> float:
    """Return the value of a structure below `cutoff` and write its solutions, or return ∞ if it isn't below.

    NaN is returned where the problem is too large for the kernel that is built in here. `move_cost[k, j]`
    is what it takes to move sample j into slot k; `choice[k]` becomes the solution at slot k. `known` has attacks on
    other structures, one per row, and takes those that are found under a global budget.
    """
    if local:
        return best_leaves_local(loss, move_cost, cutoff, choice, LOCAL_WORK)
    return best_leaves_global(loss, move_cost, limit, cutoff, choice, known)


@kernel
def slot_order(move_cost: FloatArray, limit: float) -> IntArray:
    """Return the slots that some sample can reach, those that most can reach first: they bind the others most."""
    n_slots, n_samples = move_cost.shape
    reached = np.zeros(n_slots)
    for slot in range(n_slots):
        for row in range(n_samples):
            if move_cost[slot, row] <= limit:
                reached[slot] -= 1.0
    order, count = stable_order(reached), 0
    for slot in range(n_slots):
        count += reached[slot] < 0.0
    return order[:count]


@kernel
def best_leaves_local(loss: FloatArray, move_cost: FloatArray, cutoff: float, choice: IntArray, work: float) -> float:
    """Solve the leaf problem where each sample is sent to the costliest of the slots it can reach.

    NaN if looking at that number of entries of the table did not settle it.

    The bound on open slots is what they cost at least on samples that reach no slot placed so far, each sample
    counted at the first open slot only.
    """
    n_samples, n_solutions = loss.shape
    order = slot_order(move_cost, 0.0)
    depth = order.size
    # What is still to come at each level, at least.
    to_come = np.zeros(depth + 1)
    first_at = np.full(n_samples, -1)
    sums = np.empty(n_solutions)
    for level in range(depth - 1, -1, -1):
        for row in range(n_samples):
            if move_cost[order[level], row] < np.inf:
                first_at[row] = level
    for level in range(depth - 1, -1, -1):
        sums[:] = 0.0
        for row in range(n_samples):
            if first_at[row] == level:
                for solution in range(n_solutions):
                    sums[solution] += loss[row, solution]
        to_come[level] = to_come[level + 1] + smallest(sums)
    if to_come[0] >= cutoff:
        return np.inf
    best = cutoff
    found = False
    increment = np.empty((depth, n_solutions))
    queue = np.empty((depth, n_solutions), np.int64)
    length = np.zeros(depth, np.int64)
    position = np.zeros(depth, np.int64)
    worst = np.full((depth + 1, n_samples), -np.inf)
    total = np.zeros(depth + 1)
    picked = np.zeros(depth, np.int64)
    level = 0
    fresh = True
    while level >= 0:
        if fresh:
            work -= n_samples * n_solutions
            if work < 0:
                return np.nan
            _fill_increments(loss, move_cost[order[level]], worst[level], increment[level])
            length[level] = _queue_below(
                increment[level], best - total[level] - to_come[level + 1], level == depth - 1, queue[level]
            )
            position[level] = 0
            fresh = False
        at = position[level]
        if at >= length[level]:
            level -= 1
            continue
        position[level] += 1
        solution = queue[level, at]
        value = total[level] + increment[level, solution]
        if value + to_come[level + 1] >= best:
            # The queue is sorted: nothing better follows at this level.
            level -= 1
            continue
        picked[level] = solution
        if level == depth - 1:
            best = value
            found = True
            for placed in range(depth):
                choice[order[placed]] = picked[placed]
            level -= 1
            continue
        total[level + 1] = value
        for row in range(n_samples):
            worst[level + 1, row] = worst[level, row]
            if move_cost[order[level], row] < np.inf:
                worst[level + 1, row] = max(worst[level, row], loss[row, solution])
        level += 1
        fresh = True
    return best if found else np.inf


@kernel(inline="always")
def _fill_increments(loss: FloatArray, move_cost: FloatArray, worst: FloatArray, increment: FloatArray) -> None:
    """Write what each solution at this slot adds to the samples' worst costs so far."""
    increment[:] = 0.0
    for row in range(loss.shape[0]):
        if move_cost[row] < np.inf:
            so_far = worst[row]
            if so_far == -np.inf:
                for solution in range(loss.shape[1]):
                    increment[solution] += loss[row, solution]
            else:
                for solution in range(loss.shape[1]):
                    increment[solution] += max(0.0, loss[row, solution] - so_far)


@kernel
def _queue_below(value: FloatArray, below: float, only_best: bool, queue: IntArray) -> int:
    """Write the solutions with a value below the given one, in increasing order; return how many there are."""
    if only_best:
        queue[0] = place_of_smallest(value)
        return 1 if value[queue[0]] < below else 0
    found, count = np.empty(value.size, np.int64), 0
    kept = np.empty(value.size)
    for solution in range(value.size):
        if value[solution] < below:
            found[count], kept[count] = solution, value[solution]
            count += 1
    order = stable_order(kept[:count])
    for place in range(count):
        queue[place] = found[order[place]]
    return count


@kernel(inline="always")
def best_leaves_global(
    loss: FloatArray, move_cost: FloatArray, limit: float, cutoff: float, choice: IntArray, known: IntArray
) -> float:
    """Solve the leaf problem under one budget for all samples: scenarios are assignments of samples to slots.

    The master chooses solutions for the scenarios seen so far, the adversary answers with an assignment that is worse,
    until there is none or the master's value, a lower bound, reaches the cut-off. Attacks that are known from other
    structures are tried before. Returns NaN if either gave up, or after many rounds.
    """
    n_samples, n_solutions = loss.shape
    n_slots = move_cost.shape[0]
    order = slot_order(move_cost, limit)
    by_sample = np.ascontiguousarray(move_cost.T)
    tables = np.empty((8, order.size, n_solutions))
    count = 0
    slot_of = np.empty(n_samples, np.int64)
    for row in range(n_samples):
        slot_of[row] = place_of_smallest(by_sample[row])
    gain = np.empty((n_samples, n_slots))
    picked = np.zeros(order.size, np.int64)
    noise = rounding_noise(loss)
    affordable = _affordable(known, by_sample, limit)
    while True:
        if count == _ROUNDS:
            return np.nan
        if count == tables.shape[0]:
            larger = np.empty((2 * count, order.size, n_solutions))
            for number in range(count):
                for level in range(order.size):
                    copy_into(tables[number, level], larger[number, level])
            tables = larger
        fill_scenario(loss, slot_of, order, tables[count])
        count += 1
        bound = cheapest_against(tables[:count], cutoff, picked, MASTER_WORK)
        if np.isnan(bound):
            return np.nan
        if bound >= cutoff:
            return np.inf
        for slot in range(n_slots):
            for row in range(n_samples):
                gain[row, slot] = -np.inf
        for level in range(order.size):
            for row in range(n_samples):
                gain[row, order[level]] = loss[row, picked[level]]
        floor = bound + max(noise, _TOLERANCE * max(1.0, abs(bound)))
        if _worst_known(known, affordable, gain, floor, slot_of):
            continue
        attack = worst_assignment(gain, by_sample, limit, floor, _ATTACK_NODES // n_samples, _PATIENCE, slot_of)
        if np.isnan(attack):
            return np.nan
        if attack <= floor:
            # No attack is worse than the scenarios at hand, which are attacks themselves.
            for level in range(order.size):
                choice[order[level]] = picked[level]
            return bound
        _learn(slot_of, known, affordable)


def no_attacks(count: int, n_samples: int) -> IntArray:
    """Return room for a number of attacks of which none is known yet."""
    return np.full((count, n_samples), -1, np.int64)


@kernel(inline="always")
def _affordable(known: IntArray, by_sample: FloatArray, limit: float) -> BoolArray:
    """Return which of the known attacks the budget affords."""
    result = np.zeros(len(known), np.bool_)
    for number in range(len(known)):
        if known[number, 0] < 0:
            break
        spent = 0.0
        for row in range(len(by_sample)):
            spent += by_sample[row, known[number, row]]
        result[number] = spent <= limit
    return result


@kernel(inline="always")
def _worst_known(known: IntArray, affordable: BoolArray, gain: FloatArray, floor: float, slot_of: IntArray) -> bool:
    """Write the worst known attack and say so if it is above the floor; each is used once."""
    worst, best = -1, floor
    for number in range(len(known)):
        if affordable[number]:
            total = 0.0
            for row in range(len(gain)):
                total += gain[row, known[number, row]]
            if total > best:
                worst, best = number, total
    if worst < 0:
        return False
    affordable[worst] = False
    copy_into(known[worst], slot_of)
    return True


@kernel(inline="always")
def _learn(slot_of: IntArray, known: IntArray, affordable: BoolArray) -> None:
    """Put an attack in front of those that are known; the last one is forgotten."""
    for number in range(len(known) - 1, 0, -1):
        copy_into(known[number - 1], known[number])
        affordable[number] = affordable[number - 1]
    if len(known):
        copy_into(slot_of, known[0])
        affordable[0] = False


@kernel
def rounding_noise(loss: FloatArray) -> float:
    """Return by how much two sums over the samples may differ that should be equal: large losses may cancel."""
    total = 0.0
    for row in range(loss.shape[0]):
        largest = 0.0
        for solution in range(loss.shape[1]):
            largest = max(largest, abs(loss[row, solution]))
        total += largest
    return float(_ROUNDING * loss.shape[0] * total)


@kernel
def fill_scenario(loss: FloatArray, slot_of: IntArray, order: IntArray, table: FloatArray) -> None:
    """Write what each solution at each slot costs on the samples that this scenario sends there."""
    table[:] = 0.0
    for level in range(order.size):
        for row in range(loss.shape[0]):
            if slot_of[row] == order[level]:
                for solution in range(loss.shape[1]):
                    table[level, solution] += loss[row, solution]


class ChoiceState(NamedTuple):
    """Where the choice of solutions against scenarios stands; see `continue_choice`.

    Attributes
    ----------
    to_come
        Per level and scenario what the levels from there on cost at least.
    bound, queue, length, position
        Per level what solutions cost at least, those worth trying, how many these are, and how many were tried.
    total
        Per level and scenario what the levels before cost.
    trial
        The solutions at hand.
    at, best
        The level that is looked at next, and the best sum so far.
    """

    to_come: FloatArray
    bound: FloatArray
    queue: IntArray
    length: IntArray
    position: IntArray
    total: FloatArray
    trial: IntArray
    at: IntArray
    best: FloatArray


@kernel(inline="always")
def begin_choice(tables: FloatArray, cutoff: float) -> ChoiceState:
    """Return where the choice of solutions with the least worst-scenario sum below the cut-off begins."""
    n_scenarios, depth, n_solutions = tables.shape
    to_come = np.zeros((depth + 1, n_scenarios))
    for level in range(depth - 1, -1, -1):
        for scenario in range(n_scenarios):
            to_come[level, scenario] = to_come[level + 1, scenario] + smallest(tables[scenario, level])
    return ChoiceState(
        to_come,
        np.empty((depth, n_solutions)),
        np.empty((depth, n_solutions), np.int64),
        np.zeros(depth, np.int64),
        np.zeros(depth, np.int64),
        np.zeros((depth + 1, n_scenarios)),
        np.zeros(depth, np.int64),
        np.zeros(1, np.int64),
        np.full(1, cutoff),
    )


@kernel
def cheapest_against(tables: FloatArray, cutoff: float, picked: IntArray, work: float) -> float:
    """Return the least worst-scenario sum below the cut-off and write its solutions, or return the cut-off.

    NaN if looking at that number of entries of the tables did not settle it.
    """
    return continue_choice(tables, picked, work, begin_choice(tables, cutoff))


@kernel(inline="always")
def continue_choice(tables: FloatArray, picked: IntArray, work: float, state: ChoiceState) -> float:
    """Go on with a choice, and return what `cheapest_against` does; NaN if it is to be continued."""
    n_scenarios, depth, n_solutions = tables.shape
    best, level, fresh = state.best[0], state.at[0], True
    for scenario in range(n_scenarios):
        if state.to_come[0, scenario] >= best:
            return float(best)
    while level >= 0:
        if fresh:
            work -= n_scenarios * n_solutions
            if work < 0:
                state.at[0], state.best[0] = level, best
                return np.nan
            state.bound[level, :] = -np.inf
            for scenario in range(n_scenarios):
                base = state.total[level, scenario] + state.to_come[level + 1, scenario]
                for solution in range(n_solutions):
                    least = base + tables[scenario, level, solution]
                    state.bound[level, solution] = max(state.bound[level, solution], least)
            state.length[level] = _queue_below(state.bound[level], best, level == depth - 1, state.queue[level])
            state.position[level] = 0
            fresh = False
        at = state.position[level]
        if at >= state.length[level]:
            level -= 1
            continue
        state.position[level] += 1
        solution = state.queue[level, at]
        if state.bound[level, solution] >= best:
            level -= 1
            continue
        state.trial[level] = solution
        if level == depth - 1:
            best = state.bound[level, solution]
            copy_into(state.trial, picked)
            level -= 1
            continue
        for scenario in range(n_scenarios):
            state.total[level + 1, scenario] = state.total[level, scenario] + tables[scenario, level, solution]
        level += 1
        fresh = True
    return float(best)
