"""`hedgerow watch`: whether rules still hold on new rows; meant to be called every morning."""

__all__ = ["watch"]

import json
import math
from pathlib import Path
from typing import Annotated, Any, Final

import typer

from hedgerow.cli import shared
from hedgerow.cli.inputs import read_rules, samples_of
from hedgerow.cli.output import check_output, note, show
from hedgerow.data.json_files import read_json
from hedgerow.data.writing import write_text
from hedgerow.errors import FileFormatError
from hedgerow.rules import RuleBook

_CHANGED: Final = 3
"""The exit status if the rules no longer hold as before."""

_REFERENCE = "First call: costs of rows to compare with, none of them used in the fit; else the first 50 new rows."
_REFERENCE_CONTEXT = "The same as --context for the rows of --reference."


def watch(
    tree: shared.Tree,
    costs: Annotated[Path, shared.option("FILE", "True costs of new rows, in the order of time.")],
    readings: shared.Readings = None,
    context: shared.Context = None,
    state: Annotated[Path | None, shared.option("FILE", "What is known so far; made by the first call.")] = None,
    reference: Annotated[Path | None, shared.option("FILE", _REFERENCE)] = None,
    reference_readings: Annotated[Path | None, shared.option("FILE", "What was read in place of --reference.")] = None,
    reference_context: Annotated[Path | None, shared.option("FILE", _REFERENCE_CONTEXT)] = None,
    block: Annotated[int, shared.option("NUMBER", "Rows that are judged together, such as 7 days.")] = 1,
    time_limit: shared.TimeLimit = math.inf,
    as_json: shared.AsJson = False,
) -> None:
    """Say whether the rules still hold on the rows of a file.

    The regret, and with --readings how often errors leave the budget, are compared with the reference: rows that were
    not used in the fit. As long as rows are like those of the reference an alarm is raised
    with a chance of 5 % at most, however often this is called. With --state each row counts once: rows are identified
    by the first column that is no item, such as a date. The exit status is 0 while the rules hold, and 3 after an
    alarm.
    """
    from hedgerow import study

    check_output(state)
    rules = read_rules(tree)
    before = None if state is None or not state.exists() else _read_state(state, rules)
    table, rows = samples_of(rules, costs, readings, context)
    _, usual = samples_of(rules, reference, reference_readings, reference_context, prefix="reference-")
    rows |= {"reference" if name == "costs" else f"reference_{name}": matrix for name, matrix in usual.items()}
    label, labels = table.labels(rules.needed_problem().item_names)
    rows["labels"] = labels if label in table.columns else None
    if before is not None and reference is not None:
        note(f"{state} knows the reference already; --reference is not used.")
    if rows["labels"] is None and before is not None:
        note(f"{costs} has no column that tells rows apart; all of its rows count as new.")
    limit = shared.seconds(time_limit)
    result = study.watch(rules, rows.pop("costs"), state=before, block=block, time_limit=limit, **rows)
    show(json.dumps(result.to_dict(), allow_nan=False) if as_json else result)
    if state is not None:
        write_text(state, json.dumps(result.state, allow_nan=False) + "\n")
    if result.verdict == "alarm":
        raise typer.Exit(_CHANGED)


def _read_state(path: Path, rules: RuleBook) -> dict[str, Any]:
    from hedgerow.study.watching import checked_state

    try:
        return checked_state(read_json(path, "a state of hedgerow watch"), rules)
    except FileFormatError as error:
        message = str(error)
        raise FileFormatError(message if message.startswith(str(path)) else f"{path}: {message}") from None
