"""The paper's heuristics, which begin anew until time is up: H_tree, H_sol and H_alt."""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace

import numpy as np

from hedgerow.data.arrays import FloatArray, IntArray
from hedgerow.engine.models.leaf_mip import solve_leaves
from hedgerow.engine.pool import SolutionPool, complete_pool, optima_pool
from hedgerow.engine.prove import settle
from hedgerow.engine.structures.space import SearchSpace, cutoff_below
from hedgerow.instance import Instance
from hedgerow.methods.parameters import PARAMETERS
from hedgerow.methods.start import evenly_spread, start
from hedgerow.run import Options, Run, RunState, StopRunError
from hedgerow.tree.splits import Splits
from hedgerow.tree.structure import structure_of
from hedgerow.tree.tree import Tree


def fix_tree(instance: Instance, run: Run, options: Options) -> None:
    """Try random structures with their best solutions until the run ends.

    Where solutions can be listed, the leaf problems are look-ups in their table. Where they can't, it is the table of
    the samples' optima, and a MIP finds the best solutions of each structure that is better than those before.
    """
    splits = start(instance, run, options)
    if splits is None:
        return
    space, listed = _space(instance, run, options, splits)
    each = PARAMETERS.structures_on_table if listed else PARAMETERS.structures_per_mip
    for count in _restarts(run, each, "structures tried"):
        before = run.value
        space.offer_best(space.draw(run.rng, count), run)
        if not listed and run.tree is not None and run.value < before:
            _offer_best_solutions(
                structure_of(run.tree, space.splits, instance.depth), space, run, run.value, listed=False
            )


def fix_solutions(instance: Instance, run: Run, options: Options) -> None:
    """Draw a solution for every leaf from the samples' optima, find the best tree that holds no others, and repeat."""
    splits = start(instance, run, options)
    if splits is None:
        return
    space = SearchSpace(instance, options, _thinned(splits, run, instance.n_samples), optima_pool(instance, run))
    for _ in _restarts(run, 1, "draws of solutions"):
        drawn = run.rng.integers(len(space.pool), size=2**instance.depth)
        best = best_over(space, space.pool.solutions[drawn], run, RunState(run.tree, run.value))
        if best is not None:
            run.offer(*best, "better tree")


def alternate(instance: Instance, run: Run, options: Options) -> None:
    """From random structures: optimise solutions and tree in turn until neither helps, and begin anew."""
    splits = start(instance, run, options)
    if splits is None:
        return
    space, listed = _space(instance, run, options, _thinned(splits, run, instance.n_samples))
    for _ in _restarts(run, 1, "restarts"):
        structure, value = space.draw(run.rng, 1)[0], np.inf
        while not run.must_stop():
            best = _offer_best_solutions(structure, space, run, value, listed=listed)
            if best is None:
                break
            better = best_over(space, best[0].solutions, run, RunState(*best))
            if better is None or better[1] >= cutoff_below(best[1]):
                break
            run.offer(*better, "better tree")
            structure, value = structure_of(better[0], space.splits, instance.depth), better[1]


def best_over(space: SearchSpace, solutions: FloatArray, run: Run, before: RunState) -> tuple[Tree, float] | None:
    """Return the best tree whose leaves hold some of these solutions if it is better than the one before.

    The paper fixes a solution for each leaf; here any leaf may hold any of them, so that trees are at least as good.
    """
    pool = SolutionPool(space.instance, complete=True)
    pool.add(solutions)
    part = Run(space.instance, before=before, deadline=run.deadline, interrupt=run.interrupt)
    with suppress(StopRunError):
        settle(space.instance, part, space.options, space.splits, pool)
    return part.found


def _space(instance: Instance, run: Run, options: Options, splits: Splits) -> tuple[SearchSpace, bool]:
    """Return structures over all solutions and True where they can be listed, else over the samples' optima.

    For problems known by their oracle alone its answers are all there is.
    """
    is_oracle = instance.problem.oracle_only
    table = optima_pool(instance, run, of_pairs=True) if is_oracle else complete_pool(instance, run=run)
    pool = optima_pool(instance, run) if table is None else table
    return SearchSpace(instance, options, splits, pool), table is not None


def _offer_best_solutions(
    structure: IntArray, space: SearchSpace, run: Run, cutoff: float, *, listed: bool
) -> tuple[Tree, float] | None:
    """Offer the structure with its best solutions, and return it with its loss, if that is below the cut-off."""
    if listed:
        found = space.best(structure[None], cutoff)
        best = None if found is None else (space.tree(found), found.value)
    else:
        solved = solve_leaves(structure, space, run, cutoff)
        best = None if solved.tree is None else (solved.tree, solved.value)
    if best is not None:
        run.offer(*best, "better tree")
    return best


def _restarts(run: Run, each: int, named: str) -> Iterator[int]:
    """Yield how many iterations to do next, at most `each`, until the run ends; they are counted under this name."""
    while run.running:
        count = int(min(each, run.iterations_left))
        yield count
        run.count(count, named)


def _thinned(splits: Splits, run: Run, n_samples: int) -> Splits:
    """Return the splits, or on a large history some of each item's, so that trees are found in reasonable time."""
    most = int(PARAMETERS.most_split_work / n_samples)
    if len(splits) <= most:
        return splits
    some = evenly_spread(splits, max(1, most // splits.first.size))
    run.message = f"With this many samples the method tried {len(some):,} of {len(splits):,} thresholds."
    names = ("question", "threshold", "below", "above")
    return replace(splits, **{name: getattr(splits, name)[some] for name in names})
