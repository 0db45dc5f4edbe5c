"""`hedgerow predict`: observations in, one decision per row out."""

__all__ = ["predict"]

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from hedgerow.cli.files import check_output, read_table, write_output
from hedgerow.errors import FileFormatError, InputError
from hedgerow.saved import SavedTree
from hedgerow.words import written_number


def predict(
    tree: Annotated[Path, typer.Argument(metavar="TREE.json", help="A tree file.")],
    observations: Annotated[Path, typer.Argument(metavar="OBSERVATIONS.csv", help="One row per observation.")],
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", help="The decisions; standard output by default.")
    ] = None,
) -> None:
    """Advise a solution for each row of OBSERVATIONS.csv.

    Columns that the tree knows are matched by name; others, such as a date or an id, are carried through.
    """
    check_output(output)
    saved = read_saved(tree)
    if not saved.feature_names:
        raise FileFormatError(f"{tree} keeps no names of features, so columns can't be matched to them.")
    table = read_table(observations)
    leaves = saved.tree.apply(table.numbers(saved.feature_names, "features")).tolist()
    carried = table.others(saved.feature_names)
    advised = ["leaf", "advice", *saved.variable_names]
    solutions = [[written_number(value) for value in solution] for solution in saved.tree.solutions.tolist()]
    write_output(
        output,
        [*_apart([table.columns[place] for place in carried], advised), *advised],
        (
            [*(row[place] for place in carried), leaf, saved.advice[leaf], *solutions[leaf]]
            for row, leaf in zip(table.rows, leaves, strict=True)
        ),
    )


def read_saved(path: Path) -> SavedTree:
    """Read a tree file, with a clear word where there is none."""
    if path.is_dir():
        raise InputError(f"{path} is a directory; a tree file is needed.")
    if not path.exists():
        raise InputError(f"{path}: there is no such tree file.")
    return SavedTree.read(path)


def _apart(carried: Sequence[str], taken: Sequence[str]) -> list[str]:
    """Return the carried columns' names, marked where an advised column has the same."""
    return [f"{name} (input)" if name in set(taken) else name for name in carried]
