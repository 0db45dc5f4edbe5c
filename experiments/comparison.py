"""Experiment 2: all methods for all λ, trained on one set and evaluated on both.

Its results are worst cases over λ, runs solved to optimality, and distances from the optimum.
"""

__all__ = ["COMPARISON", "findings"]

from collections.abc import Iterator
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, Any, Final

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
from experiments.paper_figures import paper_figure
from experiments.plan import BUDGETS, PROCEDURES, Plan, absolute_budgets
from hedgerow.evaluation import evaluate
from hedgerow.methods import METHODS
from hedgerow.plot._style import LINE_STYLES, PAPER, Look, dress, house_style, show_legend
from hedgerow.tolerances import OPTIMALITY_GAP, VALUE

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_PAPER_GAP: Final = 0.001
_POOLED: Final = 0.10
"""The paper counts all λ from here on together."""

_PROVERS: Final = ("exact", "scenario_generation", "exact_grid")
_NEVER_ABOVE_ONE_SOLUTION: Final = ("fix_tree", "alternate")
_KEY: Final = ["seed_id", "fraction"]


def findings(results: Frame, plan: Plan) -> Findings:
    """Return tables, figures and checks of experiment 2."""
    tables = [_solved(results, plan.family)] if set(_PROVERS) & set(results["method"]) else []
    tables += [_values(results, evaluated) for evaluated in BUDGETS]
    if "exact" in set(results["method"]):
        tables += [_above_optimum(results, evaluated) for evaluated in BUDGETS]
    figures = {f"robust_value_{evaluated}": partial(_curves, results, evaluated) for evaluated in BUDGETS}
    return Findings(tables, figures, list(_checks(results)))


def _lines(results: Frame) -> Iterator[tuple[str, str, Frame]]:
    """Yield method, the set that it was trained on, and its results, for every line of a figure."""
    for method in PROCEDURES:
        for trained_on in ("none", *BUDGETS):
            these = results[(results["method"] == method) & (results["trained_on"] == trained_on)]
            if len(these):
                yield method, trained_on, these


def _label(method: str, trained_on: str) -> str:
    return method if trained_on == "none" else f"{method} ({trained_on})"


def _values(results: Frame, evaluated: str) -> Table:
    """Return the mean worst case under one set by λ and method."""
    fractions = sorted(results["fraction"].unique())
    lines = list(_lines(results))
    means = [these.groupby("fraction")[evaluated].mean() for _, _, these in lines]
    rows: list[list[Entry]] = [
        [f"{fraction:.2f}", *(float(mean[fraction]) if fraction in mean else None for mean in means)]
        for fraction in fractions
    ]
    return Table(
        f"robust_value_{evaluated}",
        f"Mean worst case on the training data, {evaluated} budget",
        ("λ", *(_label(method, trained_on) for method, trained_on, _ in lines)),
        rows,
        note="In brackets: the set that a method was trained on. The paper shows these figures as curves only.",
    )


def _solved(results: Frame, family: str) -> Table:
    """Return how many runs ended with a proof, beside the paper's."""
    provers = [method for method in _PROVERS if method in set(results["method"])]
    columns = results["fraction"].map(lambda fraction: "≥0.10" if fraction >= _POOLED else f"{fraction:.2f}")
    rows: list[list[Any]] = []
    for kind in BUDGETS:
        for words, these in results[results["trained_on"] == kind].groupby(columns):
            gaps = [these[these["method"] == method]["gap"] for method in provers]
            counts = [(len(gap), *(int((gap <= most).sum()) for most in (_PAPER_GAP, OPTIMALITY_GAP))) for gap in gaps]
            rows.append([kind, words, *chain(*counts), paper_figure(family, "solved", kind, words)])
    if rows:
        totals = [None if None in counts else sum(counts) for counts in list(zip(*rows, strict=True))[2:]]
        rows.append(["both", "all", *totals])
    header = [f"{method}: {part}" for method in provers for part in ("runs", "gap ≤ 0.001", "gap ≤ 1e-6")]
    return Table(
        "solved",
        "Runs solved to optimality",
        ("set", "λ", *header, "paper", "difference"),
        [[*row, None if row[-1] is None else row[3] - row[-1]] for row in rows],
        note="The paper: its scenario generation, one hour for each of 20 instances per λ, gap ≤ 0.001. "
        f"The difference is that of {provers[0]} at this gap; it means little where fewer instances were run.",
    )


def _optimum(results: Frame, kind: str, method: str = "exact") -> Frame:
    """Return the proven optimum under one set by instance and λ."""
    these = results[(results["method"] == method) & (results["trained_on"] == kind)]
    return these[these["gap"] <= OPTIMALITY_GAP].set_index(_KEY)["objective"]


def _excess(these: Frame, optimum: Frame, column: str) -> Frame:
    """Return by how much values lie above the optimum, relative to it, where that is known."""
    values = these.set_index(_KEY)[column]
    return ((values - optimum) / optimum.abs()).dropna()


def _above_optimum(results: Frame, kind: str) -> Table:
    """Return by how many percent each method's tree is above the proven optimum over midpoints."""
    optimum = _optimum(results, kind)
    lines = [line for line in _lines(results) if line[1] in ("none", kind) and line[0] != "exact"]
    excess = {_label(method, trained_on): _excess(these, optimum, kind) for method, trained_on, these in lines}
    exact = results[(results["method"] == "exact") & (results["trained_on"] == kind)]
    excess["exact, refined"] = _excess(exact, optimum, "refined")
    rows: list[list[Entry]] = []
    for fraction in sorted(results["fraction"].unique()):
        here = [values[values.index.get_level_values("fraction") == fraction] for values in excess.values()]
        figures = [100.0 * figure for values in here for figure in (values.mean(), values.max())]
        rows.append([f"{fraction:.2f}", *map(float, figures)])
    return Table(
        f"above_optimum_{kind}",
        f"Percent above the proven optimum over midpoints, {kind} budget",
        ("λ", *(f"{label}, {part}" for label in excess for part in ("mean", "largest"))),
        rows,
        decimals=3,
        note="Refined trees and those over the grid may lie below it: they use other thresholds.",
    )


def _checks(results: Frame) -> Iterator[Check]:
    methods = set(results["method"])
    if "exact" in methods:
        for kind in BUDGETS:
            optimum = _optimum(results, kind)
            over_midpoints = results[results["method"] != "exact_grid"]
            above = [_excess(these, optimum, kind) for _, _, these in _lines(over_midpoints)]
            yield _counted(f"no tree over midpoints is below the {kind} optimum", np.concatenate(above) >= -VALUE)
            if "exact_grid" in methods:
                saved = ((optimum - _optimum(results, kind, "exact_grid")) / optimum.abs()).dropna()
                yield _counted(f"the {kind} optimum over the grid is at most that over midpoints", saved >= -VALUE)
    if "one_solution" in methods:
        one = results[results["method"] == "one_solution"].set_index(_KEY)["nominal"]
        for method, trained_on, these in _lines(results):
            if method in _NEVER_ABOVE_ONE_SOLUTION:
                excess = _excess(these, one, "objective")
                yield _counted(f"{_label(method, trained_on)} is never above one solution", excess <= VALUE)


def _counted(statement: str, holds: Frame) -> Check:
    return Check(statement, int(np.sum(holds)), len(holds))


def _curves(results: Frame, evaluated: str) -> "Figure":
    """Draw mean worst cases over λ: solid where a method was trained on the evaluated set, dotted where not."""
    with house_style():
        from matplotlib.figure import Figure

        figure = Figure(figsize=(7.4, 4.6), layout="constrained")
        ax = figure.add_subplot()
        places = {method: place for place, method in enumerate(PROCEDURES)}
        for method, trained_on, these in _lines(results):
            mean = these.groupby("fraction")[evaluated].mean()
            second_round, place = divmod(places[method], len(LINE_STYLES))
            colour, _, marker = LINE_STYLES[place]
            trained_for_it = trained_on in (evaluated, "none")
            look: Look = {"color": colour, "linestyle": "-" if trained_for_it else ":", "marker": marker}
            look |= {"linewidth": 1.5, "markersize": 5.5}
            # Where colours repeat, markers are open.
            look |= {"markerfacecolor": PAPER} if second_round else {"markeredgecolor": PAPER}
            ax.plot(mean.index, mean, label=_label(method, trained_on), **look)
        dress(ax, x="λ", y=f"mean worst case, {evaluated} budget")
        show_legend(ax, loc="center left", bbox_to_anchor=(1.0, 0.5), handlelength=3.2)
    return figure


def _work(cell: Cell, plan: Plan) -> list[Row]:
    data = data_of(cell)
    result = train(cell, plan, data, refine=cell.trained_on != "none")
    sets = absolute_budgets(data.train, cell.fraction)
    row = {
        "nominal": result.nominal,
        **{name: evaluate(result.tree, data.problem, data.train, each).robust for name, each in sets.items()},
        "refined": "" if result.refined is None else result.refined.objective,
    }
    return [{**row, **result_row(result)}]


COMPARISON = Experiment(
    title="Experiment 2: methods compared over λ",
    columns=("nominal", *BUDGETS, "refined", *RESULT_COLUMNS),
    cells=lambda plan: method_cells(plan, [(4, 5)], plan.size.fractions, tuple(METHODS)),
    work=_work,
    findings=findings,
)
