"""Simple figures: what the results of studies draw by their method `plot`."""

from typing import TYPE_CHECKING

import numpy as np

from hedgerow.plot._style import LINE_STYLES, SOFT, axes_or_new, dress, house_style, one_line

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from hedgerow.study.comparison import Comparison
    from hedgerow.study.watching import Watch


def draw_comparison(comparison: "Comparison", ax: "Axes | None" = None) -> "Axes":
    """Draw the share that each contender wins between one plan and knowing everything, with its interval."""
    table = comparison.to_frame()
    share, low, high = (100.0 * table[name].to_numpy() for name in ("share", "share_low", "share_high"))
    places = np.arange(len(table))[::-1]
    with house_style():
        ax = axes_or_new(ax, (6.4, 0.6 + 0.34 * len(table)))
        colour, _, marker = LINE_STYLES[0]
        ax.hlines(places, low, high, color=colour, linewidth=2.0)
        ax.plot(share, places, marker, color=colour, markersize=6.5)
        ax.axvline(0.0, color=SOFT, linewidth=0.8)
        ax.set_yticks(places, [one_line(name) for name in comparison.names])
        dress(ax, x="share won between one plan and knowing everything (%)")
    return ax


def draw_watch(found: "Watch", ax: "Axes | None" = None) -> "Axes":
    """Draw the capital of the bet on a change; an alarm is raised where it reaches 20."""
    from hedgerow.study.watching import ALARM_AT  # studies load scikit-learn

    with house_style():
        ax = axes_or_new(ax, (6.4, 2.8))
        ax.semilogy(found.evidence.clip(lower=1e-3), color=LINE_STYLES[0][0], linewidth=1.6)
        ax.axhline(ALARM_AT, color=SOFT, linewidth=0.8)
        if found.start is not None:
            ax.axvline(found.start + 1, color=SOFT, linewidth=0.8, linestyle="--")
        dress(ax, title=one_line(f"since {found.since}") if found.since else "", x="row", y="evidence of a change")
    return ax
