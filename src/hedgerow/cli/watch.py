"""`hedgerow watch`: whether rules still hold on new rows; meant to be called every morning."""

__all__ = ["watch"]

import json
import sys
from pathlib import Path
from typing import Any, Final

import numpy as np
import typer

from hedgerow.cli.inputs import read_rules, readings_in
from hedgerow.cli.output import check_output, note, save_picture, say, show, show_table
from hedgerow.data.reading import read_table
from hedgerow.data.table import Table
from hedgerow.data.writing import write_text
from hedgerow.errors import FileFormatError
from hedgerow.rules import RuleBook
from hedgerow.wording.numbers import amount, counted, number, percentage

_CHANGED: Final = 3
"""The exit status if the rules no longer hold as before."""


def watch(
    tree: Path,
    costs: Path,
    readings: Path | None = None,
    state: Path | None = None,
    reference: Path | None = None,
    reference_readings: Path | None = None,
    block: int = 1,
    picture: Path | None = None,
    as_json: bool = False,
) -> None:
    """Say whether the rules still hold on the rows of a file."""
    from hedgerow.study.watching import ALARM
    from hedgerow.study.watching import watch as watched

    for path in (state, picture):
        check_output(path)
    rules = read_rules(tree)
    before = _read_state(state)
    true, read, labels = _rows(rules, costs, readings)
    usual, usual_read = (None, None) if reference is None else _rows(rules, reference, reference_readings)[:2]
    if before is not None and reference is not None:
        note(f"{state} knows the reference already; --reference is not used.")
    if labels is None and before is not None:
        note(f"{costs} has no column that tells rows apart; all of its rows count as new.")
    found = watched(
        rules, true, read, before, reference=usual, reference_readings=usual_read, labels=labels, block=block
    )
    if as_json:
        print(json.dumps(found.to_dict(), allow_nan=False))
    else:
        _show(rules, found)
    sys.stdout.flush()
    if state is not None:
        write_text(state, json.dumps(found.state, allow_nan=False) + "\n")
    save_picture(picture, "plot_watch", found)
    if found.verdict == ALARM:
        raise typer.Exit(_CHANGED)


def _read_state(path: Path | None) -> Any:
    if path is None or not path.exists():
        return None
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (ValueError, UnicodeDecodeError):
        raise FileFormatError(f"{path}: this is no state of hedgerow watch.") from None


def _rows(rules: RuleBook, costs: Path, readings: Path | None) -> tuple[Any, Any, list[str] | None]:
    table: Table = read_table(costs)
    names = rules.needed_problem().item_names
    label, labels = table.labels(names)
    read = readings_in(rules, readings, table, "--readings")
    known = label in table.columns
    return table.numbers(names, "costs"), read, labels if known else None


def _show(rules: RuleBook, found: Any) -> None:
    def value(name: str, mean: float) -> str:
        return amount(mean, rules.unit, 4) if name == "regret" else percentage(mean, 1)

    if found.quantities:
        rows = [
            (each.name, value(each.name, each.before), value(each.name, each.now), number(each.capital, 3))
            for each in found.quantities
        ]
        show_table(("per row", "reference", "now", "evidence"), rows, right=(1, 2, 3))
        show()
    say(f"{counted(found.n_new, 'new row')}, {found.n_rows:,} in all. {found.sentence}")
    for name, count in found.outside[:3]:
        say(f"{name} was outside its range in training in {counted(count, 'row')}.")
    for text, count, saved in found.new_plans:
        say(
            f"In {counted(count, 'row')} the best plan is one that the rules don't have: {text}. "
            f"It saves {amount(float(np.round(saved, 9)), rules.unit, 4)} per row."
        )
