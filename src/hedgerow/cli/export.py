"""`hedgerow export`: a tree file in, the tree in another format out."""

__all__ = ["export"]

from pathlib import Path
from typing import Any

from hedgerow.cli.files import check_output, is_standard_output, put_out
from hedgerow.cli.inputs import read_rules, readings_in
from hedgerow.data_files import read_table
from hedgerow.errors import InputError
from hedgerow.export import FORMATS
from hedgerow.export import export as exported


def export(
    tree: Path,
    to: str,
    output: Path | None = None,
    table: str | None = None,
    costs: Path | None = None,
    readings: Path | None = None,
) -> None:
    """Write a tree in another format: sentences, a drawing, code, a query, a workbook, a model or a model card.

    Examples
    --------
    hedgerow export tree.json --to rules
    hedgerow export tree.json --to sql --table readings -o advise.sql
    hedgerow export tree.json --to excel -o tree.xlsx
    hedgerow export tree.json --to onnx -o tree.onnx
    hedgerow export tree.json --to card --costs test.csv -o card.md
    """
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
    if isinstance(content, bytes) and is_standard_output(output):
        raise InputError(f"the export to {to} is no text to be shown; name a file with -o tree{FORMATS[to].suffix}.")
    put_out(output, content)
