"""Export to rules: one if/then sentence per leaf, with the samples it is based on."""

__all__ = ["sentence", "to_rules"]

import math
from typing import Any

from hedgerow.export.rulebook import RuleBook
from hedgerow.words import printable


def to_rules(source: Any) -> str:
    """Return one sentence per leaf, a line each, from left to right.

    Examples
    --------
    >>> from hedgerow import Tree, TreeFile
    >>> from hedgerow.export import to_rules
    >>> tree = Tree.full([0], [35.0], [[1.0, 0.0], [0.0, 1.0]])
    >>> details = {"advice": ["the bridge", "the tunnel"], "unit": "min"}
    >>> print(to_rules(TreeFile(tree, ("bridge", "tunnel"), details)), end="")
    If bridge ≤ 35 min, then take the bridge.
    If bridge > 35 min, then take the tunnel.
    """
    book = RuleBook.of(source)
    return "".join(f"{sentence(book, leaf)}\n" for leaf in range(book.tree.n_leaves))


def sentence(book: RuleBook, leaf: int) -> str:
    """Return a leaf's rule as a sentence; an item that is asked twice on the way is told by what remains of it.

    Examples
    --------
    >>> from hedgerow import Tree, TreeFile
    >>> from hedgerow.export.rulebook import RuleBook
    >>> from hedgerow.export.rules import sentence
    >>> sentence(RuleBook.of(TreeFile(Tree.single([1.0]), (), {"advice": ["the bridge"]})), 0)
    'Always take the bridge.'
    """
    bounds = book.tree.item_bounds
    conditions: list[str] = []
    for item, low, high in zip(
        bounds.item[leaf].tolist(), bounds.lower[leaf].tolist(), bounds.upper[leaf].tolist(), strict=True
    ):
        if low >= high:
            return f"Nothing leads to {book.text(leaf)} at leaf {leaf}: the questions before it contradict each other."
        if low > -math.inf:
            conditions.append(f"{printable(book.names[item])} > {book.amount(low)}")
        if high < math.inf:
            conditions.append(f"{printable(book.names[item])} ≤ {book.amount(high)}")
    advice = f"take {book.text(leaf)}{f' (based on {book.basis(leaf)})' if book.leaf_samples else ''}."
    return f"If {' and '.join(conditions)}, then {advice}" if conditions else f"Always {advice}"
