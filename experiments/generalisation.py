"""Experiment 3: more samples, larger problems, and performance on new data.

Its results are values relative to the nominal tree, as in the paper, and to one solution.
"""

__all__ = ["GENERALISATION", "findings"]

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING, Final

import numpy as np

from experiments.experiment import (
    RESULT_COLUMNS,
    Cell,
    Experiment,
    Frame,
    Row,
    data_of,
    method_cells,
    result_row,
    train,
)
from experiments.findings import Check, Entry, Findings, Table
from experiments.nominal_optima import NominalOptima
from experiments.paper_figures import paper_figure
from experiments.plan import (
    BUDGETS,
    DEPTH,
    FAMILIES,
    PAPER_SIZES,
    PROCEDURES,
    UNTRAINED,
    Data,
    Plan,
    absolute_budgets,
)
from hedgerow.evaluation import evaluate
from hedgerow.instance import Instance
from hedgerow.plot._style import INK, LINE_STYLES, PAPER, Look, dress, house_style, show_legend
from hedgerow.tolerances import OPTIMALITY_GAP, VALUE
from hedgerow.tree.tree import Tree

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_FRACTION: Final = 0.05
_METHODS: Final = ("exact", "fix_tree", "nominal", "one_solution")
_BASES: Final = {"nominal": "the nominal tree", "one_solution": "one solution"}
_DATA: Final = ("train", "test")
_SETS: Final = ("global", "local")
"""In the paper's order."""

_GROUP: Final = ["size", "n_samples", "method", "trained_on"]

_APART: Final = 0.12
"""Distance between two methods in the figure, where sizes are 1 apart."""


class _TreeValues:
    """What the trees of an experiment cost, by size.

    `methods` are those that there are results of, `sizes` pairs of size and number of samples, in the paper's order.
    """

    def __init__(self, results: Frame) -> None:
        self._by_tree = {key: group.set_index(["seed_id", "draw"]) for key, group in results.groupby(_GROUP)}
        self._nothing = results.iloc[:0].set_index(["seed_id", "draw"])
        self.methods = frozenset(results["method"])
        there = {(int(size), int(n_samples)) for size, n_samples, _, _ in self._by_tree}
        self.sizes = [pair for pair in PAPER_SIZES if pair in there] + sorted(there - set(PAPER_SIZES))

    def own(self, size: tuple[int, int], method: str, kind: str, column: str) -> Frame:
        """Return by instance the values of the trees that a method made for a set; random nominal optima left out."""
        these = self._of(size, method, kind)[column]
        return these[these.index.get_level_values("draw") == 0].droplevel("draw")

    def random_optima(self, size: tuple[int, int], column: str) -> Frame:
        """Return the values of random nominal optima by instance and draw."""
        these = self._of(size, "nominal", "none")[column]
        return these[these.index.get_level_values("draw") > 0]

    def columns(self, base: str, measure: str) -> list[tuple[str, str, str]]:
        """Return method, the set that it was trained on and the column's name, as the paper calls it.

        The nominal value of an untrained tree depends on no set, so it has one column only.
        """
        columns = []
        for method in ("one_solution", "nominal", *(name for name in PROCEDURES if name not in UNTRAINED)):
            if method == base or method not in self.methods:
                continue
            if method in UNTRAINED and measure == "nominal":
                columns.append((method, _SETS[0], method))
            else:
                columns += [(method, kind, f"{method}_{kind}") for kind in _SETS]
        return columns

    def _of(self, size: tuple[int, int], method: str, kind: str) -> Frame:
        trained_on = "none" if method in UNTRAINED else kind
        return self._by_tree.get((*size, method, trained_on), self._nothing)


def _percent_above(value: Frame, base: Frame) -> Frame:
    """Return by how many percent values lie above their base, instance by instance."""
    return (100.0 * (value - base) / base.abs()).dropna()


def _mean_and_range(by_draw: Frame) -> tuple[float, float, float]:
    """Return mean, lowest and highest over the draws of an instance, each averaged over the instances."""
    by_instance = by_draw.groupby(level="seed_id")
    return float(by_instance.mean().mean()), float(by_instance.min().mean()), float(by_instance.max().mean())


def findings(results: Frame, plan: Plan) -> Findings:
    """Return tables, figures and checks of experiment 3."""
    values = _TreeValues(results)
    tables = [
        _relative(values, base, measure, plan.family)
        for measure in ("robust", "nominal")
        for base in _BASES
        if base in values.methods
    ]
    figures = {}
    if "nominal" in values.methods:
        tables.append(_spread(values, plan.family))
        figures = {f"relative_robust_{data}": partial(_relative_figure, values, data) for data in _DATA}
        if "one_solution" in values.methods:
            tables.append(_nominal_spread(values, plan.family))
    return Findings(tables, figures, list(_checks(results)))


def _relative(values: _TreeValues, base: str, measure: str, family: str) -> Table:
    """Return the mean over the instances of values relative to a base, in percent, with the paper's beside them."""
    columns = values.columns(base, measure)
    header: list[str] = ["data", "N", FAMILIES[family].size_name]
    for _, _, name in columns:
        header += [name, *((f"{name}, paper", f"{name}, difference") if _in_paper(base, measure, name, family) else ())]
    rows: list[list[Entry]] = []
    for data in _DATA:
        for size in values.sizes:
            row: list[Entry] = [data, size[1], size[0]]
            for method, kind, name in columns:
                column = f"{data}_{'nominal' if measure == 'nominal' else kind}"
                own, its_base = values.own(size, method, kind, column), values.own(size, base, kind, column)
                ours = float(_percent_above(own, its_base).mean())
                row.append(ours)
                if _in_paper(base, measure, name, family):
                    paper = paper_figure(family, measure, f"{data} {size[1]} {size[0]}", name)
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
    return base == "nominal" and paper_figure(family, measure, "train 5 4", name) is not None


def _spread(values: _TreeValues, family: str) -> Table:
    """Return how far the figures relative to the nominal tree depend on which nominal optimum that is."""
    rows: list[list[Entry]] = []
    for data in _DATA:
        for size in values.sizes:
            for method, kind, name in values.columns("nominal", "robust"):
                column = f"{data}_{kind}"
                relative = _percent_above(values.own(size, method, kind, column), values.random_optima(size, column))
                paper = paper_figure(family, "robust", f"{data} {size[1]} {size[0]}", name)
                rows.append([data, size[1], size[0], name, *_mean_and_range(relative), paper])
    return Table(
        "spread_of_relative_robust",
        "Robust value relative to random nominal optima (%)",
        ("data", "N", FAMILIES[family].size_name, "method", "mean", "lowest", "highest", "paper"),
        rows,
        note="Over random nominal optima: the mean, and per instance the lowest and the highest, then averaged over "
        "the instances. The paper's figure belongs to the one nominal tree that its solver returned.",
    )


def _nominal_spread(values: _TreeValues, family: str) -> Table:
    """Return the worst case of random nominal optima, relative to one solution."""
    rows: list[list[Entry]] = []
    for data in _DATA:
        for size in values.sizes:
            for kind in _SETS:
                column = f"{data}_{kind}"
                one = values.own(size, "one_solution", kind, column)
                ours = float(_percent_above(values.own(size, "nominal", kind, column), one).mean())
                random = _percent_above(values.random_optima(size, column), one)
                rows.append([data, size[1], size[0], kind, ours, *_mean_and_range(random)])
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


def _relative_figure(values: _TreeValues, data: str) -> "Figure":
    """Draw worst cases relative to the nominal tree: a mark at the mean over its optima, a line over their range."""
    columns = values.columns("nominal", "robust")
    with house_style():
        from matplotlib.figure import Figure

        figure = Figure(figsize=(1.3 * len(values.sizes) + 2.6, 3.8), layout="constrained")
        ax = figure.add_subplot()
        for place, (method, kind, name) in enumerate(columns):
            column = f"{data}_{kind}"
            ranges = [
                _mean_and_range(
                    _percent_above(values.own(size, method, kind, column), values.random_optima(size, column))
                )
                for size in values.sizes
            ]
            middle, low, high = np.transpose(ranges)
            x = np.arange(len(ranges)) + (place - (len(columns) - 1) / 2) * _APART
            colour, _, marker = LINE_STYLES[place % len(LINE_STYLES)]
            mark: Look = {"color": colour, "marker": marker, "linestyle": "", "markeredgecolor": PAPER}
            ax.vlines(x, low, high, color=colour, linewidth=1.2)
            ax.plot(x, middle, label=name, **mark)
        ax.axhline(0.0, color=INK, linewidth=0.8)
        ax.set_xticks(range(len(values.sizes)), [f"{size}×{size}\nN = {n_samples}" for size, n_samples in values.sizes])
        dress(ax, y=f"worst case relative to the\nnominal tree (%), {data} data")
        show_legend(ax, loc="center left", bbox_to_anchor=(1.0, 0.5))
    return figure


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
        both = {kind: evaluate(tree, data.problem, costs, budget) for kind, budget in sets.items()}
        row[f"{name}_nominal"] = both["local"].nominal
        row |= {f"{name}_{kind}": evaluation.robust for kind, evaluation in both.items()}
    return row


GENERALISATION = Experiment(
    title="Experiment 3: size and new data",
    columns=(*(f"{data}_{measure}" for data in _DATA for measure in ("nominal", *BUDGETS)), *RESULT_COLUMNS),
    cells=lambda plan: method_cells(plan, plan.size.sizes, [_FRACTION], _METHODS),
    n_rows=lambda cell, plan: 1 + plan.size.n_optima * (cell.method == "nominal"),
    work=_work,
    findings=findings,
)
