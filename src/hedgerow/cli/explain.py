"""`hedgerow explain`: why each row gets its advice, and how stable that is."""

__all__ = ["explain"]

import json
from typing import Annotated

from hedgerow.cli import shared
from hedgerow.cli.inputs import read_rules
from hedgerow.cli.output import check_output, note, put_out
from hedgerow.data.checks import list_some
from hedgerow.data.files import read_table
from hedgerow.data.table import row_labels, with_dates
from hedgerow.errors import InputError
from hedgerow.explain import Explanations
from hedgerow.explain import explain as explained

_ROWS_IN_FULL = 3
_ROW = "Explain this row in full, counted from 1; repeatable."


def explain(
    tree: shared.Tree,
    readings: shared.Table,
    output: shared.Text = None,
    row: Annotated[list[int] | None, shared.option("N", _ROW)] = None,
    as_json: shared.AsJson = False,
) -> None:
    """Explain the advice for each row of READINGS.csv: why, how stable, what else might be advised.

    Up to three rows are explained in full, more in a sentence each. Empty cells and absent columns are missing
    readings: the explanation then says what may be advised and what decides. Rows are called by the first other column
    that tells them apart, such as a date or an id.
    """
    check_output(output)
    rules, table = read_rules(tree), read_table(readings)
    n_rows = len(table)
    title, names = row_labels(table, rules.feature_names)
    labels = [f"row {number}" for number in range(1, n_rows + 1)]
    if title in table.columns:
        labels = [f"{label} ({name})" for label, name in zip(labels, names, strict=True)]
    every = explained(rules, with_dates(table).set_axis(labels))
    absent = [name for name in rules.asked_readings if name not in table.columns]
    if absent:
        note(f"{readings}: no column, so no reading, for {list_some(absent)}")
    others = table.loc[:, ~table.columns.isin(rules.feature_names)].astype(str)
    wrong = [number for number in row or () if not 1 <= number <= n_rows]
    if wrong:
        raise InputError(f"--row must be from 1 to {n_rows}, the number of rows; got {wrong[0]}.")
    chosen = [number - 1 for number in row or range(1, n_rows + 1)]
    explanations = Explanations(every[place] for place in chosen)
    if as_json:
        lines = [
            {**each.to_dict(), "row": place + 1, "columns": others.iloc[place].to_dict()}
            for place, each in zip(chosen, explanations, strict=True)
        ]
        text = json.dumps({"n_rows": n_rows, "rows": lines}, allow_nan=False)
    else:
        in_full = row or n_rows <= _ROWS_IN_FULL
        text = str(explanations) if in_full else f"{explanations.summary}\n(--row N explains a row in full)"
    put_out(output, text + "\n")
