"""`hedgerow export`: a tree file in, the tree in another format out."""

__all__ = ["EXAMPLES", "export"]

import sys
from pathlib import Path
from typing import Annotated

import typer

from hedgerow.cli.files import check_output
from hedgerow.cli.options import TreeArgument, examples
from hedgerow.cli.rules import read_rules
from hedgerow.errors import InputError
from hedgerow.export import FORMATS
from hedgerow.export import export as exported
from hedgerow.writing import write_bytes

EXAMPLES = examples(
    "hedgerow export tree.json --to rules",
    "hedgerow export tree.json --to sql --table readings -o advise.sql",
    "hedgerow export tree.json --to excel -o tree.xlsx",
)


def export(
    tree: TreeArgument,
    to: Annotated[str, typer.Option("--to", metavar="FORMAT", help=f"{', '.join(FORMATS)}.")],
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", help="The export; standard output by default.")
    ] = None,
    table: Annotated[
        str | None, typer.Option("--table", metavar="NAME", help="The table that an SQL query reads; readings.")
    ] = None,
) -> None:
    """Write a tree in another format: sentences, a drawing, code, a query or a workbook."""
    check_output(output, excel=to == "excel")
    content = exported(read_rules(tree, named=False), to, **({} if table is None else {"table": table}))
    if output is not None and str(output) != "-":
        write_bytes(output, content if isinstance(content, bytes) else content.encode())
    elif isinstance(content, str):
        sys.stdout.write(content)
    else:
        raise InputError(f"the export to {to} is no text to be shown; name a file with -o tree{FORMATS[to].suffix}.")
