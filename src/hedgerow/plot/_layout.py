"""Where the parts of a small tree lie: one layout for figures and notebooks, which measure text in their own ways."""

__all__ = ["BADGE", "INSET", "SMALL", "Card", "CardLayout", "card_layout", "leaf_axis"]

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from hedgerow.data.arrays import FloatArray, frozen
from hedgerow.tree.tree import Tree

GAP = 14.0
LEVEL_GAP = 40.0
INSET = 7.0
BADGE = 24.0
SMALL = 5 / 6
"""Size of what stands below the advice, relative to ordinary text."""


class Box(NamedTuple):
    """A question: the middle of its box, its top, its width, and what it asks."""

    x: float
    top: float
    width: float
    text: str


class Edge(NamedTuple):
    """A line from a question to what follows the answer."""

    start: tuple[float, float]
    end: tuple[float, float]
    answer: str


class Card(NamedTuple):
    """A leaf: the left and upper side of its card, and its number."""

    left: float
    top: float
    leaf: int


class CardLayout(NamedTuple):
    """A tree from top to bottom, with a card for each leaf; coordinates begin at the upper left corner."""

    width: float
    height: float
    box_height: float
    card_width: float
    card_height: float
    questions: list[Box]
    edges: list[Edge]
    cards: list[Card]


def leaf_axis(tree: Tree) -> FloatArray:
    """Return the place of every node along the row of leaves, in leaves: leaf k is at k.

    Subtrees own disjoint stretches of the row, so that nodes of one level are in order and at least a leaf apart.
    """
    place = tree.leaf_number.astype(np.float64)
    for node in np.flatnonzero(tree.leaf_number < 0)[::-1]:  # children have larger numbers than their parents
        place[node] = (place[tree.left[node]] + place[tree.right[node]]) / 2
    return frozen(place)


def card_layout(
    tree: Tree,
    questions: Mapping[int, str],
    advice: Sequence[str],
    footers: Sequence[str],
    measure: Callable[[str, float], tuple[float, float]],
) -> CardLayout:
    """Return where everything lies.

    Parameters
    ----------
    tree
        The tree.
    questions
        What each inner node asks, by its number.
    advice, footers
        What stands on the cards, and below.
    measure
        Returns width and height of a text; its size is relative to that of ordinary text.
    """
    words, notes = [measure(text, 1.0) for text in advice], [measure(text, SMALL) for text in footers]
    line = measure("x", 1.0)[1]
    card_width = BADGE + 2 * INSET + max(width for width, _ in words + notes)
    card_height = max(height for _, height in words) + line + 2 * INSET
    box_height = line + 2 * INSET
    widths = {node: measure(text, 1.0)[0] + 2 * INSET for node, text in questions.items()}
    widest = max(widths.values(), default=0.0)
    # Two questions of one level are at least two leaves apart, a question and a leaf one and a half.
    slot = max(card_width + GAP, (widest + card_width) / 3 + GAP, (widest + GAP) / 2)
    across = max((tree.n_leaves - 1) * slot + card_width, widest) + 2 * GAP
    x = leaf_axis(tree) * slot + (across - (tree.n_leaves - 1) * slot) / 2
    top = GAP + tree.node_depth * (box_height + LEVEL_GAP)
    edges = [
        Edge((float(x[node]), float(top[node] + box_height)), (float(x[child]), float(top[child])), answer)
        for node in questions
        for child, answer in ((tree.left[node], "yes"), (tree.right[node], "no"))
    ]
    leaves = np.flatnonzero(tree.leaf_number >= 0).tolist()
    return CardLayout(
        width=across,
        height=float(top.max()) + card_height + GAP,
        box_height=box_height,
        card_width=card_width,
        card_height=card_height,
        questions=[Box(float(x[node]), float(top[node]), widths[node], text) for node, text in questions.items()],
        edges=edges,
        cards=[Card(float(x[node] - card_width / 2), float(top[node]), leaf) for leaf, node in enumerate(leaves)],
    )
