"""Rules in other formats: sentences, drawings, code, queries, workbooks. A new format is a file and a line here."""

__all__ = ["FORMATS", "Format", "export"]

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from hedgerow.errors import InputError
from hedgerow.export.code import to_javascript, to_python
from hedgerow.export.excel import to_excel
from hedgerow.export.onnx import to_onnx
from hedgerow.export.sql import to_sql
from hedgerow.export.text import to_dot, to_mermaid, to_model_card, to_rules, to_text
from hedgerow.rules import RuleBook


@dataclass(frozen=True)
class Format:
    """A format and what is to be known about it.

    Attributes
    ----------
    function
        Takes a rule book, and returns the export.
    suffix
        How its files' names usually end.
    options
        Names of the options that the function takes besides.
    """

    function: Callable[..., str | bytes]
    suffix: str
    options: tuple[str, ...] = ()


FORMATS: dict[str, Format] = {
    "text": Format(to_text, ".txt"),
    "rules": Format(to_rules, ".txt"),
    "dot": Format(to_dot, ".dot"),
    "mermaid": Format(to_mermaid, ".mmd"),
    "json": Format(lambda book: book.to_json() + "\n", ".json"),
    "python": Format(to_python, ".py"),
    "javascript": Format(to_javascript, ".js"),
    "sql": Format(to_sql, ".sql", options=("table", "dialect")),
    "excel": Format(to_excel, ".xlsx"),
    "onnx": Format(to_onnx, ".onnx"),
    "model-card": Format(to_model_card, ".md"),
}
"""The formats by name, in the order in which they are listed."""


def export(source: Any, to: str, **options: Any) -> str | bytes:
    """Return the tree in another format; a workbook and an ONNX model as bytes, all others as text.

    Parameters
    ----------
    source
        A fitted `RobustTree`, a `RuleBook`, or the path of a tree file.
    to
        The format's name, one of `FORMATS`.
    **options
        The format's own options, such as the `table` that an SQL query reads.

    Examples
    --------
    >>> from hedgerow import RobustTree
    >>> from hedgerow.datasets import motivating_example
    >>> from hedgerow.export import export
    >>> problem, costs = motivating_example()
    >>> model = RobustTree(problem, depth=1, method="one_solution").fit(costs)
    >>> print(export(model, "rules"), end="")
    Always take s → 1 → t (based on 5 of 5 samples).
    """
    if to not in FORMATS:
        meant = [name for name, known in FORMATS.items() if known.suffix == f".{to}"]
        hint = f" Do you mean {meant[0]}?" if meant else ""
        raise InputError(f"a tree can be exported to {', '.join(FORMATS)}; got {to!r}.{hint}")
    unknown = sorted(set(options) - set(FORMATS[to].options))
    if unknown:
        raise InputError(f"the export to {to} has no option {unknown[0]!r}.")
    return FORMATS[to].function(RuleBook.of(source), **options)
