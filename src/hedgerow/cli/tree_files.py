"""Commands that turn a tree file into something else: `hedgerow predict`, `hedgerow export`, `hedgerow report`."""

__all__ = ["export", "predict", "report"]

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hedgerow.cli.inputs import read_rules, shown_in, unused_columns, weights_in
from hedgerow.cli.output import check_output, is_standard_output, note, note_later, put_out, show_notes, write_output
from hedgerow.data.arrays import FloatArray, IntArray
from hedgerow.data.checks import list_some
from hedgerow.data.files import read_table
from hedgerow.errors import InputError
from hedgerow.export import FORMATS
from hedgerow.export import export as exported
from hedgerow.rules import RuleBook
from hedgerow.wording.numbers import counted

if TYPE_CHECKING:
    import pandas as pd

OUTSIDE = "outside experience"


def predict(tree: Path, readings: Path, output: Path | None = None) -> None:
    """Advise a solution for each row of READINGS.csv."""
    import pandas as pd

    check_output(output, excel=True)
    rules = read_rules(tree)
    table = read_table(readings)
    matrix = rules.reading_matrix(table)
    outside = rules.outside(matrix)
    advised = _advised(rules, rules.apply(matrix), outside)
    carried = table.others(rules.feature_names).rename(columns={name: f"{name} (input)" for name in advised})
    write_output(output, pd.concat([carried, advised], axis=1))
    given = set(table.columns)
    beyond = sum(map(bool, outside))
    if beyond:
        note(f"{counted(beyond, 'row')} of {len(outside):,} outside experience: see the column {OUTSIDE!r}.")
    absent = [name for name in rules.feature_names if name not in given]
    if absent:
        note(f"{readings} has no column for {list_some(absent)}; the rules don't ask about that.")


def _advised(rules: RuleBook, leaves: IntArray, outside: Sequence[Sequence[str]]) -> "pd.DataFrame":
    import pandas as pd

    advice = {
        "leaf": leaves,
        "advice": [rules.plans.text(leaf) for leaf in leaves],
        OUTSIDE: list(map(", ".join, outside)),
    }
    solutions = pd.DataFrame(rules.tree.solutions[leaves], columns=rules.variable_names)
    return pd.concat([pd.DataFrame(advice), solutions], axis=1)


def export(
    tree: Path,
    to: str,
    output: Path | None = None,
    table: str | None = None,
    dialect: str | None = None,
    costs: Path | None = None,
    readings: Path | None = None,
) -> None:
    """Write a tree in another format: sentences, a drawing, code, a query, a workbook, a model or a model card."""
    check_output(output, excel=to == "excel")
    rules = read_rules(tree, named=False)
    named = {"table": table, "dialect": dialect}
    options: dict[str, Any] = {name: value for name, value in named.items() if value is not None}
    if costs is not None:
        given = read_table(costs)
        options["costs"] = given.numbers(rules.needed_problem().item_names, "costs")
        options |= shown_in(rules, given, readings, None)
    elif readings is not None:
        raise InputError("--readings belongs to --costs, which is missing.")
    content = exported(rules, to, **options)
    if isinstance(content, bytes) and is_standard_output(output):
        raise InputError(f"the export to {to} is no text to be shown; name a file with -o tree{FORMATS[to].suffix}.")
    put_out(output, content)


def report(
    tree: Path,
    costs: Path | None = None,
    output: Path = Path("report.html"),
    test: Path | None = None,
    readings: Path | None = None,
    context: Path | None = None,
    test_readings: Path | None = None,
    test_context: Path | None = None,
    weights: str | None = None,
    include_samples: bool = False,
    title: str | None = None,
) -> None:
    """Write a report of a tree: one HTML file that works offline."""
    # Imported here: `hedgerow --help` need not wait for it.
    from hedgerow.report import report_html

    check_output(output)
    if include_samples and costs is None:
        raise InputError("--include-samples needs the samples: hedgerow report TREE.json COSTS.csv --include-samples.")
    rules = read_rules(tree, named=False)
    named = {
        "tree": tree,
        "costs": costs,
        "test": test,
        "readings": readings,
        "context": context,
        "test_readings": test_readings,
        "test_context": test_context,
    }
    true, shown, weight = _samples(rules, costs, readings, context, weights=weights)
    test_true, test_shown, _ = _samples(rules, test, test_readings, test_context, prefix="test-")
    page = report_html(
        rules,
        true,
        test=test_true,
        **shown,
        **{f"test_{name}": matrix for name, matrix in test_shown.items()},
        sample_weight=weight,
        include_samples=include_samples,
        title=title,
        file_names={name: str(path) for name, path in named.items() if path is not None},
    )
    show_notes()
    put_out(output, page)
    if not is_standard_output(output):
        note(f"open {output} in a browser")


def _samples(
    rules: RuleBook,
    costs: Path | None,
    readings: Path | None,
    context: Path | None,
    *,
    prefix: str = "",
    weights: str | None = None,
) -> tuple[FloatArray | None, dict[str, FloatArray], FloatArray | None]:
    """Return costs, what the rules are shown in place of these, and weights of samples, if any are given."""
    if costs is None:
        flags = [f"--{prefix}{name}" for name, path in (("readings", readings), ("context", context)) if path]
        if flags:
            raise InputError(f"{flags[0]} belongs to samples, but these are not given.")
        return None, {}, None
    table, names = read_table(costs), rules.needed_problem().item_names
    note_later(unused_columns(table, names, weights))
    shown = shown_in(rules, table, readings, context, prefix)
    return table.numbers(names, "costs"), shown, weights_in(table, weights)
