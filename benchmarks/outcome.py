"""What a benchmark hands back: tables for people, and goals that are met or not."""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Table:
    """Figures side by side.

    Attributes
    ----------
    name
        Short, for a file's name.
    title
        What is compared.
    columns
        Headings, units included.
    rows
        One value per column: texts, or numbers as measured; they are rounded for display only.
    in_report
        Whether people are shown the table; a long one is written to its file only.
    """

    name: str
    title: str
    columns: tuple[str, ...]
    rows: Sequence[tuple[object, ...]]
    in_report: bool = True


@dataclass(frozen=True)
class Goal:
    """A figure that was promised.

    Attributes
    ----------
    what
        What was measured, with its size.
    value
        What was found, in words with its unit.
    goal
        What was asked for; empty if the figure is for information only.
    met
        Whether the value meets the goal; None without one.
    """

    what: str
    value: str
    goal: str = ""
    met: bool | None = None


@dataclass(frozen=True)
class Outcome:
    """Everything that one benchmark found."""

    title: str
    tables: Sequence[Table]
    goals: Sequence[Goal]
    note: str = ""
