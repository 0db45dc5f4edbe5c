"""How plans look in a figure: by letter, colour and hatch."""

__all__ = ["Advice", "add_badge", "advice_of", "is_dark"]

from dataclasses import dataclass
from typing import TYPE_CHECKING

from hedgerow.plot._style import INK, PAPER, PATTERNS
from hedgerow.rulebook import RuleBook

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@dataclass(frozen=True)
class Advice:
    """A plan with its look.

    Attributes
    ----------
    letter, words, leaves
        The plan's letter and words, and the numbers of the leaves that advise it.
    colour, hatch
        How it is filled.
    """

    letter: str
    words: str
    colour: str
    hatch: str
    leaves: list[int]


def advice_of(book: RuleBook) -> list[Advice]:
    """Return the plans with their looks."""
    plans = book.plans
    return [
        Advice(plans.letters[plan], plans.words[plan], *PATTERNS[plan % len(PATTERNS)], plans.leaves(plan))
        for plan in range(len(plans))
    ]


def add_badge(
    ax: "Axes", advice: Advice, corner: tuple[float, float], size: tuple[float, float], fontsize: float
) -> None:
    """Draw an advice's letter on its colour and hatch, at that corner (lower left) of the axes' own coordinates."""
    from matplotlib.patches import Rectangle

    dark = is_dark(advice.colour)
    ax.add_patch(
        Rectangle(
            corner, *size, facecolor=advice.colour, edgecolor=PAPER if dark else INK, hatch=advice.hatch, linewidth=0,
            gid=f"advice {advice.letter}",
        )
    )  # fmt: skip
    ax.text(
        corner[0] + size[0] / 2,
        corner[1] + size[1] / 2,
        advice.letter,
        ha="center",
        va="center_baseline",
        fontsize=fontsize,
        fontweight="bold",
        color=PAPER if dark else INK,
        bbox={"facecolor": advice.colour, "edgecolor": "none", "pad": 0.2 * fontsize},
    )


def is_dark(colour: str) -> bool:
    """Return whether white reads better than black on the colour."""
    red, green, blue = (int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5))
    return 0.2126 * red * red + 0.7152 * green * green + 0.0722 * blue * blue < 0.28
