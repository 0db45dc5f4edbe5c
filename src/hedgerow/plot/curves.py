"""Simple figures: runs, and what the results of studies draw by their method `plot`."""

__all__ = ["draw_comparison", "draw_price", "draw_watch", "plot_convergence"]

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from hedgerow.data.arrays import FloatArray
from hedgerow.data.checks import in_short
from hedgerow.errors import InputError
from hedgerow.plot._style import INK, LINE_STYLES, PAPER, SOFT, Look, axes_or_new, dress, house_style, show_legend
from hedgerow.plot._text import one_line
from hedgerow.run import Result, Statistics
from hedgerow.run.result import relative_gap
from hedgerow.tolerances import OPTIMALITY_GAP
from hedgerow.wording.numbers import amount, percentage, typeset

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from hedgerow.study import PriceOfRobustness
    from hedgerow.study.comparison import Comparison
    from hedgerow.study.watching import Watch


def draw_comparison(comparison: "Comparison", ax: "Axes | None" = None) -> "Axes":
    """Draw the share that each contender wins between one plan and knowing everything, with its interval."""
    table = comparison.to_frame()
    share, low, high = (100.0 * table[name].to_numpy() for name in ("share", "share_low", "share_high"))
    places = np.arange(len(table))[::-1]
    with house_style():
        ax = axes_or_new(ax, (6.4, 0.6 + 0.34 * len(table)))
        for trees, (colour, _, marker) in zip((True, False), LINE_STYLES, strict=False):
            rows = comparison.is_tree == trees
            ax.hlines(places[rows], low[rows], high[rows], color=colour, linewidth=2.0)
            ax.plot(share[rows], places[rows], marker, color=colour, markersize=6.5)
        ax.axvline(0.0, color=SOFT, linewidth=0.8)
        ax.set_yticks(places, [one_line(name) for name in comparison.names])
        dress(ax, x="share won between one plan and knowing everything (%)")
    return ax


_LINES = {"unprotected": "worst case of the first tree", "robust": "worst case", "nominal": "as read"}


def draw_price(price: "PriceOfRobustness", ax: "Axes | None" = None) -> "Axes":
    """Draw what the best tree for each budget costs, as read and in the worst case, with the trees' breakpoints."""
    table = price.to_frame()
    with house_style():
        ax = axes_or_new(ax, (6.0, 3.8))
        for (name, label), (colour, dashes, marker) in zip(_LINES.items(), LINE_STYLES, strict=False):
            look: Look = {"color": colour, "linestyle": dashes, "marker": marker, "linewidth": 1.7, "markersize": 6.0}
            ax.plot(table["fraction"], table[name], label=f"\u2009{label}", markeredgecolor=PAPER, **look)
        for number, fraction in table.groupby("tree")["fraction"].min().items():
            ax.axvline(fraction, color=SOFT, linewidth=0.6, linestyle=":", zorder=0)
            ax.text(fraction, 1.01, str(number), transform=ax.get_xaxis_transform(), color=SOFT, ha="center")
        unit = f" ({one_line(price.unit, 16)})" if price.unit else ""
        dress(ax, x=f"{price.kind} budget, λ (above: trees, by number)", y=f"value per sample{unit}")
        show_legend(ax, loc="best", handlelength=3.2)
    return ax


def draw_watch(found: "Watch", ax: "Axes | None" = None) -> "Axes":
    """Draw the capital of the bet on a change; an alarm is raised where it reaches 20."""
    from hedgerow.study.watching import ALARM_AT  # studies load scikit-learn

    size, path = int(found.state["block"]), np.array(found.evidence)
    skipped = 0 if found.state["reference"] else len(found.state["labels"]) // size - path.size
    with house_style():
        ax = axes_or_new(ax, (6.4, 2.8))
        rows = size * (skipped + 1 + np.arange(path.size))
        ax.semilogy(rows, np.maximum(path, 1e-3), color=LINE_STYLES[0][0], linewidth=1.6)
        ax.axhline(ALARM_AT, color=SOFT, linewidth=0.8)
        if found.since:
            labels = list(found.state["labels"])
            begin = labels.index(found.since) + 1 if found.since in labels else int(found.since.split()[-1])
            ax.axvline(begin, color=SOFT, linewidth=0.8, linestyle="--")
        dress(ax, title=one_line(f"since {found.since}") if found.since else "", x="row", y="evidence of a change")
    return ax


def plot_convergence(run: Any, *, ax: "Axes | None" = None) -> "Axes":
    """Draw the value of the best tree and the proven bound as steps over time, with the gap between them shaded.

    Parameters
    ----------
    run
        A fitted `RobustTree`, a `Result`, or its statistics. Only a model knows the unit.
    ax
        Where to draw; a new figure if None.

    Examples
    --------
    >>> from hedgerow.plot import plot_convergence
    >>> from hedgerow.run import Row, Statistics
    >>> rows = Statistics((Row(0.1, 1, 50.0, float("-inf")), Row(0.3, 2, 43.0, 36.0), Row(0.9, 3, 43.0, 43.0)))
    >>> ax = plot_convergence(rows)
    >>> [text.get_text() for text in ax.get_legend().get_texts()]
    ['best tree: 43', 'proven bound: 43', 'proven optimal']
    """
    unit = one_line(getattr(getattr(run, "problem", None), "unit", ""), 16)
    time, value, bound = _trajectory(run)
    with house_style():
        ax = axes_or_new(ax, (6.0, 3.6))
        last = []
        for name, values, (colour, dashes, _) in zip(
            ("best tree", "proven bound"), (value, bound), LINE_STYLES[:2], strict=True
        ):
            known = values[np.isfinite(values)]
            last.append(float(known[-1]) if known.size else math.nan)
            if known.size:
                look: Look = {"color": colour, "linestyle": dashes, "linewidth": 1.8, "zorder": 3}
                ax.step(time, values, where="post", label=f"{name}: {typeset(amount(last[-1], unit))}", **look)
        gap = relative_gap(*last)
        words = "proven optimal" if gap <= OPTIMALITY_GAP else f"gap: {percentage(gap)}"
        words = "no bound" if math.isinf(gap) else words
        both = np.isfinite(value) & np.isfinite(bound)
        ax.fill_between(time, value, bound, where=both, step="post", color=INK, alpha=0.08, linewidth=0, label=words)
        dress(ax, x="time (s)", y=f"worst case ({unit})" if unit else "worst case")
        ax.set_xlim(left=0.0)
        show_legend(ax, loc="best")
    return ax


def _trajectory(run: Any) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return times, values and bounds; what is not known yet is NaN. A result's run lasts until its end."""
    result = getattr(run, "result_", run)
    statistics = result.statistics if isinstance(result, Result) else result
    if not isinstance(statistics, Statistics):
        raise InputError(f"a fitted RobustTree, a Result or its statistics are needed; got {in_short(run)}.")
    rows = [(row.runtime, row.value, row.bound) for row in statistics]
    if isinstance(result, Result):
        rows.append((max(result.runtime, rows[-1][0] if rows else 0.0), result.objective, result.lower_bound))
    table = np.array(rows, dtype=np.float64).reshape(-1, 3)
    if not np.isfinite(table[:, 1]).any():
        raise InputError("the statistics hold no tree's value, so there is nothing to draw.")
    time, value, bound = np.where(np.isfinite(table), table, np.nan).T
    return time, value, bound
