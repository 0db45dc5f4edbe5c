"""The leaf problem: the best solutions for the slots of a structure (LSAP in the paper), on a table of losses.

Under local budgets each sample costs what the worst slot that it reaches costs it: one depth-first search. Under a
global budget solutions are chosen against the attacks found so far, and the adversary answers with a worse one, until
there is none. All searches take a cut-off and say nothing (∞) about structures that are not better than it.
"""

from typing import NamedTuple

import numpy as np

from hedgerow.adversary.knapsack_kernels import worst_assignment
from hedgerow.compiled import kernel
from hedgerow.compiled.array_kernels import copy_into, integer, smallest, stable_order
from hedgerow.data.arrays import FloatArray, IntArray
from hedgerow.engine.engine_parameters import ENGINE

MASTER_WORK = 30_000_000
"""How many table entries the choice of solutions may look at in one go: some hundredths of a second."""

LOCAL_WORK = 3e8
"""How many table entries a leaf problem under a local budget may look at: some tenths of a second."""

_ATTACK_NODES = 4_000_000
_PATIENCE = integer(200)

_TOLERANCE = 1e-10
_ROUNDING = 4e-16


class Attacks(NamedTuple):
    """A pool of attacks on trees with the same number of slots; those that a tree affords bound it at once."""

    slot: IntArray  # Attacks × samples: where samples are sent.
    # Attacks × slots × solutions: what a solution at a slot costs on the samples that are sent there.
    table: FloatArray
    alone: FloatArray  # What the attack costs at least, with the best solution at every slot.
    known: IntArray  # How many attacks are known.
    noise: float  # By how much two sums of losses may differ that should be equal.


class LeafTerms(NamedTuple):
    """What solutions at slots cost."""

    loss: FloatArray  # Per sample and solution the loss.
    move_cost: FloatArray  # Per slot and sample what it takes to move the sample there.
    # Attacks × slots × solutions: what a solution at a slot costs on the samples that are sent there; of the attacks
    # that are used the worst one counts. Without any each sample is sent to the costliest slot with a finite move
    # cost.
    tables: FloatArray
    used: IntArray


def new_attacks(n_slots: int, loss: FloatArray) -> Attacks:
    """Return room for attacks; none is known."""
    n_samples, n_solutions = loss.shape
    tables_that_fit = max(ENGINE.usual_attacks, ENGINE.most_entries_kept // max(1, n_slots * n_solutions))
    room = max(ENGINE.least_attacks, min(ENGINE.most_attacks, ENGINE.most_places // n_samples, tables_that_fit))
    slot, tables = np.zeros((room, n_samples), dtype=np.int64), np.zeros((room, n_slots, n_solutions))
    # Two sums of losses that should be equal may differ by this much: large losses may cancel.
    noise = _ROUNDING * n_samples * float(np.abs(loss).max(axis=1, initial=0.0).sum())
    return Attacks(slot, tables, np.zeros(room), np.zeros(1, dtype=np.int64), noise)


@kernel
def best_leaves(
    loss: FloatArray,
    move_cost: FloatArray,
    limit: float,
    local: bool,
    cutoff: float,
    choice: IntArray,
    attacks: Attacks,
) -> tuple[float, bool]:
    """Return a bound on the value of a structure, and whether it is the value; nothing is proven beyond the cut-off.

    The bound is not the value where the problem is too hard for what is built in here. `move_cost[k, j]` is what it
    takes to move sample j into slot k; `choice[k]` becomes the solution at slot k, −1 where no sample gets.
    """
    if not local:
        return defended(loss, move_cost, limit, cutoff, choice, attacks)
    value = best_leaves_local(loss, move_cost, cutoff, choice, LOCAL_WORK)
    return (-np.inf, False) if np.isnan(value) else (value, True)


@kernel
def slot_order(move_cost: FloatArray, limit: float) -> IntArray:
    """Return the slots that some sample can reach, those that most can reach first."""
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

    ∞ if no value is below the cut-off, NaN if looking at that number of entries of the table did not settle it;
    `choice` then has the best so far, if any.
    """
    terms = LeafTerms(loss, move_cost, np.empty((0, 0, 0)), np.empty(0, np.int64))
    value = cheapest_leaves(terms, slot_order(move_cost, 0.0), cutoff, choice, work)
    return np.inf if value >= cutoff else value


@kernel
def cheapest_leaves(terms: LeafTerms, order: IntArray, cutoff: float, choice: IntArray, work: float) -> float:
    """Return the least cost of solutions at the slots below the cut-off, and write them; depth first over the slots.

    `order` has the slots that matter. The cut-off is returned if nothing is below it, NaN if looking at that number of
    entries of the tables did not settle it.
    """
    loss, move_cost, tables, used = terms
    local, n_solutions, depth = used.size == 0, loss.shape[1], order.size
    n_rows, to_come = loss.shape[0] if local else used.size, _to_come(terms, order)
    for attack in range(to_come.shape[1]):
        if to_come[0, attack] >= cutoff:
            return cutoff
    # So far each sample costs `paid`, or each attack.
    paid = np.full((depth + 1, n_rows), -np.inf if local else 0.0)
    bound, queue = np.empty((depth, n_solutions)), np.empty((depth, n_solutions), np.int64)
    length, position = np.zeros(depth, np.int64), np.zeros(depth, np.int64)
    picked, best, level, fresh = np.zeros(depth, np.int64), cutoff, 0, True
    while level >= 0:
        slot = order[level]
        if fresh:
            work -= n_rows * n_solutions
            if work < 0:
                return np.nan
            _fill_bounds(slot, terms, paid[level], to_come[level + 1], bound[level])
            length[level] = _queue_below(bound[level], best, level == depth - 1, queue[level])
            position[level], fresh = 0, False
        at = position[level]
        # The queue is sorted: once a bound is too high, nothing better follows at this level.
        if at >= length[level] or bound[level, queue[level, at]] >= best:
            level -= 1
            continue
        position[level] += 1
        solution = queue[level, at]
        picked[level] = solution
        if level == depth - 1:
            best = bound[level, solution]
            for before in range(depth):
                choice[order[before]] = picked[before]
            level -= 1
            continue
        for row in range(n_rows):
            paid[level + 1, row] = paid[level, row]
            if not local:
                paid[level + 1, row] += tables[used[row], slot, solution]
            elif move_cost[slot, row] < np.inf:
                paid[level + 1, row] = max(paid[level, row], loss[row, solution])
        level += 1
        fresh = True
    return float(best)


@kernel
def _to_come(terms: LeafTerms, order: IntArray) -> FloatArray:
    """Return per level what the slots from there on cost at least, in one column, or for each attack.

    Each sample that is sent to the costliest slot is counted at the first open one that it reaches.
    """
    loss, move_cost, tables, used = terms
    depth, n_attacks = order.size, used.size
    to_come, sums = np.zeros((depth + 1, max(1, n_attacks))), np.empty(loss.shape[1])
    for level in range(depth - 1, -1, -1):
        for attack in range(n_attacks):
            to_come[level, attack] = to_come[level + 1, attack] + smallest(tables[used[attack], order[level]])
        if n_attacks > 0:
            continue
        sums[:] = 0.0
        for row in range(loss.shape[0]):
            counts = move_cost[order[level], row] < np.inf
            for before in range(level):
                counts = counts and move_cost[order[before], row] == np.inf
            if counts:
                for solution in range(sums.size):
                    sums[solution] += loss[row, solution]
        to_come[level, 0] = to_come[level + 1, 0] + smallest(sums)
    return to_come


@kernel(inline="always")
def _fill_bounds(slot: int, terms: LeafTerms, paid: FloatArray, to_come: FloatArray, bound: FloatArray) -> None:
    """Write what the solutions at a slot cost at least, with what was paid before and what is still to come."""
    loss, move_cost, tables, used = terms
    if used.size > 0:
        bound[:] = -np.inf
        for attack in range(used.size):
            base = paid[attack] + to_come[attack]
            for solution in range(bound.size):
                bound[solution] = max(bound[solution], base + tables[used[attack], slot, solution])
        return
    base = to_come[0]
    for row in range(paid.size):
        base += paid[row] if paid[row] > -np.inf else 0.0
    bound[:] = base
    for row in range(paid.size):
        if move_cost[slot, row] == np.inf:
            continue
        so_far = paid[row]
        if so_far == -np.inf:
            for solution in range(bound.size):
                bound[solution] += loss[row, solution]
        else:
            for solution in range(bound.size):
                bound[solution] += max(0.0, loss[row, solution] - so_far)


@kernel
def _queue_below(value: FloatArray, below: float, only_best: bool, queue: IntArray) -> int:
    """Write the solutions with a value below the given one, in increasing order; return how many there are."""
    if only_best:
        queue[0] = np.argmin(value)
        return 1 if value[queue[0]] < below else 0
    solutions, count = np.empty(value.size, np.int64), 0
    values = np.empty(value.size)
    for solution in range(value.size):
        if value[solution] < below:
            solutions[count], values[count] = solution, value[solution]
            count += 1
    order = stable_order(values[:count])
    for place in range(count):
        queue[place] = solutions[order[place]]
    return count


@kernel
def defended(
    loss: FloatArray,
    move_cost: FloatArray,
    limit: float,
    cutoff: float,
    choice: IntArray,
    attacks: Attacks,
) -> tuple[float, bool]:
    """Solve the leaf problem under one budget for all samples; return a bound, and whether it is the value.

    It begins with the attacks of the pool that the budget affords, and adds those that it finds. Nothing is proven
    beyond the cut-off. The solutions are written into `choice`. A pool that is half full is emptied first.
    """
    (n_slots, n_samples), room = move_cost.shape, attacks.alone.size
    order = slot_order(move_cost, limit)
    choice[:] = -1
    used, n_used = np.empty(room, np.int64), 0
    if 2 * attacks.known[0] > room:
        attacks.known[0] = 0
    for number in range(attacks.known[0]):
        if affordable(attacks.slot[number], move_cost, limit):
            if attacks.alone[number] >= cutoff:
                return attacks.alone[number], False
            used[n_used] = number
            n_used += 1
    by_sample, slot_of = np.ascontiguousarray(move_cost.T), np.empty(n_samples, np.int64)
    if n_used == 0:
        for row in range(n_samples):
            slot_of[row] = np.argmin(by_sample[row])
        used[0], n_used = _noted(slot_of, loss, attacks), 1
    gain, noise, bound = np.full((n_samples, n_slots), -np.inf), attacks.noise, -np.inf
    while True:
        terms = LeafTerms(loss, move_cost, attacks.table, used[:n_used])
        value = cheapest_leaves(terms, order, cutoff, choice, MASTER_WORK)
        if np.isnan(value):
            return bound, False
        bound = value
        if bound >= cutoff or attacks.known[0] == room:
            return bound, False
        for slot in order:
            for row in range(n_samples):
                gain[row, slot] = loss[row, choice[slot]]
        floor = bound + max(noise, _TOLERANCE * max(1.0, abs(bound)))
        worst = worst_assignment(gain, by_sample, limit, floor, _ATTACK_NODES // n_samples, _PATIENCE, slot_of)
        if np.isnan(worst):
            return bound, False
        if worst <= floor:
            # No attack is worse than those at hand.
            return bound, True
        used[n_used] = _noted(slot_of, loss, attacks)
        n_used += 1


@kernel
def affordable(slot_of: IntArray, move_cost: FloatArray, limit: float) -> bool:
    """Return whether an attack that sends samples to these slots stays within the limit."""
    total = 0.0
    for row in range(slot_of.size):
        total += move_cost[slot_of[row], row]
    return total <= limit


@kernel
def _noted(slot_of: IntArray, loss: FloatArray, attacks: Attacks) -> int:
    """Add an attack to the pool, which has room for it; return its number."""
    number = attacks.known[0]
    attacks.known[0] += 1
    table = attacks.table[number]
    copy_into(slot_of, attacks.slot[number])
    table[:] = 0.0
    for row in range(slot_of.size):
        for solution in range(loss.shape[1]):
            table[slot_of[row], solution] += loss[row, solution]
    alone = 0.0
    for slot in range(table.shape[0]):
        alone += smallest(table[slot])
    attacks.alone[number] = alone
    return int(number)
