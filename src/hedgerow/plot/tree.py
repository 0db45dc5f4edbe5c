"""The tree as a picture: questions, answers and what to do."""

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from hedgerow.data.arrays import FloatArray
from hedgerow.plot._style import (
    COLOURS,
    INK,
    LINE,
    PAPER,
    SIZE,
    SOFT,
    Look,
    axes_or_new,
    house_style,
    is_dark,
    measured,
    one_line,
)
from hedgerow.rules import RuleBook
from hedgerow.tree.tree import Tree
from hedgerow.wording.numbers import reading

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_LONGEST_NAME, _LONGEST_ADVICE = 28, 48
_LARGEST: Final = 120.0  # inches; a figure's pixels are limited

# Sizes in points, which are the coordinates of the drawing.
_ROW, _BOX, _PADDING = 2.1 * SIZE, 1.5 * SIZE, 0.6 * SIZE
_BADGE, _MARGIN, _EDGE = 26.0, 12.0, 40.0
_BEND: Final = 22.0  # where an edge becomes level, before what it leads to


def plot_tree(source: Any, *, ax: "Axes | None" = None) -> "Axes":
    """Draw the tree from left to right, with one row for each leaf, or for each of its plans, by matplotlib alone.

    Leaves that give the same advice have the same letter and colour. Thresholds have up to ten digits; long
    names and advice are shortened.

    Parameters
    ----------
    source
        A fitted `RobustTree`, a `RuleBook`, the path of a tree file, an evaluation, or a bare `Tree`.
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
    with house_style():
        drawing = _Drawing(RuleBook.of(source))
        ax = axes_or_new(ax, (min(drawing.width / 72, _LARGEST), min(drawing.height / 72, _LARGEST)), filled=True)
        drawing.draw(ax)
    return ax


class _Drawing:
    """A tree from left to right with a row for each leaf or each of its plans; the upper left corner is the origin."""

    def __init__(self, book: RuleBook) -> None:
        tree, self._book = book.tree, book
        self._middle = _MARGIN + (_node_rows(tree) + 0.5) * _ROW
        self._asks = {
            node: f"{book.question(node, digits=reading, name=_short_name)}?"
            for node in np.flatnonzero(tree.is_inner).tolist()
        }
        self._widths = {node: _width(words) + 2 * _PADDING for node, words in self._asks.items()}
        self._starts = [_MARGIN]  # where the questions of each level begin, and at last the leaves
        for level in range(tree.depth):
            widest = max(self._widths[node] for node in self._widths if tree.node_depth[node] == level)
            self._starts.append(self._starts[-1] + _EDGE + widest)
        rows = range(len(tree.solutions))
        self._heads = _leaf_heads(book)
        self._advice = [f"{one_line(book.plans.text(row), _LONGEST_ADVICE)}{book.handicap(row)}" for row in rows]
        self._badge = self._starts[-1] + max(_width(number) for number, _ in self._heads) + _PADDING
        self._beside = self._badge + _BADGE + _PADDING
        bases = max(_width(basis) for _, basis in self._heads)
        self._end = self._beside + max(map(_width, self._advice)) + 3 * _PADDING + bases
        self.width, self.height = self._end + _MARGIN, len(rows) * _ROW + 2 * _MARGIN

    def draw(self, ax: "Axes") -> None:
        """Draw on axes, which get the drawing's coordinates."""
        self._ax, self._shrink = ax, _fit(ax, self.width, self.height)
        for node, words in self._asks.items():
            self._draw_question(node, words)
        for row in range(len(self._advice)):
            self._draw_advice(row)

    def _draw_question(self, node: int, words: str) -> None:
        from matplotlib.patches import FancyBboxPatch

        tree, y, width = self._book.tree, float(self._middle[node]), self._widths[node]
        left, bend = self._starts[tree.node_depth[node]], self._starts[tree.node_depth[node] + 1] - _BEND
        line: Look = {"color": LINE, "linewidth": 1.1 * self._shrink}
        sides = ((tree.left[node], 0.5, "bottom"), (tree.right[node], -0.5, "top"))
        for answer, (child, above, edge) in zip(self._book.answers(node), sides, strict=True):
            # The line to a leaf goes on to its row, past the questions of deeper levels.
            end = self._starts[tree.node_depth[child]] if tree.is_inner[child] else self._starts[-1] - 4
            level = float(self._middle[child])
            self._ax.plot((left + width, bend, end), (y, level, level), zorder=1, **line)
            self._write(bend + 1, level - above, answer, color=SOFT, va=edge, size=SIZE - 1.5)
        style = f"round,pad=0,rounding_size={_BOX / 4}"
        look: Look = {"facecolor": PAPER, "edgecolor": LINE, "linewidth": 1.1 * self._shrink, "gid": "question"}
        self._ax.add_patch(FancyBboxPatch((left, y - _BOX / 2), width, _BOX, boxstyle=style, zorder=2, **look))
        self._write(left + width / 2, y, words, ha="center")

    def _draw_advice(self, row: int) -> None:
        from matplotlib.patches import Rectangle

        y, plan = _MARGIN + (row + 0.5) * _ROW, int(self._book.plans.of_leaf[row])
        letter, colour = self._book.plans.letters[plan], COLOURS[plan % len(COLOURS)]
        number, basis = self._heads[row]
        self._ax.add_patch(
            Rectangle((self._badge, y - _BOX / 2), _BADGE, _BOX, facecolor=colour, gid=f"advice {letter}")
        )
        ink = PAPER if is_dark(colour) else INK
        self._write(self._starts[-1], y, number, color=SOFT)
        self._write(self._badge + _BADGE / 2, y, letter, ha="center", color=ink, fontweight="bold")
        self._write(self._beside, y, self._advice[row])
        self._write(self._end, y, basis, color=SOFT, ha="right")

    def _write(self, x: float, y: float, words: str, size: float = SIZE, **look: Any) -> None:
        if words:
            self._ax.text(x, y, words, fontsize=size * self._shrink, zorder=3, **{"va": "center", "color": INK, **look})


def _node_rows(tree: Tree) -> FloatArray:
    """Return the row of every node: a leaf's first row of solutions, for a question half-way between its children.

    Subtrees own disjoint stretches, so that nodes of one level are in order and at least a row apart.
    """
    place = np.where(tree.is_inner, 0.0, tree.first_row[tree.leaf_number])
    for node in np.flatnonzero(tree.is_inner)[::-1]:  # children have larger numbers than their parents
        place[node] = (place[tree.left[node]] + place[tree.right[node]]) / 2
    return place


def _leaf_heads(book: RuleBook) -> list[tuple[str, str]]:
    """Return per row a leaf's number and what it is based on; empty for all but the first of several plans."""
    heads = []
    for leaf in range(book.tree.n_leaves):
        number = f"leaf {leaf}" if book.tree.card(leaf) is None else f"leaf {leaf}, the {book.best} of"
        rows = book.tree.rows_at(leaf)
        heads += [(number, book.basis(leaf)), *[("", "")] * (rows.stop - rows.start - 1)]
    return heads


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


def _short_name(text: str) -> str:
    return one_line(text, _LONGEST_NAME)


def _width(text: str) -> float:
    return measured(text, SIZE)
