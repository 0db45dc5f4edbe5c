"""What `tune` and `compare` share: rows from files, how they are split, and progress."""

__all__ = ["FoldsOption", "KindsOption", "OrderOption", "Rows", "judging", "listed", "read_rows", "splitter"]

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any, NamedTuple, TypeAlias

import typer

from hedgerow.arrays import FloatArray
from hedgerow.cli.fit import read_observations, read_readings
from hedgerow.cli.notes import Notes
from hedgerow.cli.options import unused_columns, weights_in
from hedgerow.cli.problems import items_among, problem_named
from hedgerow.data_files import read_table
from hedgerow.errors import InputError
from hedgerow.problem import Problem
from hedgerow.run.progress import CountProgress

_ORDERS = ("blocks", "forward", "shuffled")

FoldsOption: TypeAlias = Annotated[
    int | None, typer.Option("--folds", metavar="NUMBER", help="Into how many parts the rows are split.")
]
OrderOption: TypeAlias = Annotated[
    str,
    typer.Option(
        "--order",
        metavar="NAME",
        help="blocks of rows, forward (learn from the past alone) or shuffled.",
        autocompletion=lambda: list(_ORDERS),
    ),
]
KindsOption: TypeAlias = Annotated[
    str, typer.Option("--questions", metavar="LIST", help="Kinds of questions to try: items, plans:8, levels, pairs.")
]


class Rows(NamedTuple):
    """The problem, and what was true, observed and read, row by row."""

    problem: Problem
    costs: FloatArray
    observations: FloatArray | None
    readings: FloatArray | None
    weights: FloatArray | None


def read_rows(
    problem: str,
    costs: Path,
    observations: Path | None,
    features: str | None,
    readings: Path | None,
    weights: str | None,
    notes: Notes,
) -> Rows:
    """Read all files, with columns matched by name and rows by what tells them apart."""
    table = read_table(costs)
    chosen = items_among(problem_named(problem), table, notes, weights)
    matrix = table.numbers(chosen.item_names, "costs")
    notes.add(unused_columns(table, chosen.item_names, weights))
    observed, names = read_observations(observations, features, table, notes)
    read = read_readings(readings, table, chosen.item_names if names is None else names, notes)
    return Rows(chosen, matrix, observed, read, weights_in(table, weights))


def listed(text: str, flag: str, kind: Callable[[str], Any] = str) -> list[Any]:
    """Return what is separated by commas."""
    try:
        return [kind(part.strip()) for part in text.split(",")]
    except ValueError:
        what = "whole numbers" if kind is int else "numbers"
        raise InputError(f"{flag} must be {what} separated by commas; got {text!r}.") from None


def splitter(order: str, folds: int | None, seed: int, usual: int | None = None) -> Any:
    """Return how rows are split into those to learn from and those held out."""
    from sklearn.model_selection import KFold, TimeSeriesSplit

    if order not in _ORDERS:
        raise InputError(f"--order must be one of {', '.join(_ORDERS)}; got {order!r}.")
    if folds is not None and folds < 2:
        raise InputError(f"--folds must be 2 or more; got {folds}.")
    if order == "blocks":
        return usual if folds is None else folds
    return TimeSeriesSplit(folds or 5) if order == "forward" else KFold(folds or 5, shuffle=True, random_state=seed)


@contextmanager
def judging(notes: Notes) -> Iterator[Callable[[int, int], None]]:
    """Show how many fits are done, and the notes once the input is known to be good."""
    line = CountProgress("fits, judged on rows held out")

    def on_progress(done: int, total: int) -> None:
        notes.show()
        line(done, total)

    with line.shown():
        yield on_progress
