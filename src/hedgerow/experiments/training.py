"""Fits the tree of one cell."""

__all__ = ["RESULT_COLUMNS", "data_of", "result_row", "train"]

from hedgerow.experiments.cell import Cell, Row
from hedgerow.experiments.families import FAMILIES, Data
from hedgerow.experiments.plan import Plan
from hedgerow.experiments.procedures import BUDGETS, DEPTH, PROCEDURES
from hedgerow.instance import Instance
from hedgerow.methods import solve
from hedgerow.run import Interrupt, Result
from hedgerow.uncertainty import Nominal

RESULT_COLUMNS = ("objective", "lower_bound", "gap", "status", "iterations", "runtime")
"""Columns of the method's own result: value, bound, gap, status."""


def data_of(cell: Cell) -> Data:
    """Return the cell's problem and samples."""
    return FAMILIES[cell.family].load(cell.seed_id, cell.n_samples, cell.size)


def train(cell: Cell, plan: Plan, data: Data, *, refine: bool = False) -> Result:
    """Run the cell's method on the cell's instance."""
    procedure = PROCEDURES[cell.method]
    budget = BUDGETS.get(cell.trained_on)
    uncertainty = Nominal() if budget is None else budget(fraction=cell.fraction)
    time_limit, iteration_limit = plan.limits(procedure)
    interrupt = Interrupt()
    result = solve(
        Instance.create(data.problem, data.train, uncertainty=uncertainty, depth=DEPTH),
        method=procedure.method,
        thresholds=procedure.thresholds,
        refine=refine,
        round_thresholds=False,
        time_limit=time_limit,
        iteration_limit=iteration_limit,
        random_state=cell.seed,
        interrupt=interrupt,
    )
    if interrupt.requested or result.status == "interrupted":
        # An interrupted run is no result; the next start computes this cell again.
        raise KeyboardInterrupt
    return result


def result_row(result: Result) -> Row:
    """Return the method's own result, by column."""
    return {column: getattr(result, column) for column in RESULT_COLUMNS}
