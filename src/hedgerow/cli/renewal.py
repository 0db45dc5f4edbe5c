"""Commands for rules in use: `watch` says whether they still hold, `refit` changes a little of them."""

import json
import math
import shlex
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Final

import typer

from hedgerow.cli import shared
from hedgerow.cli.output import check_output, note, put_out, show
from hedgerow.cli.shared import read_rules, samples_of
from hedgerow.data.table import row_labels

# -- watch -------------------------------------------------------------------------------------------------------------

_CHANGED: Final = 3
"""The exit status if the rules no longer hold as before."""

_REFERENCE = "Costs of rows to compare with, none of them used in the fit; else the first 50 rows."
_REFERENCE_CONTEXT = "The same as --context for the rows of --reference."


def watch(
    tree: shared.Tree,
    costs: Annotated[Path, shared.option("FILE", "True costs of all new rows, in the order of time.")],
    readings: shared.Readings = None,
    context: shared.Context = None,
    reference: Annotated[Path | None, shared.option("FILE", _REFERENCE)] = None,
    reference_readings: Annotated[Path | None, shared.option("FILE", "What was read in place of --reference.")] = None,
    reference_context: Annotated[Path | None, shared.option("FILE", _REFERENCE_CONTEXT)] = None,
    block: Annotated[int, shared.option("NUMBER", "Rows that are judged together, such as 7 days.")] = 1,
    time_limit: shared.TimeLimit = math.inf,
    as_json: shared.AsJson = False,
) -> None:
    """Say whether the rules still hold on the rows of a file.

    The regret, and with --readings how often errors leave the budget, are compared with the reference: rows that were
    not used in the fit. Training rows are refused. As long as rows are like those of the reference an alarm is raised
    with a chance of 5 % at most, also if this is called every day with all rows so far. The exit status is 0 while the
    rules hold, and 3 after an alarm.
    """
    import pandas as pd

    from hedgerow import study

    rules = read_rules(tree)
    table, rows = samples_of(rules, costs, readings, context)
    _, usual = samples_of(rules, reference, reference_readings, reference_context, prefix="reference-")
    rows |= {"reference" if name == "costs" else f"reference_{name}": matrix for name, matrix in usual.items()}
    names = rules.needed_problem().item_names
    label, labels = row_labels(table, names)
    dated = pd.DataFrame(rows.pop("costs"), index=labels if label in table.columns else None, columns=list(names))
    result = study.watch(rules, dated, block=block, time_limit=shared.seconds(time_limit), **rows)
    show(json.dumps(result.to_dict(), allow_nan=False) if as_json else result)
    if result.verdict == "alarm":
        raise typer.Exit(_CHANGED)


# -- refit -------------------------------------------------------------------------------------------------------------

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
    _, rows = samples_of(rules, costs, readings, context)
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
