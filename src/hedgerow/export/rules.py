"""Export to rules: one if/then sentence per leaf, with the samples it is based on."""

__all__ = ["sentence", "to_rules"]

from typing import Any

from hedgerow.rulebook import RuleBook


def to_rules(source: Any) -> str:
    """Return one sentence per leaf, a line each, from left to right.

    Examples
    --------
    >>> from hedgerow import RuleBook, Tree
    >>> from hedgerow.export import to_rules
    >>> tree = Tree.full([0], [35.0], [[1.0, 0.0], [0.0, 1.0]])
    >>> details = {"advice": ["the bridge", "the tunnel"], "unit": "min"}
    >>> print(to_rules(RuleBook(tree, ("bridge", "tunnel"), details)), end="")
    If bridge ≤ 35 min, then take the bridge.
    If bridge > 35 min, then take the tunnel.
    """
    book = RuleBook.of(source)
    lines = [sentence(book, leaf) for leaf in range(book.tree.n_leaves)]
    return "\n".join([*lines, *([book.experience] if book.experience else []), ""])


def sentence(book: RuleBook, leaf: int) -> str:
    """Return a leaf's rule as a sentence; a reading that is asked twice on the way has one interval.

    >>> from hedgerow import RuleBook, Tree
    >>> sentence(RuleBook(Tree.single([1.0]), details={"advice": ["the bridge"]}), 0)
    'Always take the bridge.'
    """
    advice = book.plans.text(leaf)
    if (book.tree.bounds.lower[leaf] >= book.tree.bounds.upper[leaf]).any():
        return f"Nothing leads to {advice} at leaf {leaf}: the questions before it contradict each other."
    conditions = book.conditions(leaf)
    basis = f" (based on {book.basis(leaf)})" if book.basis(leaf) else ""
    if not conditions:
        return f"Always take {advice}{basis}."
    return f"If {' and '.join(conditions)}, then take {advice}{basis}."
