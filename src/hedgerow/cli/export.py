"""`hedgerow export`: a tree file in, the tree in another format out."""

__all__ = ["EXAMPLES", "export"]

import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from hedgerow.cli.files import check_output
from hedgerow.cli.options import ReadingsOption, TreeArgument, examples
from hedgerow.cli.rules import read_rules, readings_in
from hedgerow.data_files import read_table
from hedgerow.errors import InputError
from hedgerow.export import FORMATS
from hedgerow.export import export as exported
from hedgerow.writing import write_bytes

EXAMPLES = examples(
    "hedgerow export tree.json --to rules",
    "hedgerow export tree.json --to sql --table readings -o advise.sql",
    "hedgerow export tree.json --to excel -o tree.xlsx",
    "hedgerow export tree.json --to onnx -o tree.onnx",
    "hedgerow export tree.json --to card --costs test.csv -o card.md",
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
    costs: Annotated[
        Path | None, typer.Option("--costs", metavar="FILE", help="Rows that a card gives the value out of sample for.")
    ] = None,
    readings: ReadingsOption = None,
) -> None:
    """Write a tree in another format: sentences, a drawing, code, a query, a workbook, a model or a model card."""
    check_output(output, excel=to == "excel")
    rules = read_rules(tree, named=False)
    options: dict[str, Any] = {} if table is None else {"table": table}
    if costs is not None:
        given = read_table(costs)
        options["costs"] = given.numbers(rules.needed_problem().item_names, "costs")
        options["readings"] = readings_in(rules, readings, given, "--readings")
    elif readings is not None:
        raise InputError("--readings belongs to --costs, which is missing.")
    content = exported(rules, to, **options)
    if output is not None and str(output) != "-":
        write_bytes(output, content if isinstance(content, bytes) else content.encode())
    elif isinstance(content, str):
        sys.stdout.write(content)
    else:
        raise InputError(f"the export to {to} is no text to be shown; name a file with -o tree{FORMATS[to].suffix}.")
