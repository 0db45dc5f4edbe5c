"""Strong and weak scaling with two processes, by CPU time, so that a busy machine does not count."""

import os
import time
from collections.abc import Callable
from pathlib import Path

from benchmarks import scope
from benchmarks.instances import paper, recipe_costs
from benchmarks.measure import all_cores
from benchmarks.outcome import Goal, Outcome, Table
from benchmarks.progress import told
from hedgerow import GlobalBudget, Instance, LocalBudget, RobustTree, alternatives, solve
from hedgerow.problems import ShortestPath
from hedgerow.run import Options
from hedgerow.study import tune

_PROOFS, _LISTED = (14, 15), (18, 24)
"""Samples of one and of about two units of work."""


def run() -> Outcome:
    """Do each job on one process, and twice the work on one and on two."""
    with all_cores():
        rows = [(name, *_scaling(_JOBS[name])) for name in told(scope.some(list(_JOBS)), "strong and weak scaling")]
    columns = (
        *("job", "one unit, one process [CPU s]", "two units, one process [CPU s]", "two units, two processes [CPU s]"),
        *("strong scaling", "weak scaling", "CPU of all processes against one"),
    )
    goals = [
        Goal(
            f"{row[0]}: two processes against one",
            f"{row[4]:.2f}× on the same work, {row[5]:.2f}× per unit on twice the work",
        )
        for row in rows
    ]
    note = (
        "The time of two processes is what this one and the busier worker spend on the job, in CPU seconds; waiting "
        "for the slower one in each round is left out. Strong scaling: two units by one process against two. Weak "
        "scaling: one unit by one process against two units by two, so that 1 is best. Workers have loaded their "
        "kernels before."
    )
    return Outcome("Strong and weak scaling", [Table("jobs", "Two processes", columns, rows)], goals, note=note)


def _scaling(job: Callable[[int, int], object]) -> tuple[float, ...]:
    """Return CPU seconds of one unit, of two units, and of two units by two processes; and their ratios."""
    job(1, 1)
    job(2, 2)  # kernels are loaded everywhere
    (one, _, _), (two, _, alone), (both, total, together) = (
        _measured(job, *units) for units in ((1, 1), (2, 1), (2, 2))
    )
    if alone != together:
        raise RuntimeError("one process and two find different results")
    return one, two, both, two / both, one / both, total / two


def _measured(job: Callable[[int, int], object], n_units: int, n_jobs: int) -> tuple[float, float, object]:
    """Return the CPU seconds of this process and the busier worker, of all processes, and the result."""
    before, start = _seconds_of_children(), time.process_time()
    result = job(n_units, n_jobs)
    here = time.process_time() - start
    children = [spent - before.get(process, 0.0) for process, spent in _seconds_of_children().items()]
    return here + max(children, default=0.0), here + sum(children), result


def _seconds_of_children() -> dict[int, float]:
    """Return the CPU seconds of each child of this process so far (Linux)."""
    seconds = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text(encoding="utf-8").rpartition(")")[2].split()
        except OSError:  # it has ended
            continue
        if int(fields[1]) == os.getpid():
            seconds[int(stat.parent.name)] = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    return seconds


def _search(n_units: int, n_jobs: int) -> object:
    problem = ShortestPath.grid(6)
    costs = recipe_costs(0, 250, problem.n_items)
    instance = Instance.create(problem, costs, uncertainty=LocalBudget(fraction=0.05), depth=3)
    options = Options(n_jobs=n_jobs)
    found = solve(
        instance, method="local_search", iteration_limit=32 * n_units, time_limit=None, random_state=0, options=options
    )
    return found.tree


def _tuning(n_units: int, n_jobs: int) -> object:
    problem = ShortestPath.grid(4)
    model = RobustTree(problem, method="local_search", iteration_limit=6, random_state=0)
    costs = recipe_costs(0, 60, problem.n_items)
    budgets = [LocalBudget(fraction=0.02)]
    tuned = tune(model, costs, uncertainties=budgets, depths=[2], folds=3 * n_units, n_jobs=n_jobs)
    return str(tuned.chosen)


def _listing(n_units: int, n_jobs: int) -> object:
    instance = paper(0, _LISTED[n_units - 1], 4, LocalBudget(fraction=0.05))
    found = alternatives(instance, within=0.02, time_limit=None, n_jobs=n_jobs)
    return found.n_structures, found.n_behaviours, found.complete


def _proof(n_units: int, n_jobs: int) -> object:
    instance = paper(0, _PROOFS[n_units - 1], 4, GlobalBudget(fraction=0.05))
    options = Options(n_jobs=n_jobs, thresholds="midpoints")
    found = solve(instance, method="exact", time_limit=None, random_state=0, options=options)
    return found.tree, found.status


_JOBS = {
    "local_search, 6 × 6, depth 3, N = 250, 32 and 64 descents": _search,
    "tune, 4 × 4, depth 2, N = 60, 3 and 6 folds": _tuning,
    f"alternatives, 4 × 4, local budget, N = {_LISTED[0]} and {_LISTED[1]}": _listing,
    f"exact, 4 × 4, global budget, N = {_PROOFS[0]} and {_PROOFS[1]}": _proof,
}
