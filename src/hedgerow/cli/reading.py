"""Commands that read a tree file: to show what it says, and, for rules in use, `watch` and `refit`."""

import json
import math
import shlex
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any, Final

import numpy as np
import typer

from hedgerow.adversary import Attack
from hedgerow.cli import shared
from hedgerow.cli.output import check_output, note, put_out, show, show_json, write_output
from hedgerow.cli.shared import read_rules, samples_of
from hedgerow.data.files import read_table
from hedgerow.data.table import number_matrix, places, row_labels, with_dates
from hedgerow.errors import InputError
from hedgerow.evaluation import Evaluation
from hedgerow.explain import explain as explained
from hedgerow.export import FORMATS
from hedgerow.export import export as exported
from hedgerow.rules import RuleBook
from hedgerow.wording.numbers import amount, reading

# -- predict -----------------------------------------------------------------------------------------------------------

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


# -- evaluate ----------------------------------------------------------------------------------------------------------

_OF_THE_FIT = ("objective", "lower_bound", "gap", "status", "runtime", "method")
_OF_THE_ROWS = ("nominal", "robust", "nominal_mean", "robust_mean")
_MOST_SHOWN = 10


def evaluate(
    tree: shared.Tree,
    costs: shared.Costs,
    budget: shared.Budget,
    readings: shared.Readings = None,
    context: shared.Context = None,
    missing: Annotated[float, shared.option("SHARE", "The share of readings to leave out at random.")] = 0.0,
    as_json: shared.AsJson = False,
) -> None:
    """Evaluate a tree on the samples in COSTS.csv, as read and in the worst case.

    The uncertainty set is the one the tree was fitted under unless a budget is shared. A fraction λ refers to the
    training data, of which the tree file keeps ranges, number of samples and depth. Samples are called by the first
    column that is no item and tells them apart, such as a date or an id.
    """
    rules = read_rules(tree)
    uncertainty = budget.uncertainty
    table, samples = samples_of(rules, costs, readings, context)
    result = rules.evaluate(samples.pop("costs"), uncertainty, missing=missing, **samples)
    label, names = row_labels(table, rules.needed_problem().item_names)
    if as_json:
        show_json(_fields(rules, result))
    else:
        show(f"{result}\n")
        if result.missing:
            show(result.summary)
        show_hurt(rules, result.attack, label, names)


def _fields(rules: RuleBook, result: Evaluation) -> dict[str, Any]:
    fit = rules.result
    return {
        **{name: None if fit is None else getattr(fit, name) for name in _OF_THE_FIT},
        **{name: getattr(result, name) for name in _OF_THE_ROWS},
        "n_samples": result.n_samples,
        "n_moved": int(result.attack.moved.size),
        "exact": result.attack.exact,
        "uncertainty": result.attack.instance.uncertainty.to_dict(),
    }


def show_hurt(rules: RuleBook, attack: Attack, label: str, names: Sequence[str]) -> None:
    """Show the samples that the worst case hurts most: what is misread, and what that costs."""
    import pandas as pd

    instance = attack.instance
    loss = instance.sign * (attack.cost - attack.nominal_cost)
    worst = sorted(attack.moved.tolist(), key=lambda sample: (-loss[sample], sample))[:_MOST_SHOWN]

    def row(sample: int) -> list[str]:
        true, misread = instance.observations[sample], attack.observations[sample]
        changes = (
            f"{rules.names[item]}: {reading(true[item])} as {reading(misread[item])}"
            for item in np.flatnonzero(true != misread).tolist()
        )
        advice = [rules.plans.text(int(rows[sample])) for rows in (attack.row, attack.nominal_row)]
        amounts = [amount(costs[sample], rules.unit) for costs in (attack.cost, attack.nominal_cost)]
        return [names[sample], ", ".join(changes), *advice, *amounts]

    if worst:
        gives = "gives" if rules.sense == "max" else "costs"
        header = [label, "misread", "advice", "instead of", gives, "instead of"]
        show(f"\n{pd.DataFrame(map(row, worst), columns=header).to_string(index=False)}")
    if attack.moved.size > len(worst):
        show(f"… and {attack.moved.size - len(worst):,} more, hurt less.")


# -- explain -----------------------------------------------------------------------------------------------------------

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
    n_rows, shown = len(table), with_dates(table)
    rules.reading_matrix(shown, gaps=True)  # says which cell is no number
    others = table.loc[:, ~table.columns.isin(rules.feature_names)].astype(str)
    title, names = row_labels(table, rules.feature_names)
    labels = [f"row {number}" for number in range(1, n_rows + 1)]
    if title in table.columns:
        labels = [f"{label} ({name})" for label, name in zip(labels, names, strict=True)]
    wrong = [number for number in row or () if not 1 <= number <= n_rows]
    if wrong:
        raise InputError(f"--row must be from 1 to {n_rows}, the number of rows; got {wrong[0]}.")
    chosen = [number - 1 for number in row or range(1, n_rows + 1)]
    explanations = explained(rules, shown.set_axis(labels).iloc[chosen])
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


# -- export ------------------------------------------------------------------------------------------------------------

_TO = "text, rules, dot, mermaid, json, python, javascript, sql, excel, onnx or model-card."
_DIALECT = "Of an SQL query: standard (SQLite, DuckDB, PostgreSQL; the default) or mariadb (MariaDB, MySQL)."


def export(
    tree: shared.Tree,
    to: Annotated[str, shared.option("FORMAT", _TO)],
    output: shared.Text = None,
    table: Annotated[str | None, shared.option("NAME", "The table that an SQL query reads; readings.")] = None,
    dialect: Annotated[str | None, shared.option("NAME", _DIALECT)] = None,
) -> None:
    """Write a tree in another format: sentences, a drawing, code, a query, a workbook, a model or a model card."""
    check_output(output)
    rules = read_rules(tree, named=False)
    named = {"table": table, "dialect": dialect}
    options: dict[str, Any] = {name: value for name, value in named.items() if value is not None}
    content = exported(rules, to, **options)
    if isinstance(content, bytes) and str(output or "-") == "-":
        raise InputError(f"the export to {to} is no text to be shown; name a file with -o tree{FORMATS[to].suffix}.")
    put_out(output, content)


# -- report ------------------------------------------------------------------------------------------------------------

_COSTS = shared.argument("[COSTS.csv]", "The samples that the tree was fitted to.")
_TEST = shared.option("TEST.csv", "Held-out samples, for figures on unseen data.")


def report(
    tree: shared.Tree,
    costs: Annotated[Path | None, _COSTS] = None,
    output: Annotated[Path, shared.option("FILE", "The page.", "--output", "-o")] = Path("report.html"),
    test: Annotated[Path | None, _TEST] = None,
    readings: shared.Readings = None,
    context: shared.Context = None,
    test_readings: Annotated[
        Path | None, shared.option("FILE", "The same as --readings for the rows of --test.")
    ] = None,
    test_context: Annotated[Path | None, shared.option("FILE", "The same as --context for the rows of --test.")] = None,
    title: Annotated[str | None, shared.option("TEXT", "The page's title.")] = None,
) -> None:
    """Write a report of a tree: one HTML file that works offline.

    With COSTS.csv it shows the worst misreading of the training data, too, and with --test how the tree does on
    samples that it was not fitted to.
    """
    from hedgerow.report import report_html

    check_output(output)
    rules = read_rules(tree, named=False)
    _, trained = samples_of(rules, costs, readings, context)
    _, held_out = samples_of(rules, test, test_readings, test_context, prefix="test-")
    page = report_html(
        rules,
        trained.pop("costs", None),
        test=held_out.pop("costs", None),
        **trained,
        **{f"test_{name}": matrix for name, matrix in held_out.items()},
        title=title,
    )
    put_out(output, page)
    note(f"open {output} in a browser")


# -- watch -------------------------------------------------------------------------------------------------------------

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


# -- refit -------------------------------------------------------------------------------------------------------------

_CHANGES = "How many questions and plans may change; 0 says what staying costs."
_REPORT = "A page with the new rules, and the old ones beside them."


def refit(
    invocation: typer.Context,
    tree: shared.Tree,
    costs: shared.Costs,
    output: Annotated[Path, shared.option("FILE", "The new tree file.", "--output", "-o")],
    max_changes: Annotated[int, shared.option("NUMBER", _CHANGES)] = 1,
    readings: shared.Readings = None,
    context: shared.Context = None,
    report: Annotated[Path | None, shared.option("FILE", _REPORT)] = None,
    time_limit: shared.TimeLimit = 60.0,
    seed: shared.Seed = 0,
) -> None:
    """Change a few questions or plans of a tree so that it suits the rows of COSTS.csv.

    Says what keeping the old rules costs, what the changes win, and what a free fit wins, with the share of rows on
    which the advice is then another one.
    """
    from hedgerow import study
    from hedgerow.report import report_html

    check_output(output, report)
    rules = read_rules(tree)
    _, rows = samples_of(rules, costs, readings, context)
    found = study.refit(
        rules, **rows, max_changes=max_changes, time_limit=shared.seconds(time_limit), random_state=seed
    )
    book = replace(found.rules, made_by=shlex.join(["hedgerow", *invocation.obj]))
    book.save(output)
    show(found)
    note(f"saved to {output}")
    if report is not None:
        put_out(report, report_html(book, refit=found))
        note(f"open {report} in a browser")
