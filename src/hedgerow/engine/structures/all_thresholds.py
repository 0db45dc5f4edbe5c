"""Global budgets over all thresholds: structures of gaps between values first, then boxes inside the gaps."""

__all__ = ["InBoxes", "settle_global"]

from collections.abc import Callable

import numpy as np

from hedgerow.adversary import worst_case
from hedgerow.data.arrays import FloatArray, IntArray
from hedgerow.engine.leaf_problem import new_attacks
from hedgerow.engine.pool import SolutionPool
from hedgerow.engine.root_intervals import Settled
from hedgerow.engine.samples import Samples, samples_of
from hedgerow.engine.search import Ground
from hedgerow.engine.structures import branching
from hedgerow.engine.structures.attacks import set_costs_of
from hedgerow.engine.structures.space import SearchSpace, cutoff_below
from hedgerow.engine.structures.subsets import subset_costs, subset_tables
from hedgerow.engine.structures.threshold_boxes import BoxTerms, new_boxes, settle_boxes
from hedgerow.instance import Instance
from hedgerow.run import Options, Run
from hedgerow.tolerances import OPTIMALITY_GAP, VALUE
from hedgerow.tree.splits import Splits

_BOXES_AT_ONCE = 2000

_NARROWEST = (0.1, 1e-9)
"""How narrow boxes may become, relative to the gaps between values: first all wide ones, for the sake of good trees."""


class InBoxes:
    """Evaluates structures of gaps: the best thresholds in the gaps, and the best solutions.

    Parameters
    ----------
    ground
        What trees are made of.
    samples
        The samples.
    """

    def __init__(self, ground: Ground, samples: Samples) -> None:
        self._ground, self._samples = ground, samples

    def __call__(self, structures: IntArray, bounds: FloatArray, space: SearchSpace, run: Run) -> bool:
        """Settle the structures, most promising first; return False if not all of them could be settled."""
        boxes, loss = new_boxes(space.n_inner), space.table.loss
        terms = BoxTerms(space.reading, self._samples, loss, new_attacks(space.n_inner + 1, loss))
        bounds = np.array(bounds)
        for narrowest in _NARROWEST:
            position = 0
            while position < len(structures) or boxes.n_open[0]:
                if run.must_stop():
                    return False
                target = cutoff_below(run.value)
                position, value = settle_boxes(
                    structures, bounds, position, boxes, terms, target, narrowest, _BOXES_AT_ONCE
                )
                if value < target and not self._offered(
                    Settled(boxes.item, boxes.thresholds, boxes.choice, value), run
                ):
                    bounds[position - 1] = min(bounds[position - 1], value)  # rounding decided what is affordable
                    boxes.n_open[0] -= 1
        space.open_bound = min(space.open_bound, bounds[bounds < cutoff_below(run.value)].min(initial=np.inf))
        return not run.must_stop()

    def _offered(self, found: Settled, run: Run) -> bool:
        """Offer a tree to the run; return whether it costs what was found."""
        ground = self._ground
        tree = ground.tree(found)
        loss = ground.instance.sign * worst_case(tree, ground.instance, margin=ground.margin).bound
        run.offer(tree, loss, "better thresholds")
        return loss <= found.value + VALUE * max(1.0, abs(found.value))


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
    costs = subset_costs(loss, run.heed)
    tables = subset_tables(costs, instance.depth)
    set_costs = set_costs_of(tables=tables, loss=loss)
    at_midpoints = SearchSpace(instance, options, splits, pool, costs)
    first(at_midpoints, run)
    fork = run.fork(instance)
    if run.tree is not None:
        fork.offer(run.tree, run.value)
    from hedgerow.engine.structures.evaluators import on_table

    space = SearchSpace(instance, options, splits, pool, costs, spans=True)
    branching.settle(at_midpoints, fork, set_costs, on_table, stay_here=stay_here)
    if fork.tree is not None:
        run.offer(fork.tree, fork.value, "best over midpoints")
    margin = options.margin_on(instance)
    evaluate = InBoxes(Ground(instance, pool.solutions, margin), samples_of(instance, loss, None, margin))
    branching.settle(space, run, set_costs, evaluate, stay_here=stay_here)
    if fork.gap <= OPTIMALITY_GAP < run.gap:
        value = run.shown(fork.value)
        run.say(f"Over midpoints {value:.8g} is proven optimal; over all thresholds the proof was not finished.")
