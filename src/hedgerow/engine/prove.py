"""The door to the engine: all trees whose leaves hold solutions of a pool, settled by the search that suits them."""

import numpy as np

from hedgerow.data.arrays import FloatArray
from hedgerow.engine.bounds import raise_bound_by_plans
from hedgerow.engine.deep_trees import DeepTrees
from hedgerow.engine.engine_parameters import ENGINE
from hedgerow.engine.intervals import Intervals
from hedgerow.engine.pool import SolutionPool
from hedgerow.engine.price_intervals import PriceIntervals, suits_prices
from hedgerow.engine.samples import is_single, samples_of
from hedgerow.engine.search import Ground, Space, search
from hedgerow.engine.structures import branching
from hedgerow.engine.structures.space import SearchSpace, cutoff_below
from hedgerow.engine.structures.subsets import MAX_DENSE, subset_costs, subset_tables
from hedgerow.engine.structures.threshold_boxes import settle_boxes
from hedgerow.instance import Instance
from hedgerow.run import Deadline, Options, Run
from hedgerow.tree.splits import Splits

_DEPTH_THREE = 3


def settle(instance: Instance, run: Run, options: Options, splits: Splits, pool: SolutionPool) -> None:
    """Settle all trees whose leaves hold solutions of the pool, as far as the run's limits allow."""
    if not len(pool):
        run.raise_bound(run.value)
        return
    # Nothing is better than each sample's own best solution: a first bound, should time be up before there is another.
    run.raise_bound(min(run.value, float(pool.losses.min(axis=1).sum())), "bound without a tree")
    if suits_nominal(instance, options):
        _settle_local(instance, run, options, splits, pool)
    elif suits_intervals(instance):
        if not _takes_all_thresholds(instance, run):
            options = on_midpoints(instance, run, options)
        _settle_local(instance, run, options, splits, pool)
    elif _suits_boxes(instance, options, run):
        settle_boxes(instance, run, options, splits, pool)
    else:
        _settle_splits(instance, run, on_midpoints(instance, run, options), splits, pool)


def suits_nominal(instance: Instance, options: Options) -> bool:
    """Return whether nothing is misread, and each side of a root is a problem of its own.

    From depth 3 on limits on leaves tie the sides together: a larger set of samples may be divided where a smaller one
    can't. One sample per leaf is no such limit.
    """
    free = options.min_samples_leaf <= 1 and options.max_leaves is None
    return nothing_moves(instance, options) and (free or instance.depth < _DEPTH_THREE)


def nothing_moves(instance: Instance, options: Options) -> bool:
    """Return whether each sample reaches one leaf only."""
    return not instance.uncertainty.can_misread and options.margin_on(instance) == 0.0


def suits_intervals(instance: Instance) -> bool:
    """Return whether trees are settled by intervals of thresholds: local budgets, or none, and at most two levels.

    Entry limits must be on single readings.
    """
    uncertainty = instance.uncertainty
    fits = uncertainty.limits is None or is_single(instance)
    return fits and instance.depth <= 2 and (uncertainty.is_separable or not uncertainty.can_misread)


def _takes_all_thresholds(instance: Instance, run: Run) -> bool:
    """Return whether intervals may end anywhere; with questions about several readings that takes long."""
    return is_single(instance) or run.asked_for_all or instance.n_samples <= MAX_DENSE


def _suits_boxes(instance: Instance, options: Options, run: Run) -> bool:
    """Return whether a global budget is settled over all thresholds; more samples only if that is asked for.

    Questions must be about single readings: bounds of open boxes know how far one reading is from an interval.
    """
    most = MAX_DENSE if run.asked_for_all else ENGINE.most_samples_in_boxes
    fits = instance.n_samples <= most and _table_bytes(instance) <= options.memory_limit
    return fits and is_single(instance) and instance.depth <= 2 and options.thresholds == "continuous"


def _table_bytes(instance: Instance) -> int:
    return 8 * (1 << instance.n_samples) * (instance.depth + 1)


def on_midpoints(instance: Instance, run: Run, options: Options) -> Options:
    """Go on with midpoints where it is not known how to do with all thresholds."""
    if options.thresholds != "continuous":
        return options
    options = options.replace(thresholds="midpoints")
    run.thresholds, run.margin = "midpoints", options.margin_on(instance)
    if run.asked_for_all:
        run.say("The exact method could not settle all thresholds here; what is proven is about midpoints.")
    return options


def _settle_local(instance: Instance, run: Run, options: Options, splits: Splits, pool: SolutionPool) -> None:
    """Settle trees under local budgets, or where nothing is misread, over candidate thresholds or all of them.

    With budgets the depth is 1 or 2. Where nothing is misread, one threshold between two neighbours is as good as any.
    """
    margin, alike = options.margin_on(instance), nothing_moves(instance, options)
    listed = None if options.thresholds == "continuous" and not alike else splits
    run.heed()  # with millions of thresholds each of the next steps takes a part of a second
    samples = samples_of(instance, pool.losses, listed, margin, options.min_samples_leaf)
    run.heed()
    most = options.max_leaves if options.max_leaves and options.max_leaves < 2**instance.depth else 0
    is_free = alike and not most and options.min_samples_leaf <= 1
    space: Space = Intervals(samples, instance.depth, most)
    if instance.depth > 2 or (instance.depth == 2 and is_free):
        space = DeepTrees(samples, instance.depth)
    base = float(pool.losses.min(axis=1).sum())
    search(space, base, Ground(instance, pool.solutions, margin), run)


def _settle_splits(instance: Instance, run: Run, options: Options, splits: Splits, pool: SolutionPool) -> None:
    """Settle trees over candidate splits: structure by structure where samples are few, and else by prices.

    Where neither suits there are bounds only.
    """
    loss, is_small = np.ascontiguousarray(pool.losses), instance.n_samples <= MAX_DENSE
    if instance.depth > 2 or not is_small:
        raise_bound_by_plans(instance, run, options, loss, ENGINE.share_for_bounds)
    if is_small and _table_bytes(instance) > options.memory_limit:
        run.end("memory_limit")
        return
    run.heed()
    space, floors = SearchSpace(instance, options, splits, pool), None
    if not is_small and instance.depth == 1:
        space.offer_best(space.allowed(space.candidates[:, None]), run)
        if not run.must_stop():
            run.raise_bound(min(run.value, space.open_bound))
    elif not is_small and suits_prices(space):
        base, ground = float(loss.min(axis=1).sum()), Ground(instance, pool.solutions, options.margin_on(instance))
        run.heed()
        search(PriceIntervals(space), base, ground, run)
    if _suits_depth_three(space):
        floors = _root_floors(space, run, (ENGINE.share_for_floors if is_small else 1.0) * run.deadline.remaining())
    if is_small:
        tables = subset_tables(subset_costs(loss, run.heed), instance.depth, loss)
        branching.settle(space, run, tables, branching.on_table, floors)


def _suits_depth_three(space: SearchSpace) -> bool:
    instance, few = space.instance, space.instance.n_samples <= ENGINE.most_samples_at_depth_three
    fits = instance.depth == _DEPTH_THREE and instance.uncertainty.is_separable and is_single(instance)
    return few and fits and not space.constrained and space.reading.margin == 0.0


def _root_floors(space: SearchSpace, run: Run, seconds: float) -> FloatArray:
    """Return for every split what trees of depth 3 with this root cost at least; trees met on the way are offered."""
    loss, ground = space.loss, Ground(space.instance, space.pool.solutions, 0.0)
    base = float(loss.min(axis=1).sum())
    trees = DeepTrees(samples_of(space.instance, loss, space.splits, 0.0), _DEPTH_THREE, ground, base)
    left = search(trees, base, ground, run, Deadline(seconds)) + trees.unsettled
    floors = np.full(len(space.splits), max(base, cutoff_below(run.value)))
    for part in left:
        floors[part.first : part.last + 1] = base + part.bound
    return floors
