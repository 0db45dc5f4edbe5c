"""Local search: a tree improved move by move, over and over from disturbed trees; for any number of samples."""

__all__ = ["local_search", "local_search_kernels"]

from typing import TYPE_CHECKING

from hedgerow.bounds import bound_without_tree
from hedgerow.instance import Instance
from hedgerow.methods.pool import SolutionPool
from hedgerow.methods.start import most_leaves, offer_tree, start
from hedgerow.run import Deadline, Run, Settings

if TYPE_CHECKING:
    from hedgerow.methods.search.candidate import Candidate
    from hedgerow.methods.search.growing_pool import GrowingPool
    from hedgerow.methods.search.moves import Moves

_FRESH = 0.3
"""How often a descent begins with a new tree."""

_PATIENCE = 30
"""After so many descents without a better tree the search goes back to the best one."""

_GOOD = 0.003
"""Trees within this share of the best one are good places to go on from."""

_NEAR = 0.02
"""Trees within this share of the best one are worth the oracle's time."""

_SHARE_FOR_BOUND = 0.1
"""How much of the time that is left may go into the bound."""


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
    search = _Search(instance, run, Moves(instance, settings, splits, grown.pool, run), grown)
    # First, since on a large history time may be up before the first descent is: a gap is reported all the same.
    if not run.must_stop():
        run.raise_bound(_bound(instance, settings, grown.pool, run), "bound without a tree")
    search.begin()
    search.go_on()


def _bound(instance: Instance, settings: Settings, pool: SolutionPool, run: Run) -> float:
    """Return what as many solutions as leaves cost without a tree; where X is not listed, the samples' own optima."""
    deadline = Deadline(_SHARE_FOR_BOUND * run.deadline.remaining())
    loss = pool.losses if pool.complete else None
    return bound_without_tree(loss, instance, most_leaves(instance, settings), deadline)


class _Search:
    """The loop of one run, with the tree that it stands at and the best one."""

    def __init__(self, instance: Instance, run: Run, moves: "Moves", grown: "GrowingPool") -> None:
        self._instance, self._run = instance, run
        self._moves, self._grown = moves, grown

    def begin(self) -> None:
        """Find a first tree, grown greedily and improved."""
        self._here = self._best = self._descent(self._moves.regrown(self._moves.one_solution(), 0))
        self._run.count(1, "descents")

    def go_on(self) -> None:
        """Walk from tree to tree until the run ends."""
        from hedgerow.methods.search.disturb import disturbed, fresh

        run, rng = self._run, self._run.rng
        since_better = 0
        while run.running:
            begin = fresh(self._moves, rng) if rng.random() < _FRESH else disturbed(self._moves, self._here, rng)
            found = self._descent(begin)
            since_better += 1
            if found.value < self._best.value:
                self._best, since_better = found, 0
            good = self._best.value + _GOOD * abs(self._best.value)
            if since_better and since_better % _PATIENCE == 0:
                self._here = self._best
            elif found.value <= max(self._here.value, good):
                self._here = found
            run.count(1, "descents")

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
    search = _Search(space.instance, run, Moves(space.instance, Settings(), space.splits, grown.pool, run), grown)
    search.begin()
    search.go_on()
