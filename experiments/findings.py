"""Tables and figures of an experiment, as files and as one page."""

__all__ = ["Check", "Entry", "Findings", "Table", "markdown", "numeric_columns", "shown_rows", "write_findings"]

import io
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from experiments.results_file import csv_of
from hedgerow.data.text_files import write_bytes, write_text
from hedgerow.wording.numbers import printable

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Entry: TypeAlias = str | int | float | None
"""A cell of a table; None where there is no value."""


@dataclass(frozen=True)
class Table:
    """A table of results."""

    name: str  # for the file's name
    title: str
    header: tuple[str, ...]
    rows: Sequence[Sequence[Entry]]  # numbers are rounded for display only
    decimals: int = 2  # displayed after the point
    note: str = ""  # below the table


@dataclass(frozen=True)
class Check:
    """A statement that must hold in all cases, and in how many it does."""

    statement: str
    holds: int
    of: int


@dataclass(frozen=True)
class Findings:
    """Tables, figures and checks of an experiment; a figure is drawn when it is written."""

    tables: Sequence[Table]
    figures: Mapping[str, Callable[[], "Figure"]]
    checks: Sequence[Check] = ()


def markdown(table: Table) -> str:
    """Return the table in Markdown.

    >>> print(markdown(Table("r", "Correlation", ("λ", "r", "paper"), [("0.05", 0.9241, None)], decimals=3)))
    | λ | r | paper |
    | --- | ---: | ---: |
    | 0.05 | 0.924 | – |
    """
    right = numeric_columns(table)
    lines = [table.header, ["---:" if place in right else "---" for place in range(len(table.header))]]
    lines += [[entry.replace("|", r"\|") for entry in row] for row in shown_rows(table)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def shown_rows(table: Table) -> list[list[str]]:
    """Return the rows for display: numbers rounded, a dash where there is no value."""
    return [[_shown(entry, table.decimals) for entry in row] for row in table.rows]


def numeric_columns(table: Table) -> list[int]:
    """Return the indices of the columns that hold numbers only."""
    return [place for place in range(len(table.header)) if not any(isinstance(row[place], str) for row in table.rows)]


def write_findings(folder: Path, findings: Findings, title: str, facts: Sequence[str]) -> Path:
    """Write every table as CSV and Markdown, every figure as PNG, and the page that shows them; return its path."""
    for name in ("tables", "figures"):
        (folder / name).mkdir(exist_ok=True)
    parts = [f"# {title}", "\n".join(f"- {printable(fact)}" for fact in facts)]
    checks = [(check.statement, check.holds, check.of) for check in findings.checks]
    must_hold = [Table("checks", "What must hold", ("statement", "holds in", "of"), checks)] if checks else []
    for table in (*must_hold, *findings.tables):
        text = markdown(table) + (f"\n\n{table.note}" if table.note else "")
        write_text(folder / "tables" / f"{table.name}.md", f"# {table.title}\n\n{text}\n")
        rows = [["" if _missing(entry) else entry for entry in row] for row in table.rows]
        write_text(folder / "tables" / f"{table.name}.csv", csv_of([table.header, *rows]))
        parts += [f"## {table.title}", text]
    for name, draw in findings.figures.items():
        write_bytes(folder / "figures" / f"{name}.png", _png(draw()))
        parts.append(f"![{name.replace('_', ' ')}](figures/{name}.png)")
    write_text(folder / "report.md", "\n\n".join(parts) + "\n")
    return folder / "report.md"


def _shown(entry: Entry, decimals: int) -> str:
    if _missing(entry):
        return "–"
    if isinstance(entry, float):
        return f"{entry:.{decimals}f}".replace("-", "−")
    return str(entry)


def _missing(entry: Entry) -> bool:
    return entry is None or (isinstance(entry, float) and math.isnan(entry))


def _png(figure: "Figure") -> bytes:
    buffer = io.BytesIO()
    options: Any = {"format": "png", "dpi": 150}
    figure.savefig(buffer, **options)
    return buffer.getvalue()
