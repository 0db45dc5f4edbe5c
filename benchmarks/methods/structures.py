"""Structures tried per second by `fix_tree` on a table, against the same step done by MIP."""

import statistics
import time
from collections.abc import Callable

import numpy as np

from benchmarks import scope
from benchmarks.instances import paper
from benchmarks.outcome import Goal, Outcome, Table
from benchmarks.progress import told
from benchmarks.proof import BUDGETS, prove
from hedgerow import Instance
from hedgerow.data.arrays import IntArray
from hedgerow.engine.models.leaf_mip import solve_leaves
from hedgerow.engine.pool import complete_pool
from hedgerow.engine.structures.space import SearchSpace
from hedgerow.run import Options, Run
from hedgerow.tree.splits import candidate_splits

_SEEDS = (0, 1, 2, 3, 4)
_FRACTION = 0.05
_SECONDS = 3.0
_GOAL = 100.0
_AUTHORS = {"local": "85–165", "global": "24–70"}


def run() -> Outcome:
    """Count structures per CPU second, on the same instances one after the other."""
    rows: list[tuple[object, ...]] = []
    ratios: dict[str, list[float]] = {kind: [] for kind in BUDGETS}
    for kind, seed in told([(kind, seed) for kind in BUDGETS for seed in scope.some(_SEEDS)], "structures"):
        instance = paper(seed, 5, 4, BUDGETS[kind](fraction=_FRACTION))
        found = prove(instance, limit=_SECONDS, method="fix_tree")
        by_table = found.result.iterations / found.seconds
        by_mip = _rate(_mip_step(instance, with_cutoff=True), _draw(instance))
        whole_table = _rate(_table_step(instance), _draw(instance))
        whole_mip = _rate(_mip_step(instance, with_cutoff=False), _draw(instance))
        ratios[kind].append(by_table / by_mip)
        rows.append((kind, seed, by_table, by_mip, by_table / by_mip, whole_table, whole_mip, whole_table / whole_mip))
    return Outcome(
        "Methods: structures per second",
        [
            Table(
                "rates",
                f"Structures per CPU second, 4 × 4, N = 5, λ = {_FRACTION}",
                (
                    "set",
                    "seed",
                    "fix_tree",
                    "MIP",
                    "ratio",
                    "table, each solved",
                    "MIP, each solved",
                    "ratio, each solved",
                ),
                rows,
            )
        ],
        [
            Goal(
                f"fix_tree against the leaf problem by MIP, {kind}",
                f"{min(ratios[kind]):,.0f}× at least, {statistics.median(ratios[kind]):,.0f}× in the median",
                f"{_GOAL:g}×",
                min(ratios[kind]) >= _GOAL,
            )
            for kind in BUDGETS
        ],
        note="Both sides skip what a bound shows to be no better than the best structure so far; in the columns “each "
        "solved” both solve the leaf problem of every structure to optimality instead. The authors' code with Gurobi "
        "on one core of such a machine: " + ", ".join(f"{rate} {kind}" for kind, rate in _AUTHORS.items()) + ".",
    )


def _rate(step: Callable[[IntArray], None], structures: IntArray) -> float:
    """Return structures per CPU second; the first one is not counted, since it may load things."""
    step(structures[0])
    limit = scope.seconds(_SECONDS)
    count, start = 0, time.process_time()
    for structure in structures[1:]:
        step(structure)
        count += 1
        if time.process_time() - start > limit:
            break
    return count / (time.process_time() - start)


def _draw(instance: Instance, count: int = 20_000) -> IntArray:
    return _space(instance).draw(np.random.default_rng(0), count)


def _space(instance: Instance) -> SearchSpace:
    pool = complete_pool(instance)
    assert pool is not None
    return SearchSpace(
        instance, Options(), candidate_splits(instance.question_values, questions=instance.questions), pool
    )


def _table_step(instance: Instance) -> Callable[[IntArray], None]:
    space = _space(instance)

    def step(structure: IntArray) -> None:
        assert space.best(structure[None]) is not None

    return step


def _mip_step(instance: Instance, *, with_cutoff: bool) -> Callable[[IntArray], None]:
    """Return a step that solves a structure's leaf problem by MIP, with the best value so far as cut-off or without."""
    space, run = _space(instance), Run(instance)
    best = instance.sign * instance.problem.best_solution(instance.costs, instance.weights).value

    def step(structure: IntArray) -> None:
        nonlocal best
        cutoff = best if with_cutoff else np.inf
        best = min(best, solve_leaves(structure, space, run, cutoff).value)

    return step
