"""Experiment 2: all methods for all λ, trained on one set and evaluated on both."""

__all__ = ["COMPARISON"]

from hedgerow.evaluate import evaluate_many
from hedgerow.experiments.cell import Cell, Row
from hedgerow.experiments.comparison_findings import findings
from hedgerow.experiments.experiment import Experiment
from hedgerow.experiments.plan import Plan
from hedgerow.experiments.procedures import BUDGETS, UNTRAINED, absolute_budgets
from hedgerow.experiments.training import RESULT_COLUMNS, data_of, result_row, train
from hedgerow.methods import METHODS

_SIZE, _N_SAMPLES = 4, 5


def _cells(plan: Plan) -> list[Cell]:
    return [
        Cell(plan.family, seed_id, _SIZE, _N_SAMPLES, method, trained_on, fraction)
        for seed_id in plan.seed_ids
        for fraction in plan.size.fractions
        for method in plan.chosen(tuple(METHODS))
        for trained_on in (("none",) if method in UNTRAINED else BUDGETS)
    ]


def _work(cell: Cell, plan: Plan) -> list[Row]:
    data = data_of(cell)
    result = train(cell, plan, data, refine=cell.trained_on != "none")
    sets = absolute_budgets(data.train, cell.fraction)
    both = evaluate_many(result.tree, data.problem, data.train, sets)
    return [
        {
            "nominal": result.nominal,
            **{name: evaluation.robust for name, evaluation in both.items()},
            "refined": "" if result.refined is None else result.refined.objective,
            **result_row(result),
        }
    ]


def _n_rows(cell: Cell, plan: Plan) -> int:
    del cell, plan
    return 1


COMPARISON = Experiment(
    title="Experiment 2: methods compared over λ",
    columns=("nominal", *BUDGETS, "refined", *RESULT_COLUMNS),
    cells=_cells,
    n_rows=_n_rows,
    work=_work,
    findings=findings,
)
