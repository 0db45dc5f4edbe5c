"""`hedgerow fit`: a problem and a file of costs in, a tree file out."""

__all__ = ["fit"]

import json
import shlex
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any

import typer

from hedgerow.cli import shared
from hedgerow.cli.inputs import read_rows
from hedgerow.cli.output import check_output, log_shown, note, show, tell
from hedgerow.data.json_files import finite_or_none
from hedgerow.rules import RuleBook
from hedgerow.uncertainty import Nominal

_NUMBERS = ("objective", "lower_bound", "gap", "runtime", "nominal", "iterations", "threshold_margin")
_TEXTS = ("status", "method", "thresholds", "message")
_SEARCH = {"panel": "Search"}
_THRESHOLDS = "midpoints, grid or continuous; by default the widest that the method takes by itself."
_MARGIN = "How far thresholds may be moved without breaking the promise."


@dataclass(frozen=True)
class Allowed:
    """Which trees are allowed, and when the search for them ends: parameters of `RobustTree`."""

    depth: shared.Depth = 2
    plans_per_leaf: shared.PlansPerLeaf = 1
    learn_from: shared.LearnFrom = "truth"
    min_samples_leaf: Annotated[int, shared.option("NUMBER", "Fewest rows at a leaf.")] = 0
    max_leaves: Annotated[int | None, shared.option("NUMBER", "Most leaves.")] = None
    gap_limit: Annotated[float, shared.option("GAP", "Stop at this relative gap.", **_SEARCH)] = 0.0
    thresholds: Annotated[str | None, shared.option("NAME", _THRESHOLDS, **_SEARCH)] = None
    threshold_margin: Annotated[float | None, shared.option("NUMBER", _MARGIN, **_SEARCH)] = None
    refine: Annotated[bool, shared.option(None, "Refine the thresholds afterwards.", "--refine", **_SEARCH)] = False
    solver: Annotated[str, shared.option("NAME", "The MIP solver: highs or gurobi.", **_SEARCH)] = "highs"


def fit(
    invocation: typer.Context,
    rows: shared.RowFiles,
    allowed: Allowed,
    budget: shared.Budget,
    search: shared.Search,
    wishes: shared.WishesText = None,
    questions: shared.Questions = "auto",
    output: Annotated[Path, shared.option("FILE", "The tree file.", "--output", "-o")] = Path("tree.json"),
    as_json: shared.AsJson = False,
    time_limit: shared.TimeLimit = 60.0,
) -> None:
    """Find a robust tree for PROBLEM from the samples in COSTS.csv and save it.

    Ctrl-C ends the search; the best tree so far is saved all the same.
    """
    # Imported here, as solvers and studies are in all commands: `hedgerow --help` need not wait for it.
    from hedgerow.estimator import RobustTree

    check_output(output)
    parameters: dict[str, Any] = {
        **vars(allowed),
        **vars(search),
        "questions": shared.questions_of(questions),
        "uncertainty": budget.uncertainty or Nominal(),
        "wishes": shared.wishes_of(wishes),
        "time_limit": shared.seconds(time_limit),
    }
    problem, tables = read_rows(rows)
    model = RobustTree(problem, **parameters, verbose=True, interruptible=True)
    try:
        with log_shown():
            model.fit(**tables)
    finally:
        if hasattr(model, "result_"):  # after Ctrl-C, too: the best tree so far
            rules = replace(model.rulebook_, made_by=shlex.join(["hedgerow", *invocation.obj]))
            if rules.uncertainty.can_misread:
                note(f"worst case: {rules.uncertainty_in_words(rules.uncertainty)}")
            _show(rules, {"seed": search.random_state} if as_json else None)
            _save(rules, output)


def _show(rules: RuleBook, more_fields: dict[str, Any] | None) -> None:
    """Print the rules, how good they are proven to be, and what wishes cost; or JSON."""
    if more_fields is not None:
        show(json.dumps({**_fields(rules), **more_fields}, allow_nan=False))
        return
    show(f"{rules}\n")
    if rules.result is not None and rules.result.wish_cost is not None:
        show(rules.result.wish_cost)


def _fields(rules: RuleBook) -> dict[str, Any]:
    """Return the fields of a result as plain JSON values."""
    result = rules.result
    assert result is not None
    return {
        **{name: finite_or_none(getattr(result, name)) for name in _NUMBERS},
        **{name: getattr(result, name) for name in _TEXTS},
        "robust": finite_or_none(result.objective),
        "refined": None if result.refined is None else result.refined.objective,
        "depth": rules.tree.depth,
        "n_leaves": rules.tree.n_leaves,
        "cells": [None if cell is None else list(map(finite_or_none, cell)) for cell in result.cells],
    }


def _save(rules: RuleBook, output: Path) -> None:
    """Write the tree file; where that fails after all, the tree goes to standard output, so that it is not lost."""
    try:
        rules.save(output)
    except OSError:
        tell(f"{output} can't be written, so the tree file follows on standard output")
        print(rules.to_json())
        raise
    note(f"saved to {output}")
