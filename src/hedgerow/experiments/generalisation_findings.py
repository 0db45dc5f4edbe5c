"""Experiment 3 told: values relative to the nominal tree, as in the paper, and to one solution."""

__all__ = ["findings"]

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING, Final

import numpy as np

from hedgerow.experiments.experiment import Frame
from hedgerow.experiments.findings import Check, Entry, Findings, Table
from hedgerow.experiments.paper_figures import paper_relative
from hedgerow.experiments.plan import PAPER_SIZES, Plan
from hedgerow.experiments.procedures import BUDGETS, PROCEDURES, UNTRAINED
from hedgerow.plot._style import LINE_STYLES, PAPER, Look, dress, house_style, show_legend
from hedgerow.tolerances import OPTIMALITY_GAP, VALUE

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_DATA: Final = ("train", "test")
_SETS: Final = ("global", "local")
"""In the paper's order."""
_BASES: Final = {"nominal": "the nominal tree", "one_solution": "one solution"}
_MEASURES: Final = {"nominal": "nominal", "robust": "robust"}


def findings(results: Frame, plan: Plan) -> Findings:
    """Return tables, figures and checks of experiment 3."""
    del plan
    present = set(results["method"])
    tables = [_relative(results, base, measure) for base in _BASES if base in present for measure in _MEASURES]
    if "nominal" in present:
        tables.append(_spread(results))
        if "one_solution" in present:
            tables.append(_nominal_spread(results))
    figures = (
        {f"relative_robust_{data}": partial(_bars, results, data) for data in _DATA} if "nominal" in present else {}
    )
    return Findings(tables, figures, list(_checks(results)))


def _columns(results: Frame, base: str, measure: str) -> list[tuple[str, str, str]]:
    """Return method, the set that it was trained on and the column's name, as the paper calls it.

    The nominal value of an untrained tree depends on no set, so it has one column only.
    """
    columns = []
    for method in ("one_solution", "nominal", *(name for name in PROCEDURES if name not in UNTRAINED)):
        if method == base or method not in set(results["method"]):
            continue
        if method in UNTRAINED and measure == "nominal":
            columns.append((method, _SETS[0], method))
        else:
            columns += [(method, kind, f"{method}_{kind}") for kind in _SETS]
    return columns


def _sizes(results: Frame) -> list[tuple[int, int]]:
    there = set(zip(results["size"], results["n_samples"], strict=True))
    return [pair for pair in PAPER_SIZES if pair in there] + sorted(there - set(PAPER_SIZES))


def _of(results: Frame, size: int, n_samples: int, method: str, kind: str) -> Frame:
    """Return a method's results at one size, by instance and draw."""
    trained_on = "none" if method in UNTRAINED else kind
    these = results[(results["size"] == size) & (results["n_samples"] == n_samples)]
    return these[(these["method"] == method) & (these["trained_on"] == trained_on)].set_index(["seed_id", "draw"])


def _values(results: Frame, size: int, n_samples: int, method: str, column: str, kind: str) -> Frame:
    """Return the values of the method's own trees by instance; random nominal optima are left out."""
    these = _of(results, size, n_samples, method, kind)
    return these[these.index.get_level_values("draw") == 0].droplevel("draw")[column]


def _percent(value: Frame, base: Frame) -> Frame:
    return (100.0 * (value - base) / base.abs()).dropna()


def _relative(results: Frame, base: str, measure: str) -> Table:
    """Return the mean over the instances of values relative to a base, in percent, with the paper's beside them."""
    columns = _columns(results, base, measure)
    header: list[str] = ["data", "N", "grid"]
    rows: list[list[Entry]] = []
    for _, _, name in columns:
        header += [name, *((f"{name}, paper", f"{name}, difference") if _in_paper(base, measure, name) else ())]
    for data in _DATA:
        for size, n_samples in _sizes(results):
            row: list[Entry] = [data, n_samples, size]
            for method, kind, name in columns:
                column = f"{data}_{'nominal' if measure == 'nominal' else kind}"
                value = _values(results, size, n_samples, method, column, kind)
                ours = float(_percent(value, _values(results, size, n_samples, base, column, kind)).mean())
                row.append(ours)
                if _in_paper(base, measure, name):
                    paper = paper_relative(measure, data, n_samples, size, name)
                    row += [paper, None if paper is None else ours - paper]
            rows.append(row)
    return Table(
        f"relative_{measure}_to_{base}",
        f"{_MEASURES[measure].capitalize()} value relative to {_BASES[base]} (%)",
        tuple(header),
        rows,
        note="Per instance (value − base) / base, then averaged. Trees are evaluated on the set that they were trained "
        "on, on test data with the absolute budget of the training data.",
    )


def _in_paper(base: str, measure: str, name: str) -> bool:
    return base == "nominal" and paper_relative(measure, "train", *PAPER_SIZES[1][::-1], name) is not None


def _spread(results: Frame) -> Table:
    """Return how far the figures relative to the nominal tree depend on which nominal optimum that is."""
    rows: list[list[Entry]] = []
    for data in _DATA:
        for size, n_samples in _sizes(results):
            for method, kind, name in _columns(results, "nominal", "robust"):
                column = f"{data}_{kind}"
                value = _values(results, size, n_samples, method, column, kind)
                relative = _percent(value, _random_optima(results, size, n_samples, column))
                paper = paper_relative("robust", data, n_samples, size, name)
                rows.append([data, n_samples, size, name, *_mean_and_range(relative), paper])
    return Table(
        "spread_of_relative_robust",
        "Robust value relative to random nominal optima (%)",
        ("data", "N", "grid", "method", "mean", "lowest", "highest", "paper"),
        rows,
        note="Over random nominal optima: the mean, and per instance the lowest and the highest, then averaged over "
        "the instances. The paper's figure belongs to the one nominal tree that its solver returned.",
    )


def _nominal_spread(results: Frame) -> Table:
    """Return what the adversary makes of random nominal optima, relative to one solution."""
    rows: list[list[Entry]] = []
    for data in _DATA:
        for size, n_samples in _sizes(results):
            for kind in _SETS:
                column = f"{data}_{kind}"
                one = _values(results, size, n_samples, "one_solution", column, kind)
                ours = _percent(_values(results, size, n_samples, "nominal", column, kind), one)
                random = _percent(_random_optima(results, size, n_samples, column), one)
                rows.append([data, n_samples, size, kind, float(ours.mean()), *_mean_and_range(random)])
    return Table(
        "spread_of_nominal",
        "Robust value of nominal trees relative to one solution (%)",
        ("data", "N", "grid", "set", "the method's tree", "mean", "lowest", "highest"),
        rows,
        note="Mean, lowest and highest over random nominal optima, as above.",
    )


def _random_optima(results: Frame, size: int, n_samples: int, column: str) -> Frame:
    these = _of(results, size, n_samples, "nominal", "none")
    return these[these.index.get_level_values("draw") > 0][column]


def _mean_and_range(by_draw: Frame) -> tuple[float, float, float]:
    by_instance = by_draw.groupby(level="seed_id")
    return float(by_instance.mean().mean()), float(by_instance.min().mean()), float(by_instance.max().mean())


def _checks(results: Frame) -> Iterator[Check]:
    exact = results[results["method"] == "exact"]
    if not len(exact):
        return
    key = ["seed_id", "size", "n_samples", "trained_on"]
    optimum = exact.set_index(key)["objective"]
    yield Check("exact ends with a proof (gap ≤ 1e-6)", int((exact["gap"] <= OPTIMALITY_GAP).sum()), len(exact))
    for method in PROCEDURES:
        these = results[(results["method"] == method) & results["trained_on"].isin(list(BUDGETS))]
        if method != "exact" and PROCEDURES[method].thresholds == "midpoints" and len(these):
            above = ((these.set_index(key)["objective"] - optimum) / optimum.abs()).dropna()
            holds = int(np.sum(above >= -VALUE))
            yield Check(f"exact is at least as good as {method} on the training data", holds, len(above))


def _bars(results: Frame, data: str) -> "Figure":
    """Draw the robust values relative to the nominal tree: a point per method and size, a line over its optima."""
    with house_style():
        from matplotlib.figure import Figure

        sizes = _sizes(results)
        figure = Figure(figsize=(1.3 * len(sizes) + 2.6, 3.8), layout="constrained")
        ax = figure.add_subplot()
        columns = _columns(results, "nominal", "robust")
        for place, (method, kind, name) in enumerate(columns):
            colour, _, marker = LINE_STYLES[place % len(LINE_STYLES)]
            column = f"{data}_{kind}"
            middle, low, high = np.transpose(
                [
                    _mean_and_range(
                        _percent(
                            _values(results, size, n_samples, method, column, kind),
                            _random_optima(results, size, n_samples, column),
                        )
                    )
                    for size, n_samples in sizes
                ]
            )
            x = np.arange(len(sizes)) + (place - (len(columns) - 1) / 2) * 0.12
            look: Look = {"color": colour, "linewidth": 1.2}
            ax.vlines(x, low, high, **look)
            ax.plot(x, middle, color=colour, marker=marker, linestyle="", markeredgecolor=PAPER, label=name)
        ax.axhline(0.0, color=LINE_STYLES[4][0], linewidth=0.8)
        ax.set_xticks(np.arange(len(sizes)), [f"{size}×{size}, N = {n_samples}" for size, n_samples in sizes])
        dress(ax, y=f"worst case relative to\nthe nominal tree (%), {data} data")
        show_legend(ax, loc="center left", bbox_to_anchor=(1.0, 0.5))
    return figure
