"""`hedgerow refit`: the best rules on new rows within a few changes of the old ones."""

__all__ = ["refit"]

import shlex
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from hedgerow.cli import shared
from hedgerow.cli.inputs import read_rules, samples_of
from hedgerow.cli.output import check_output, note, put_out, show

_CHANGES = "How many questions and plans may change; 0 says what staying costs."
_REPORT = "A page with the new rules, and the old ones beside them."


def refit(
    invocation: typer.Context,
    tree: shared.Tree,
    costs: shared.Costs,
    output: Annotated[Path, shared.option("FILE", "The new tree file.", "--output", "-o")],
    max_changes: Annotated[int, shared.option("NUMBER", _CHANGES)] = 1,
    readings: shared.Readings = None,
    context: shared.Context = None,
    weights: shared.Weights = None,
    report: Annotated[Path | None, shared.option("FILE", _REPORT)] = None,
    time_limit: shared.TimeLimit = 60.0,
    seed: shared.Seed = 0,
) -> None:
    """Change a few questions or plans of a tree so that it suits the rows of COSTS.csv.

    Says what keeping the old rules costs, what the changes win, and what a free fit wins, with the share of rows on
    which the advice is then another one.
    """
    from hedgerow import study
    from hedgerow.report import report_html

    check_output(output, report)
    rules = read_rules(tree)
    _, rows = samples_of(rules, costs, readings, context, weights)
    found = study.refit(
        rules, **rows, max_changes=max_changes, time_limit=shared.seconds(time_limit), random_state=seed
    )
    book = replace(found.rules, made_by=shlex.join(["hedgerow", *invocation.obj]))
    book.save(output)
    show(found)
    note(f"saved to {output}")
    if report is not None:
        put_out(report, report_html(book, refit=found))
        note(f"open {report} in a browser")
