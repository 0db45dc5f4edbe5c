"""Branch and bound over structures of any depth, root by root, least bound first."""

__all__ = ["settle"]

from collections.abc import Callable

import numpy as np

from hedgerow.arrays import FloatArray, IntArray
from hedgerow.methods.exact.enumerate import continue_root, new_state, root_bounds, start_root
from hedgerow.methods.exact.frontier import SetPrices
from hedgerow.methods.tables.space import SearchSpace, cutoff_below
from hedgerow.run import Run
from hedgerow.structure import NO_SPLIT

_SURVIVORS_AT_ONCE = 1 << 14
_BOUNDS_AT_ONCE = 20_000


def settle(space: SearchSpace, run: Run, prices: SetPrices, evaluate: Callable[[IntArray, FloatArray], bool]) -> None:
    """Settle all structures of the space: either a bound excludes them, or they are evaluated.

    Parameters
    ----------
    space
        The structures.
    run
        Takes trees and bounds; the run's best tree prunes.
    prices
        What sets of samples cost at least.
    evaluate
        Evaluates structures, the most promising first, given with their bounds, and offers the run what it finds.
        Returns False if it could not settle all of them.
    """
    depth, reading = space.instance.depth, space.reading
    min_samples, max_leaves = space.settings.min_samples_leaf, space.settings.max_leaves or 0
    state = new_state(depth, len(space.splits), space.instance.n_samples)
    bounds = np.empty(space.candidates.size)
    root_bounds(depth, state, reading, prices, bounds)
    order = np.argsort(bounds, kind="stable")
    buffer = np.empty((_SURVIVORS_AT_ONCE, space.n_inner), dtype=np.int64), np.empty(_SURVIVORS_AT_ONCE)
    looked_at = 0
    for number, root in enumerate(order):
        # Roots come in the order of their bounds, so that the next one's holds for all that is open.
        run.raise_bound(min(float(bounds[root]), run.value, space.open_bound))
        if bounds[root] >= cutoff_below(run.value):
            break
        if not run.running:
            return
        split = NO_SPLIT if root == len(space.splits) else int(root)
        start_root(split, state, reading, min_samples)
        while state.level[0] >= 0:
            if run.must_stop():
                return
            target = cutoff_below(run.value)
            count, _ = continue_root(
                depth, state, reading, prices, target, min_samples, max_leaves, _BOUNDS_AT_ONCE, *buffer
            )
            best_first = np.argsort(buffer[1][:count], kind="stable")
            if not evaluate(buffer[0][best_first], buffer[1][best_first]):
                return
            looked_at += count
        run.count(1, f"{number + 1} of {order.size} roots settled, {looked_at} structures looked at")
    run.raise_bound(min(run.value, space.open_bound))
