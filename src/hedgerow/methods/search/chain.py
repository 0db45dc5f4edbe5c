"""A chain of descents: from tree to tree, each begun where the one before ended, or with a new tree.

Chains go on leg by leg. A leg depends on nothing but its task, so that it makes no difference where it is walked.
"""

__all__ = ["Chain", "Leg", "SearchContext", "Walked"]

from dataclasses import dataclass
from typing import Self

import numpy as np

from hedgerow.data.arrays import FloatArray
from hedgerow.engine.listing.demands import Demands, demands_of
from hedgerow.engine.pool import SolutionPool
from hedgerow.engine.structures.space import Found
from hedgerow.instance import Instance
from hedgerow.methods.search.descent import descend, disturbed, fresh
from hedgerow.methods.search.growing_pool import GrowingPool
from hedgerow.methods.search.search_parameters import DEFAULTS
from hedgerow.methods.search.tree_moves import Moves
from hedgerow.methods.search.tree_state import TreeState
from hedgerow.methods.start import offer_tree, start
from hedgerow.run import Deadline, Interrupt, Options, Run, RunState, SubRun
from hedgerow.thresholds import moved_anywhere
from hedgerow.tree.splits import Splits
from hedgerow.tree.tree import Tree


@dataclass(frozen=True)
class SearchContext:
    """What all legs of a run share: what is solved, the candidate splits, and the pool as it was in the beginning."""

    instance: Instance
    options: Options
    splits: Splits
    pool: SolutionPool
    demands: Demands | None = None
    anywhere: bool = False  # whether the best trees' thresholds are moved to any numbers

    @classmethod
    def begin(cls, instance: Instance, run: Run, options: Options) -> Self | None:
        """Return the context of a search, or None where a single solution is all there is to find."""
        if options.wishes is None or not options.wishes.shape_trees:
            splits = start(instance, run, options)
            if splits is None or run.tree is None:
                return None
            return cls(instance, options, splits, GrowingPool.begin(instance, run, run.tree.solutions[0]).pool)
        demands = demands_of(instance, options)
        instance, seconds = demands.instance, run.deadline.share(2)
        best = instance.problem.best_solution(instance.costs, instance.weights, time_limit=seconds)
        pool = GrowingPool.begin(instance, run, best.solution).pool
        context = cls(instance, options, demands.splits, pool, demands)
        moves = context.moves(run)  # plans that are named join the pool
        first = moves.one_solution()
        offer_tree(moves.tree(first), instance, run, "first tree", first.fee)
        return context

    def moves(self, run: Run) -> Moves:
        """Return the moves of a run."""
        return Moves(self.instance, self.options, self.splits, self.pool, run, self.demands)


@dataclass(frozen=True, eq=False)
class Leg:
    """What one leg depends on."""

    start: Found | None  # where the chain stands; None where the search begins, with a tree that is grown greedily
    best: float  # the value of the search's best tree, as moves see it; it may be relaxed
    standing: RunState  # where the run stands
    seed: int  # where the leg's randomness comes from
    n_descents: int  # how long the leg is
    # What has joined the pool since the beginning.
    solutions: FloatArray
    losses: FloatArray
    as_it_is: bool = False  # whether the first descent begins with the tree itself, not with a disturbed one


@dataclass(frozen=True, eq=False)
class Walked:
    """What comes of a leg."""

    # Where the chain stands now, and the best tree on the way.
    here: Found
    best: Found
    found: tuple[Tree, float] | None  # a tree better than the run's with its worst-case loss, if there is one
    solutions: FloatArray  # what should join the pool; the trees' choices count them as if they had
    n_descents: int  # how many descents there were time for


class Chain:
    """Walks legs of one run, one after the other, over the context that they share."""

    def __init__(self, context: SearchContext) -> None:
        self._context = context
        self._moves = context.moves(Run(context.instance))

    def __call__(self, task: Leg, deadline: Deadline, interrupt: Interrupt) -> Walked:
        """Walk the leg."""
        instance, pool = self._context.instance, self._context.pool
        if not pool.complete:
            pool = pool.with_more(task.solutions, task.losses)
        rng = np.random.default_rng(task.seed)
        run = SubRun(instance, task.standing, deadline, interrupt, iteration_limit=task.n_descents, rng=rng)
        moves, grown = self._moves, GrowingPool(instance, run, pool)
        moves.turn_to(pool, run)
        before = len(pool)
        if task.start is None:
            here = best = self._descent(moves.regrown(moves.one_solution(), 0), run, grown)
            run.count(1)
        else:
            here = best = moves.evaluated(task.start.structure, task.start.choice)
            if task.as_it_is:
                here = best = self._descent(here, run, grown)
                run.count(1)
        known = None if run.iterations else best
        best_value = min(task.best, best.value)
        while run.running:
            begin = fresh(moves, rng) if rng.random() < DEFAULTS.fresh else disturbed(moves, here, rng)
            found = self._descent(begin, run, grown)
            if found.value < best.value:
                best = found
            best_value = min(best_value, found.value)
            if found.value <= max(here.value, best_value + DEFAULTS.good * abs(best_value)):
                here = found
            run.count(1)
        if self._context.anywhere and best is not known and best.value <= run.value + DEFAULTS.near * abs(run.value):
            self._offer_moved(moves.tree(best), run)
        joined = moves.pool.solutions[before:]
        stand, top = (Found(each.structure, each.choice, each.value) for each in (here, best))
        return Walked(stand, top, run.found, joined, run.iterations)

    def _descent(self, begin: TreeState, run: SubRun, grown: GrowingPool) -> TreeState:
        """Improve the tree as far as moves and new solutions go, and offer it if it is the best so far."""
        moves = self._moves
        found = moves.polished(descend(moves, begin, run))
        while found.value <= run.value + DEFAULTS.near * abs(run.value) and grown.grow_for(found, moves.limit):
            if run.must_stop():
                break
            moves.reload()
            before, found = found, descend(moves, found, run)
            if found.value >= before.value:
                break
        if found.value < run.value:
            offer_tree(moves.tree(found), self._context.instance, run, fee=found.fee)
        return found

    def _offer_moved(self, tree: Tree, run: SubRun) -> None:
        """Offer the tree with its thresholds moved to better places among all numbers, if there is time for that."""
        if not run.must_stop():
            instance, fewest = self._context.instance, self._context.options.min_samples_leaf
            better = moved_anywhere(tree, instance, run.margin, min_samples_leaf=fewest, must_stop=run.must_stop)
            offer_tree(better, instance, run, "thresholds moved")
