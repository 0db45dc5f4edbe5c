"""The door to the engine: an instance and a pool that holds every solution that matters, settled for a run."""

__all__ = [
    "nothing_moves",
    "root_floors",
    "settle_global_halves",
    "settle_local",
    "settle_nominal",
    "suits_depth_three",
    "suits_nominal",
]

import numpy as np

from hedgerow.data.arrays import FloatArray
from hedgerow.engine.depth_three import DepthThree
from hedgerow.engine.interval_parameters import IntervalParameters
from hedgerow.engine.nominal_trees import NominalTrees
from hedgerow.engine.pool import SolutionPool
from hedgerow.engine.price_intervals import PriceIntervals
from hedgerow.engine.root_intervals import RootIntervals
from hedgerow.engine.samples import is_single, move_geometry, samples_of
from hedgerow.engine.search import Ground, search
from hedgerow.engine.structures.space import SearchSpace, cutoff_below
from hedgerow.instance import Instance
from hedgerow.run import Deadline, Options, Run
from hedgerow.tree.splits import Splits

_DEPTH_THREE = 3


def suits_nominal(instance: Instance, options: Options) -> bool:
    """Return whether nothing is misread, and a set of samples never costs more than a larger one.

    It may cost more if leaves must have two samples or more: the larger set can then be divided where this one can't.
    """
    may_be_divided = options.min_samples_leaf <= 1 or instance.depth <= 1
    return nothing_moves(instance, options) and may_be_divided and options.max_leaves is None


def nothing_moves(instance: Instance, options: Options) -> bool:
    """Return whether each sample reaches one leaf only."""
    return not instance.uncertainty.can_misread and options.margin_on(instance) == 0.0


def settle_nominal(instance: Instance, run: Run, options: Options, splits: Splits, pool: SolutionPool) -> None:
    """Settle all trees where nothing is misread: one threshold between two neighbours is as good as any other."""
    base = float(pool.losses.min(axis=1).sum())
    run.raise_bound(min(run.value, base), "bound without a tree")
    samples = samples_of(instance, pool.losses, splits, 0.0)
    space = NominalTrees.of(samples, instance.depth, options.min_samples_leaf)
    search(space, base, Ground(instance, pool.solutions, 0.0), run, options.n_jobs)


def settle_local(instance: Instance, run: Run, options: Options, splits: Splits, pool: SolutionPool) -> None:
    """Settle all trees of depth 1 or 2 under local budgets, over candidate thresholds or all of them."""
    margin = options.margin_on(instance)
    listed = None if options.thresholds == "continuous" else splits
    geometry = None if is_single(instance) else move_geometry(instance)
    samples = samples_of(instance, pool.losses, listed, margin, geometry)
    base = float(pool.losses.min(axis=1).sum())
    run.raise_bound(min(run.value, base), "bound without a tree")
    most = options.max_leaves or 0
    limits = options.min_samples_leaf, most if most < 2**instance.depth else 0
    space = RootIntervals(samples, instance.depth, *limits, geometry)
    search(space, base, Ground(instance, pool.solutions, margin), run, options.n_jobs)


def settle_global_halves(space: SearchSpace, run: Run) -> None:
    """Settle all trees of depth 1 or 2 under a global budget, over the space's splits, as far as that is possible."""
    if run.must_stop():
        return
    base = float(space.table.loss.min(axis=1).sum())
    margin = space.options.margin_on(space.instance)
    ground = Ground(space.instance, space.pool.solutions, margin)
    search(PriceIntervals(space), base, ground, run, space.options.n_jobs)


def suits_depth_three(space: SearchSpace) -> bool:
    """Return whether roots of depth 3 can be bounded by the best trees of depth 2 on their sides."""
    budget = space.instance.uncertainty
    fits = space.instance.depth == _DEPTH_THREE and budget.is_separable and is_single(space.instance)
    return fits and not space.constrained and not space.reading.spans and space.reading.margin == 0.0


def root_floors(space: SearchSpace, run: Run, seconds: float) -> FloatArray:
    """Return for every split what trees of depth 3 with this root cost at least; trees met on the way are offered."""
    loss, ground = space.table.loss, Ground(space.instance, space.pool.solutions, 0.0)
    base = float(loss.min(axis=1).sum())
    trees = DepthThree(samples_of(space.instance, loss, space.splits, 0.0), ground, base)
    # A root takes long, and a better tree helps all others: few of them at a time.
    few = IntervalParameters(largest_round=4, most_per_task=1)
    left = search(trees, base, ground, run, space.options.n_jobs, few, Deadline(seconds))
    floors = np.full(len(space.splits), max(base, cutoff_below(run.value)))
    for part in left:
        floors[part.first : part.last + 1] = base + part.bound
    return floors
