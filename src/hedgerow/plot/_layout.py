"""Where the parts of a tree lie: one layout for figures and notebooks, which measure text in their own ways."""

__all__ = ["BADGE", "TreeLayout", "leaf_axis", "tree_layout"]

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from hedgerow.data.arrays import FloatArray, frozen
from hedgerow.rules import RuleBook
from hedgerow.tree.tree import Tree
from hedgerow.wording.numbers import reading, typeset

BADGE = 26.0
_MARGIN = 12.0
_EDGE = 40.0
_BEND = 22.0  # where an edge becomes level, before the box that it leads to


class QuestionBox(NamedTuple):
    """A question: the left side of its box, its middle line, its width, and what it asks."""

    left: float
    middle: float
    width: float
    text: str


class Edge(NamedTuple):
    """A line from a question to what follows an answer, and the end of the answer's text above or below the line."""

    x: tuple[float, float, float]
    y: tuple[float, float, float]
    answer: str
    is_left: bool


class LeafRow(NamedTuple):
    """A leaf, or one of its plans: its middle line, the leaf's number, the plan, the advice, and what it is based on.

    Of several plans only the first has the leaf's number, and what that is based on.
    """

    middle: float
    number: str
    plan: int
    advice: str
    basis: str


class TreeLayout(NamedTuple):
    """A tree from left to right with a row for each leaf or each of its plans; the upper left corner is the origin.

    The columns of a row are the number of the leaf, the badge of its plan, and the advice; what it is based on ends at
    the fourth.
    """

    width: float
    height: float
    box_height: float
    questions: list[QuestionBox]
    edges: list[Edge]
    leaves: list[LeafRow]
    columns: tuple[float, float, float, float]


def leaf_axis(tree: Tree) -> FloatArray:
    """Return the place of every node: a leaf at its first row of solutions, a question half-way between its children.

    Subtrees own disjoint stretches, so that nodes of one level are in order and at least a row apart.
    """
    place = np.where(tree.is_inner, 0.0, tree.first_row[tree.leaf_number])
    for node in np.flatnonzero(tree.leaf_number < 0)[::-1]:  # children have larger numbers than their parents
        place[node] = (place[tree.left[node]] + place[tree.right[node]]) / 2
    return frozen(place)


def tree_layout(
    book: RuleBook,
    name: Callable[[str], str],
    advice: Callable[[str], str],
    measure: Callable[[str], float],
    line: float,
) -> TreeLayout:
    """Return where everything lies.

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
    tree = book.tree
    questions = {
        node: typeset(f"{book.question(node, digits=reading, name=name)}?")
        for node in np.flatnonzero(tree.is_inner).tolist()
    }
    plans, texts = book.plans.of_leaf.tolist(), list[tuple[str, str, str]]()
    for leaf in range(tree.n_leaves):
        number = f"leaf {leaf}" if tree.card(leaf) is None else f"leaf {leaf}, the {book.best} of"
        heads = [(number, book.basis(leaf)), *[("", "")] * (len(book.choices(leaf)) - 1)]
        texts += [(head, advice(words), basis) for (head, basis), words in zip(heads, book.choices(leaf), strict=True)]
    row, padding = 2.1 * line, 0.6 * line
    middle = _MARGIN + (leaf_axis(tree) + 0.5) * row
    widths = {node: measure(text) + 2 * padding for node, text in questions.items()}
    starts = [_MARGIN]  # where the questions of each level begin, and at last the leaves
    for level in range(tree.depth):
        starts.append(starts[-1] + _EDGE + max(widths[node] for node in widths if tree.node_depth[node] == level))
    widest = [max(map(measure, column)) for column in zip(*texts, strict=True)]
    badge_at = starts[-1] + widest[0] + padding
    basis_end = badge_at + BADGE + padding + widest[1] + 3 * padding + widest[2]
    edges = []
    for node in questions:
        start, bend = starts[tree.node_depth[node]], starts[tree.node_depth[node] + 1] - _BEND
        for child, answer, is_left in zip(
            (tree.left[node], tree.right[node]), book.answers(node), (True, False), strict=True
        ):
            # The line to a leaf goes on to its row, past the questions of deeper levels.
            end = starts[tree.node_depth[child]] if tree.is_inner[child] else starts[-1] - 4
            heights = (float(middle[node]), float(middle[child]), float(middle[child]))
            edges.append(Edge((start + widths[node], bend, end), heights, answer, is_left))
    return TreeLayout(
        width=basis_end + _MARGIN,
        height=len(texts) * row + 2 * _MARGIN,
        box_height=1.5 * line,
        questions=[
            QuestionBox(starts[tree.node_depth[node]], float(middle[node]), widths[node], text)
            for node, text in questions.items()
        ],
        edges=edges,
        leaves=[
            LeafRow(_MARGIN + (place + 0.5) * row, number, plan, words, basis)
            for place, ((number, words, basis), plan) in enumerate(zip(texts, plans, strict=True))
        ],
        columns=(starts[-1], badge_at, badge_at + BADGE + padding, basis_end),
    )
