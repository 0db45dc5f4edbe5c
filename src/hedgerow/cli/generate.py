"""`hedgerow generate`: the paper's instances as files."""

__all__ = ["EXAMPLES", "generate"]

from pathlib import Path
from typing import Annotated

import typer

from hedgerow.checks import in_short
from hedgerow.cli.files import check_output, write_output
from hedgerow.cli.options import examples
from hedgerow.data_files.columns import NumberColumn
from hedgerow.errors import InputError

_KINDS = ("shortest-path",)

EXAMPLES = examples(
    "hedgerow generate shortest-path -o costs.csv",
    "hedgerow generate shortest-path --grid 5 --samples 20 -o costs.parquet",
    "hedgerow generate shortest-path --test -o test.csv",
)


def generate(
    kind: Annotated[
        str, typer.Argument(metavar="KIND", help="shortest-path: costs on a grid.", autocompletion=lambda: _KINDS)
    ],
    grid: Annotated[int, typer.Option(metavar="NUMBER", help="Nodes on each side of the grid, 2 to 9.")] = 4,
    seed_id: Annotated[int, typer.Option(metavar="NUMBER", help="Which of the paper's instances, 0 to 19.")] = 0,
    samples: Annotated[int, typer.Option(metavar="NUMBER", help="Number of training samples, 1 to 250.")] = 5,
    test: Annotated[bool, typer.Option("--test", help="The 1000 test samples instead of these.")] = False,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output", "-o", metavar="FILE", help=".csv, .xlsx or .parquet; CSV on standard output by default."
        ),
    ] = None,
) -> None:
    """Write one of the paper's instances: a column of costs per item, a row per sample."""
    if kind not in _KINDS:
        raise InputError(f"KIND must be {' or '.join(_KINDS)}; got {in_short(kind)}.")
    check_output(output, excel=True)
    from hedgerow.datasets import paper_shortest_path

    problem, train, held_out = paper_shortest_path(seed_id=seed_id, n_samples=samples, grid=grid)
    costs = held_out if test else train
    write_output(output, [NumberColumn(name, costs[:, item]) for item, name in enumerate(problem.item_names)])
