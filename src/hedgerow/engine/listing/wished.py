"""The exact method with wishes about the tree as a whole: roots by their bounds, each settled to its best structure."""

__all__ = ["Ground", "ground_of", "settle_wishes", "suits_listing"]

from dataclasses import dataclass
from typing import Final

import numpy as np

from hedgerow.data.arrays import FloatArray, IntArray
from hedgerow.engine.listing.demands import Demands, demands_of
from hedgerow.engine.listing.roots import Block, RootLister
from hedgerow.engine.pool import SolutionPool, complete_pool
from hedgerow.engine.tables.space import cutoff_below
from hedgerow.engine.unreached import fill_unreached
from hedgerow.errors import InputError
from hedgerow.instance import Instance
from hedgerow.problem import is_oracle_only
from hedgerow.run import Options, Run
from hedgerow.run.wishes import MOST_LISTED, Wishes
from hedgerow.tree.splits import Splits, candidate_splits
from hedgerow.tree.structure import NO_SPLIT, existing_slots, tree_of
from hedgerow.tree.tree import Tree

DEEPEST: Final = 2
_MOST_MOVES: Final = 1 << 23
"""Most splits times samples: a root keeps four numbers for each, and looks at the clock only once it has them."""

_NONE: Final = np.array([NO_SPLIT], dtype=np.int64)


@dataclass(frozen=True, eq=False)
class Ground:
    """What structures are listed over: the instance, its splits and plans, and the lister itself."""

    instance: Instance
    splits: Splits
    solutions: FloatArray
    lister: RootLister

    def tree(self, structure: IntArray, choice: IntArray, splits: Splits | None = None) -> Tree:
        """Return the tree of a structure that was listed, with plans at all leaves."""
        depth = self.instance.depth
        if depth < DEEPEST:
            structure, choice = structure[1 : 1 + depth], choice[: 1 + depth]
        reached = choice >= 0
        tree = tree_of(structure, splits or self.splits, self.solutions[np.where(reached, choice, 0)])
        return fill_unreached(tree, reached[existing_slots(structure)])

    def first_tree(self, block: Block, entry: int) -> Tree:
        """Return the first tree of an entry of a block."""
        return self.tree(next(block.structures(entry)), block.choice[entry])


def suits_listing(instance: Instance, options: Options) -> str:
    """Return why structures can't be listed for this instance; empty if they can."""
    if instance.depth > DEEPEST:
        return f"trees may be at most {DEEPEST} questions deep, and depth is {instance.depth}"
    if is_oracle_only(instance.problem) or instance.problem.all_solutions(MOST_LISTED) is None:
        return f"the problem's solutions must be listed, and there are more than {MOST_LISTED:,}"
    n_splits = len(candidate_splits(instance.question_values, options.thresholds, options.max_thresholds))
    if n_splits * instance.n_samples > _MOST_MOVES:
        return f"there are too many samples and thresholds: {instance.n_samples:,} and {n_splits:,}"
    return ""


def ground_of(
    instance: Instance, options: Options, run: Run | None = None, *, may_stop: bool = True, by_question: bool = False
) -> Ground:
    """Return what to list structures over; with `may_stop` a node may also ask nothing."""
    demands = demands_of(instance, options, may_stop=may_stop)
    pool = _pool(demands, options, run)
    candidates = [demands.candidates(node) for node in range(2**instance.depth - 1)]
    if instance.depth < DEEPEST:
        candidates = [_NONE, *candidates, _NONE, _NONE]
    lister = RootLister(
        demands,
        (candidates[0], candidates[1], candidates[2]),
        demands.rules,
        pool.losses,
        min_samples_leaf=options.min_samples_leaf,
        max_leaves=options.max_leaves if (options.max_leaves or 4) < 2**instance.depth else None,
        margin=options.margin_on(instance),
        by_question=by_question,
    )
    return Ground(demands.instance, demands.splits, pool.solutions, lister)


def settle_wishes(instance: Instance, run: Run, options: Options) -> None:
    """Find the best tree that keeps the wishes, and prove that there is none better."""
    ground = ground_of(instance, options, run)
    lister = ground.lister
    lister.must_stop = run.must_stop
    run.raise_bound(min(run.value, lister.base), "bound without a tree")
    bounds = []
    for number, root in enumerate(lister.candidates[0]):
        run.heed()
        bounds.append(lister.bound(int(root)))
        run.count(0, f"{number + 1} of {lister.candidates[0].size} roots bounded")
    open_bound = np.inf
    for number in np.argsort(bounds, kind="stable"):
        if bounds[number] >= cutoff_below(run.value) or not np.isfinite(bounds[number]):
            break
        run.raise_bound(min(run.value, open_bound, bounds[number]))
        if not run.running:
            return
        hard = lister.n_hard
        block = lister.best(int(lister.candidates[0][number]), cutoff_below(run.value))
        if lister.n_hard > hard:
            open_bound = min(open_bound, bounds[number])
        if block is not None:
            run.offer(ground.first_tree(block, 0), float(block.value[0]), "better tree")
        run.count()
    if run.tree is None and open_bound == np.inf:
        wishes = options.wishes or Wishes()
        raise InputError(f"no tree keeps all of these wishes: {', '.join(wishes.given)}.")
    run.raise_bound(min(run.value, open_bound))


def _pool(demands: Demands, options: Options, run: Run | None) -> SolutionPool:
    """Return all plans that a leaf may need."""
    found = complete_pool(demands.instance, options.memory_limit, run)
    if found is None:
        raise InputError("this needs a list of all solutions, which are too many here for the time and memory allowed.")
    return found
