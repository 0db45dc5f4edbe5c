"""`hedgerow predict`: observations in, one decision per row out."""

__all__ = ["EXAMPLES", "predict", "read_saved"]

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Annotated

import numpy as np
import typer

from hedgerow.arrays import FloatArray, IntArray
from hedgerow.checks import list_some
from hedgerow.cli.files import check_output, write_output
from hedgerow.cli.notes import note
from hedgerow.cli.options import TreeArgument, examples
from hedgerow.data_files import read_table
from hedgerow.data_files.columns import Column, NumberColumn, TextColumn
from hedgerow.data_files.table import Table
from hedgerow.errors import FileFormatError, InputError
from hedgerow.saved import SavedTree

EXAMPLES = examples(
    "hedgerow predict tree.json today.csv",
    "hedgerow predict tree.json today.csv -o decisions.csv",
    "hedgerow predict tree.json history.parquet -o decisions.parquet",
)


def predict(
    tree: TreeArgument,
    observations: Annotated[
        Path, typer.Argument(metavar="OBSERVATIONS.csv", help="One row per observation; .csv or .parquet.")
    ],
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="FILE", help=".csv or .parquet; CSV on standard output by default."),
    ] = None,
) -> None:
    """Advise a solution for each row of OBSERVATIONS.csv.

    Columns are matched by name, and only those that the tree asks about are needed. Columns that it doesn't know,
    such as a date or an id, are carried through in front of the advice.
    """
    check_output(output)
    saved = read_saved(tree)
    if saved.tree.asked_items.size and not saved.feature_names:
        raise FileFormatError(f"{tree} keeps no names of features, so columns can't be matched to them.")
    table = read_table(observations)
    advised = _advised(saved, saved.tree.apply(_readings(saved, table)))
    carried = table.others(saved.feature_names)
    write_output(output, [*_apart(carried, [column.name for column in advised]), *advised])
    absent = [name for name in saved.feature_names if name not in set(table.columns)]
    if absent:
        note(f"{observations} has no column for {list_some(absent)}; the tree doesn't ask about that.")


def read_saved(path: Path) -> SavedTree:
    """Read a tree file, with a clear word where there is none."""
    if path.is_dir():
        raise InputError(f"{path} is a directory; a tree file is needed.")
    if not path.exists():
        raise InputError(f"{path}: there is no such tree file.")
    saved = SavedTree.read(path)
    if saved.has_training:
        _ = saved.training  # what is damaged is noticed before anything is printed
    return saved


def _readings(saved: SavedTree, table: Table) -> FloatArray:
    """Return one column per feature; those that the tree never asks about stay empty, and need not be in the table."""
    asked = saved.tree.asked_items
    matrix = np.full((table.n_rows, len(saved.feature_names)), np.nan)
    matrix[:, asked] = table.numbers([saved.feature_names[feature] for feature in asked], "features")
    return matrix


def _advised(saved: SavedTree, leaves: IntArray) -> list[Column]:
    solutions = saved.tree.solutions
    return [
        NumberColumn("leaf", leaves),
        TextColumn("advice", [saved.advice[leaf] for leaf in leaves]),
        *(NumberColumn(name, solutions[leaves, variable]) for variable, name in enumerate(saved.variable_names)),
    ]


def _apart(carried: Iterable[Column], taken: Sequence[str]) -> list[Column]:
    """Return the carried columns, marked where an advised column has the same name."""
    return [column.renamed(f"{column.name} (input)") if column.name in set(taken) else column for column in carried]
