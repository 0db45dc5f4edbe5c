"""Simple figures: what the results of studies draw by their method `plot`."""

__all__ = ["draw_comparison", "draw_price", "draw_watch"]

from typing import TYPE_CHECKING

import numpy as np

from hedgerow.plot._style import LINE_STYLES, PAPER, SOFT, Look, axes_or_new, dress, house_style, one_line, show_legend

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
