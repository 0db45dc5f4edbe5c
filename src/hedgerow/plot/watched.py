"""Rules under watch: how much speaks for a change, row by row, and where an alarm was raised."""

__all__ = ["plot_watch"]

from typing import TYPE_CHECKING

import numpy as np

from hedgerow.checks import in_short
from hedgerow.errors import InputError
from hedgerow.plot._style import LINE_STYLES, SOFT, axes_or_new, dress, house_style
from hedgerow.study.watching import Watch

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def plot_watch(found: Watch, *, ax: "Axes | None" = None) -> "Axes":
    """Draw the capital of the bet on a change; an alarm is raised where it reaches 20.

    Parameters
    ----------
    found
        What `hedgerow.watch` found.
    ax
        Where to draw; a new figure if None.

    Returns
    -------
    The axes.

    Examples
    --------
    >>> import numpy as np
    >>> from hedgerow import RuleBook, Tree, watch
    >>> from hedgerow.plot import plot_watch
    >>> from hedgerow.problems import Selection
    >>> rules = RuleBook(Tree.single([1.0, 0.0]), ("x1", "x2"), {"problem": Selection(2, 1).to_dict()})
    >>> costs = np.random.default_rng(0).uniform(0.0, 9.0, (90, 2))
    >>> plot_watch(watch(rules, costs)).get_ylabel()
    'evidence of a change'
    """
    if not isinstance(found, Watch):
        raise InputError(f"found must come from hedgerow.watch; got {in_short(found)}.")
    size, labels = int(found.state["block"]), list(found.state["labels"])
    path = np.array(found.path)
    skipped = 0 if found.state["reference"] else len(labels) // size - path.size
    rows = size * (skipped + 1 + np.arange(path.size))
    with house_style():
        ax = axes_or_new(ax, (6.4, 2.8))
        colour = LINE_STYLES[0][0]
        ax.semilogy(rows, np.maximum(path, 1e-3), color=colour, linewidth=1.6)
        ax.axhline(20.0, color=SOFT, linewidth=0.8)
        ax.annotate("alarm", (rows[0] if rows.size else 0, 20.0), xytext=(2, 3), textcoords="offset points", color=SOFT)
        if found.since:
            begin = labels.index(found.since) + 1 if found.since in labels else int(found.since.split()[-1])
            ax.axvline(begin, color=SOFT, linewidth=0.8, linestyle="--")
            ax.annotate(
                f"since {found.since}",
                (begin, 0.02),
                xycoords=("data", "axes fraction"),
                xytext=(3, 0),
                textcoords="offset points",
                color=SOFT,
            )
        if rows.size and labels[-1]:
            ticks = rows[:: max(1, rows.size // 6)]
            ax.set_xticks(ticks, [labels[row - 1] for row in ticks])
        dress(ax, x="row", y="evidence of a change")
    return ax
