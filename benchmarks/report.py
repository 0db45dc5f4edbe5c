"""Shows outcomes in the terminal, and writes them as Markdown for people and as CSV for plots."""

import csv
from pathlib import Path

from rich import box
from rich.console import Console
from rich.table import Table as RichTable
from rich.text import Text

from benchmarks.outcome import Goal, Outcome, Table

_GOAL_COLUMNS = ("what", "value", "goal", "met")


def show(console: Console, outcome: Outcome) -> None:
    """Print the outcome's tables and goals."""
    console.rule(outcome.title)
    for table in (*_shown(outcome), _goal_table(outcome)):
        shown = RichTable(title=table.title, title_justify="left", box=box.SIMPLE_HEAD)
        for place, column in enumerate(table.columns):
            numeric = any(isinstance(row[place], int | float) for row in table.rows)
            # As plain text: rich would take a unit in brackets for a colour.
            shown.add_column(Text(column), justify="right" if numeric else "left")
        for row in table.rows:
            shown.add_row(*(Text(_told(value)) for value in row))
        console.print(shown)
    if outcome.note:
        console.print(outcome.note, highlight=False, markup=False)


def write(folder: Path, name: str, outcome: Outcome, machine: dict[str, str]) -> list[Path]:
    """Write one Markdown file and a CSV file per table; return their paths."""
    folder.mkdir(parents=True, exist_ok=True)
    name = name.replace(".", "_")
    paths = [folder / f"{name}.md"]
    paths[0].write_text(_markdown(outcome, machine), encoding="utf-8")
    for table in (*outcome.tables, _goal_table(outcome)):
        path = folder / f"{name}_{table.name}.csv"
        with path.open("w", encoding="utf-8", newline="") as stream:
            stream.writelines(f"# {heading}: {fact}\n" for heading, fact in machine.items())
            writer = csv.writer(stream, lineterminator="\n")
            writer.writerow(table.columns)
            writer.writerows(table.rows)
        paths.append(path)
    return paths


def _shown(outcome: Outcome) -> list[Table]:
    return [table for table in outcome.tables if table.in_report]


def _goal_table(outcome: Outcome) -> Table:
    return Table("goals", "Goals", _GOAL_COLUMNS, [_goal_row(goal) for goal in outcome.goals])


def _goal_row(goal: Goal) -> tuple[str, str, str, str]:
    met = {True: "yes", False: "NO", None: "–"}[goal.met]
    return goal.what, goal.value, goal.goal or "–", met


def _told(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return f"{value:,}"
    return f"{value:,.4g}" if isinstance(value, float) else str(value)


def _markdown(outcome: Outcome, machine: dict[str, str]) -> str:
    parts = [f"# {outcome.title}\n", "Written by `python -m benchmarks`; edit nothing here.\n"]
    parts.append("\n".join(f"- {heading}: {fact}" for heading, fact in machine.items()) + "\n")
    for table in (_goal_table(outcome), *_shown(outcome)):
        lines = [f"## {table.title}\n", f"| {' | '.join(table.columns)} |", "|" + " --- |" * len(table.columns)]
        lines += [f"| {' | '.join(map(_told, row))} |" for row in table.rows]
        parts.append("\n".join(lines) + "\n")
    if outcome.note:
        parts.append(outcome.note + "\n")
    return "\n".join(parts)
