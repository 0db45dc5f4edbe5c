"""What evaluates structures that no bound excludes: a table of solutions, or leaf problems."""

__all__ = ["by_leaf_problems", "on_table"]

from hedgerow.data.arrays import FloatArray, IntArray
from hedgerow.engine.models.leaf_mip import solve_leaves
from hedgerow.engine.structures.space import SearchSpace, cutoff_below
from hedgerow.run import Run


def on_table(structures: IntArray, bounds: FloatArray, space: SearchSpace, run: Run) -> bool:
    """Evaluate structures on the table of the pool, and note what solutions outside of it might make of them."""
    space.offer_best(structures, run)
    if not space.pool.complete:  # others might serve these better, down to the bound
        still_open = bounds[bounds < cutoff_below(run.value)]
        space.open_bound = min(space.open_bound, float(still_open.min(initial=float("inf"))))
    return not run.must_stop()


def by_leaf_problems(structures: IntArray, bounds: FloatArray, space: SearchSpace, run: Run) -> bool:
    """Evaluate structures by MIPs, where the table does not hold all solutions that matter."""
    # The pool's table finds better trees quickly; the MIP then has to find little and to prove much.
    space.offer_best(structures, run)
    is_settled = True
    for structure in structures[bounds < cutoff_below(run.value)]:
        if run.must_stop():
            return False
        best = solve_leaves(structure, space, run, cutoff_below(run.value))
        if best.tree is not None:
            run.offer(best.tree, best.value, "better structure")
        is_settled = best.proven and is_settled
    return is_settled and not run.must_stop()
