"""Moves that improve one tree: another question at a node, another solution at a leaf, a part grown anew."""

import dataclasses
from typing import Self

import numpy as np

from hedgerow.data.arrays import FloatArray, IntArray
from hedgerow.engine.listing.demands import demands_of
from hedgerow.engine.pool import SolutionPool
from hedgerow.engine.structures.space import Found, SearchSpace, cutoff_below
from hedgerow.errors import InputError
from hedgerow.instance import Instance
from hedgerow.methods.parameters import SEARCH
from hedgerow.methods.search.growing_pool import first_pool
from hedgerow.methods.search.growth import Part, best_division
from hedgerow.methods.search.tree_state import TreeState, nodes_below, passing
from hedgerow.methods.search.value import leaf_sums, price_splits, refresh, tree_value, worst_outside
from hedgerow.methods.start import evenly_spread, offer_tree, start
from hedgerow.run import Options, Run
from hedgerow.tree.splits import Splits
from hedgerow.tree.structure import NO_SPLIT, existing_slots, slots_below, structure_allowed
from hedgerow.tree.tree import Tree


class Moves:
    """The moves on candidates of one instance. Each returns a better candidate, or None if there is none.

    Candidates keep what wishes demand. Call `reload` when the pool of solutions has grown. A move that the run cuts
    short returns the best of what it has looked at.
    """

    def __init__(
        self,
        instance: Instance,
        options: Options,
        splits: Splits,
        pool: SolutionPool,
        run: Run,
    ) -> None:
        self.instance = instance
        self.options = options
        self.splits = splits
        self.pool = pool
        self.n_inner = 2**instance.depth - 1
        self._run = run
        self._wishes = demands_of(instance, options, splits=splits)
        self._must_ask = ~self._wishes.allowed[:, -1]
        self.reload()
        self._reading = self.space.reading
        self._observations = self._reading.observations
        self._unbudgeted = self._reading._replace(budgets=np.empty(0))
        self._local = self._reading.budgets.size > 0
        # How many splits or solutions get an evaluation of their own; what local budgets are estimated at is exact.
        few = instance.n_samples <= SEARCH.few_samples
        self._n_promising = SEARCH.n_promising_among_few if few else SEARCH.n_promising
        if self._local:
            self._n_promising = 1
        self._most_items = max((len(question.items) for question in instance.questions), default=1)
        self._bins = evenly_spread(splits, SEARCH.thresholds_to_grow)

    @classmethod
    def begin(cls, instance: Instance, run: Run, options: Options) -> Self | None:
        """Offer a first tree and return the moves, or None where a single solution is all there is to find."""
        if options.wishes is None or not options.wishes.shape_trees:
            splits = start(instance, run, options)
            if splits is None or run.tree is None:
                return None
            return cls(instance, options, splits, first_pool(instance, run, run.tree.solutions[0]), run)
        best = instance.problem.best_solution(instance.costs, instance.weights, time_limit=run.deadline.share(2))
        splits, pool = instance.splits(options.thresholds), first_pool(instance, run, best.solution)
        moves = cls(instance, options, splits, pool, run)
        offer_tree(moves.tree(moves.one_solution()), instance, run, "first tree")
        return moves

    def reload(self) -> None:
        """Take over what has joined the pool."""
        self.space = SearchSpace(self.instance, self.options, self.splits, self.pool)
        self._loss = self.space.loss
        self._floor = self._loss.min(axis=1)
        self._first: TreeState | None = None

    @property
    def limit(self) -> float:
        """The largest sum of move costs that is affordable; 0 where budgets are local."""
        return self._reading.limit

    # -- candidates ----------------------------------------------------------------------------------------------

    def evaluated(self, structure: IntArray, choice: IntArray) -> TreeState:
        """Return the tree with this structure and these solutions of the pool."""
        move_cost = np.empty((self.n_inner + 1, self.instance.n_samples))
        refresh(structure, self._reading, 0, len(move_cost), move_cost)
        slot_loss = np.ascontiguousarray(self._loss[:, choice].T)
        value, rate = tree_value(move_cost, slot_loss, self.limit, np.inf)
        return TreeState(structure, choice, move_cost, slot_loss, value, rate)

    def candidate(self, structure: IntArray, choice: IntArray, instead: TreeState | None = None) -> TreeState:
        """Return the tree with this structure and these solutions if it is allowed; else the one instead."""
        if self.allowed(structure):
            return self.evaluated(structure, choice)
        return self.one_solution() if instead is None else instead

    def drawn(self, rng: np.random.Generator) -> IntArray:
        """Return a random structure; where it is not allowed, nodes ask nothing, from the last one upwards."""
        structure = self._with_wished_questions(self.space.draw(rng, 1)[0], rng)
        for node in np.flatnonzero(~self._must_ask)[::-1]:
            if self.allowed(structure):
                break
            structure[node] = NO_SPLIT
        return structure

    def _with_wished_questions(self, structure: IntArray, rng: np.random.Generator) -> IntArray:
        for node in np.flatnonzero(self._must_ask).tolist():
            if (splits := np.flatnonzero(self._wishes.allowed[node, :-1])).size:
                structure[node] = rng.choice(splits)
        return structure

    def one_solution(self) -> TreeState:
        """Return the tree that asks as little as wishes allow: nothing without them, with the pool's first solution."""
        if self._first is None:
            rng, structure = np.random.default_rng(0), np.full(self.n_inner, NO_SPLIT, dtype=np.int64)
            for _ in range(SEARCH.most_drawn):
                if self.allowed(self._with_wished_questions(structure, rng)):
                    break
            else:
                given = () if self.options.wishes is None else self.options.wishes.given
                raise InputError(f"no tree was found that keeps all of these wishes: {', '.join(given)}.")
            self._first = self.evaluated(structure, np.zeros(self.n_inner + 1, dtype=np.int64))
        return self._first

    def tree(self, candidate: TreeState) -> Tree:
        """Return the candidate as a tree; leaves that no sample can reach hold their neighbour's solution."""
        reached = (candidate.move_cost <= self.limit).any(axis=1)
        return self.space.tree(Found(candidate.structure, np.where(reached, candidate.choice, -1), candidate.value))

    def allowed(self, structure: IntArray) -> bool:
        """Return whether a structure keeps wishes and the limits on leaves."""
        limited = structure_allowed(structure, self.splits, self._observations, self.options)
        return limited and self._wishes.keeps(structure)

    def may_ask(self, structure: IntArray, node: int) -> bool:
        """Return whether a node exists, and may ask something without there being too many leaves."""
        exists = existing_slots(structure)
        if not exists[slots_below(node, self.n_inner)[0]]:
            return False
        most = self.options.max_leaves
        return structure[node] != NO_SPLIT or most is None or int(exists.sum()) < most

    # -- one question --------------------------------------------------------------------------------------------

    def better_split(self, now: TreeState, node: int) -> TreeState | None:
        """Return the tree with the best question at a node, all else as it is, if that is better."""
        if not self.may_ask(now.structure, node):
            return None
        best, cutoff, values, count = None, cutoff_below(now.value), self._prices(now, node), self._n_promising
        for split in np.argsort(values, kind="stable").tolist():
            if count == 0 or not values[split] < (cutoff if self._local else np.inf):
                break
            structure = now.structure.copy()
            structure[node] = split
            if split != now.structure[node] and self.allowed(structure):
                count -= 1
                changed = self._with_structure(now, node, structure, cutoff)
                if changed.value < cutoff:
                    best, cutoff = changed, changed.value
        return best

    def _with_structure(self, now: TreeState, node: int, structure: IntArray, cutoff: float) -> TreeState:
        """Return the tree with another question at a node; one that costs the cut-off or more may be said to cost ∞."""
        move_cost = now.move_cost.copy()
        refresh(structure, self._reading, *slots_below(node, self.n_inner), move_cost)
        value, rate = tree_value(move_cost, now.slot_loss, self.limit, cutoff)
        return dataclasses.replace(now, structure=structure, move_cost=move_cost, value=value, rate=rate)

    def _prices(self, now: TreeState, node: int) -> FloatArray:
        """Return what the tree costs at most with some splits at a node: evenly spread ones, and those near its own.

        ∞ stands for splits that are not allowed or were not looked at.
        """
        may_have, values = self._wishes.may_have(now.structure, node), np.full(len(self.splits), np.inf)
        own, width = int(now.structure[node]), SEARCH.thresholds_near
        near = np.arange(max(0, own - width), min(own + width + 1, len(self.splits)))
        splits = np.union1d(evenly_spread(self.splits, SEARCH.thresholds_at_once, may_have), near[may_have[near]])
        outside = worst_outside(now.move_cost, now.slot_loss, self.limit, now.rate, *slots_below(node, self.n_inner))
        at_once = max(1, SEARCH.work_per_call // (now.move_cost.size * self._most_items))
        for begin in range(0, splits.size, at_once):
            if self._run.must_stop():
                break
            some = splits[begin : begin + at_once]
            price_splits(node, some, now.structure, now.slot_loss, outside, now.rate, self._reading, values)
        return values

    # -- one solution --------------------------------------------------------------------------------------------

    def better_leaf(self, now: TreeState, slot: int) -> TreeState | None:
        """Return the tree with the best solution of the pool at a slot, all else as it is, if that is better."""
        cost = now.move_cost[slot]
        if not (cost <= self.limit).any():
            return None
        outside = worst_outside(now.move_cost, now.slot_loss, self.limit, now.rate, slot, slot + 1)
        sums = leaf_sums(self._loss, outside, cost, self.limit, now.rate)
        best, cutoff = None, cutoff_below(now.value)
        for solution in np.argsort(sums, kind="stable")[: self._n_promising]:
            if self._local and sums[solution] >= cutoff:
                break
            choice, slot_loss = now.choice.copy(), now.slot_loss.copy()
            choice[slot], slot_loss[slot] = solution, self._loss[:, solution]
            value, rate = tree_value(now.move_cost, slot_loss, self.limit, cutoff)
            if value < cutoff:
                cutoff = value
                best = dataclasses.replace(now, choice=choice, slot_loss=slot_loss, value=cutoff, rate=rate)
        return best

    # -- all plans at once, where that is cheap ----------------------------------------------------------------------

    def polished(self, now: TreeState) -> TreeState:
        """Return what comes of changing one question at a time with all plans chosen anew, where that is cheap."""
        few = self.pool.complete and self.instance.n_samples <= SEARCH.few_to_polish
        quiet, node = 0 if few else self.n_inner, 0
        while quiet < self.n_inner and not self._run.must_stop():
            splits = np.flatnonzero(self._wishes.may_have(now.structure, node))
            trials = np.repeat(now.structure[None], splits.size, axis=0)
            trials[:, node] = splits
            best, cutoff = None, cutoff_below(now.value)
            for some in self.space.in_parts(self.space.allowed(trials)):
                if self._run.must_stop():
                    break
                better = self.space.best(some, cutoff)
                if better is not None:
                    best, cutoff = better, better.value
            quiet, node = quiet + 1 if best is None else 0, (node + 1) % self.n_inner
            if best is not None:
                now = self.evaluated(best.structure, np.where(best.choice < 0, now.choice, best.choice))
        return now

    # -- a part anew ---------------------------------------------------------------------------------------------

    def regrown(self, now: TreeState, node: int, items: IntArray | None = None, caution: float = 1.0) -> TreeState:
        """Return the tree whose part from a node on is grown anew from the top, greedily, as far as limits allow.

        Only `items` are asked about, if given; `caution` is the share of the budget that samples are thought to have.
        """
        structure, choice = now.structure.copy(), now.choice.copy()
        places = np.array(nodes_below(node, self.n_inner))
        structure[places[~self._must_ask[places]]] = NO_SPLIT
        bins = self._bins if items is None else self._bins[np.isin(self.splits.question[self._bins], items)]
        for place in places.tolist():
            if self._run.must_stop():
                break
            if self.may_ask(structure, place):
                before, structure[place] = structure[place], NO_SPLIT
                candidates = bins[self._wishes.may_have(structure, place)[bins]]
                if not candidates.size or not self._divide(structure, choice, place, candidates, caution):
                    structure[place] = before
        return self.candidate(structure, choice, now)

    def _divide(self, structure: IntArray, choice: IntArray, node: int, candidates: IntArray, caution: float) -> bool:
        """Let a node that asks nothing ask the best question with the best two solutions; return if there is one."""
        begin, end = slots_below(node, self.n_inner)
        now = self.evaluated(structure, choice)
        outside = worst_outside(now.move_cost, now.slot_loss, self.limit, now.rate, begin, end)
        inside = passing(structure, node, self.splits, self._observations)
        cost = self._way_to(structure, begin)
        budget = caution * (self._reading.budgets if self._local else np.full(inside.size, self.limit / inside.size))
        rows, fewest = np.flatnonzero(inside | (cost <= budget)), self.options.min_samples_leaf
        if rows.size > SEARCH.samples_to_grow:
            fewest = fewest * SEARCH.samples_to_grow // rows.size
            rows = np.sort(self._run.rng.choice(rows, SEARCH.samples_to_grow, replace=False))
        spare = np.maximum(0.0, budget[rows] - cost[rows])
        part = Part(rows, spare, inside[rows], outside, self._loss, self._floor, candidates)
        _, split, left, right = best_division(part, fewest, self._reading)
        if split < 0:
            return False
        before, middle = choice[begin:end].copy(), (begin + end) // 2
        structure[node], choice[begin:middle], choice[middle:end] = split, left, right
        if self.allowed(structure):
            return True
        structure[node], choice[begin:end] = NO_SPLIT, before
        return False

    def _way_to(self, structure: IntArray, slot: int) -> FloatArray:
        """Return what it takes to send each sample to a slot, in units of the budget also where that is local."""
        cost = np.empty((self.n_inner + 1, self.instance.n_samples))
        refresh(structure, self._unbudgeted, slot, slot + 1, cost)
        to_slot: FloatArray = cost[slot]
        return to_slot
