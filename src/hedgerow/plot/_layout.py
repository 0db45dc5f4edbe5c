"""A tree as lines, boxes and texts: one drawing for figures and notebooks, which measure text in their own ways."""

__all__ = ["Box", "Drawing", "Line", "Text", "node_rows", "tree_drawing"]

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from hedgerow.data.arrays import FloatArray, frozen
from hedgerow.plot._style import colour_of, is_dark
from hedgerow.rules import RuleBook
from hedgerow.tree.tree import Tree
from hedgerow.wording.numbers import reading, typeset

_BADGE = 26.0
_MARGIN = 12.0
_EDGE = 40.0
_BEND = 22.0  # where an edge becomes level, before what it leads to


class Line(NamedTuple):
    """A line through three points, from a question to what follows an answer."""

    x: tuple[float, float, float]
    y: tuple[float, float, float]


class Box(NamedTuple):
    """The box of a question, or the badge of a plan, which has a colour; the mark says which."""

    left: float
    top: float
    width: float
    height: float
    mark: str
    colour: str = ""


class Text(NamedTuple):
    """A line of text.

    `x` is where it begins, has its middle or ends, as `anchor` ("start", "middle", "end") says, and `y` its middle,
    its bottom for answers above their line, or its top for those below. A kind is "question", "answer above",
    "answer below", "aside", "advice", "on light" or "on dark".
    """

    x: float
    y: float
    words: str
    kind: str
    anchor: str = "start"


class Drawing(NamedTuple):
    """A tree from left to right with a row for each leaf or each of its plans; the upper left corner is the origin."""

    width: float
    height: float
    lines: list[Line]
    boxes: list[Box]
    texts: list[Text]


def node_rows(tree: Tree) -> FloatArray:
    """Return the row of every node: a leaf's first row of solutions, for a question half-way between its children.

    Subtrees own disjoint stretches, so that nodes of one level are in order and at least a row apart.
    """
    place = np.where(tree.is_inner, 0.0, tree.first_row[tree.leaf_number])
    for node in np.flatnonzero(tree.is_inner)[::-1]:  # children have larger numbers than their parents
        place[node] = (place[tree.left[node]] + place[tree.right[node]]) / 2
    return frozen(place)


def tree_drawing(
    book: RuleBook,
    name: Callable[[str], str],
    advice: Callable[[str], str],
    measure: Callable[[str], float],
    line: float,
) -> Drawing:
    """Return the drawing of a tree.

    Parameters
    ----------
    book
        The rule book.
    name, advice
        Return names and advice in short.
    measure
        Returns the width of a text.
    line
        The height of a line of text.
    """
    tree, row, height, padding = book.tree, 2.1 * line, 1.5 * line, 0.6 * line
    middle = _MARGIN + (node_rows(tree) + 0.5) * row
    asks = {
        node: typeset(f"{book.question(node, digits=reading, name=name)}?")
        for node in np.flatnonzero(tree.is_inner).tolist()
    }
    widths = {node: measure(words) + 2 * padding for node, words in asks.items()}
    starts = [_MARGIN]  # where the questions of each level begin, and at last the leaves
    for level in range(tree.depth):
        starts.append(starts[-1] + _EDGE + max(widths[node] for node in widths if tree.node_depth[node] == level))
    lines, boxes, texts = list[Line](), list[Box](), list[Text]()
    for node, words in asks.items():
        left, width, y = starts[tree.node_depth[node]], widths[node], float(middle[node])
        bend = starts[tree.node_depth[node] + 1] - _BEND
        children = (tree.left[node], tree.right[node])
        for child, answer, side in zip(children, book.answers(node), (-1, 1), strict=True):
            # The line to a leaf goes on to its row, past the questions of deeper levels.
            end = starts[tree.node_depth[child]] if tree.is_inner[child] else starts[-1] - 4
            lines.append(Line((left + width, bend, end), (y, float(middle[child]), float(middle[child]))))
            kind = "answer above" if side < 0 else "answer below"
            texts.append(Text(bend + 1, float(middle[child]) + 0.5 * side, answer, kind))
        boxes.append(Box(left, y - height / 2, width, height, "question"))
        texts.append(Text(left + width / 2, y, words, "question", "middle"))
    heads = _leaf_heads(book)
    words_of = [f"{advice(book.plans.text(row))}{book.handicap(row)}" for row in range(len(heads))]
    badge = starts[-1] + max(measure(number) for number, _ in heads) + padding
    beside = badge + _BADGE + padding
    end = beside + max(map(measure, words_of)) + 3 * padding + max(measure(basis) for _, basis in heads)
    for place, ((number, basis), words, plan) in enumerate(zip(heads, words_of, book.plans.of_leaf, strict=True)):
        y, letter, colour = _MARGIN + (place + 0.5) * row, book.plans.letters[plan], colour_of(int(plan))
        boxes.append(Box(badge, y - height / 2, _BADGE, height, f"advice {letter}", colour))
        texts.append(Text(starts[-1], y, number, "aside"))
        texts.append(Text(badge + _BADGE / 2, y, letter, "on dark" if is_dark(colour) else "on light", "middle"))
        texts.append(Text(beside, y, words, "advice"))
        texts.append(Text(end, y, basis, "aside", "end"))
    return Drawing(end + _MARGIN, len(heads) * row + 2 * _MARGIN, lines, boxes, [each for each in texts if each.words])


def _leaf_heads(book: RuleBook) -> list[tuple[str, str]]:
    """Return per row a leaf's number and what it is based on; empty for all but the first of several plans."""
    heads = []
    for leaf in range(book.tree.n_leaves):
        number = f"leaf {leaf}" if book.tree.card(leaf) is None else f"leaf {leaf}, the {book.best} of"
        rows = book.tree.rows_at(leaf)
        heads += [(number, book.basis(leaf)), *[("", "")] * (rows.stop - rows.start - 1)]
    return heads
