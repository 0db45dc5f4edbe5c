"""Wishes as a filter of local search: which splits a node may have, and which plans go together."""

__all__ = ["WishFilter"]

import numpy as np

from hedgerow.data.arrays import BoolArray, FloatArray, IntArray
from hedgerow.engine.leaf_problem import best_leaves, best_leaves_local, new_attacks
from hedgerow.engine.listing.demands import Demands
from hedgerow.engine.structures.reach import Reading
from hedgerow.methods.search.search_parameters import DEFAULTS
from hedgerow.methods.search.tree_state import slots_below
from hedgerow.tree.structure import NO_SPLIT, existing_slots, nominal_slots


class WishFilter:
    """What wishes demand of the structures and plans of a search."""

    def __init__(self, demands: Demands, reading: Reading) -> None:
        self.demands = demands
        self._reading = reading
        self._n_slots = demands.allowed.shape[0] + 1
        self.has_fees = bool(demands.fees.any())
        self.must_ask: BoolArray = ~demands.allowed[:, -1]
        self.max_plans = demands.max_plans

    def fee(self, structure: IntArray) -> float:
        """Return the price of what a structure asks."""
        return float(self.demands.fees @ self._asked(structure)) if self.has_fees else 0.0

    def fees_with(self, structure: IntArray, node: int) -> FloatArray:
        """Return the price of what the structure asks with each split at a node; the last one is for none."""
        fees: FloatArray = (self.demands.reads | self._asked(structure, node)) @ self.demands.fees
        return fees

    def _asked(self, structure: IntArray, but: int = -1) -> BoolArray:
        """Return which items a structure reads, apart from one node."""
        nodes = [node for node in self._existing(structure) if node != but and structure[node] != NO_SPLIT]
        return np.asarray(self.demands.reads[structure[nodes]].any(axis=0), dtype=np.bool_)

    def _existing(self, structure: IntArray) -> list[int]:
        exists = existing_slots(structure)
        return [node for node in range(structure.size) if exists[slots_below(node, structure.size)[0]]]

    def may_have(self, structure: IntArray, node: int) -> BoolArray:
        """Return which splits a node may have, all else as it is; the last entry is whether it may ask nothing."""
        allowed: BoolArray = self.demands.allowed[node]
        if self.demands.max_items is None:
            return allowed
        others = self._asked(structure, node)
        extra = (self.demands.reads & ~others).sum(axis=1)
        return np.asarray(allowed & (others.sum() + extra <= self.demands.max_items))

    def keeps(self, structure: IntArray) -> bool:
        """Return whether the questions of a structure are what they may be."""
        most, allowed = self.demands.max_items, self.demands.allowed
        if not all(allowed[node, structure[node]] for node in self._existing(structure)):
            return False
        return most is None or int(self._asked(structure).sum()) <= most

    def plans_keep(self, structure: IntArray, choice: IntArray) -> bool:
        """Return whether the plans at the slots go together."""
        exists, most = existing_slots(structure), self.max_plans
        return not most or np.unique(choice[exists]).size <= most

    def best_plans(
        self, structure: IntArray, loss: FloatArray, move_cost: FloatArray, cutoff: float
    ) -> IntArray | None:
        """Return the best plans for a structure that go together, if their worst case is below the cut-off.

        Under a global budget with more than a few samples, plans are chosen for what is read.
        """
        choice, local = np.full(self._n_slots, -1, dtype=np.int64), self._reading.budgets.size > 0
        if not local and len(loss) > DEFAULTS.few_to_plan:
            nominal = nominal_slots(structure, self.demands.splits, self._reading.observations)
            move_cost = np.where(nominal == np.arange(self._n_slots)[:, None], 0.0, np.inf)
            local, cutoff = True, np.inf
        if local:  # where work ends before all is tried, these are the best plans so far
            work = max(4 * choice.size * loss.size, DEFAULTS.work_on_plans)
            best_leaves_local(loss, move_cost, cutoff, choice, work, self.max_plans)
        else:
            attacks, limit = new_attacks(self._n_slots, loss), self._reading.limit
            value = best_leaves(loss, move_cost, limit, False, cutoff, choice, attacks, self.max_plans)
            choice[:] = choice if np.isfinite(value) else -1  # NaN where the adversary is too hard
        held = np.flatnonzero(choice >= 0)
        if not held.size:
            return None
        # Where no sample gets, the nearest leaf's plan will do.
        nearest = held[np.abs(held - np.arange(choice.size)[:, None]).argmin(axis=1)]
        plans: IntArray = np.where(choice >= 0, choice, choice[nearest])
        return plans

    def draw(self, rng: np.random.Generator) -> IntArray:
        """Return a random structure whose nodes ask what they may; items are left out where there are too many."""
        most, reads, splits = self.demands.max_items, self.demands.reads, self.demands.splits
        structure = np.full(self._n_slots - 1, NO_SPLIT, dtype=np.int64)
        by_node = [np.flatnonzero(allowed[:-1]) for allowed in self.demands.allowed]
        asked = np.any([reads[each[0]] for each in by_node if each.size == 1] or reads[-1:], axis=0)
        for node, allowed in enumerate(by_node):
            few = allowed if most is None else allowed[(reads[allowed] | asked).sum(axis=1) <= most]
            if few.size:
                questions = splits.question[few]
                structure[node] = rng.choice(few[questions == rng.choice(np.unique(questions))])
                asked |= reads[structure[node]]
        return structure
