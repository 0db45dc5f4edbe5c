"""Local search: a tree improved move by move, over and over from disturbed trees; for any number of samples."""

__all__ = ["local_search", "local_search_kernels"]

from typing import TYPE_CHECKING

import numpy as np

from hedgerow.instance import Instance
from hedgerow.methods.start import offer_tree, start
from hedgerow.run import Run, Settings

if TYPE_CHECKING:
    from hedgerow.methods.search.candidate import Candidate
    from hedgerow.methods.search.growing_pool import GrowingPool
    from hedgerow.methods.search.moves import Moves

_FRESH = 0.2
"""How often a descent begins with a new tree."""

_PATIENCE = 30
"""After so many descents without a better tree the search goes back to the best one."""

_NEAR_ENOUGH = 0.01

_NEAR = 0.02
"""Trees within this share of the best one are worth the oracle's time."""


def local_search(instance: Instance, run: Run, settings: Settings) -> None:
    """Improve trees until the run ends.

    An iteration is one descent: from a new or a disturbed tree down to one that no single move makes better.
    """
    # Imported here since compiled kernels are loaded only by those who use them.
    from hedgerow.methods.search.growing_pool import GrowingPool
    from hedgerow.methods.search.moves import Moves

    splits = start(instance, run, settings)
    if splits is None or run.tree is None:
        return
    grown = GrowingPool(instance, run, run.tree.solutions[0])
    _Search(instance, run, Moves(instance, settings, splits, grown.pool, run), grown).go()


class _Search:
    """The loop of one run, with the tree that it stands at and the best one."""

    def __init__(self, instance: Instance, run: Run, moves: "Moves", grown: "GrowingPool") -> None:
        self._instance, self._run = instance, run
        self._moves, self._grown = moves, grown

    def go(self) -> None:
        """Walk from tree to tree."""
        from hedgerow.methods.search.disturb import disturbed, fresh

        run, rng = self._run, self._run.rng
        here = best = self._descent(self._greedy())
        since_better = 0
        run.count(1, "descents")
        while run.running:
            begin = fresh(self._moves, rng) if rng.random() < _FRESH else disturbed(self._moves, here, rng)
            found = self._descent(begin)
            if found.value < best.value:
                best, since_better = found, 0
            since_better += 1
            # Equal trees are taken, too: that is how plateaus are crossed.
            if since_better % _PATIENCE == 0:
                here = best
            elif found.value <= max(here.value, best.value + _NEAR_ENOUGH * abs(best.value)):
                here = found
            run.count(1, "descents")

    def _greedy(self) -> "Candidate":
        from hedgerow.structure import NO_SPLIT

        bare = np.full(self._moves.n_inner, NO_SPLIT, dtype=np.int64)
        one = self._moves.evaluated(bare, np.zeros(self._moves.n_inner + 1, dtype=np.int64))
        return self._moves.regrown(one, 0)

    def _descent(self, begin: "Candidate") -> "Candidate":
        """Improve the tree as far as moves and new solutions go, and offer it if it is the best so far."""
        from hedgerow.methods.search.descent import descend

        found = self._moves.polished(descend(self._moves, begin, self._run))
        while self._is_near(found) and self._grown.grow_for(found, self._moves.limit) and not self._run.must_stop():
            self._moves.reload()
            before, found = found, descend(self._moves, found, self._run)
            if found.value >= before.value:
                break
        if found.value < self._run.value:
            offer_tree(self._moves.tree(found), self._instance, self._run, "better tree")
        return found

    def _is_near(self, found: "Candidate") -> bool:
        return found.value <= self._run.value + _NEAR * abs(self._run.value)


def local_search_kernels(instance: Instance) -> None:
    """Load or compile what `local_search` needs for an instance of this kind."""
    from hedgerow.methods.search.growing_pool import GrowingPool
    from hedgerow.methods.search.moves import Moves
    from hedgerow.methods.tables.warm_up import tiny_space

    space = tiny_space(instance)
    run = Run(space.instance, iteration_limit=20)
    grown = GrowingPool(space.instance, run, space.pool.solutions[0])
    _Search(space.instance, run, Moves(space.instance, Settings(), space.splits, grown.pool, run), grown).go()
