"""What cards and rows have in common: the texts of questions and leaves, and the look of a question."""

__all__ = ["add_box", "questions", "sample_count"]

from typing import TYPE_CHECKING

import numpy as np

from hedgerow.plot._style import INK, LINE, PAPER
from hedgerow.plot._text import one_line
from hedgerow.rulebook import RuleBook
from hedgerow.words import reading, typeset

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def questions(book: RuleBook, longest: int) -> dict[int, str]:
    """Return the question of each inner node, such as "e1 ≤ 5 min?"; names are cut to that many letters."""
    unit = one_line(book.reading_unit, 16)

    def question(node: int) -> str:
        name, threshold = book.label(book.asks(node)), reading(float(book.tree.threshold[node]))
        return f"{one_line(name, longest)} ≤ {typeset(threshold)} {unit}".rstrip() + "?"

    return {node: question(node) for node in np.flatnonzero(book.tree.is_inner).tolist()}


def sample_count(count: int) -> str:
    """Return in words how many samples reach a leaf."""
    return {0: "no sample", 1: "1 sample"}.get(count, f"{count:,} samples")


def add_box(
    ax: "Axes", centre: tuple[float, float], size: tuple[float, float], text: str, fontsize: float, shrink: float
) -> None:
    """Draw a question in a box with round corners."""
    from matplotlib.patches import FancyBboxPatch

    (x, y), (width, height) = centre, size
    round_corners = f"round,pad=0,rounding_size={height / 4}"
    ax.add_patch(
        FancyBboxPatch(
            (x - width / 2, y - height / 2), width, height, boxstyle=round_corners, facecolor=PAPER, edgecolor=LINE,
            linewidth=1.1 * shrink, zorder=2, gid="question",
        )
    )  # fmt: skip
    ax.text(x, y, text, ha="center", va="center", fontsize=fontsize * shrink, color=INK, zorder=3)
