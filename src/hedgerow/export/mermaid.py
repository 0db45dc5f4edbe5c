"""Export to Mermaid: a drawing for Markdown pages, wikis and tickets."""

__all__ = ["to_mermaid"]

from typing import Any

from hedgerow._version import WRITTEN_BY
from hedgerow.rulebook import RuleBook

_PLAIN = frozenset(" .,:?!()+-=/_'")


def to_mermaid(source: Any) -> str:
    """Return the tree as a Mermaid flowchart; nodes have the tree's own numbers.

    Examples
    --------
    >>> from hedgerow import RuleBook, Tree
    >>> from hedgerow.export import to_mermaid
    >>> tree = Tree.full([0], [35.0], [[1.0, 0.0], [0.0, 1.0]])
    >>> print(to_mermaid(RuleBook(tree, ("bridge", "tunnel"), {"advice": ["by bridge", "by tunnel"]})))
    %% A decision tree, written by hedgerow ...
    flowchart TD
      n0["bridge ≤ 35?"]
      n0 -->|yes| n1
      n0 -->|no| n2
      n1(["by bridge"])
      n2(["by tunnel"])
    """
    book = RuleBook.of(source)
    tree = book.tree
    note = [f"%% {book.experience}"] if book.experience else []
    lines = [f"%% A decision tree, {WRITTEN_BY}.", *note, "flowchart TD"]
    for node, leaf in enumerate(tree.leaf_number.tolist()):
        if leaf >= 0:
            basis = f"<br/>{_escaped(book.basis(leaf))}" if book.basis(leaf) else ""
            lines.append(f'  n{node}(["{_escaped(book.plans.text(leaf))}{basis}"])')
        else:
            lines += [
                f'  n{node}["{_escaped(book.question(node))}?"]',
                f"  n{node} -->|yes| n{tree.left[node]}",
                f"  n{node} -->|no| n{tree.right[node]}",
            ]
    return "\n".join([*lines, ""])


def _escaped(text: str) -> str:
    """Return the text with a code for every sign that could mean something to Mermaid, Markdown or HTML."""
    return "".join(
        letter if not letter.isascii() or letter.isalnum() or letter in _PLAIN else f"#{ord(letter)};"
        for letter in text
    )
