"""The tree as a picture: questions, answers and what to do, small trees as cards, large ones as rows."""

__all__ = ["plot_tree"]

from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from hedgerow.data.arrays import FloatArray
from hedgerow.plot._layout import BADGE, INSET, SMALL, Card, card_layout, leaf_axis
from hedgerow.plot._style import INK, LINE, PAPER, SIZE, SOFT, Look, add_badge, axes_or_new, house_style
from hedgerow.plot._text import measured, one_line, paragraph
from hedgerow.rules import RuleBook
from hedgerow.wording.numbers import counted, typeset
from hedgerow.wording.questions import condition

if TYPE_CHECKING:
    from matplotlib.axes import Axes


_MOST_CARDS = 5
_MARGIN = 14.0
_ADVICE_WIDTH, _ADVICE_LINES = 22, 3
_ROW = 18.0
_EDGE = 26.0
_ROW_PADDING = 5.0
_ROW_BADGE = 34.0
_HEADER = 30.0
_NUMBER_COLUMN = 34.0
_ANSWERS: tuple[tuple[str, Any], ...] = (("yes, upwards", "-"), ("no, downwards", (0, (3, 1.5))))
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
        layout = _Cards(book) if book.tree.n_leaves <= _MOST_CARDS else _Rows(book)
        width, height = layout.size
        ax = axes_or_new(ax, (min(width / 72, _LARGEST), min(height / 72, _LARGEST)), filled=True)
        layout.draw(ax, _fit(ax, width, height))
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


def _add_box(
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


class _Layout:
    """A drawing in points; `size` is what it takes, `draw` puts it on axes."""

    size: tuple[float, float]

    def __init__(self, book: RuleBook, longest: int) -> None:
        self._tree = book.tree
        self._plans = book.plans
        self._question: dict[int, str] = {}  # such as "e1 ≤ 5 min?"; names are cut to that many letters
        for node in np.flatnonzero(book.tree.is_inner).tolist():
            asked, threshold, _, _ = book.tree.split(node)
            unit = one_line(book.unit_of(asked), 16)
            words = condition(asked, threshold, book.names, unit, name=partial(one_line, longest=longest))
            self._question[node] = f"{typeset(words)}?"
        self._counts = book.leaf_samples


class _Cards(_Layout):
    """A small tree from top to bottom, with a card for each leaf."""

    def __init__(self, book: RuleBook) -> None:
        super().__init__(book, longest=28)
        words = [paragraph(words, _ADVICE_WIDTH, _ADVICE_LINES) for words in self._plans.words]
        self._words = [words[plan] for plan in self._plans.of_leaf.tolist()]
        self._footer = [f"leaf {leaf}" for leaf in range(book.tree.n_leaves)]
        if self._counts is not None:
            counts = [counted(count, "sample") if count else "no sample" for count in self._counts.tolist()]
            self._footer = [f"{leaf} · {count}" for leaf, count in zip(self._footer, counts, strict=True)]
        self._layout = card_layout(
            book.tree, self._question, self._words, self._footer, lambda text, size: measured(text, SIZE * size)
        )
        self.size = (self._layout.width, self._layout.height)

    def draw(self, ax: "Axes", shrink: float) -> None:
        """Draw the tree on axes whose coordinates are points, shrunk by that factor."""
        layout, height = self._layout, self.size[1]
        for edge in layout.edges:
            (x, y), (end_x, end_y) = edge.start, edge.end
            ax.plot((x, end_x), (height - y, height - end_y), color=LINE, linewidth=1.1 * shrink, zorder=1)
            ax.text(
                (x + end_x) / 2, height - (y + end_y) / 2, edge.answer, ha="center", va="center",
                fontsize=(SIZE - 1) * shrink, color=SOFT,
                bbox={"facecolor": PAPER, "edgecolor": "none", "pad": 2 * shrink},
            )  # fmt: skip
        for box in layout.questions:
            centre = (box.x, height - box.top - layout.box_height / 2)
            _add_box(ax, centre, (box.width, layout.box_height), box.text, SIZE, shrink)
        for card in layout.cards:
            self._card(ax, card, shrink)

    def _card(self, ax: "Axes", card: Card, shrink: float) -> None:
        from matplotlib.patches import Rectangle

        plan = int(self._plans.of_leaf[card.leaf])
        size = (self._layout.card_width, self._layout.card_height)
        top = self.size[1] - card.top
        corner = (card.left, top - size[1])
        add_badge(ax, self._plans, plan, corner, (BADGE, size[1]), SIZE * shrink)
        frame: Look = {"facecolor": "none", "edgecolor": LINE, "linewidth": 1.1 * shrink, "gid": f"leaf {card.leaf}"}
        ax.add_patch(Rectangle(corner, *size, **frame))
        x, words, footer = card.left + BADGE + INSET, self._words[card.leaf], self._footer[card.leaf]
        ax.text(x, top - INSET, words, va="top", fontsize=SIZE * shrink, color=INK, linespacing=1.2)
        ax.text(x, corner[1] + INSET, footer, va="baseline", fontsize=SIZE * SMALL * shrink, color=SOFT)


class _Rows(_Layout):
    """A large tree from left to right, with a row for each leaf: what it advises and how many samples reach it."""

    def __init__(self, book: RuleBook) -> None:
        super().__init__(book, longest=22)
        self._words = [one_line(words, 48) for words in self._plans.words]
        tree = self._tree
        self._width = {node: measured(text, SIZE - 1)[0] + 2 * _ROW_PADDING for node, text in self._question.items()}
        self._column: list[float] = [_MARGIN]  # where the questions of each level begin, and at last the rows
        for level in range(tree.depth):
            widest = max(width for node, width in self._width.items() if tree.node_depth[node] == level)
            self._column.append(self._column[-1] + widest + _EDGE)
        advice = max(measured(text, SIZE - 0.5)[0] for text in self._words)
        self._words_at = self._column[-1] + _NUMBER_COLUMN + _ROW_BADGE + _ROW_PADDING
        self._counts_at = self._words_at + max(advice, 40.0) + 52.0
        self.size = (self._counts_at + _MARGIN, tree.n_leaves * _ROW + _HEADER + 2 * _MARGIN)

    def draw(self, ax: "Axes", shrink: float) -> None:
        """Draw the tree on axes whose coordinates are points, shrunk by that factor."""
        tree = self._tree
        y = self.size[1] - _MARGIN - _HEADER - (leaf_axis(tree) + 0.5) * _ROW
        self._header(ax, shrink)
        for node in self._question:
            for child, (_, dashes) in zip((tree.left[node], tree.right[node]), _ANSWERS, strict=True):
                self._edge(ax, node, int(child), y, dashes, shrink)
        for node, text in self._question.items():
            centre = self._column[tree.node_depth[node]] + self._width[node] / 2
            _add_box(ax, (centre, float(y[node])), (self._width[node], _ROW - 4), text, SIZE - 1, shrink)
        for leaf, place in enumerate(y[tree.leaf_number >= 0].tolist()):
            self._row(ax, leaf, place, shrink)

    def _header(self, ax: "Axes", shrink: float) -> None:
        from matplotlib.lines import Line2D

        small: Look = {"fontsize": (SIZE - 1) * shrink, "color": SOFT, "va": "center"}
        top = self.size[1] - _MARGIN - _HEADER / 2
        x = _MARGIN
        for answer, dashes in _ANSWERS:
            ax.add_line(Line2D([x, x + 22], [top, top], color=LINE, linewidth=1.2 * shrink, linestyle=dashes))
            ax.text(x + 27, top, answer, **small)
            x += 27 + measured(answer, SIZE - 1)[0] + 16
        start = self._column[-1]
        ax.text(start, top, "leaf", ha="left", **small)
        ax.text(start + _NUMBER_COLUMN, top, "advice", ha="left", **small)
        if self._counts is not None:
            ax.text(self._counts_at, top, "samples", ha="right", **small)

    def _edge(self, ax: "Axes", node: int, child: int, y: FloatArray, dashes: Any, shrink: float) -> None:
        level = int(self._tree.node_depth[node])
        start = self._column[level] + self._width[node]
        column = self._column[level + 1]
        # The line to a leaf goes on to its row, past the questions of deeper levels.
        end = column if self._tree.is_inner[child] else self._column[-1] - 4
        look: Look = {"color": LINE, "linewidth": 1.0 * shrink, "linestyle": dashes, "zorder": 1}
        ax.plot([start, column - 5, end], [y[node], y[child], y[child]], **look)

    def _row(self, ax: "Axes", leaf: int, y: float, shrink: float) -> None:
        plan = int(self._plans.of_leaf[leaf])
        text: Look = {"fontsize": (SIZE - 0.5) * shrink, "va": "center"}
        ax.text(self._column[-1], y, str(leaf), color=SOFT, **text)
        corner = (self._column[-1] + _NUMBER_COLUMN, y - _ROW / 2 + 1.5)
        add_badge(ax, self._plans, plan, corner, (_ROW_BADGE, _ROW - 3), (SIZE - 1) * shrink)
        ax.text(self._words_at, y, self._words[plan], color=INK, **text)
        if self._counts is not None:
            count = int(self._counts[leaf])
            ax.text(self._counts_at, y, f"{count:,}", ha="right", color=INK if count else LINE, **text)
