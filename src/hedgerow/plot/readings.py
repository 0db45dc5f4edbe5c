"""The curve of readings: what each further reading is worth."""

__all__ = ["plot_readings"]

from typing import TYPE_CHECKING

from hedgerow.checks import in_short
from hedgerow.errors import InputError
from hedgerow.good_trees import ReadingsCurve
from hedgerow.plot._style import LINE_STYLES, axes_or_new, dress, house_style
from hedgerow.plot._text import one_line

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def plot_readings(curve: ReadingsCurve, *, ax: "Axes | None" = None) -> "Axes":
    """Draw the best worst case against the number of different readings.

    Parameters
    ----------
    curve
        What `hedgerow.good_trees.readings_curve` returned.
    ax
        Where to draw; a new figure if None.

    Returns
    -------
    The axes.

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
    if not isinstance(curve, ReadingsCurve):
        raise InputError(f"curve must come from hedgerow.good_trees.readings_curve; got {in_short(curve)}.")
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
