"""`hedgerow fit`: a problem and a file of costs in, a tree file out."""

__all__ = ["fit"]

import dataclasses
import json
import os
import shlex
import sys
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer

from hedgerow.cli import options as given
from hedgerow.cli.inputs import read_rows
from hedgerow.cli.output import check_output, note, note_later, notes_from_the_log, show, show_notes
from hedgerow.data.json_files import finite_or_none
from hedgerow.rules import Call, RuleBook
from hedgerow.run import Options, Row, interruptible
from hedgerow.run.progress import FitProgress
from hedgerow.uncertainty import Nominal
from hedgerow.wording.budgets import uncertainty_in_words
from hedgerow.wording.numbers import counted

_NUMBERS = ("objective", "lower_bound", "gap", "runtime", "nominal", "iterations", "threshold_margin")
_TEXTS = ("status", "method", "thresholds", "message")
_MARGIN = "How far thresholds may be moved without breaking the promise."
_SEARCH = {"panel": "Search"}


def fit(
    invocation: typer.Context,
    problem: given.Problem,
    costs: given.Costs,
    readings: given.Readings = None,
    context: given.Context = None,
    features: given.Features = None,
    weights: given.Weights = None,
    depth: given.Depth = 2,
    questions: given.Questions = "items",
    learn_from: given.LearnFrom = "truth",
    min_samples_leaf: Annotated[int, given.option("NUMBER", "Fewest rows at a leaf.")] = 0,
    max_leaves: Annotated[int | None, given.option("NUMBER", "Most leaves.")] = None,
    output: Annotated[Path, given.option("FILE", "The tree file.", "--output", "-o")] = Path("tree.json"),
    as_json: given.AsJson = False,
    local: given.Local = None,
    global_: given.Global = None,
    local_budget: given.LocalAmount = None,
    global_budget: given.GlobalAmount = None,
    prices: given.Prices = None,
    limits: given.Limits = None,
    ask_first: given.AskFirst = None,
    must_not_ask: given.MustNotAsk = None,
    max_items: given.MaxItems = None,
    wishes: given.OtherWishes = None,
    method: given.Method = "auto",
    thresholds: given.Thresholds = None,
    round_thresholds: Annotated[
        bool, given.option(None, "Move thresholds to round numbers, at no cost.", **_SEARCH)
    ] = True,
    threshold_margin: Annotated[float | None, given.option("NUMBER", _MARGIN, **_SEARCH)] = None,
    refine: Annotated[bool, given.option(None, "Refine the thresholds afterwards.", "--refine", **_SEARCH)] = False,
    time_limit: given.TimeLimit = 60.0,
    iteration_limit: given.IterationLimit = None,
    gap_limit: Annotated[float, given.option("GAP", "Stop at this relative gap.", **_SEARCH)] = 0.0,
    solver: given.Solver = "highs",
    seed: given.Seed = 0,
    jobs: given.Jobs = 1,
    max_thresholds: given.MaxThresholds = None,
) -> None:
    """Find a robust tree for PROBLEM from the samples in COSTS.csv and save it.

    Ctrl-C ends the search; the best tree so far is saved all the same.
    """
    # Imported here, as solvers and studies are in all commands: `hedgerow --help` need not wait for it.
    from hedgerow.methods import solve

    check_output(output)
    as_given = given.budget_of(local, global_, local_budget, global_budget, prices, limits) or Nominal()
    options = Options(
        method=method,
        thresholds=thresholds,  # type: ignore[arg-type]  # checked there
        threshold_margin=threshold_margin,
        min_samples_leaf=min_samples_leaf,
        max_leaves=max_leaves,
        max_thresholds=max_thresholds,
        refine=refine,
        round_thresholds=round_thresholds,
        time_limit=time_limit,
        iteration_limit=iteration_limit,
        gap_limit=gap_limit,
        solver=solver,
        n_jobs=jobs,
        wishes=given.wishes_of(wishes, ask_first, must_not_ask, max_items),
    )
    rows = read_rows(problem, costs, readings, context, features, weights)
    instance = rows.instance(
        uncertainty=as_given,
        depth=depth,
        learn_from=learn_from,
        rng=np.random.default_rng(seed),
        questions=None if questions == "auto" else given.questions_of(questions),
    )
    note_later(
        f"fitting a tree of depth {depth} to {counted(instance.n_samples, 'sample')}; "
        f"{uncertainty_in_words(instance.uncertainty, instance.reading_unit)}"
    )
    # The first Ctrl-C asks the search to stop, so that its tree is saved, and ends the program after this block.
    with interruptible() as interrupt:
        progress = FitProgress(options.time_limit, options.iteration_limit, instance.problem.unit)

        def monitor(row: Row) -> None:
            show_notes()
            progress(row)

        with notes_from_the_log(), progress.shown():
            result = solve(
                instance,
                options,
                questions="auto" if questions == "auto" else None,
                random_state=seed,
                monitor=monitor,
                interrupt=interrupt,
            )
        arguments = {"depth": depth, "uncertainty": as_given, "questions": questions, "learn_from": learn_from}
        tables = {"costs": costs, "readings": readings, "context": context, "sample_weight": weights}
        call = Call.of(
            {**vars(options), **arguments},
            [name for name, table in tables.items() if table is not None],
            seed,
            command=shlex.join(["hedgerow", *invocation.obj]),
        )
        rules = RuleBook.of_fit(result, instance, as_given=as_given, call=call)
        failure = _save(output, costs, rules)
        show_notes()
        if as_json:
            print(json.dumps(_fields(rules), allow_nan=False))
        else:
            _show(rules)
            for price in result.wish_prices:
                show(price.in_words())
        sys.stdout.flush()
        if failure is not None:
            raise failure
        note(f"saved to {output}")


def _save(output: Path, costs: Path, rules: RuleBook) -> OSError | None:
    """Write the tree file; where that fails, keep the tree in a second place, say where, and return the error."""
    try:
        rules.save(output)
    except OSError as error:
        for folder in (costs.absolute().parent, Path(tempfile.gettempdir())):
            place = folder / f"{output.stem or 'tree'}-{os.getpid()}.json"
            with suppress(OSError):
                rules.save(place)
                note(f"the tree was saved to {place} instead")
                return error
        print(rules.to_json())
        note("the tree could not be saved anywhere, so its file is written to standard output")
        return error
    return None


def _fields(rules: RuleBook) -> dict[str, Any]:
    """Return the fields of a result as plain JSON values."""
    result, call = rules.result, rules.call
    assert result is not None
    assert call is not None
    return {
        **{name: finite_or_none(getattr(result, name)) for name in _NUMBERS},
        **{name: getattr(result, name) for name in _TEXTS},
        "robust": finite_or_none(result.objective),
        "refined": None if result.refined is None else result.refined.objective,
        "depth": rules.tree.depth,
        "n_leaves": rules.tree.n_leaves,
        "cells": [None if cell is None else list(map(finite_or_none, cell)) for cell in result.cells],
        "seed": call.seed,
        "thinning": None if result.thinning is None else dataclasses.asdict(result.thinning),
    }


def _show(rules: RuleBook) -> None:
    """Print the rules, what they cost, how good they are proven to be, and how far thresholds may move."""
    show(str(rules))
    show()
    for node, is_inner in enumerate(rules.tree.is_inner):
        if is_inner and rules.cell(node):
            show(f"{rules.question(node)}: {rules.cell(node)}.")
