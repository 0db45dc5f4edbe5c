"""What robustness costs and what it saves: the best tree's costs against the budget it was fitted for."""

__all__ = ["plot_trained_curve"]

from typing import TYPE_CHECKING

from hedgerow.checks import in_short
from hedgerow.errors import InputError
from hedgerow.plot._style import LINE_STYLES, PAPER, SIZE, SOFT, axes_or_new, dress, house_style, show_legend
from hedgerow.plot._text import one_line
from hedgerow.study import TrainedCurve

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_LINES = {
    "robust": "worst case, training",
    "nominal": "as read, training",
    "test_robust": "worst case, test",
    "test_nominal": "as read, test",
}


def plot_trained_curve(curve: TrainedCurve, *, ax: "Axes | None" = None) -> "Axes":
    """Draw cost as read and worst case against the budget, on training and test data, with the trees' breakpoints.

    Parameters
    ----------
    curve
        What `hedgerow.study.train_curve` returns.
    ax
        Where to draw; a new figure if None.

    Returns
    -------
    The axes.

    Examples
    --------
    >>> from hedgerow import RobustTree
    >>> from hedgerow.study import train_curve
    >>> from hedgerow.datasets import motivating_example
    >>> from hedgerow.plot import plot_trained_curve
    >>> problem, costs = motivating_example()
    >>> curve = train_curve(RobustTree(problem, random_state=0), costs, [0.0, 0.1])
    >>> plot_trained_curve(curve).get_ylabel()
    'value per sample'
    """
    if not isinstance(curve, TrainedCurve):
        raise InputError(f"curve must come from hedgerow.study.train_curve; got {in_short(curve)}.")
    shown = {name: label for name, label in _LINES.items() if curve.has_test or not name.startswith("test")}
    fractions = [point.fraction for point in curve.points]
    with house_style():
        ax = axes_or_new(ax, (6.0, 3.8))
        for (name, label), (colour, dashes, marker) in zip(shown.items(), LINE_STYLES, strict=False):
            values = [getattr(point, name) for point in curve.points]
            ax.plot(
                fractions,
                values,
                label=f"\u2009{label}",
                color=colour,
                linestyle=dashes,
                marker=marker,
                linewidth=1.7,
                markersize=6.0,
                markeredgecolor=PAPER,
            )
        for number, point in enumerate(curve.breakpoints, start=1):
            ax.axvline(point.fraction, color=SOFT, linewidth=0.6, linestyle=":", zorder=0)
            ax.annotate(
                str(number),
                (point.fraction, 1.0),
                xycoords=("data", "axes fraction"),
                xytext=(0, 2),
                textcoords="offset points",
                fontsize=SIZE - 1.5,
                color=SOFT,
                ha="center",
            )
        unit = one_line(curve.unit, 16)
        dress(
            ax,
            x=f"{curve.kind} budget, λ (above: trees, by number)",
            y=f"value per sample ({unit})" if unit else "value per sample",
        )
        show_legend(ax, loc="best", handlelength=3.2)
    return ax
