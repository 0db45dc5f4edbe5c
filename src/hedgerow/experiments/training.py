"""One cell's tree: the instance is made, the method runs, and what it says about its tree is kept."""

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
"""What a method says about its tree: the value that it was made for, and how good that is proven to be."""


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
        time_limit=time_limit,
        iteration_limit=iteration_limit,
        random_state=cell.seed,
        interrupt=interrupt,
    )
    if interrupt.requested or result.status == "interrupted":
        # A run that was cut short, in its search or afterwards, is no result; the next start begins this cell anew.
        raise KeyboardInterrupt
    return result


def result_row(result: Result) -> Row:
    """Return what the method says about its tree, by column."""
    return {column: getattr(result, column) for column in RESULT_COLUMNS}
