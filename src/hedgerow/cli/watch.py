"""`hedgerow watch`: whether rules still hold on new rows; meant to be called every morning."""

__all__ = ["watch"]

import json
import math
import sys
from pathlib import Path
from typing import Any, Final

import typer

from hedgerow.cli.inputs import read_rules, shown_in
from hedgerow.cli.options import seconds
from hedgerow.cli.output import check_output, note, save_picture, show
from hedgerow.data.arrays import FloatArray
from hedgerow.data.files import read_table
from hedgerow.data.json_files import read_json
from hedgerow.data.writing import write_text
from hedgerow.errors import FileFormatError
from hedgerow.rules import RuleBook

_CHANGED: Final = 3
"""The exit status if the rules no longer hold as before."""


def watch(
    tree: Path,
    costs: Path,
    readings: Path | None = None,
    state: Path | None = None,
    reference: Path | None = None,
    reference_readings: Path | None = None,
    context: Path | None = None,
    reference_context: Path | None = None,
    block: int = 1,
    time_limit: float = math.inf,
    picture: Path | None = None,
    as_json: bool = False,
) -> None:
    """Say whether the rules still hold on the rows of a file."""
    from hedgerow import study

    for path in (state, picture):
        check_output(path)
    rules = read_rules(tree)
    before = None if state is None or not state.exists() else _read_state(state, rules)
    true, options, labels = _rows(rules, costs, readings, context)
    options |= {"labels": labels, "block": block, "time_limit": seconds(time_limit)}
    if reference is not None:
        usual, shown, _ = _rows(rules, reference, reference_readings, reference_context, "reference-")
        options |= {"reference": usual, **{f"reference_{name}": matrix for name, matrix in shown.items()}}
    if before is not None and reference is not None:
        note(f"{state} knows the reference already; --reference is not used.")
    if labels is None and before is not None:
        note(f"{costs} has no column that tells rows apart; all of its rows count as new.")
    result = study.watch(rules, true, state=before, **options)
    if as_json:
        print(json.dumps(result.to_dict(), allow_nan=False))
    else:
        show(str(result))
    sys.stdout.flush()
    if state is not None:
        write_text(state, json.dumps(result.state, allow_nan=False) + "\n")
    save_picture(picture, "plot_watch", result)
    if result.verdict == "alarm":
        raise typer.Exit(_CHANGED)


def _read_state(path: Path, rules: RuleBook) -> dict[str, Any]:
    from hedgerow.study.watching import checked_state

    try:
        return checked_state(read_json(path, "a state of hedgerow watch"), rules)
    except FileFormatError as error:
        message = str(error)
        raise FileFormatError(message if message.startswith(str(path)) else f"{path}: {message}") from None


def _rows(
    rules: RuleBook, costs: Path, readings: Path | None, context: Path | None, prefix: str = ""
) -> tuple[FloatArray, dict[str, Any], list[str] | None]:
    table = read_table(costs)
    names = rules.needed_problem().item_names
    label, labels = table.labels(names)
    shown = dict[str, Any](shown_in(rules, table, readings, context, prefix))
    return table.numbers(names, "costs"), shown, labels if label in table.columns else None
