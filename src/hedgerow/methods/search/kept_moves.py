"""Moves among trees that keep wishes: each tree that a search looks at keeps all of them."""

__all__ = ["KeptMoves"]

import dataclasses
from collections.abc import Iterable
from functools import cached_property
from typing import Final

import numpy as np

from hedgerow.data.arrays import BoolArray, FloatArray, IntArray
from hedgerow.engine.listing.demands import Demands
from hedgerow.engine.listing.leaves import go_together, mark_slots, wished_leaves
from hedgerow.engine.pool import SolutionPool
from hedgerow.engine.tables.space import Found, cutoff_below
from hedgerow.errors import InputError
from hedgerow.instance import Instance
from hedgerow.methods.search.candidate import Candidate, slots_below
from hedgerow.methods.search.moves import Moves
from hedgerow.methods.search.value import refresh
from hedgerow.run import Options, Run
from hedgerow.tree.splits import Splits
from hedgerow.tree.structure import NO_SPLIT, existing_slots, nominal_slots
from hedgerow.tree.tree import Tree

_MOST_DRAWN: Final = 2_000
"""Structures that are drawn to find a first tree that keeps the wishes."""

_TRIED: Final = 12
"""How many of the most promising splits or plans are tried, until one keeps the wishes and is better."""

_WORK_ON_PLANS: Final = 4_000_000
"""Samples × plans × slots filled: where the search for the plans of one structure ends."""

_FEW_SAMPLES: Final = 12
"""Under a global budget: up to this many samples plans are chosen for the worst case, else for what is read."""

_WORK_TO_POLISH: Final = 2_000_000
"""Samples × plans × slots × splits up to which all plans are chosen anew for every change of a question."""


class KeptMoves(Moves):
    """The moves on candidates that keep what wishes demand; values are with the price of what is asked."""

    def __init__(
        self, instance: Instance, options: Options, splits: Splits, pool: SolutionPool, run: Run, demands: Demands
    ) -> None:
        self._demands = demands
        self._has_fees = bool(demands.fees.any())
        super().__init__(instance, options, splits, pool, run)
        self._must_ask = ~demands.allowed[:, -1]
        self._is_cheap = self._local or instance.n_samples <= _FEW_SAMPLES

    def _take_over(self) -> None:
        super()._take_over()
        self._rules = self._demands.rules(self.pool, self.n_inner + 1)
        self.__dict__.pop("_first", None)

    # -- what is kept --------------------------------------------------------------------------------------------

    def _fee(self, structure: IntArray) -> float:
        """Return the price of what a structure asks."""
        return float(self._demands.fees @ self._asked(structure)) if self._has_fees else 0.0

    def _asked(self, structure: IntArray, but: int = -1) -> BoolArray:
        """Return which items a structure reads, apart from one node."""
        exists = existing_slots(structure)
        nodes = [
            node
            for node in range(self.n_inner)
            if node != but and structure[node] != NO_SPLIT and exists[slots_below(node, self.n_inner)[0]]
        ]
        return np.asarray(self._demands.reads[structure[nodes]].any(axis=0), dtype=np.bool_)

    def _may_have(self, structure: IntArray, node: int) -> BoolArray:
        """Return which splits a node may have, all else as it is; the last entry is whether it may ask nothing."""
        allowed: BoolArray = self._demands.allowed[node]
        if self._demands.max_items is None:
            return allowed
        others = self._asked(structure, node)
        extra = (self._demands.reads & ~others).sum(axis=1)
        return np.asarray(allowed & (others.sum() + extra <= self._demands.max_items))

    def _keeps(self, structure: IntArray) -> bool:
        """Return whether the questions of a structure are what they may be."""
        exists = existing_slots(structure)
        for node in range(self.n_inner):
            if exists[slots_below(node, self.n_inner)[0]] and not self._demands.allowed[node, structure[node]]:
                return False
        most = self._demands.max_items
        return self.allowed(structure) and (most is None or int(self._asked(structure).sum()) <= most)

    def _slots(self, structure: IntArray) -> tuple[IntArray, BoolArray]:
        """Return the slot that each sample reaches and which slots exist."""
        exists = np.empty(self.n_inner + 1, dtype=bool)
        mark_slots(structure, self._reading.item, self._reading.threshold, exists)
        return nominal_slots(structure, self.splits, self._observations), exists

    def _plans_keep(self, structure: IntArray, choice: IntArray) -> bool:
        if not self._rules.active:
            return True
        return bool(go_together(choice, self._rules, self._slots(structure)[1]))

    # -- candidates ----------------------------------------------------------------------------------------------

    def evaluated(self, structure: IntArray, choice: IntArray) -> Candidate:
        """Return the tree with this structure and these solutions of the pool."""
        found, fee = super().evaluated(structure, choice), self._fee(structure)
        return dataclasses.replace(found, value=found.value + fee, fee=fee)

    def taken(self, structure: IntArray, choice: IntArray, instead: Candidate | None = None) -> Candidate:
        """Return the tree with this structure, and these plans or ones that keep the wishes; else the one instead."""
        if self._keeps(structure):
            if self._plans_keep(structure, choice):
                return self.evaluated(structure, choice)
            planned = self.planned(structure)
            if planned is not None:
                return planned
        return self.one_solution() if instead is None else instead

    def planned(self, structure: IntArray, cutoff: float = np.inf) -> Candidate | None:
        """Return the structure with the best plans that keep the wishes, if its value is below the cut-off."""
        nominal, exists = self._slots(structure)
        limit, local, below_cutoff = self._reading.limit, self._local, cutoff - self._fee(structure)
        cost = np.empty((self.n_inner + 1, self.instance.n_samples))
        refresh(structure, self._reading, 0, len(cost), cost)
        if not self._is_cheap:  # plans are chosen for what is read
            cost = np.where(nominal == np.arange(self.n_inner + 1)[:, None], 0.0, np.inf)
            limit, local, below_cutoff = 0.0, True, np.inf
        found = np.zeros(self.n_inner + 1, dtype=np.int64)
        most = max(4 * found.size, _WORK_ON_PLANS // max(1, self._loss.size))
        value = wished_leaves(self._loss, cost, limit, local, nominal, self._rules, exists, below_cutoff, found, most)
        if not np.isfinite(value):  # NaN where the adversary is too hard
            return None
        better = self.evaluated(structure, found)
        return better if better.value < cutoff else None

    @cached_property
    def _first(self) -> Candidate:
        """A tree that keeps the wishes: with as few questions as they allow, or drawn at random."""
        rng = np.random.default_rng(0)
        structure = np.full(self.n_inner, NO_SPLIT, dtype=np.int64)
        for node in np.flatnonzero(self._must_ask):
            splits = self._demands.candidates(int(node))
            structure[node] = splits[splits.size // 2] if splits.size else NO_SPLIT
        for _ in range(_MOST_DRAWN):
            if self._keeps(structure):
                found = self.planned(structure)
                if found is not None:
                    return found
            structure = self.drawn(rng)
        given = () if self.options.wishes is None else self.options.wishes.given
        raise InputError(f"no tree was found that keeps all of these wishes: {', '.join(given)}.")

    def one_solution(self) -> Candidate:
        """Return a tree that asks as little as the wishes allow."""
        return self._first

    def drawn(self, rng: np.random.Generator) -> IntArray:
        """Return a random structure whose nodes ask what they may; items are left out where there are too many."""
        most, reads = self._demands.max_items, self._demands.reads
        structure = np.full(self.n_inner, NO_SPLIT, dtype=np.int64)
        asked = np.zeros(self.instance.n_features, dtype=bool)
        by_node = [np.flatnonzero(allowed[:-1]) for allowed in self._demands.allowed]
        for splits in by_node:
            if splits.size == 1:
                asked |= reads[splits[0]]
        for node, allowed in enumerate(by_node):
            splits = allowed
            if most is not None:
                splits = allowed[(reads[allowed] | asked).sum(axis=1) <= most]
            if splits.size:
                questions = self.splits.question[splits]
                structure[node] = rng.choice(splits[questions == rng.choice(np.unique(questions))])
                asked |= reads[structure[node]]
        if self.space.constrained:
            for node in np.flatnonzero(~self._must_ask)[::-1]:
                if self.allowed(structure):
                    break
                structure[node] = NO_SPLIT
        return structure

    def tree(self, candidate: Candidate) -> Tree:
        """Return the candidate as a tree; where plans are wished for, leaves that no sample can reach keep theirs."""
        if not self._rules.active:
            return super().tree(candidate)
        exists = self._slots(candidate.structure)[1]
        return self.space.tree(Found(candidate.structure, np.where(exists, candidate.choice, -1), candidate.value))

    # -- moves ---------------------------------------------------------------------------------------------------

    def better_split(self, now: Candidate, node: int) -> Candidate | None:
        """Return the tree with another question at a node, all else as it is, if that is better."""
        if not self.may_ask(now.structure, node):
            return None
        values = np.full(len(self.splits), np.inf)
        may_have = self._may_have(now.structure, node)
        fees = (self._demands.reads | self._asked(now.structure, node)) @ self._demands.fees
        self._price(now, node, *slots_below(node, self.n_inner), values)
        values = np.where(may_have, np.append(values, -np.inf) + fees, np.inf)
        cutoff, best = cutoff_below(now.value), None
        for split in np.argsort(values, kind="stable")[:_TRIED]:
            asks = split < len(self.splits)
            if asks and values[split] >= (cutoff if self._local else np.inf):
                break
            structure = now.structure.copy()
            structure[node] = split if asks else NO_SPLIT
            if structure[node] == now.structure[node] or not may_have[split] or not self._keeps(structure):
                continue
            found = self.taken(structure, now.choice, now)
            if found.value < cutoff:
                best, cutoff = found, found.value
                if self._local and asks:
                    break
        return best

    def _plans_to_try(self, now: Candidate, slot: int, sums: FloatArray) -> Iterable[int]:
        if not self._rules.active and not self._has_fees:
            yield from super()._plans_to_try(now, slot, sums)
            return
        for plan in np.argsort(sums, kind="stable")[:_TRIED]:
            choice = now.choice.copy()
            choice[slot] = plan
            if plan != now.choice[slot] and self._plans_keep(now.structure, choice):
                yield plan

    def polished(self, now: Candidate) -> Candidate:
        """Return the tree with its best plans; where that is cheap, each question is changed with all plans anew."""
        now = self.planned(now.structure, cutoff_below(now.value)) or now
        work = self._loss.size * (self.n_inner + 1) * len(self.splits)
        quiet = 0 if work <= _WORK_TO_POLISH and self._is_cheap else self.n_inner
        node = 0
        while quiet < self.n_inner and not self._run.must_stop():
            best = now
            for split in self._demands.candidates(node):
                structure = now.structure.copy()
                structure[node] = split
                if self._run.must_stop():
                    break
                if split != now.structure[node] and self._keeps(structure):
                    best = self.planned(structure, cutoff_below(best.value)) or best
            quiet = quiet + 1 if best is now else 0
            now, node = best, (node + 1) % self.n_inner
        return now

    def _askable(self, structure: IntArray, node: int, candidates: IntArray) -> IntArray:
        if self._demands.allowed[node].sum() <= 1:
            return candidates[:0]
        return candidates[self._may_have(structure, node)[candidates]]

    def _divide(self, structure: IntArray, choice: IntArray, node: int, candidates: IntArray, caution: float) -> None:
        """Let a node ask the best question, if that is worth the price of asking."""
        before, plans = self.evaluated(structure, choice).value if self._has_fees else np.inf, choice.copy()
        super()._divide(structure, choice, node, candidates, caution)
        if self._has_fees and self.evaluated(structure, choice).value >= before:
            structure[node] = NO_SPLIT
            choice[:] = plans
