"""A small tree from top to bottom, with a card for each leaf."""

__all__ = ["CardTree"]

from typing import TYPE_CHECKING

from hedgerow.plot._advice import add_badge, advice_of
from hedgerow.plot._layout import leaf_axis
from hedgerow.plot._style import INK, LINE, PAPER, SIZE, SOFT, Look
from hedgerow.plot._text import measured, paragraph
from hedgerow.plot._tree_parts import add_box, questions, sample_count
from hedgerow.rulebook import RuleBook

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_MARGIN = 14.0
_GAP = 14.0
_LEVEL_GAP = 40.0
_PADDING = 7.0
_BADGE = 24.0
_ADVICE_WIDTH, _ADVICE_LINES = 22, 3


class CardTree:
    """The drawing, laid out in points; `size` is what it takes, `draw` puts it on axes."""

    def __init__(self, book: RuleBook) -> None:
        self._tree = book.tree
        self._advices, self._plan_of = advice_of(book), book.plans.of_leaf
        self._question = questions(book, longest=28)
        self._words = [paragraph(advice.words, _ADVICE_WIDTH, _ADVICE_LINES) for advice in self._advices]
        counts = book.leaf_samples
        self._footer = [
            f"leaf {leaf}" if counts is None else f"leaf {leaf} · {sample_count(int(counts[leaf]))}"
            for leaf in range(book.tree.n_leaves)
        ]
        self._measure()

    def _measure(self) -> None:
        words = [measured(text, SIZE) for text in self._words]
        footer = [measured(text, SIZE - 1.5) for text in self._footer]
        asked = [measured(text, SIZE, "bold") for text in self._question.values()]
        self._card_width = _BADGE + 2 * _PADDING + max(width for width, _ in words + footer)
        self._card_height = max(height for _, height in words) + footer[0][1] + 2 * _PADDING + 3
        self._box_height = 1.25 * SIZE + 2 * _PADDING
        widest = max((width for width, _ in asked), default=0.0) + 2 * _PADDING
        # Two questions of one level are at least two leaves apart, a question and a leaf one and a half.
        self._slot = max(self._card_width + _GAP, (widest + self._card_width) / 3 + _GAP, (widest + _GAP) / 2)
        self._level = self._box_height + _LEVEL_GAP
        across = max((self._tree.n_leaves - 1) * self._slot + self._card_width, widest)
        self.size = (across + 2 * _MARGIN, self._tree.depth * self._level + self._card_height + 2 * _MARGIN)

    def draw(self, ax: "Axes", shrink: float) -> None:
        """Draw the tree on axes whose coordinates are points, shrunk by that factor."""
        tree = self._tree
        left = (self.size[0] - (tree.n_leaves - 1) * self._slot) / 2
        x = left + leaf_axis(tree) * self._slot
        top = self.size[1] - _MARGIN - tree.node_depth * self._level
        for node, text in self._question.items():
            for child, answer in ((int(tree.left[node]), "yes"), (int(tree.right[node]), "no")):
                start, end = (x[node], top[node] - self._box_height), (x[child], top[child])
                self._edge(ax, start, end, answer, shrink)
            width = measured(text, SIZE)[0] + 2 * _PADDING
            centre = (float(x[node]), float(top[node] - self._box_height / 2))
            add_box(ax, centre, (width, self._box_height), text, SIZE, shrink)
        is_leaf = tree.leaf_number >= 0
        for leaf, (middle, upper) in enumerate(zip(x[is_leaf].tolist(), top[is_leaf].tolist(), strict=True)):
            self._card(ax, leaf, middle, upper, shrink)

    def _edge(
        self, ax: "Axes", start: tuple[float, float], end: tuple[float, float], answer: str, shrink: float
    ) -> None:
        ax.plot(*zip(start, end, strict=True), color=LINE, linewidth=1.1 * shrink, zorder=1)
        middle = ((start[0] + end[0]) / 2, (start[1] + end[1]) / 2)
        ax.text(
            *middle, answer, ha="center", va="center", fontsize=(SIZE - 1) * shrink, color=SOFT,
            bbox={"facecolor": PAPER, "edgecolor": "none", "pad": 2 * shrink},
        )  # fmt: skip

    def _card(self, ax: "Axes", leaf: int, x: float, top: float, shrink: float) -> None:
        from matplotlib.patches import Rectangle

        plan = int(self._plan_of[leaf])
        left, bottom = x - self._card_width / 2, top - self._card_height
        badge = (_BADGE, self._card_height)
        add_badge(ax, self._advices[plan], (left, bottom), badge, SIZE * shrink)
        frame: Look = {"facecolor": "none", "edgecolor": LINE, "linewidth": 1.1 * shrink, "gid": f"leaf {leaf}"}
        ax.add_patch(Rectangle((left, bottom), self._card_width, self._card_height, **frame))
        text = left + _BADGE + _PADDING
        ax.text(text, top - _PADDING, self._words[plan], va="top", fontsize=SIZE * shrink, color=INK, linespacing=1.2)
        ax.text(text, bottom + _PADDING, self._footer[leaf], va="baseline", fontsize=(SIZE - 1.5) * shrink, color=SOFT)
