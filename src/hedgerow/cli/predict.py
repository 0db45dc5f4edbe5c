"""`hedgerow predict`: the advice for each row of a table."""

__all__ = ["OUTSIDE", "predict"]

from typing import Any, Final

from hedgerow.cli import shared
from hedgerow.cli.inputs import read_rules
from hedgerow.cli.output import check_output, note, write_output
from hedgerow.data.checks import list_some
from hedgerow.data.columns import places
from hedgerow.data.files import read_table
from hedgerow.data.table import number_matrix, with_dates
from hedgerow.wording.numbers import counted

OUTSIDE: Final = "outside experience"


def predict(tree: shared.Tree, readings: shared.Table, output: shared.Scores = None) -> None:
    """Advise a plan for each row of READINGS.csv.

    Columns are matched by name, and only those that the tree asks about are needed. All columns of the table are kept.
    Behind them stand the leaf, the advice in words, readings that lie outside all of the training data, and the
    decisions one by one, such as "decision 0-1".
    """
    import pandas as pd

    check_output(output)
    rules = read_rules(tree)
    table = read_table(readings)
    number_matrix(table, rules.asked_readings, "readings", gaps=True)  # says which cell is no number
    places(table.columns.tolist(), rules.asked_readings, f"{readings}: readings")  # a gap is a cell, not a column
    shown = with_dates(table)
    advised, rows = rules.advise(shown), rules.choose(shown)
    leaves, outside = advised["leaf"].to_numpy(), advised["outside"].tolist()
    words: dict[str, Any] = {"leaf": leaves, "advice": advised["advice"], OUTSIDE: outside}
    if any(advised["filled_in"]):
        words["filled in"] = advised["filled_in"].tolist()
    decisions = pd.DataFrame(rules.tree.solutions[rows], columns=[f"decision {name}" for name in rules.variable_names])
    advice = pd.concat([pd.DataFrame(words), decisions], axis=1)
    rest = table.rename(columns={name: f"{name} (input)" for name in advice})
    write_output(output, pd.concat([rest, advice], axis=1))
    n_outside = sum(map(bool, outside))
    if n_outside:
        note(f"{counted(n_outside, 'row')} of {len(outside):,} outside experience: see the column {OUTSIDE!r}.")
    absent = [name for name in rules.feature_names[: rules.n_readings] if name not in set(table.columns)]
    if absent:
        note(f"{readings} has no column for {list_some(absent)}; the rules don't ask about that.")
