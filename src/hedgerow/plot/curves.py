"""Simple figures: runs, contenders, curves over readings and budgets, and the evidence while rules are watched."""

__all__ = ["plot_comparison", "plot_convergence", "plot_price", "plot_readings", "plot_watch"]

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from hedgerow.data.arrays import FloatArray
from hedgerow.data.checks import in_short
from hedgerow.errors import InputError
from hedgerow.good_trees import ReadingsCurve
from hedgerow.plot._style import INK, LINE_STYLES, PAPER, SIZE, SOFT, Look, axes_or_new, dress, house_style, show_legend
from hedgerow.plot._text import one_line
from hedgerow.run import Result, Statistics
from hedgerow.run.result import relative_gap
from hedgerow.study import PriceOfRobustness
from hedgerow.study.comparison import Comparison
from hedgerow.study.watching import ALARM_AT, Watch
from hedgerow.tolerances import OPTIMALITY_GAP
from hedgerow.wording.numbers import amount, percentage, typeset

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def plot_comparison(comparison: Comparison, *, ax: "Axes | None" = None) -> "Axes":
    """Draw the share that each contender wins between one plan and knowing everything, with its interval.

    Parameters
    ----------
    comparison
        What `hedgerow.compare` found.
    ax
        Where to draw; a new figure if None.

    Examples
    --------
    >>> import numpy as np
    >>> from hedgerow import compare
    >>> from hedgerow.plot import plot_comparison
    >>> from hedgerow.problems import Selection
    >>> truth = np.random.default_rng(0).uniform(0.0, 9.0, (40, 2))
    >>> found = compare(Selection(2, 1), truth, depth=1, questions=["items"], folds=2)
    >>> plot_comparison(found).get_xlabel()
    'share won between one plan and knowing everything (%)'
    """
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


def plot_readings(curve: ReadingsCurve, *, ax: "Axes | None" = None) -> "Axes":
    """Draw the best worst case against the number of different readings.

    Parameters
    ----------
    curve
        What `hedgerow.good_trees.readings_curve` returned.
    ax
        Where to draw; a new figure if None.

    Examples
    --------
    >>> from hedgerow import Instance, LocalBudget
    >>> from hedgerow.good_trees import readings_curve
    >>> from hedgerow.plot import plot_readings
    >>> from hedgerow.problems import Selection
    >>> costs = [[1.0, 3.0], [4.0, 2.0], [5.0, 2.5]]
    >>> curve = readings_curve(Instance.create(Selection(2, 1), costs, uncertainty=LocalBudget(0.5), depth=1))
    >>> plot_readings(curve).get_xlabel()
    'different readings'
    """
    colour, style, marker = LINE_STYLES[0]
    with house_style():
        ax = axes_or_new(ax, (6.4, 3.2))
        counts, values = [point.n_readings for point in curve.points], [point.value for point in curve.points]
        ax.plot(counts, values, marker=marker, linestyle=style, color=colour)
        shown: tuple[str, ...] | None = None
        for point in curve.points:
            if point.readings != shown:  # a reading that is worth nothing is not asked about
                shown = point.readings
                asked = "\n".join(map(one_line, shown)) or "nothing asked"
                place = (point.n_readings, point.value)
                ax.annotate(asked, place, textcoords="offset points", xytext=(6, 5), fontsize="small")
        ax.set_xticks(counts)
        ax.margins(x=0.12, y=0.15)
        dress(ax, x="different readings", y=one_line(f"best worst case{f' ({curve.unit})' if curve.unit else ''}"))
    return ax


_AT_THE_EDGE: Look = {"xycoords": ("data", "axes fraction"), "textcoords": "offset points"}
_LINES = {"unprotected": "worst case of the first tree", "robust": "worst case", "nominal": "as read"}


def plot_price(price: PriceOfRobustness, *, ax: "Axes | None" = None) -> "Axes":
    """Draw what the best tree for each budget costs, as read and in the worst case, with the trees' breakpoints.

    Parameters
    ----------
    price
        What `hedgerow.study.price_of_robustness` returns.
    ax
        Where to draw; a new figure if None.

    Examples
    --------
    >>> from hedgerow import RobustTree
    >>> from hedgerow.study import price_of_robustness
    >>> from hedgerow.datasets import motivating_example
    >>> from hedgerow.plot import plot_price
    >>> problem, costs = motivating_example()
    >>> plot_price(price_of_robustness(RobustTree(problem, random_state=0), costs, [0.0, 0.1])).get_ylabel()
    'value per sample'
    """
    table = price.to_frame()
    with house_style():
        ax = axes_or_new(ax, (6.0, 3.8))
        for (name, label), (colour, dashes, marker) in zip(_LINES.items(), LINE_STYLES, strict=False):
            look: Look = {"color": colour, "linestyle": dashes, "marker": marker, "linewidth": 1.7, "markersize": 6.0}
            ax.plot(table["fraction"], table[name], label=f"\u2009{label}", markeredgecolor=PAPER, **look)
        for number, fraction in table.groupby("tree")["fraction"].min().items():
            ax.axvline(fraction, color=SOFT, linewidth=0.6, linestyle=":", zorder=0)
            above: Look = {"xytext": (0, 2), "fontsize": SIZE - 1.5, "color": SOFT, "ha": "center", **_AT_THE_EDGE}
            ax.annotate(str(number), (fraction, 1.0), **above)
        unit = f" ({one_line(price.unit, 16)})" if price.unit else ""
        dress(ax, x=f"{price.kind} budget, λ (above: trees, by number)", y=f"value per sample{unit}")
        show_legend(ax, loc="best", handlelength=3.2)
    return ax


def plot_watch(found: Watch, *, ax: "Axes | None" = None) -> "Axes":
    """Draw the capital of the bet on a change; an alarm is raised where it reaches 20.

    Parameters
    ----------
    found
        What `hedgerow.watch` found.
    ax
        Where to draw; a new figure if None.

    Examples
    --------
    >>> import numpy as np
    >>> from hedgerow import RuleBook, Tree, watch
    >>> from hedgerow.plot import plot_watch
    >>> from hedgerow.problems import Selection
    >>> rules = RuleBook(Tree.single([1.0, 0.0]), ("x1", "x2"), problem=Selection(2, 1))
    >>> costs = np.random.default_rng(0).uniform(0.0, 9.0, (90, 2))
    >>> plot_watch(watch(rules, costs)).get_ylabel()
    'evidence of a change'
    """
    size, labels = int(found.state["block"]), list(found.state["labels"])
    path = np.array(found.evidence)
    skipped = 0 if found.state["reference"] else len(labels) // size - path.size
    rows = size * (skipped + 1 + np.arange(path.size))
    with house_style():
        ax = axes_or_new(ax, (6.4, 2.8))
        colour = LINE_STYLES[0][0]
        ax.semilogy(rows, np.maximum(path, 1e-3), color=colour, linewidth=1.6)
        ax.axhline(ALARM_AT, color=SOFT, linewidth=0.8)
        ax.annotate(
            "alarm", (rows[0] if rows.size else 0, ALARM_AT), xytext=(2, 3), textcoords="offset points", color=SOFT
        )
        if found.since:
            begin = labels.index(found.since) + 1 if found.since in labels else int(found.since.split()[-1])
            ax.axvline(begin, color=SOFT, linewidth=0.8, linestyle="--")
            ax.annotate(f"since {found.since}", (begin, 0.02), xytext=(3, 0), color=SOFT, **_AT_THE_EDGE)
        if rows.size and labels[-1]:
            ticks = rows[:: max(1, rows.size // 6)]
            ax.set_xticks(ticks, [labels[row - 1] for row in ticks])
        dress(ax, x="row", y="evidence of a change")
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
        (value_colour, value_dashes, _), (bound_colour, bound_dashes, _) = LINE_STYLES[:2]
        both = np.isfinite(value) & np.isfinite(bound)
        last_value, last_bound = _last(value), _last(bound)
        best: Look = {"color": value_colour, "linestyle": value_dashes, "linewidth": 1.8, "zorder": 3}
        proven: Look = {"color": bound_colour, "linestyle": bound_dashes, "linewidth": 1.8, "zorder": 3}
        ax.step(time, value, where="post", label=f"best tree: {typeset(amount(last_value, unit))}", **best)
        if math.isfinite(last_bound):
            ax.step(time, bound, where="post", label=f"proven bound: {typeset(amount(last_bound, unit))}", **proven)
        gap = relative_gap(last_value, last_bound)
        words = "proven optimal" if gap <= OPTIMALITY_GAP else f"gap: {percentage(gap)}"
        words = "no bound" if math.isinf(gap) else words
        ax.fill_between(time, value, bound, where=both, step="post", color=INK, alpha=0.08, linewidth=0, label=words)
        dress(ax, x="time (s)", y=f"worst case ({unit})" if unit else "worst case")
        ax.margins(x=0.01, y=0.08)
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


def _last(values: FloatArray) -> float:
    """Return the last value that is known, NaN if there is none."""
    known = values[np.isfinite(values)]
    return float(known[-1]) if known.size else math.nan
