"""Results of experiment 1: scatter plots of random trees with Pearson's r."""

__all__ = ["findings"]

from typing import TYPE_CHECKING

import numpy as np

from hedgerow.experiments.experiment import Frame
from hedgerow.experiments.findings import Findings, Table
from hedgerow.experiments.paper_figures import paper_correlation
from hedgerow.experiments.plan import Plan
from hedgerow.plot._style import INK, LINE_STYLES, SIZE, Look, dress, house_style

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_SETTINGS = {"N": "Γ_glob = N·Γ_loc", "1": "Γ_glob = Γ_loc"}


def findings(results: Frame, plan: Plan) -> Findings:
    """Return the correlations, with the paper's beside them, and their plots."""
    rows = []
    for ratio, words in _SETTINGS.items():
        for fraction in sorted(results["fraction"].unique()):
            r, paper = _pearson(results, ratio, fraction), paper_correlation(ratio, fraction, plan.family)
            rows.append((words, f"{fraction:.2f}", r, paper, None if paper is None else r - paper))
    table = Table(
        "correlation",
        "Pearson's r of worst cases under both sets",
        ("budgets", "λ", "r", "paper", "difference"),
        rows,
        decimals=4,
    )
    return Findings([table], {"correlation": lambda: _scatter(results)})


def _pearson(results: Frame, ratio: str, fraction: float) -> float:
    these = results[results["fraction"] == fraction]
    return float(np.corrcoef(these[f"global_{ratio}"], these["local"])[0, 1])


def _scatter(results: Frame) -> "Figure":
    """Draw a plot per setting and λ; each point is a tree."""
    fractions = sorted(results["fraction"].unique())
    with house_style():
        from matplotlib.figure import Figure

        figure = Figure(figsize=(2.6 * len(fractions) + 0.4, 5.6), layout="constrained")
        axes = figure.subplots(len(_SETTINGS), len(fractions), squeeze=False, sharex=True, sharey=True)
        colour = LINE_STYLES[0][0]
        for row, (ratio, words) in enumerate(_SETTINGS.items()):
            for column, fraction in enumerate(fractions):
                ax = axes[row, column]
                these = results[results["fraction"] == fraction]
                points: Look = {"s": 4, "color": colour, "alpha": 0.25, "linewidths": 0, "rasterized": True}
                ax.scatter(these[f"global_{ratio}"], these["local"], **points)
                dress(
                    ax,
                    title=f"{words}, λ = {fraction:.2f}",
                    x="worst case, global" if row == len(_SETTINGS) - 1 else "",
                    y="worst case, local" if column == 0 else "",
                )
                ax.title.set_fontsize(SIZE)
                r = _pearson(results, ratio, fraction)
                ax.text(0.05, 0.93, f"r = {r:.2f}", transform=ax.transAxes, va="top", color=INK)
    return figure
