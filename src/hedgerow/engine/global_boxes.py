"""Global budgets over all thresholds: structures of gaps between values first, then boxes inside the gaps."""

__all__ = ["InBoxes", "settle_global"]

from collections.abc import Callable

import numpy as np

from hedgerow.adversary import worst_case
from hedgerow.arrays import FloatArray, IntArray
from hedgerow.engine.boxes import new_boxes, settle_boxes
from hedgerow.engine.pool import SolutionPool
from hedgerow.engine.root_intervals import Settled
from hedgerow.engine.search import Ground
from hedgerow.engine.structures import branching
from hedgerow.engine.structures.frontier import prices_of
from hedgerow.engine.tables.space import SearchSpace, cutoff_below
from hedgerow.engine.tables.subsets import subset_costs, subset_tables
from hedgerow.instance import Instance
from hedgerow.run import Options, Run
from hedgerow.splits import Splits

_BOXES_AT_ONCE = 200


class InBoxes:
    """Evaluates structures of gaps: the best thresholds in the gaps, and the best solutions.

    Parameters
    ----------
    ground
        What trees are made of.
    """

    def __init__(self, ground: Ground) -> None:
        self._ground = ground

    def __call__(self, structures: IntArray, bounds: FloatArray, space: SearchSpace, run: Run) -> bool:
        """Settle the structures, most promising first; return False if not all of them could be settled."""
        for structure, bound in zip(structures, bounds, strict=True):
            if bound >= cutoff_below(run.value):
                continue
            boxes = new_boxes(structure, space.reading)
            while boxes.n_open[0]:
                if run.must_stop():
                    return False
                target = cutoff_below(run.value)
                value, left_open, _ = settle_boxes(boxes, space.reading, space.table, target, _BOXES_AT_ONCE)
                space.open_bound = min(space.open_bound, left_open)
                if value < target:
                    tree = self._ground.tree(Settled(boxes.item, boxes.thresholds, boxes.choice, value))
                    loss = (
                        self._ground.instance.sign
                        * worst_case(tree, self._ground.instance, margin=self._ground.margin).bound
                    )
                    run.offer(tree, loss, "better thresholds")
                    if loss > value + 1e-9 * max(1.0, abs(value)):
                        space.open_bound = min(space.open_bound, value)
        return not run.must_stop()


def settle_global(
    instance: Instance,
    run: Run,
    options: Options,
    splits: Splits,
    pool: SolutionPool,
    first: Callable[[SearchSpace, Run], None],
    *,
    stay_here: bool = False,
) -> None:
    """Settle all trees over all thresholds: first those over midpoints, whose best tree prunes the others."""
    loss = np.ascontiguousarray(pool.losses)
    costs = subset_costs(loss)
    tables = subset_tables(costs, instance.depth)
    prices = prices_of(tables=tables, loss=loss)
    at_midpoints = SearchSpace(instance, options, splits, pool, costs)
    first(at_midpoints, run)
    fork = run.fork(instance)
    if run.tree is not None:
        fork.offer(run.tree, run.value)
    from hedgerow.engine.structures.evaluators import on_table

    branching.settle(at_midpoints, fork, prices, on_table, stay_here=stay_here)
    if fork.tree is not None:
        run.offer(fork.tree, fork.value, "best over midpoints")
    space = SearchSpace(instance, options, splits, pool, costs, spans=True)
    evaluate = InBoxes(Ground(instance, pool.solutions, options.margin_on(instance)))
    branching.settle(space, run, prices, evaluate, stay_here=stay_here)
