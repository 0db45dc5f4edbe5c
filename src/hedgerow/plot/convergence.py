"""How a run went: the best tree's value and the proven bound over time."""

__all__ = ["plot_convergence"]

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from hedgerow.data.arrays import FloatArray
from hedgerow.data.checks import in_short
from hedgerow.errors import InputError
from hedgerow.plot._style import INK, LINE_STYLES, Look, axes_or_new, dress, house_style, show_legend
from hedgerow.plot._text import one_line
from hedgerow.run import Result, Statistics
from hedgerow.run.result import relative_gap
from hedgerow.tolerances import OPTIMALITY_GAP
from hedgerow.wording.numbers import amount, percentage, typeset

if TYPE_CHECKING:
    from matplotlib.axes import Axes


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
