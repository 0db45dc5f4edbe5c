"""The tree as a picture: questions, answers and what to do, small trees as cards, large ones as rows."""

__all__ = ["plot_tree"]

from typing import TYPE_CHECKING, Any

from hedgerow.plot._style import axes_or_new, house_style
from hedgerow.plot._tree_cards import CardTree
from hedgerow.plot._tree_rows import RowTree
from hedgerow.rulebook import RuleBook

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_MOST_CARDS = 5
_LARGEST = 120.0  # inches; a figure's pixels are limited


def plot_tree(source: Any, *, ax: "Axes | None" = None) -> "Axes":
    """Draw the tree; no other program is needed for it.

    Leaves that give the same advice have the same letter, colour and hatch. Up to five leaves are drawn as cards
    below the questions; larger trees run from left to right, with one row for each leaf. Thresholds have up
    to ten digits, long names and advice are shortened.

    Parameters
    ----------
    source
        A fitted `RobustTree`, a `RuleBook`, the path of a tree file, an evaluation or its attack, or a bare `Tree`.
    ax
        Where to draw, whose size the tree is fitted to; a new figure, large enough for it, if None.

    Returns
    -------
    The axes, without ticks.

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
        drawing = CardTree(book) if book.tree.n_leaves <= _MOST_CARDS else RowTree(book)
        width, height = drawing.size
        ax = axes_or_new(ax, (min(width / 72, _LARGEST), min(height / 72, _LARGEST)), filled=True)
        drawing.draw(ax, _fit(ax, width, height))
    return ax


def _fit(ax: "Axes", width: float, height: float) -> float:
    """Give the axes coordinates in which a drawing of that size in points fits; return by how much it shrinks."""
    box = ax.get_window_extent()
    per_point = ax.figure.dpi / 72
    room_x, room_y = box.width / per_point, box.height / per_point
    shrink = min(1.0, room_x / width, room_y / height)
    spare_x, spare_y = room_x / shrink - width, room_y / shrink - height
    ax.set(xlim=(-spare_x / 2, width + spare_x / 2), ylim=(-spare_y / 2, height + spare_y / 2))
    ax.set_axis_off()
    return shrink
