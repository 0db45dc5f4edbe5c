"""What misreadings of growing size cost, for several trees in one figure."""

__all__ = ["plot_robustness"]

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from hedgerow.checks import in_short
from hedgerow.errors import InputError
from hedgerow.plot._style import LINE_STYLES, PAPER, Look, axes_or_new, dress, house_style, show_legend
from hedgerow.plot._text import one_line
from hedgerow.study import RobustnessCurve

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def plot_robustness(curves: Mapping[str, RobustnessCurve], *, ax: "Axes | None" = None) -> "Axes":
    """Draw the worst case of several trees against the budget.

    Parameters
    ----------
    curves
        Curves of one kind by the trees' names; `hedgerow.study.robustness_curve` computes them.
    ax
        Where to draw; a new figure if None.

    Returns
    -------
    The axes.

    Examples
    --------
    >>> from hedgerow import GlobalBudget, Tree
    >>> from hedgerow.study import robustness_curve
    >>> from hedgerow.datasets import motivating_example
    >>> from hedgerow.plot import plot_robustness
    >>> problem, costs = motivating_example()
    >>> tree = Tree.full([0], [5.0], [[1, 1, 0, 0], [0, 0, 1, 1]])
    >>> curve = robustness_curve(tree, problem, costs, [GlobalBudget(budget) for budget in range(6)])
    >>> plot_robustness({"nominal tree": curve}).get_xlabel()
    'global budget Γ'
    """
    given: Any = curves
    if not isinstance(given, Mapping) or not given:
        raise InputError(f"curves must be a dictionary of robustness curves by name; got {in_short(curves)}.")
    for curve in curves.values():
        if not isinstance(curve, RobustnessCurve):
            raise InputError(f"a curve must come from hedgerow.study.robustness_curve; got {in_short(curve)}.")
    kinds = sorted({curve.kind for curve in curves.values()})
    units = sorted({curve.unit for curve in curves.values()})
    if len(kinds) > 1 or len(units) > 1:
        raise InputError(
            f"curves in one figure must be of one kind and unit; got {', '.join(kinds)} with {len(units)} units."
        )
    with house_style():
        ax = axes_or_new(ax, (6.0, 3.8))
        for place, (name, curve) in enumerate(curves.items()):
            colour, dashes, marker = LINE_STYLES[place % len(LINE_STYLES)]
            look: Look = {"color": colour, "linestyle": dashes, "marker": marker, "linewidth": 1.7, "markersize": 6.5}
            ax.plot(curve.budgets, curve.values, label=f"\u2009{one_line(name)}", markeredgecolor=PAPER, **look)
        unit = one_line(units[0], 16)
        dress(ax, x=f"{kinds[0]} budget Γ", y=f"worst case ({unit})" if unit else "worst case")
        show_legend(ax, loc="best", handlelength=3.2)
    return ax
