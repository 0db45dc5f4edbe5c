"""A chain of descents: from tree to tree, each begun where the one before ended, or with a new tree.

A leg of a chain depends on nothing but its task, so that it makes no difference where it is walked.
"""

__all__ = ["Chain", "Leg", "SearchContext", "Spot", "Walked"]

from dataclasses import dataclass
from typing import NamedTuple, Self

import numpy as np

from hedgerow.data.arrays import FloatArray, IntArray
from hedgerow.engine.pool import SolutionPool
from hedgerow.instance import Instance
from hedgerow.methods.parameters import SEARCH
from hedgerow.methods.search.descent import descend, disturbed, fresh
from hedgerow.methods.search.growing_pool import first_pool, grow_for
from hedgerow.methods.search.tree_moves import Moves
from hedgerow.methods.search.tree_state import TreeState
from hedgerow.methods.start import offer_tree, start
from hedgerow.run import Deadline, Interrupt, Options, Run, RunState
from hedgerow.tree.splits import Splits
from hedgerow.tree.tree import Tree


@dataclass(frozen=True)
class SearchContext:
    """What all legs of a run share: what is solved, the candidate splits, and the pool as it was in the beginning."""

    instance: Instance
    options: Options
    splits: Splits
    pool: SolutionPool

    @classmethod
    def begin(cls, instance: Instance, run: Run, options: Options) -> Self | None:
        """Return the context of a search, or None where a single solution is all there is to find."""
        if options.wishes is None or not options.wishes.shape_trees:
            splits = start(instance, run, options)
            if splits is None or run.tree is None:
                return None
            return cls(instance, options, splits, first_pool(instance, run, run.tree.solutions[0]))
        best = instance.problem.best_solution(instance.costs, instance.weights, time_limit=run.deadline.share(2))
        splits = instance.splits(options.thresholds)
        context = cls(instance, options, splits, first_pool(instance, run, best.solution))
        moves = context.moves(run)
        first = moves.one_solution()
        offer_tree(moves.tree(first), instance, run, "first tree")
        return context

    def moves(self, run: Run) -> Moves:
        """Return the moves of a run."""
        return Moves(self.instance, self.options, self.splits, self.pool, run)


class Spot(NamedTuple):
    """Where a chain stands: a structure, the solutions at its slots, and its value as moves see it; may be relaxed."""

    structure: IntArray
    solutions: FloatArray
    value: float


class Leg(NamedTuple):
    """What one leg depends on."""

    start: Spot | None  # the search's best tree; None where it begins, with a tree that is grown greedily
    standing: RunState  # where the run stands
    seed: int  # where the leg's randomness comes from
    n_descents: int  # how long the leg is
    solutions: FloatArray  # what has joined the pool since the beginning


class Walked(NamedTuple):
    """What comes of a leg."""

    best: Spot  # the best tree on the way
    found: tuple[Tree, float] | None  # a tree better than the run's with its worst-case loss, if there is one
    solutions: FloatArray  # what should join the pool
    n_descents: int  # how many descents there were time for


class Chain:
    """Walks legs of one run, one after the other, over the context that they share."""

    def __init__(self, context: SearchContext) -> None:
        self._context = context
        self._moves = context.moves(Run(context.instance))

    def __call__(self, task: Leg, deadline: Deadline, interrupt: Interrupt) -> Walked:
        """Walk the leg."""
        rng, pool, moves = np.random.default_rng(task.seed), self._context.pool, self._moves
        run = Run(
            self._context.instance,
            before=task.standing,
            deadline=deadline,
            interrupt=interrupt,
            iteration_limit=task.n_descents,
            rng=rng,
        )
        if not pool.complete:
            pool = pool.with_more(task.solutions)
        moves.turn_to(pool, run)
        before = len(pool)
        if task.start is None:
            here = best = self._descent(moves.regrown(moves.one_solution(), 0), run)
            run.count(1)
        else:
            here = best = moves.evaluated(task.start.structure, pool.add(task.start.solutions))
        while run.running:
            begin = fresh(moves, rng) if rng.random() < SEARCH.fresh else disturbed(moves, here, rng)
            reached = self._descent(begin, run)
            if reached.value < best.value:
                best = reached
            if reached.value <= max(here.value, best.value + SEARCH.good * abs(best.value)):
                here = reached
            run.count(1)
        joined = moves.pool.solutions[before:]
        return Walked(self._spot(best), run.found, joined, run.iterations)

    def _spot(self, tree: TreeState) -> Spot:
        return Spot(tree.structure, self._moves.pool.solutions[tree.choice], tree.value)

    def _descent(self, begin: TreeState, run: Run) -> TreeState:
        """Improve the tree as far as moves and new solutions go, and offer it if it is the best so far."""
        moves = self._moves
        tree = moves.polished(descend(moves, begin, run))
        while tree.value <= run.value + SEARCH.near * abs(run.value) and grow_for(moves.pool, tree, moves.limit, run):
            if run.must_stop():
                break
            moves.reload()
            before, tree = tree, descend(moves, tree, run)
            if tree.value >= before.value:
                break
        if tree.value < run.value:
            offer_tree(moves.tree(tree), self._context.instance, run)
        return tree
