"""`hedgerow watch`: whether rules still hold on new rows; meant to be called every morning."""

__all__ = ["watch"]

import json
import math
from pathlib import Path
from typing import Annotated, Final

import typer

from hedgerow.cli import shared
from hedgerow.cli.inputs import read_rules, samples_of
from hedgerow.cli.output import show
from hedgerow.data.table import row_labels

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
