"""The door to the engine: an instance and a pool that holds every solution that matters, settled for a run."""

__all__ = ["settle_global_halves", "settle_local"]

from hedgerow.engine.pool import SolutionPool
from hedgerow.engine.price_intervals import PriceIntervals
from hedgerow.engine.root_intervals import RootIntervals
from hedgerow.engine.samples import is_single, move_geometry, samples_of
from hedgerow.engine.search import Ground, search
from hedgerow.engine.tables.space import SearchSpace
from hedgerow.instance import Instance
from hedgerow.run import Options, Run
from hedgerow.tree.splits import Splits


def settle_local(
    instance: Instance, run: Run, options: Options, splits: Splits, pool: SolutionPool, *, stay_here: bool = False
) -> None:
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
    search(space, base, Ground(instance, pool.solutions, margin), run, options.n_jobs, stay_here=stay_here)


def settle_global_halves(space: SearchSpace, run: Run, *, stay_here: bool = False) -> None:
    """Settle all trees of depth 1 or 2 under a global budget, over the space's splits, as far as that is possible."""
    if run.must_stop():
        return
    base = float(space.table.loss.min(axis=1).sum())
    margin = space.options.margin_on(space.instance)
    ground = Ground(space.instance, space.pool.solutions, margin)
    search(PriceIntervals(space), base, ground, run, space.options.n_jobs, stay_here=stay_here)
