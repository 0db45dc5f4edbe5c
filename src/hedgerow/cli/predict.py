"""`hedgerow predict`: observations in, one decision per row out."""

__all__ = ["predict"]

from collections.abc import Sequence
from pathlib import Path

from hedgerow.arrays import IntArray
from hedgerow.checks import list_some
from hedgerow.cli.files import check_output, write_output
from hedgerow.cli.inputs import placed, read_rules
from hedgerow.cli.notes import note
from hedgerow.data_files import read_table
from hedgerow.data_files.columns import Column, NumberColumn, TextColumn, renamed
from hedgerow.rulebook import RuleBook
from hedgerow.words import counted

OUTSIDE = "outside experience"


def predict(tree: Path, observations: Path, output: Path | None = None) -> None:
    """Advise a solution for each row of OBSERVATIONS.csv.

    Columns are matched by name, and only those that the tree asks about are needed. Columns that it doesn't know,
    such as a date or an id, are carried through in front of the advice. The column "outside experience" lists readings
    that lie beyond all of the training data.

    Examples
    --------
    hedgerow predict tree.json today.csv
    hedgerow predict tree.json today.csv -o decisions.csv
    hedgerow predict tree.json history.parquet -o decisions.parquet
    """
    check_output(output, excel=True)
    rules = read_rules(tree)
    table = read_table(observations)
    asked = table.numbers(tuple(rules.asked.values()), "observations")
    readings = placed(rules, asked)
    outside = rules.outside(readings)
    advised = _advised(rules, rules.apply(readings), outside)
    taken = {column.name for column in advised}
    carried = [
        renamed(column, f"{column.name} (input)") if column.name in taken else column
        for column in table.others(rules.feature_names)
    ]
    write_output(output, [*carried, *advised])
    given = set(table.columns)
    beyond = sum(map(bool, outside))
    if beyond:
        note(f"{counted(beyond, 'row')} of {len(outside):,} outside experience: see the column {OUTSIDE!r}.")
    absent = [name for name in rules.feature_names if name not in given]
    if absent:
        note(f"{observations} has no column for {list_some(absent)}; the rules don't ask about that.")


def _advised(rules: RuleBook, leaves: IntArray, outside: Sequence[Sequence[str]]) -> list[Column]:
    solutions = rules.tree.solutions
    return [
        NumberColumn("leaf", leaves),
        TextColumn("advice", [rules.plans.text(leaf) for leaf in leaves]),
        TextColumn(OUTSIDE, list(map(", ".join, outside))),
        *(NumberColumn(name, solutions[leaves, variable]) for variable, name in enumerate(rules.variable_names)),
    ]
