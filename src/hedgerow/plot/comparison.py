"""Contenders side by side: which share each wins of what can be won, and how sure that is."""

__all__ = ["plot_comparison"]

from typing import TYPE_CHECKING

import numpy as np

from hedgerow.checks import in_short
from hedgerow.errors import InputError
from hedgerow.plot._style import LINE_STYLES, SOFT, axes_or_new, dress, house_style
from hedgerow.plot._text import one_line
from hedgerow.study.comparison import Comparison

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

    Returns
    -------
    The axes.

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
    if not isinstance(comparison, Comparison):
        raise InputError(f"comparison must come from hedgerow.compare; got {in_short(comparison)}.")
    table = comparison.table
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
