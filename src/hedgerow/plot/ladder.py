"""What a readable rule costs, and what a robust one: named values, each as a step above the first."""

__all__ = ["Rung", "plot_ladder"]

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from hedgerow.data.checks import in_short
from hedgerow.errors import InputError
from hedgerow.plot._style import (
    COLOURS,
    INK,
    LINE,
    PAPER,
    SIZE,
    SOFT,
    Look,
    axes_or_new,
    dress,
    house_style,
    show_legend,
)
from hedgerow.plot._text import one_line
from hedgerow.wording.numbers import amount, number, percentage, typeset

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_GROUP_COLOURS = (COLOURS[1], COLOURS[0], COLOURS[3], COLOURS[4])
_BOUND_HATCH = "////"


@dataclass(frozen=True)
class Rung:
    """A named value on the ladder.

    Attributes
    ----------
    name
        What has this value, such as "one solution for all days".
    value
        The value, in the problem's own sign.
    group
        Rungs of one group have one colour: "as read", "worst case".
    is_bound
        Whether the value is only a proven bound on the true one; such bars are hatched.

    Examples
    --------
    >>> from hedgerow.plot import Rung
    >>> Rung("knowing every day's costs", 36.0).is_bound
    False
    """

    name: str
    value: float
    group: str = ""
    is_bound: bool = False


def plot_ladder(rungs: Sequence[Rung], *, unit: str = "", ax: "Axes | None" = None) -> "Axes":
    """Draw how far each value lies from the first: the price of interpretability, and that of robustness.

    Bars are in percent of the first value; should that be 0, they are differences.

    Parameters
    ----------
    rungs
        The values, from top to bottom. The first one is what all are compared with.
    unit
        Unit of the values.
    ax
        Where to draw; a new figure if None.

    Examples
    --------
    >>> from hedgerow.plot import Rung, plot_ladder
    >>> ax = plot_ladder(
    ...     [
    ...         Rung("knowing every day", 36.0, "as read"),
    ...         Rung("tree", 36.0, "as read"),
    ...         Rung("tree, misread", 43.0, "worst case"),
    ...     ],
    ...     unit="min",
    ... )
    >>> [text.get_text() for text in ax.texts]
    ['36 min', '36 min  +0 %', '43 min  +19.4 %']
    """
    rungs = _checked(rungs)
    first = rungs[0].value
    lengths = [(rung.value - first) * (100.0 / abs(first) if first else 1.0) for rung in rungs]
    groups = list(dict.fromkeys(rung.group for rung in rungs))
    with house_style():
        ax = axes_or_new(ax, (7.0, 1.1 + 0.36 * len(rungs)))
        for place, (rung, length) in enumerate(zip(rungs, lengths, strict=True)):
            fill: Look = {"color": _GROUP_COLOURS[groups.index(rung.group) % len(_GROUP_COLOURS)]}
            if rung.is_bound:
                fill = {"facecolor": PAPER, "edgecolor": fill["color"], "hatch": _BOUND_HATCH}
            ax.barh(place, length, height=0.6, **fill, zorder=2)
            text = typeset(amount(rung.value, one_line(unit, 16)))
            if place:
                size = percentage(abs(length) / 100.0) if first else number(abs(length), 3)
                text += f"  {'+' if length >= 0 else '−'}{size}"
            text += "  (bound)" if rung.is_bound else ""
            ax.annotate(
                text, (max(length, 0.0), place), xytext=(5, 0), textcoords="offset points", va="center", color=INK
            )
        _finish(ax, rungs, groups, lengths)
    return ax


def _checked(rungs: Any) -> list[Rung]:
    given = list(rungs) if isinstance(rungs, Sequence) else []
    if not given or not all(isinstance(rung, Rung) for rung in given):
        raise InputError(f"rungs must be a list of at least one Rung; got {in_short(rungs)}.")
    for rung in given:
        if not math.isfinite(rung.value):
            raise InputError(f"a rung's value must be finite; got {rung.value} for {in_short(rung.name)}.")
    return given


def _finish(ax: "Axes", rungs: list[Rung], groups: list[str], lengths: list[float]) -> None:
    from matplotlib.patches import Patch

    over = f"difference from “{one_line(rungs[0].name, 30)}”" + (" in percent" if rungs[0].value else "")
    dress(ax, x=over)
    ax.grid(False, axis="y")
    ax.axvline(0.0, color=LINE, linewidth=0.8)
    ax.spines["left"].set_visible(False)
    ax.tick_params(axis="y", length=0)
    ax.set_yticks(range(len(rungs)), [one_line(rung.name, 34) for rung in rungs], color=INK, fontsize=SIZE)
    ax.set_ylim(len(rungs) - 0.4, -0.6)
    span = (max(lengths) - min(lengths)) or 1.0
    ax.set_xlim(min(lengths), max(lengths) + 0.45 * span)  # room for the figures at the bars' ends
    handles = [
        Patch(color=_GROUP_COLOURS[place % len(_GROUP_COLOURS)], label=f"\u2009{one_line(group, 24)}")
        for place, group in enumerate(groups)
        if group
    ]
    if any(rung.is_bound for rung in rungs):
        handles.append(
            Patch(facecolor=PAPER, edgecolor=SOFT, hatch=_BOUND_HATCH, label="a bound, not the value itself")
        )
    if handles:
        show_legend(ax, handles=handles, loc="upper left", bbox_to_anchor=(0.0, -0.7 / len(rungs) - 0.1), ncols=2)
