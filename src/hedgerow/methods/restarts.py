"""The paper's heuristics, which begin anew until time is up: H_tree, H_sol and H_alt.

Restarts come in rounds, whose tasks are tried side by side, wherever that is. Rounds are the same for any number of
processes, and all randomness is drawn here; so the result is the same, too.
"""

__all__ = ["alternate", "best_over", "fix_solutions", "fix_tree"]

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from typing import NamedTuple, TypeAlias

import numpy as np

from hedgerow.data.arrays import FloatArray, IntArray
from hedgerow.engine.models.leaf_mip import solve_leaves
from hedgerow.engine.pool import SolutionPool, optima_pool, table_pool
from hedgerow.engine.prove import settle
from hedgerow.engine.structures.space import SearchSpace, cutoff_below
from hedgerow.instance import Instance
from hedgerow.methods.parameters import PARAMETERS
from hedgerow.methods.start import start
from hedgerow.run import Deadline, Interrupt, Options, Run, RunState, StopRunError, SubRun
from hedgerow.run.workers import Work, Workers
from hedgerow.tree.splits import Splits
from hedgerow.tree.structure import structure_of
from hedgerow.tree.tree import Tree

_Found: TypeAlias = tuple[Tree, float] | None


@dataclass(frozen=True, eq=False)
class _Ground:
    """What all restarts share: structures, and whether the table of solutions is all there is."""

    space: SearchSpace
    listed: bool = False

    @classmethod
    def of(cls, instance: Instance, run: Run, options: Options, splits: Splits) -> "_Ground":
        """Return structures over all solutions where they can be listed, else over the samples' optima."""
        pool = table_pool(instance, run)
        space = SearchSpace(instance, options, splits, optima_pool(instance, run) if pool is None else pool)
        return cls(space, listed=pool is not None)

    def with_best_solutions(self, structure: IntArray, part: Run, cutoff: float) -> _Found:
        """Return the structure with its best solutions and their worst-case loss, if that is below the cut-off."""
        if self.listed:
            best = self.space.best(structure[None], cutoff)
            return None if best is None else (self.space.tree(best), best.value)
        solved = solve_leaves(structure, self.space, part, cutoff)
        return None if solved.tree is None else (solved.tree, solved.value)


class _Restart(NamedTuple):
    """What to begin with: what was drawn, and where the run stands."""

    drawn: IntArray
    standing: RunState


_Attempt: TypeAlias = Callable[[_Ground, IntArray, SubRun], None]
"""Tries what was drawn, and offers trees to its part of the run."""


def fix_tree(instance: Instance, run: Run, options: Options) -> None:
    """Try random structures with their best solutions until the run ends.

    Where solutions can be listed, the leaf problems are look-ups in their table. Where they can't, the samples' optima
    pick the most promising of some structures, and a MIP finds its best solutions.
    """
    splits = start(instance, run, options)
    if splits is None:
        return
    ground = _Ground.of(instance, run, options, splits)
    each = PARAMETERS.structures_on_table if ground.listed else PARAMETERS.structures_per_mip
    draw = partial(ground.space.draw, run.rng)
    _restart_in_rounds(ground, run, draw, _try_structures, each=each, named="structures tried")


def _try_structures(ground: _Ground, structures: IntArray, part: SubRun) -> None:
    """Take the best of the structures; by a MIP find the best solutions for it."""
    space = ground.space
    first = Tree.single(space.pool.solutions[0])
    trial = part if ground.listed else SubRun(space.instance, RunState(first, np.inf), part.deadline, part.interrupt)
    space.offer_best(structures, trial)
    if trial is part or trial.found is None:
        return
    part.offer(*trial.found)
    found = ground.with_best_solutions(_structure(trial.found[0], space), part, trial.value)
    if found is not None:
        part.offer(*found)


def fix_solutions(instance: Instance, run: Run, options: Options) -> None:
    """Draw a solution for every leaf from the samples' optima, find the best tree that holds no others, and repeat."""
    splits = start(instance, run, options)
    if splits is None:
        return
    splits = _thinned(splits, run, instance.n_samples)
    ground = _Ground(SearchSpace(instance, options, splits, optima_pool(instance, run)))
    n_solutions, n_leaves = len(ground.space.pool), 2**instance.depth

    def draw(count: int) -> IntArray:
        return run.rng.integers(n_solutions, size=(count, n_leaves))

    _restart_in_rounds(ground, run, draw, _around_solutions, named="draws of solutions")


def _around_solutions(ground: _Ground, drawn: IntArray, part: SubRun) -> None:
    """Find the best tree that holds the solutions that were drawn."""
    found = best_over(ground.space, ground.space.pool.solutions[drawn[0]], part)
    if found is not None:
        part.offer(*found)


def alternate(instance: Instance, run: Run, options: Options) -> None:
    """From random structures: optimise solutions and tree in turn until neither helps, and begin anew."""
    splits = start(instance, run, options)
    if splits is None:
        return
    splits = _thinned(splits, run, instance.n_samples)
    ground = _Ground.of(instance, run, options, splits)
    _restart_in_rounds(ground, run, partial(ground.space.draw, run.rng), _in_turn)


def _in_turn(ground: _Ground, drawn: IntArray, part: SubRun) -> None:
    """Optimise solutions and tree in turn, from the structure that was drawn, until neither helps."""
    structure, value = drawn[0], np.inf
    while not part.must_stop():
        found = ground.with_best_solutions(structure, part, value)
        if found is None:
            return
        part.offer(*found)
        trial = SubRun(ground.space.instance, RunState(*found), part.deadline, part.interrupt)
        better = best_over(ground.space, found[0].solutions, trial)
        if better is None or better[1] >= cutoff_below(found[1]):
            return
        part.offer(*better)
        structure, value = _structure(better[0], ground.space), better[1]


def best_over(space: SearchSpace, solutions: FloatArray, run: Run) -> _Found:
    """Return the best tree whose leaves hold some of these solutions if it is better than the run's, within its time.

    The paper fixes a solution for each leaf; here any leaf may hold any of them, so that trees are at least as good.
    """
    pool = SolutionPool(space.instance, complete=True)
    pool.add(solutions)
    part = SubRun(space.instance, RunState(run.tree, run.value), run.deadline, run.interrupt)
    with suppress(StopRunError):
        settle(space.instance, part, space.options.replace(n_jobs=1), space.splits, pool)
    return part.found


def _structure(tree: Tree, space: SearchSpace) -> IntArray:
    return structure_of(tree, space.splits, space.instance.depth)


def _thinned(splits: Splits, run: Run, n_samples: int) -> Splits:
    """Return the splits, or on a large history some of each item's, so that trees are found in reasonable time."""
    most = int(PARAMETERS.most_split_work / n_samples)
    if len(splits) <= most:
        return splits
    each = max(1, most // splits.first.size)  # evenly spread in their order
    parts = np.split(np.arange(len(splits)), splits.first[1:])
    some = np.concatenate([part[np.linspace(0, part.size - 1, min(each, part.size)).astype(int)] for part in parts])
    fewer = replace(
        splits, **{name: getattr(splits, name)[some] for name in ("question", "threshold", "below", "above")}
    )
    run.message = f"With this many samples the method tried {len(fewer):,} of {len(splits):,} thresholds."
    return fewer


def _restart_in_rounds(
    ground: _Ground,
    run: Run,
    draw: Callable[[int], IntArray],
    attempt: _Attempt,
    *,
    each: int = 1,
    named: str = "restarts",
) -> None:
    """Restart until the run ends: `draw(count)` returns starting points, one per row.

    A task is `each` iterations, which are called as `named` says.
    """
    workers = Workers(_attempts, (attempt, ground), ground.space.options.n_jobs, run.deadline, run.interrupt)
    while run.running:
        left = int(min(run.iterations_left, PARAMETERS.tasks_per_round * each))
        sizes = [min(each, left - first) for first in range(0, left, each)]
        tasks = [_Restart(draw(size), RunState.of(run)) for size in sizes]
        for size, found in zip(sizes, workers.results(tasks), strict=True):
            if found is not None:
                run.offer(*found, "better tree")
            run.count(size, named)


def _attempts(shared: tuple[_Attempt, _Ground]) -> Work[_Restart, _Found]:
    attempt, ground = shared

    def tried(task: _Restart, deadline: Deadline, interrupt: Interrupt) -> _Found:
        part = SubRun(ground.space.instance, task.standing, deadline, interrupt)
        ground.space.forget_attacks()
        if not part.must_stop():
            attempt(ground, task.drawn, part)
        return part.found

    return tried
