"""`hedgerow export`: a tree in another format."""

__all__ = ["export"]

from typing import Annotated, Any

from hedgerow.cli import shared
from hedgerow.cli.inputs import read_rules
from hedgerow.cli.output import check_output, put_out
from hedgerow.errors import InputError
from hedgerow.export import FORMATS
from hedgerow.export import export as exported

_TO = "text, rules, dot, mermaid, json, python, javascript, sql, excel, onnx or model-card."
_DIALECT = "Of an SQL query: standard (SQLite, DuckDB, PostgreSQL; the default) or mariadb (MariaDB, MySQL)."


def export(
    tree: shared.Tree,
    to: Annotated[str, shared.option("FORMAT", _TO)],
    output: shared.Text = None,
    table: Annotated[str | None, shared.option("NAME", "The table that an SQL query reads; readings.")] = None,
    dialect: Annotated[str | None, shared.option("NAME", _DIALECT)] = None,
) -> None:
    """Write a tree in another format: sentences, a drawing, code, a query, a workbook, a model or a model card."""
    check_output(output)
    rules = read_rules(tree, named=False)
    named = {"table": table, "dialect": dialect}
    options: dict[str, Any] = {name: value for name, value in named.items() if value is not None}
    content = exported(rules, to, **options)
    if isinstance(content, bytes) and str(output or "-") == "-":
        raise InputError(f"the export to {to} is no text to be shown; name a file with -o tree{FORMATS[to].suffix}.")
    put_out(output, content)
