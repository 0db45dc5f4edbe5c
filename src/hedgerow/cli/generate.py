"""`hedgerow generate`: the paper's instances as CSV files."""

__all__ = ["generate"]

from pathlib import Path
from typing import Annotated

import typer

from hedgerow.cli.files import check_output, write_output
from hedgerow.errors import InputError

_KINDS = ("shortest-path",)


def generate(
    kind: Annotated[str, typer.Argument(metavar="KIND", help="shortest-path.")],
    grid: Annotated[int, typer.Option(help="Nodes on each side of the grid.")] = 4,
    seed_id: Annotated[int, typer.Option(help="Which of the paper's instances, from 0.")] = 0,
    samples: Annotated[int, typer.Option(help="Number of training samples.")] = 5,
    test: Annotated[bool, typer.Option("--test", help="The test data instead of the training data.")] = False,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", help="Standard output by default.")
    ] = None,
) -> None:
    """Write one of the paper's instances: a header with the items' names and one row of costs per sample."""
    if kind not in _KINDS:
        raise InputError(f"KIND must be {' or '.join(_KINDS)}; got {kind!r}.")
    check_output(output)
    from hedgerow.datasets import paper_shortest_path

    problem, train, held_out = paper_shortest_path(seed_id=seed_id, n_samples=samples, grid=grid)
    # repr gives the shortest text that reads back as the very same number.
    rows = ([repr(value) for value in row] for row in (held_out if test else train).tolist())
    write_output(output, problem.item_names, rows)
