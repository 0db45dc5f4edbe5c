"""Leaf problems and attacks that are too large for the built-in adversary: the same with the full knapsack."""

__all__ = ["LargeLeaves", "large_attack", "large_leaf_problem"]

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from hedgerow.adversary.knapsack import solve_knapsack
from hedgerow.data.arrays import FloatArray, IntArray
from hedgerow.engine.tables.leaves import (
    MASTER_WORK,
    begin_choice,
    continue_choice,
    fill_scenario,
    rounding_noise,
    slot_order,
)
from hedgerow.engine.tables.reach import Reading, structure_costs
from hedgerow.engine.tables.search import Table
from hedgerow.tolerances import BUDGET, VALUE

_MOST_PIECES = 16
"""How many times `MASTER_WORK` a choice of solutions may take if it is to be thorough."""

_LOOKS_AT_ONCE = 1_000_000
"""At one slot each, between two looks at the clock: about a tenth of a second."""

_ATTACK_NODES = 3_000_000


@dataclass(frozen=True)
class LargeLeaves:
    """The outcome of a large leaf problem.

    Attributes
    ----------
    choice
        Per slot its solution, −1 where no sample gets; None if nothing below the cut-off was found.
    value
        The worst-case loss, or the cut-off.
    bound
        What the structure costs at least if that is below `value` and could not be settled; else ∞.
    """

    choice: IntArray | None
    value: float
    bound: float


def large_leaf_problem(
    structure: IntArray,
    reading: Reading,
    table: Table,
    cutoff: float,
    must_stop: Callable[[], bool] | None = None,
    *,
    thorough: bool = True,
) -> LargeLeaves:
    """Return the best solutions for a structure if their worst case is below the cut-off.

    With `must_stop`, which says when time is up, a choice of solutions that takes long gets more time, within reason,
    if it is to be `thorough`.
    """
    move_cost = np.empty((structure.size + 1, len(table.loss)))
    structure_costs(structure, reading, move_cost)
    order = slot_order(move_cost, reading.limit)
    by_sample = np.ascontiguousarray(move_cost.T)
    budget = reading.limit / (1.0 + BUDGET)
    slot_of = np.argmin(by_sample, axis=1)
    scenarios: list[FloatArray] = []
    picked = np.zeros(order.size, dtype=np.int64)
    best: IntArray | None = None
    value = cutoff
    noise = rounding_noise(table.loss)
    bound = -np.inf
    while True:
        scenario = np.empty((order.size, table.loss.shape[1]))
        fill_scenario(table.loss, slot_of, order, scenario)
        scenarios.append(scenario)
        if len(scenarios) > 1 and must_stop is not None and must_stop():
            return LargeLeaves(best, value, bound)
        chosen = _cheapest(np.array(scenarios), value, picked, must_stop if thorough else None)
        if chosen is None:
            return LargeLeaves(best, value, bound)
        bound = chosen
        if bound >= value:
            return LargeLeaves(best, value, np.inf)
        gain = np.full(by_sample.shape, -np.inf)
        gain[:, order] = table.loss[:, picked]
        attack = solve_knapsack(gain, by_sample, budget, node_limit=_ATTACK_NODES)
        if attack.bound < value:
            value, best = attack.bound, np.full(structure.size + 1, -1, dtype=np.int64)
            best[order] = picked
        if not attack.exact:
            # Not even the full knapsack settles this attack, so what the master proved is all there is.
            return LargeLeaves(best, value, bound)
        if attack.value <= bound + max(noise, VALUE * max(1.0, abs(bound))):
            return LargeLeaves(best, value, np.inf)
        slot_of = np.array(attack.choice)


def _cheapest(
    tables: FloatArray, cutoff: float, picked: IntArray, must_stop: Callable[[], bool] | None
) -> float | None:
    """Return what the best solutions cost against the scenarios, or None if that takes too long to say."""
    state = begin_choice(tables, cutoff)
    if must_stop is None:
        value = continue_choice(tables, picked, MASTER_WORK, state)
        return None if np.isnan(value) else value
    at_once, left = min(MASTER_WORK, _LOOKS_AT_ONCE * tables.shape[0] * tables.shape[2]), _MOST_PIECES * MASTER_WORK
    while left > 0:
        value = continue_choice(tables, picked, at_once, state)
        if not np.isnan(value):
            return value
        left -= at_once
        if must_stop():
            break
    return None


def large_attack(structure: IntArray, reading: Reading, slot_loss: FloatArray) -> float:
    """Return the worst case of a structure with fixed solutions; where it is not exact, a number above it."""
    move_cost = np.empty(slot_loss.shape)
    structure_costs(structure, reading, move_cost)
    budget = reading.limit / (1.0 + BUDGET)
    return solve_knapsack(
        np.ascontiguousarray(slot_loss.T), np.ascontiguousarray(move_cost.T), budget, node_limit=_ATTACK_NODES
    ).bound
