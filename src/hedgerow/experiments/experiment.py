"""The definition of an experiment: its cells, how one is computed, and the report on all of them."""

__all__ = ["Experiment", "Frame"]

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

from hedgerow.experiments.cell import KEY_COLUMNS, Cell, Row
from hedgerow.experiments.plan import Plan

if TYPE_CHECKING:
    from hedgerow.experiments.findings import Findings

Frame: TypeAlias = Any
"""A pandas DataFrame of results; pandas is loaded only for reports."""


@dataclass(frozen=True)
class Experiment:
    """One of the paper's experiments.

    Attributes
    ----------
    title
        What it is about.
    columns
        The columns of a result, after those that name the cell and `draw`.
    cells
        Lists the cells of a plan, in the order in which they are run.
    n_rows
        How many rows a finished cell has; they differ in `draw`, counted from 0.
    work
        Computes a cell.
    findings
        Makes tables and figures of all results.
    compares_methods
        Whether there are methods to choose from.
    """

    title: str
    columns: tuple[str, ...]
    cells: Callable[[Plan], list[Cell]]
    n_rows: Callable[[Cell, Plan], int]
    work: Callable[[Cell, Plan], list[Row]]
    findings: Callable[[Frame, Plan], "Findings"]
    compares_methods: bool = True

    @property
    def header(self) -> tuple[str, ...]:
        """All columns of the results file."""
        return (*KEY_COLUMNS, "draw", *self.columns, "error")
