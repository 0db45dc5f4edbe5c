"""The door to the engine: an instance and a pool that holds every solution that matters, settled for a run."""

__all__ = [
    "settle_deep",
    "settle_global_halves",
    "settle_local",
    "settle_nominal",
    "suits_deep",
    "suits_nominal",
]

from typing import Final

import numpy as np

from hedgerow.data.arrays import FloatArray
from hedgerow.engine.deep_trees import DeepTrees
from hedgerow.engine.pool import SolutionPool
from hedgerow.engine.readings import is_single, move_geometry, readings_of, separated
from hedgerow.engine.search import Ground, search
from hedgerow.engine.swept_prices import intervals_for
from hedgerow.engine.tables.space import SearchSpace
from hedgerow.engine.two_levels import ShallowTrees
from hedgerow.instance import Instance
from hedgerow.run import Options, Run
from hedgerow.tree.splits import Splits
from hedgerow.uncertainty import LocalBudget, Nominal

_SHALLOW: Final = 2
"""Deepest trees that are settled as pairs of stumps."""


def settle_local(
    instance: Instance,
    run: Run,
    options: Options,
    splits: Splits | None,
    pool: SolutionPool,
    *,
    stay_here: bool = False,
) -> None:
    """Settle all trees of depth 1 or 2 under local budgets, over candidate thresholds or, without any, all of them."""
    margin = options.margin_on(instance)
    geometry = None if is_single(instance) else move_geometry(instance)
    samples = readings_of(instance, pool.losses, splits, margin, geometry)
    base = float(pool.losses.min(axis=1).sum())
    run.raise_bound(min(run.value, base), "bound without a tree")
    most = options.max_leaves or 0
    limits = options.min_samples_leaf, most if most < 2**instance.depth else 0
    space = ShallowTrees(separated(samples), instance.depth, *limits, geometry)
    search(space, base, Ground(instance, pool.solutions, margin), run, options.n_jobs, stay_here=stay_here)


def suits_nominal(instance: Instance, options: Options) -> bool:
    """Return whether nothing is misread; a limit on the number of leaves is kept up to depth 2."""
    nothing_moves = isinstance(instance.uncertainty, Nominal) and options.margin_on(instance) == 0.0
    return nothing_moves and (options.max_leaves is None or instance.depth <= _SHALLOW)


def settle_nominal(instance: Instance, run: Run, options: Options, splits: Splits, pool: SolutionPool) -> None:
    """Settle all trees where nothing is misread: one threshold between two neighbours is as good as any other."""
    if instance.depth <= _SHALLOW:
        settle_local(instance, run, options, splits, pool)
    else:
        settle_deep(instance, run, options, splits, pool)


def suits_deep(space: SearchSpace) -> bool:
    """Return whether roots can be bounded by the best trees on their sides: depth 3 under local budgets."""
    instance, is_local = space.instance, isinstance(space.instance.uncertainty, LocalBudget)
    fits = instance.depth == _SHALLOW + 1 and is_local and is_single(instance)
    return fits and not space.constrained and not space.reading.spans and space.reading.margin == 0.0


def settle_deep(
    instance: Instance, run: Run, options: Options, splits: Splits, pool: SolutionPool, *, share: float = 1.0
) -> FloatArray:
    """Settle trees of depth 3 and more without a global budget, in a share of the time.

    Return for every split what trees with this root cost at least, ∞ where they are settled.
    """
    readings = readings_of(instance, pool.losses, splits, 0.0)
    base = float(pool.losses.min(axis=1).sum())
    run.raise_bound(min(run.value, base), "bound without a tree")
    space = DeepTrees(readings, instance.depth, options.min_samples_leaf)
    parts = search(space, base, Ground(instance, pool.solutions, 0.0), run, options.n_jobs, share=share)
    floors = np.full(len(splits), np.inf)
    for part in parts:
        if part.first >= 0:
            floors[part.first : part.last + 1] = base + part.bound
    return floors


def settle_global_halves(space: SearchSpace, run: Run, *, stay_here: bool = False) -> None:
    """Settle all trees of depth 1 or 2 under a global budget, over the space's splits, as far as that is possible."""
    if run.must_stop():
        return
    base = float(space.table.loss.min(axis=1).sum())
    margin = space.options.margin_on(space.instance)
    ground = Ground(space.instance, space.pool.solutions, margin)
    search(intervals_for(space), base, ground, run, space.options.n_jobs, stay_here=stay_here)
