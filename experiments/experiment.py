"""The definition of an experiment: its cells, the units of work and of resuming, and the report on all of them."""

__all__ = [
    "KEY_COLUMNS",
    "RESULT_COLUMNS",
    "Cell",
    "Experiment",
    "Frame",
    "Row",
    "data_of",
    "method_cells",
    "result_row",
    "train",
]

import zlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import astuple, dataclass, fields
from typing import TYPE_CHECKING, Any, Self, TypeAlias

from experiments.plan import BUDGETS, DEPTH, FAMILIES, PROCEDURES, UNTRAINED, Data, Plan
from hedgerow.instance import Instance
from hedgerow.methods import solve
from hedgerow.run import Result
from hedgerow.uncertainty import Nominal

if TYPE_CHECKING:
    from experiments.findings import Findings


Row: TypeAlias = dict[str, object]
"""One row of the results, by column."""


@dataclass(frozen=True)
class Cell:
    """An instance and how it is solved."""

    family: str  # a name in `experiments.plan.FAMILIES`
    seed_id: int  # which instance of the family, from 0
    size: int  # how large its problem is: on grids, the nodes on each side
    n_samples: int  # N, the number of training samples
    method: str
    trained_on: str  # the uncertainty set that the tree is fitted for: "local", "global", or "none"
    fraction: float  # λ

    @property
    def seed(self) -> int:
        """The seed of its random draws, always the same for the same cell."""
        return zlib.crc32("|".join(map(str, astuple(self))).encode())

    @classmethod
    def from_row(cls, row: Mapping[str, object]) -> Self:
        """Return the cell that a row belongs to; its values may be text."""
        kinds: dict[str, Any] = {field.name: field.type for field in fields(cls)}
        return cls(**{name: kind(str(row[name])) for name, kind in kinds.items()})


KEY_COLUMNS = tuple(field.name for field in fields(Cell))
"""The columns that identify a cell."""


Frame: TypeAlias = Any
"""A pandas DataFrame of results; pandas is loaded only for reports."""

RESULT_COLUMNS = ("objective", "lower_bound", "gap", "status", "iterations", "runtime")
"""Columns of the method's own result: value, bound, gap, status."""


@dataclass(frozen=True)
class Experiment:
    """One of the paper's experiments."""

    title: str
    columns: tuple[str, ...]  # of a result, after those that name the cell and `draw`
    cells: Callable[[Plan], list[Cell]]  # in the order in which they are run
    work: Callable[[Cell, Plan], list[Row]]  # computes a cell
    findings: Callable[[Frame, Plan], "Findings"]  # makes tables and figures of all results
    # How many rows a finished cell has; they differ in `draw`, counted from 0.
    n_rows: Callable[[Cell, Plan], int] = lambda _cell, _plan: 1
    compares_methods: bool = True  # whether there are methods to choose from

    @property
    def header(self) -> tuple[str, ...]:
        """All columns of the results file."""
        return (*KEY_COLUMNS, "draw", *self.columns, "error")


def method_cells(
    plan: Plan, sizes: Sequence[tuple[int, int]], fractions: Sequence[float], usual: Sequence[str]
) -> list[Cell]:
    """Return the cells of methods that are compared, over sizes with their numbers of samples, and λ."""
    return [
        Cell(plan.family, seed_id, size, n_samples, method, trained_on, fraction)
        for seed_id in plan.seed_ids
        for size, n_samples in sizes
        for fraction in fractions
        for method in plan.chosen(usual)
        for trained_on in (("none",) if method in UNTRAINED else BUDGETS)
    ]


def data_of(cell: Cell) -> Data:
    """Return the cell's problem and samples."""
    return FAMILIES[cell.family].load(cell.seed_id, cell.n_samples, cell.size)


def train(cell: Cell, plan: Plan, data: Data, *, refine: bool = False) -> Result:
    """Run the cell's method on the cell's instance."""
    procedure = PROCEDURES[cell.method]
    budget = BUDGETS.get(cell.trained_on)
    uncertainty = Nominal() if budget is None else budget(fraction=cell.fraction)
    time_limit, iteration_limit = plan.limits(procedure)
    return solve(
        Instance.create(data.problem, data.train, uncertainty=uncertainty, depth=DEPTH),
        method=procedure.method,
        thresholds=procedure.thresholds,
        refine=refine,
        round_thresholds=False,
        time_limit=time_limit,
        iteration_limit=iteration_limit,
        random_state=cell.seed,
    )


def result_row(result: Result) -> Row:
    """Return the method's own result, by column."""
    return {column: getattr(result, column) for column in RESULT_COLUMNS}
