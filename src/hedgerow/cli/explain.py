"""`hedgerow explain`: why each row gets its advice, how stable that is, and what the tree is made of."""

__all__ = ["explain"]

import json
from pathlib import Path
from typing import Annotated, Any

import numpy as np

from hedgerow.cli import shared
from hedgerow.cli.inputs import read_rules
from hedgerow.cli.output import check_output, note, put_out
from hedgerow.data.arrays import FloatArray
from hedgerow.data.checks import list_some
from hedgerow.data.files import read_table
from hedgerow.errors import InputError
from hedgerow.explain import TreeExplanation, explain_tree
from hedgerow.explain import explain as explained
from hedgerow.rules import RuleBook
from hedgerow.wording.numbers import printable

_ROWS_IN_FULL = 3
_COSTS = "True costs, row by row, where the tree asks about other things."
_ROW = "Explain this row in full, counted from 1; repeatable."
_WHOLE = "Explain the tree as a whole: leaves, questions, and the samples that wrong readings hurt."


def explain(
    tree: shared.Tree,
    readings: shared.Table,
    output: shared.Text = None,
    costs: Annotated[Path | None, shared.option("FILE", _COSTS)] = None,
    row: Annotated[list[int] | None, shared.option("N", _ROW)] = None,
    whole: Annotated[bool, shared.option(None, _WHOLE, "--tree")] = False,
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
    matrix = rules.reading_matrix(table, gaps=True)
    absent = [name for name in rules.asked_readings if name not in table.columns]
    if absent:
        note(f"{table.path}: no column, so no reading, for {list_some(absent)}")
    true_costs: FloatArray | None = None
    if costs is not None:
        true = read_table(costs)
        true_costs = true.numbers(rules.needed_problem().item_names, "costs")
        true.check_beside(table, "readings")
    shown: Any = table.typed_frame() if rules.context else matrix
    others = table.texts_by_name(rules.feature_names)
    title, names = table.labels(rules.feature_names)
    labels = [f"row {number}" for number in range(1, n_rows + 1)]
    if title in table.columns:
        labels = [f"{label} ({printable(name)})" for label, name in zip(labels, names, strict=True)]
    if whole:
        if row:
            raise InputError("--tree is about all rows; leave out --row.")
        table.numbers(tuple(rules.asked.values()), "readings")  # which says where a reading is missing
        explanation = _of_the_tree(rules, shown, true_costs, labels)
        put_out(output, f"{json.dumps(explanation.to_dict(), allow_nan=False) if as_json else explanation}\n")
        return
    wrong = [number for number in row or () if not 1 <= number <= n_rows]
    if wrong:
        raise InputError(f"--row must be from 1 to {n_rows}, the number of rows; got {wrong[0]}.")
    chosen = [number - 1 for number in row or range(1, n_rows + 1)]
    some = shown.iloc[chosen] if rules.context else matrix[chosen]
    known = None if true_costs is None else true_costs[chosen]
    explanations = explained(rules, some, known, labels=[labels[place] for place in chosen])
    if as_json:
        lines = [
            {**each.to_dict(), "row": place + 1, "columns": {name: texts[place] for name, texts in others.items()}}
            for place, each in zip(chosen, explanations, strict=True)
        ]
        text = json.dumps({"n_rows": n_rows, "rows": lines}, allow_nan=False)
    else:
        in_full = row or n_rows <= _ROWS_IN_FULL
        text = str(explanations) if in_full else f"{explanations.summary}\n(--row N explains a row in full)"
    put_out(output, text + "\n")


def _of_the_tree(rules: RuleBook, shown: Any, true_costs: FloatArray | None, labels: list[str]) -> TreeExplanation:
    tables = {"readings": shown if rules.n_readings else None, "context": shown if rules.context else None}
    if true_costs is None and rules.reads_true_costs and rules.problem and not rules.context:
        true_costs = None if np.isnan(shown).any() else shown
    if true_costs is None:
        note("without costs of all items, only the use of leaves and questions is explained")
    return explain_tree(rules, true_costs, labels=labels, **tables)
