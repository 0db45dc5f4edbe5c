"""Results of experiment 3: values relative to the nominal tree, as in the paper, and to one solution."""

__all__ = ["findings"]

from collections.abc import Iterator
from functools import partial
from typing import Final

import numpy as np

from hedgerow.experiments.experiment import Frame
from hedgerow.experiments.families import FAMILIES
from hedgerow.experiments.findings import Check, Entry, Findings, Table
from hedgerow.experiments.generalisation_figure import relative_figure
from hedgerow.experiments.paper_figures import paper_relative
from hedgerow.experiments.plan import Plan
from hedgerow.experiments.procedures import BUDGETS, PROCEDURES
from hedgerow.experiments.relative_values import DATA, SETS, TreeValues, mean_and_range, percent_above
from hedgerow.tolerances import OPTIMALITY_GAP, VALUE

_BASES: Final = {"nominal": "the nominal tree", "one_solution": "one solution"}
_MEASURES: Final = ("nominal", "robust")


def findings(results: Frame, plan: Plan) -> Findings:
    """Return tables, figures and checks of experiment 3."""
    values = TreeValues(results)
    tables = [
        _relative(values, base, measure, plan.family)
        for measure in _MEASURES[::-1]
        for base in _BASES
        if base in values.methods
    ]
    figures = {}
    if "nominal" in values.methods:
        tables.append(_spread(values, plan.family))
        figures = {f"relative_robust_{data}": partial(relative_figure, values, data) for data in DATA}
        if "one_solution" in values.methods:
            tables.append(_nominal_spread(values, plan.family))
    return Findings(tables, figures, list(_checks(results)))


def _relative(values: TreeValues, base: str, measure: str, family: str) -> Table:
    """Return the mean over the instances of values relative to a base, in percent, with the paper's beside them."""
    columns = values.columns(base, measure)
    header: list[str] = ["data", "N", FAMILIES[family].size_name]
    for _, _, name in columns:
        header += [name, *((f"{name}, paper", f"{name}, difference") if _in_paper(base, measure, name, family) else ())]
    rows: list[list[Entry]] = []
    for data in DATA:
        for size in values.sizes:
            row: list[Entry] = [data, size[1], size[0]]
            for method, kind, name in columns:
                column = f"{data}_{'nominal' if measure == 'nominal' else kind}"
                own, its_base = values.own(size, method, kind, column), values.own(size, base, kind, column)
                ours = float(percent_above(own, its_base).mean())
                row.append(ours)
                if _in_paper(base, measure, name, family):
                    paper = paper_relative(measure, data, size[1], size[0], name, family)
                    row += [paper, None if paper is None else ours - paper]
            rows.append(row)
    return Table(
        f"relative_{measure}_to_{base}",
        f"{measure.capitalize()} value relative to {_BASES[base]} (%)",
        tuple(header),
        rows,
        note="Per instance (value − base) / base, then averaged. Robust values are under the set that a tree was "
        "trained for, on test data with the absolute budget of the training data. The paper's figures are means over "
        "20 instances.",
    )


def _in_paper(base: str, measure: str, name: str, family: str) -> bool:
    return base == "nominal" and paper_relative(measure, "train", 5, 4, name, family) is not None


def _spread(values: TreeValues, family: str) -> Table:
    """Return how far the figures relative to the nominal tree depend on which nominal optimum that is."""
    rows: list[list[Entry]] = []
    for data in DATA:
        for size in values.sizes:
            for method, kind, name in values.columns("nominal", "robust"):
                column = f"{data}_{kind}"
                relative = percent_above(values.own(size, method, kind, column), values.random_optima(size, column))
                paper = paper_relative("robust", data, size[1], size[0], name, family)
                rows.append([data, size[1], size[0], name, *mean_and_range(relative), paper])
    return Table(
        "spread_of_relative_robust",
        "Robust value relative to random nominal optima (%)",
        ("data", "N", FAMILIES[family].size_name, "method", "mean", "lowest", "highest", "paper"),
        rows,
        note="Over random nominal optima: the mean, and per instance the lowest and the highest, then averaged over "
        "the instances. The paper's figure belongs to the one nominal tree that its solver returned.",
    )


def _nominal_spread(values: TreeValues, family: str) -> Table:
    """Return the worst case of random nominal optima, relative to one solution."""
    rows: list[list[Entry]] = []
    for data in DATA:
        for size in values.sizes:
            for kind in SETS:
                column = f"{data}_{kind}"
                one = values.own(size, "one_solution", kind, column)
                ours = float(percent_above(values.own(size, "nominal", kind, column), one).mean())
                random = percent_above(values.random_optima(size, column), one)
                rows.append([data, size[1], size[0], kind, ours, *mean_and_range(random)])
    return Table(
        "spread_of_nominal",
        "Robust value of nominal trees relative to one solution (%)",
        ("data", "N", FAMILIES[family].size_name, "set", "the method's tree", "mean", "lowest", "highest"),
        rows,
        note="Mean, lowest and highest over random nominal optima, as above.",
    )


def _checks(results: Frame) -> Iterator[Check]:
    exact = results[results["method"] == "exact"]
    if not len(exact):
        return
    key = ["seed_id", "size", "n_samples", "trained_on"]
    optimum = exact.set_index(key)["objective"]
    yield Check("exact ends with a proof (gap ≤ 1e-6)", int((exact["gap"] <= OPTIMALITY_GAP).sum()), len(exact))
    for method, procedure in PROCEDURES.items():
        these = results[(results["method"] == method) & results["trained_on"].isin(list(BUDGETS))]
        if method != "exact" and procedure.thresholds == "midpoints" and len(these):
            above = ((these.set_index(key)["objective"] - optimum) / optimum.abs()).dropna()
            holds = int(np.sum(above >= -VALUE))
            yield Check(f"exact is at least as good as {method} on the training data", holds, len(above))
