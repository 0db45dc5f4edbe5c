"""Which leaves give the same advice, and how each advice is told from the others: by letter, colour and hatch."""

__all__ = ["Advice", "add_badge", "advice_of", "is_dark"]

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from hedgerow.arrays import IntArray, frozen
from hedgerow.plot._style import INK, PAPER, PATTERNS
from hedgerow.saved import SavedTree
from hedgerow.tolerances import FEASIBILITY

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_DECIMALS = round(-np.log10(FEASIBILITY))
_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


@dataclass(frozen=True)
class Advice:
    """One distinct advice of a tree.

    Attributes
    ----------
    letter
        A, B, …, Z, AA, AB, …: in the order in which the leaves give it, from left to right.
    words
        The solution in words, as long as they are.
    colour, hatch
        How it is filled.
    leaves
        Numbers of the leaves that give it.
    """

    letter: str
    words: str
    colour: str
    hatch: str
    leaves: IntArray


def advice_of(saved: SavedTree) -> tuple[tuple[Advice, ...], IntArray]:
    """Return the distinct advices of a tree, and for each leaf which of them it gives."""
    # Adding 0.0 turns −0.0, which would count as another solution, into 0.0.
    rows = np.round(saved.tree.solutions, _DECIMALS) + 0.0
    number_of: dict[bytes, int] = {}
    kind = np.array([number_of.setdefault(row.tobytes(), len(number_of)) for row in rows], dtype=np.int64)
    advices = []
    for index in range(len(number_of)):
        leaves = np.flatnonzero(kind == index)
        colour, hatch = PATTERNS[index % len(PATTERNS)]
        advices.append(Advice(_letter(index), saved.advice[int(leaves[0])], colour, hatch, frozen(leaves)))
    return tuple(advices), frozen(kind)


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


def _letter(index: int) -> str:
    letters = ""
    while index >= 0:
        letters = _LETTERS[index % 26] + letters
        index = index // 26 - 1
    return letters
