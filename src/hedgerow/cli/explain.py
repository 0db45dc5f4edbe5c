"""`hedgerow explain`: why each row gets its advice, how stable that is, and what the tree is made of."""

__all__ = ["explain"]

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import numpy as np

from hedgerow.cli import options as given
from hedgerow.cli.inputs import read_rules
from hedgerow.cli.output import check_output, note, put_out, table_text
from hedgerow.data.arrays import FloatArray
from hedgerow.data.checks import list_some
from hedgerow.data.files import read_table
from hedgerow.data.table import FileTable
from hedgerow.errors import InputError
from hedgerow.explain import Explanation, Explanations, explain_tree
from hedgerow.explain import explain as explained
from hedgerow.rules import RuleBook

_ROWS_IN_DETAIL = 3
_ROWS_IN_TABLE = 50
_WIDEST = 60
_COSTS = "True costs, row by row, where the tree asks about other things."
_ROW = "Explain this row in full, counted from 1; repeatable."
_LIMIT = given.option("N", "Explain the first N rows only; 0 for all.", min=0)
_WHOLE = "Explain the tree as a whole: leaves, questions, and the samples that wrong readings hurt."


def explain(
    tree: given.Tree,
    readings: given.Rows,
    output: given.Text = None,
    costs: Annotated[Path | None, given.option("FILE", _COSTS)] = None,
    row: Annotated[list[int] | None, given.option("N", _ROW)] = None,
    limit: Annotated[int | None, _LIMIT] = None,
    whole: Annotated[bool, given.option(None, _WHOLE, "--tree")] = False,
    as_json: given.AsJson = False,
) -> None:
    """Explain the advice for each row of READINGS.csv: why, how good, how stable, what else might be advised.

    Up to three rows are explained in full, more in a table. Empty cells and absent columns are missing readings: the
    explanation then says what may be advised and what decides. Other columns, such as a date or an id, name the rows.
    """
    check_output(output)
    rules = read_rules(tree)
    table = read_table(readings)
    matrix = _readings(rules, table)
    true_costs: FloatArray | None = None
    if costs is not None:
        names = rules.needed_problem().item_names
        true = read_table(costs)
        true_costs = true.numbers(names, "costs")
        true.check_beside(table, "readings")
    labels = _labels(rules, table)
    if whole:
        if row or limit is not None:
            raise InputError("--tree is about all rows; leave out --row and --limit.")
        put_out(output, _whole_tree(rules, table, matrix, true_costs, labels, as_json=as_json) + "\n")
        return
    chosen = _chosen(row, limit, len(matrix), everything=as_json)
    explanations = explained(
        rules,
        matrix[chosen],
        None if true_costs is None else true_costs[chosen],
        labels=[labels[place] for place in chosen],
    )
    if as_json:
        text = _as_json(explanations, chosen, table, rules)
    elif row or len(matrix) <= _ROWS_IN_DETAIL:
        text = str(explanations)
    else:
        text = _as_table(explanations, len(matrix))
    put_out(output, text + "\n")


def _whole_tree(
    rules: RuleBook,
    table: FileTable,
    matrix: FloatArray,
    true_costs: FloatArray | None,
    labels: list[str],
    *,
    as_json: bool,
) -> str:
    table.numbers(tuple(rules.asked.values()), "readings")  # which says where a reading is missing
    if true_costs is None and rules.observes_costs and rules.can_be_rebuilt and not np.isnan(matrix).any():
        true_costs = matrix
    shown: dict[str, Any] = {"readings" if rules.observes_costs else "context": matrix}
    explanation = explain_tree(rules, true_costs, labels=labels, **shown)
    if true_costs is None:
        note("without costs of all items, only the use of leaves and questions is explained")
    return json.dumps(explanation.to_dict(), allow_nan=False) if as_json else str(explanation)


def _readings(rules: RuleBook, table: FileTable) -> FloatArray:
    """Return all readings, in which some may be missing, but not all that the rules ask about."""
    columns = set(table.columns)
    absent = [name for name in rules.asked.values() if name not in columns]
    matrix = rules.reading_matrix(table, gaps=True)
    if absent:
        note(f"{table.path}: no column, so no reading, for {list_some(absent)}")
    return matrix


def _labels(rules: RuleBook, table: FileTable) -> list[str]:
    """Return per row its number, counted from 1, and what its other columns say."""
    others = table.texts_by_name(rules.feature_names).values()
    words = (", ".join(texts[row].strip() for texts in others if texts[row].strip()) for row in range(len(table)))
    return [f"row {number}{f' ({said})' if said else ''}" for number, said in enumerate(words, start=1)]


def _chosen(rows: list[int] | None, limit: int | None, n_rows: int, *, everything: bool) -> list[int]:
    """Return which rows are explained, counted from 0."""
    if rows and limit is not None:
        raise InputError("either --row or --limit can be given, not both.")
    wrong = [row for row in rows or () if not 1 <= row <= n_rows]
    if wrong:
        raise InputError(f"--row must be from 1 to {n_rows}, the number of rows; got {wrong[0]}.")
    if rows:
        return [row - 1 for row in rows]
    if limit is None:
        limit = 0 if everything else _ROWS_IN_TABLE
    return list(range(min(limit or n_rows, n_rows)))


def _as_json(explanations: Explanations, chosen: list[int], table: FileTable, rules: RuleBook) -> str:
    others = table.texts_by_name(rules.feature_names)
    rows: list[dict[str, Any]] = [
        {
            **explanation.to_dict(),
            "observation": place,
            "row": place + 1,
            "columns": {name: texts[place] for name, texts in others.items()},
        }
        for place, explanation in zip(chosen, explanations, strict=True)
    ]
    return json.dumps({"n_rows": len(table), "rows": rows}, allow_nan=False)


def _as_table(explanations: Explanations, n_rows: int) -> str:
    with_regret = any(explanation.regret is not None for explanation in explanations)
    header = ["row", "leaf", "advice", *(["regret"] if with_regret else []), "stable up to", "otherwise"]
    cells = [list(_cells(explanation, with_regret=with_regret)) for explanation in explanations]
    short = [[cell if len(cell) <= _WIDEST else f"{cell[: _WIDEST - 1]}…" for cell in line] for line in cells]
    more = n_rows - len(explanations)
    hint = f"{more:,} more rows: --limit 0 shows all of them, " if more else ""
    return f"{table_text(header, short)}\n\n({hint}--row N explains a row in full)"


def _cells(explanation: Explanation, *, with_regret: bool) -> Iterator[str]:
    leaf = explanation.leaf
    yield explanation.label.removeprefix("row ")
    yield "?" if leaf is None else str(leaf)
    outside = "outside experience: " if explanation.outside else ""
    yield outside + (explanation.advice or f"depends on {', '.join(explanation.missing)}")
    if with_regret:
        yield explanation.regret_in_words
    yield explanation.radius_in_words
    if explanation.advice is None:
        yield "; ".join(map(str, explanation.possible))
    else:
        yield "" if explanation.counterfactual is None else str(explanation.counterfactual)
