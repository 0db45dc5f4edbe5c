"""A large tree from left to right, with a row for each leaf: what it advises and how many samples reach it."""

__all__ = ["RowTree"]

from typing import TYPE_CHECKING, Any

from hedgerow.arrays import FloatArray
from hedgerow.plot._advice import add_badge, advice_of
from hedgerow.plot._layout import leaf_axis
from hedgerow.plot._style import INK, LINE, SIZE, SOFT, Look
from hedgerow.plot._text import measured, one_line
from hedgerow.plot._tree_parts import add_box, questions
from hedgerow.rulebook import RuleBook

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_MARGIN = 14.0
_ROW = 18.0
_EDGE = 26.0
_PADDING = 5.0
_BADGE = 34.0
_HEADER = 30.0
_NUMBER_COLUMN = 34.0
_ANSWERS: tuple[tuple[str, Any], ...] = (("yes, upwards", "-"), ("no, downwards", (0, (3, 1.5))))


class RowTree:
    """The drawing, laid out in points; `size` is what it takes, `draw` puts it on axes."""

    def __init__(self, book: RuleBook) -> None:
        self._tree = book.tree
        self._advices, self._plan_of = advice_of(book), book.plans.of_leaf
        self._question = questions(book, longest=22)
        self._words = [one_line(advice.words, 48) for advice in self._advices]
        self._counts = book.leaf_samples
        self._measure()

    def _measure(self) -> None:
        tree = self._tree
        self._width = {node: measured(text, SIZE - 1)[0] + 2 * _PADDING for node, text in self._question.items()}
        self._column: list[float] = [_MARGIN]  # where the questions of each level begin, and at last the rows
        for level in range(tree.depth):
            widest = max(width for node, width in self._width.items() if tree.node_depth[node] == level)
            self._column.append(self._column[-1] + widest + _EDGE)
        advice = max(measured(text, SIZE - 0.5)[0] for text in self._words)
        self._words_at = self._column[-1] + _NUMBER_COLUMN + _BADGE + _PADDING
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
            add_box(ax, (centre, float(y[node])), (self._width[node], _ROW - 4), text, SIZE - 1, shrink)
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
        ax.plot(
            [start, column - 5, end],
            [y[node], y[child], y[child]],
            color=LINE,
            linewidth=1.0 * shrink,
            linestyle=dashes,
            zorder=1,
        )

    def _row(self, ax: "Axes", leaf: int, y: float, shrink: float) -> None:
        plan = int(self._plan_of[leaf])
        text: Look = {"fontsize": (SIZE - 0.5) * shrink, "va": "center"}
        ax.text(self._column[-1], y, str(leaf), color=SOFT, **text)
        corner = (self._column[-1] + _NUMBER_COLUMN, y - _ROW / 2 + 1.5)
        add_badge(ax, self._advices[plan], corner, (_BADGE, _ROW - 3), (SIZE - 1) * shrink)
        ax.text(self._words_at, y, self._words[plan], color=INK, **text)
        if self._counts is not None:
            count = int(self._counts[leaf])
            ax.text(self._counts_at, y, f"{count:,}", ha="right", color=INK if count else LINE, **text)
