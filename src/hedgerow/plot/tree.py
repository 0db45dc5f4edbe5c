"""The tree as a picture: questions, answers and what to do."""

__all__ = ["plot_tree"]

from functools import partial
from typing import TYPE_CHECKING, Any

from hedgerow.plot._layout import BADGE, TreeLayout, tree_layout
from hedgerow.plot._style import INK, LINE, PAPER, SIZE, SOFT, Look, axes_or_new, colour_of, house_style, is_dark
from hedgerow.plot._text import measured, one_line
from hedgerow.rules import RuleBook

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_LONGEST_NAME, _LONGEST_ADVICE = 28, 48
_LARGEST = 120.0  # inches; a figure's pixels are limited


def plot_tree(source: Any, *, ax: "Axes | None" = None) -> "Axes":
    """Draw the tree from left to right, with one row for each leaf, or for each of its plans, by matplotlib alone.

    Leaves that give the same advice have the same letter and colour. Thresholds have up to ten digits; long
    names and advice are shortened.

    Parameters
    ----------
    source
        A fitted `RobustTree`, a `RuleBook`, the path of a tree file, an evaluation or its attack, or a bare `Tree`.
    ax
        Where to draw, whose size the tree is fitted to; a new figure, large enough for it, if None.

    Examples
    --------
    >>> from hedgerow import Tree, evaluate
    >>> from hedgerow.datasets import motivating_example
    >>> from hedgerow.plot import plot_tree
    >>> problem, costs = motivating_example()
    >>> tree = Tree.full([0], [5.0], [[1, 1, 0, 0], [0, 0, 1, 1]])
    >>> ax = plot_tree(evaluate(tree, problem, costs))
    >>> [text.get_text() for text in ax.texts if "≤" in text.get_text()]
    ['e1 ≤ 5?']
    """
    book = RuleBook.of(source)
    with house_style():
        name, advice = (partial(one_line, longest=most) for most in (_LONGEST_NAME, _LONGEST_ADVICE))
        layout = tree_layout(book, name, advice, lambda text: measured(text, SIZE), SIZE)
        ax = axes_or_new(ax, (min(layout.width / 72, _LARGEST), min(layout.height / 72, _LARGEST)), filled=True)
        shrink = _fit(ax, layout.width, layout.height)
        _draw_questions(ax, layout, shrink)
        _draw_leaves(ax, book, layout, shrink)
    return ax


def _fit(ax: "Axes", width: float, height: float) -> float:
    """Give the axes coordinates in which a drawing of that size in points fits; return by how much it shrinks."""
    box = ax.get_window_extent()
    per_point = ax.figure.dpi / 72
    room_x, room_y = box.width / per_point, box.height / per_point
    shrink = min(1.0, room_x / width, room_y / height)
    spare_x, spare_y = room_x / shrink - width, room_y / shrink - height
    ax.set(xlim=(-spare_x / 2, width + spare_x / 2), ylim=(height + spare_y / 2, -spare_y / 2))
    ax.set_axis_off()
    return shrink


def _draw_questions(ax: "Axes", layout: TreeLayout, shrink: float) -> None:
    from matplotlib.patches import FancyBboxPatch

    height = layout.box_height
    for edge in layout.edges:
        ax.plot(edge.x, edge.y, color=LINE, linewidth=1.1 * shrink, zorder=1)
        offset = -0.5 if edge.is_left else 0.5
        va = "bottom" if edge.is_left else "top"
        small: Look = {"fontsize": (SIZE - 1.5) * shrink, "color": SOFT, "ha": "left", "va": va}
        ax.text(edge.x[1] + 1, edge.y[1] + offset, edge.answer, **small)
    for box in layout.questions:
        corner = (box.left, box.middle - height / 2)
        look: Look = {"facecolor": PAPER, "edgecolor": LINE, "linewidth": 1.1 * shrink, "zorder": 2}
        style = f"round,pad=0,rounding_size={height / 4}"
        ax.add_patch(FancyBboxPatch(corner, box.width, height, boxstyle=style, gid="question", **look))
        centre = box.left + box.width / 2
        ax.text(centre, box.middle, box.text, ha="center", va="center", fontsize=SIZE * shrink, color=INK, zorder=3)


def _draw_leaves(ax: "Axes", book: RuleBook, layout: TreeLayout, shrink: float) -> None:
    from matplotlib.patches import Rectangle

    number_at, badge_at, words_at, basis_end = layout.columns
    height = layout.box_height
    text: Look = {"fontsize": SIZE * shrink, "va": "center"}
    for y, number, plan, words, basis in layout.leaves:
        ax.text(number_at, y, number, color=SOFT, **text)
        letter, colour = book.plans.letters[plan], colour_of(plan)
        corner = (badge_at, y - height / 2)
        ax.add_patch(Rectangle(corner, BADGE, height, facecolor=colour, gid=f"advice {letter}"))
        centre: Look = {**text, "ha": "center", "fontweight": "bold", "color": PAPER if is_dark(colour) else INK}
        ax.text(badge_at + BADGE / 2, y, letter, **centre)
        ax.text(words_at, y, words, color=INK, **text)
        if basis:
            ax.text(basis_end, y, basis, color=SOFT, ha="right", **text)
