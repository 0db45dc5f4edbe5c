"""Experiment 3: more samples, larger problems, and performance on new data."""

__all__ = ["GENERALISATION"]

from typing import Final

import numpy as np

from hedgerow.evaluate import evaluate_many
from hedgerow.experiments.experiment import (
    RESULT_COLUMNS,
    Cell,
    Experiment,
    Row,
    data_of,
    method_cells,
    result_row,
    train,
)
from hedgerow.experiments.generalisation_findings import findings
from hedgerow.experiments.nominal_optima import NominalOptima
from hedgerow.experiments.plan import BUDGETS, DEPTH, Data, Plan, absolute_budgets
from hedgerow.instance import Instance
from hedgerow.tree import Tree

_FRACTION: Final = 0.05
_METHODS: Final = ("exact", "fix_tree", "nominal", "one_solution")
_MEASURES: Final = tuple(f"{data}_{measure}" for data in ("train", "test") for measure in ("nominal", *BUDGETS))


def _work(cell: Cell, plan: Plan) -> list[Row]:
    """Train and evaluate; for nominal trees also random other trees with the same nominal cost."""
    data = data_of(cell)
    result = train(cell, plan, data)
    rows: list[Row] = [{**_evaluated(result.tree, data), **result_row(result)}]
    if cell.method == "nominal":
        optima = NominalOptima(Instance.create(data.problem, data.train, depth=DEPTH))
        rng = np.random.default_rng(cell.seed)
        rows += [_evaluated(optima.draw(rng), data) for _ in range(plan.size.n_optima)]
    return rows


def _evaluated(tree: Tree, data: Data) -> Row:
    """Return what the tree costs on both data, with the absolute budgets of the training data."""
    sets = absolute_budgets(data.train, _FRACTION)
    row: Row = {}
    for name, costs in (("train", data.train), ("test", data.test)):
        both = evaluate_many(tree, data.problem, costs, sets)
        row[f"{name}_nominal"] = both["local"].nominal
        row |= {f"{name}_{kind}": evaluation.robust for kind, evaluation in both.items()}
    return row


GENERALISATION = Experiment(
    title="Experiment 3: size and new data",
    columns=(*_MEASURES, *RESULT_COLUMNS),
    cells=lambda plan: method_cells(plan, plan.size.sizes, [_FRACTION], _METHODS),
    n_rows=lambda cell, plan: 1 + plan.size.n_optima * (cell.method == "nominal"),
    work=_work,
    findings=findings,
)
