"""`hedgerow explain`: why each row gets its advice, and how stable that is."""

__all__ = ["explain"]

import json
from pathlib import Path
from typing import Annotated, Any

from hedgerow.cli import shared
from hedgerow.cli.inputs import read_rules
from hedgerow.cli.output import check_output, note, put_out
from hedgerow.data.arrays import FloatArray
from hedgerow.data.checks import list_some
from hedgerow.data.files import read_table
from hedgerow.data.table import check_beside, number_matrix, row_labels, with_dates
from hedgerow.errors import InputError
from hedgerow.explain import explain as explained
from hedgerow.wording.numbers import printable

_ROWS_IN_FULL = 3
_COSTS = "True costs, row by row, where the tree asks about other things."
_ROW = "Explain this row in full, counted from 1; repeatable."


def explain(
    tree: shared.Tree,
    readings: shared.Table,
    output: shared.Text = None,
    costs: Annotated[Path | None, shared.option("FILE", _COSTS)] = None,
    row: Annotated[list[int] | None, shared.option("N", _ROW)] = None,
    as_json: shared.AsJson = False,
) -> None:
    """Explain the advice for each row of READINGS.csv: why, how good, how stable, what else might be advised.

    Up to three rows are explained in full, more in a sentence each. Empty cells and absent columns are missing
    readings: the explanation then says what may be advised and what decides. Rows are called by the first other column
    that tells them apart, such as a date or an id.
    """
    check_output(output)
    rules, table = read_rules(tree), read_table(readings)
    n_rows = len(table)
    matrix = rules.reading_matrix(with_dates(table), gaps=True)
    absent = [name for name in rules.asked_readings if name not in table.columns]
    if absent:
        note(f"{readings}: no column, so no reading, for {list_some(absent)}")
    true_costs: FloatArray | None = None
    if costs is not None:
        true = read_table(costs)
        true_costs = number_matrix(true, rules.needed_problem().item_names, "costs")
        check_beside(true, table, "readings")
    shown: Any = with_dates(table) if rules.context else matrix
    others = table.loc[:, ~table.columns.isin(rules.feature_names)].astype(str)
    title, names = row_labels(table, rules.feature_names)
    labels = [f"row {number}" for number in range(1, n_rows + 1)]
    if title in table.columns:
        labels = [f"{label} ({printable(name)})" for label, name in zip(labels, names, strict=True)]
    wrong = [number for number in row or () if not 1 <= number <= n_rows]
    if wrong:
        raise InputError(f"--row must be from 1 to {n_rows}, the number of rows; got {wrong[0]}.")
    chosen = [number - 1 for number in row or range(1, n_rows + 1)]
    some = shown.iloc[chosen] if rules.context else matrix[chosen]
    known = None if true_costs is None else true_costs[chosen]
    explanations = explained(rules, some, known, labels=[labels[place] for place in chosen])
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
