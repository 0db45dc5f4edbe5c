"""Export to text: indented questions and answers for a terminal or a mail."""

__all__ = ["to_text"]

from typing import Any

from hedgerow.rulebook import RuleBook


def to_text(source: Any) -> str:
    """Return the tree as indented questions and answers.

    Examples
    --------
    >>> from hedgerow import RuleBook, Tree
    >>> from hedgerow.export import to_text
    >>> tree = Tree.full([0], [35.0], [[1.0, 0.0], [0.0, 1.0]])
    >>> details = {"advice": ["by bridge", "by tunnel"], "unit": "min"}
    >>> print(to_text(RuleBook(tree, ("bridge", "tunnel"), details)), end="")
    bridge ≤ 35 min?
    ├─ yes: by bridge (leaf 0)
    └─ no:  by tunnel (leaf 1)
    """
    book = RuleBook.of(source)

    def at_leaf(leaf: int) -> list[str]:
        basis = book.basis(leaf)
        return [f"{book.plans.text(leaf)} (leaf {leaf}{', ' if basis else ''}{basis})"]

    def at_question(node: int, yes: list[str], no: list[str]) -> list[str]:
        return [
            f"{book.question(node)}?",
            f"├─ yes: {yes[0]}",
            *(f"│  {line}" for line in yes[1:]),
            f"└─ no:  {no[0]}",
            *(f"   {line}" for line in no[1:]),
        ]

    lines = book.fold(at_leaf, at_question)
    return "\n".join([*lines, ""])
