"""How the result of a fit is told: one JSON object for programs, rules and a table for people."""

__all__ = ["result_fields", "show_result"]

import dataclasses
import math
from typing import Any

from hedgerow.cli.display import amount, say, show, show_table
from hedgerow.instance import Instance
from hedgerow.run import Result
from hedgerow.run.result import Status
from hedgerow.treefile import finite_or_none
from hedgerow.words import counted, percentage, printable

_ENDINGS: dict[Status, str] = {
    "optimal": "Proven optimal",
    "gap_limit": "Stopped at the gap limit",
    "time_limit": "Stopped at the time limit",
    "iteration_limit": "Stopped at the iteration limit",
    "memory_limit": "Stopped at the memory limit",
    "stalled": "Stopped for lack of progress",
    "interrupted": "Interrupted",
    "feasible": "Done",
}


def result_fields(result: Result, seed: int) -> dict[str, Any]:
    """Return the fields of a result as plain JSON values."""
    return {
        "objective": finite_or_none(result.objective),
        "lower_bound": finite_or_none(result.lower_bound),
        "gap": finite_or_none(result.gap),
        "status": result.status,
        "runtime": result.runtime,
        "method": result.method,
        "nominal": finite_or_none(result.nominal),
        "robust": finite_or_none(result.objective),
        "refined": None if result.refined is None else finite_or_none(result.refined.objective),
        "depth": result.tree.depth,
        "n_leaves": result.tree.n_leaves,
        "iterations": result.iterations,
        "thresholds": result.thresholds,
        "seed": seed,
        "thinning": None if result.thinning is None else dataclasses.asdict(result.thinning),
        "message": result.message,
    }


def show_result(instance: Instance, result: Result) -> None:
    """Print the rules, what they cost and how good they are proven to be."""
    problem, weight = instance.problem, instance.total_weight

    def row(what: str, value: float) -> tuple[str, str, str]:
        return what, amount(value, problem.unit), amount(value / weight, problem.unit, 6)

    rows = [row("as read", result.nominal), row("worst case", result.objective)]
    if math.isfinite(result.lower_bound):
        rows.append(row("proven bound", result.lower_bound))
    if result.refined is not None:
        rows.append(row("worst case, refined", result.refined.objective))
    names, unit = [printable(name) for name in instance.feature_names], printable(instance.reading_unit)
    show(result.tree.to_text(names, problem.describe, unit))
    show()
    show_table(("", f"over {counted(instance.n_samples, 'sample')}", "per sample"), rows, right=(1, 2))
    show()
    say(_ending(result, instance.depth))
    if result.thinning is not None:
        say(result.thinning.in_words())


def _ending(result: Result, depth: int) -> str:
    """Return why the search ended, and what that says about the tree."""
    words = f"{_ENDINGS[result.status]} after {result.runtime:.1f} s ({result.method})"
    if result.status == "optimal":
        return f"{words}: no {_trees(result, depth)} ({_thresholds(result)}) has a better worst case."
    if math.isfinite(result.gap):
        return f"{words}: a {_trees(result, depth)} may be better, by {percentage(result.gap, 3)} at most."
    return f"{words}: a better tree may exist, since no bound is proven."


def _trees(result: Result, depth: int) -> str:
    """Return the trees that a proof is about."""
    limits = () if result.options is None else result.options.limits_on_leaves(depth)
    with_limits = f" with {' and '.join(limits)}" if limits else ""
    return f"tree of depth {depth}{with_limits} over the same thresholds"


def _thresholds(result: Result) -> str:
    """Return the thresholds that a proof is about."""
    thinning = result.thinning
    if thinning is None or thinning.of_samples or not thinning.of_thresholds:
        return result.thresholds
    return f"{thinning.n_thresholds:,} of {thinning.n_all_thresholds:,} {result.thresholds}"
