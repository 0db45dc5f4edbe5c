"""`hedgerow explain`: why each row gets its advice, how stable that is, and what the tree is made of."""

__all__ = ["explain"]

import json
from pathlib import Path
from typing import Annotated, Any

import numpy as np

from hedgerow.cli import shared
from hedgerow.cli.inputs import read_rules
from hedgerow.cli.output import check_output, note, put_out, table_text
from hedgerow.data.arrays import FloatArray
from hedgerow.data.checks import list_some
from hedgerow.data.files import read_table
from hedgerow.errors import InputError
from hedgerow.explain import Explanation, Explanations, explain_tree
from hedgerow.explain import explain as explained
from hedgerow.rules import RuleBook

_ROWS_IN_DETAIL = 3
_ROWS_IN_TABLE = 50
_WIDEST = 60
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

    Up to three rows are explained in full, of more the first fifty in a table; --json has all of them. Empty cells and
    absent columns are missing readings: the explanation then says what may be advised and what decides. Other columns,
    such as a date or an id, name the rows.
    """
    check_output(output)
    rules, table = read_rules(tree), read_table(readings)
    n_rows, columns = len(table), set(table.columns)
    matrix = rules.reading_matrix(table, gaps=True)
    absent = [name for name in rules.asked.values() if name not in columns]
    if absent:
        note(f"{table.path}: no column, so no reading, for {list_some(absent)}")
    true_costs: FloatArray | None = None
    if costs is not None:
        true = read_table(costs)
        true_costs = true.numbers(rules.needed_problem().item_names, "costs")
        true.check_beside(table, "readings")
    others = table.texts_by_name(rules.feature_names)
    said = [", ".join(filter(None, map(str.strip, cells))) for cells in zip(*others.values(), strict=True)]
    said = said or [""] * n_rows
    labels = [f"row {number}{f' ({words})' if words else ''}" for number, words in enumerate(said, start=1)]
    if whole:
        if row:
            raise InputError("--tree is about all rows; leave out --row.")
        table.numbers(tuple(rules.asked.values()), "readings")  # which says where a reading is missing
        shown = table.typed_frame() if rules.context else matrix
        put_out(output, _whole_tree(rules, shown, true_costs, labels, as_json=as_json) + "\n")
        return
    wrong = [number for number in row or () if not 1 <= number <= n_rows]
    if wrong:
        raise InputError(f"--row must be from 1 to {n_rows}, the number of rows; got {wrong[0]}.")
    chosen = [number - 1 for number in row or range(1, n_rows + 1)]
    if not as_json:
        chosen = chosen[:_ROWS_IN_TABLE]
    known = None if true_costs is None else true_costs[chosen]
    shown = table.typed_frame().iloc[chosen] if rules.context else matrix[chosen]
    explanations = explained(rules, shown, known, labels=[labels[place] for place in chosen])
    if as_json:
        lines = [
            {**each.to_dict(), "row": place + 1, "columns": {name: texts[place] for name, texts in others.items()}}
            for place, each in zip(chosen, explanations, strict=True)
        ]
        text = json.dumps({"n_rows": n_rows, "rows": lines}, allow_nan=False)
    elif row or n_rows <= _ROWS_IN_DETAIL:
        text = str(explanations)
    else:
        text = _as_table(explanations, n_rows)
    put_out(output, text + "\n")


def _whole_tree(rules: RuleBook, shown: Any, true_costs: FloatArray | None, labels: list[str], *, as_json: bool) -> str:
    if rules.context:
        tables = {"readings": shown if rules.n_readings else None, "context": shown}
    else:
        tables = {"readings": shown}
        if true_costs is None and rules.reads_true_costs and rules.can_be_rebuilt and not np.isnan(shown).any():
            true_costs = shown
    explanation = explain_tree(rules, true_costs, labels=labels, **tables)
    if true_costs is None:
        note("without costs of all items, only the use of leaves and questions is explained")
    return json.dumps(explanation.to_dict(), allow_nan=False) if as_json else str(explanation)


def _as_table(explanations: Explanations, n_rows: int) -> str:
    header = ["row", "leaf", "advice", "regret", "stable up to", "otherwise"]
    cells = [list(map(_short, _cells(each))) for each in explanations]
    more = n_rows - len(explanations)
    hint = f"{more:,} more rows: --json has all of them, " if more else ""
    return f"{table_text(header, cells)}\n\n({hint}--row N explains a row in full)"


def _short(cell: str) -> str:
    return cell if len(cell) <= _WIDEST else f"{cell[: _WIDEST - 1]}…"


def _cells(explanation: Explanation) -> list[str]:
    outside = "outside experience: " if explanation.outside else ""
    unknown = explanation.advice is None
    other = "" if explanation.counterfactual is None else str(explanation.counterfactual)
    return [
        explanation.label.removeprefix("row "),
        "?" if explanation.leaf is None else str(explanation.leaf),
        outside + (explanation.advice or f"depends on {', '.join(explanation.missing)}"),
        explanation.regret_in_words,
        explanation.radius_in_words,
        "; ".join(map(str, explanation.possible)) if unknown else other,
    ]
