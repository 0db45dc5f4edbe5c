"""Export to DOT, the language of Graphviz: a drawing."""

__all__ = ["to_dot"]

import textwrap
from typing import Any

from hedgerow._version import WRITTEN_BY
from hedgerow.rulebook import RuleBook

_WIDTH = 40


def to_dot(source: Any) -> str:
    """Return the tree as a graph for Graphviz; nodes have the tree's own numbers.

    Examples
    --------
    >>> from hedgerow import RuleBook, Tree
    >>> from hedgerow.export import to_dot
    >>> tree = Tree.full([0], [35.0], [[1.0, 0.0], [0.0, 1.0]])
    >>> print(to_dot(RuleBook(tree, ("bridge", "tunnel"), {"advice": ["by bridge", "by tunnel"]})))
    // A decision tree, written by hedgerow ...
    digraph tree {
      node [shape=box, fontname="Helvetica"];
      edge [fontname="Helvetica"];
      0 [label="bridge ≤ 35?"];
      0 -> 1 [label="yes"];
      0 -> 2 [label="no"];
      1 [label="by bridge", style=rounded];
      2 [label="by tunnel", style=rounded];
    }
    """
    book = RuleBook.of(source)
    tree = book.tree
    lines = [
        f"// A decision tree, {WRITTEN_BY}.",
        *([f"// {book.experience}"] if book.experience else []),
        "digraph tree {",
        '  node [shape=box, fontname="Helvetica"];',
        '  edge [fontname="Helvetica"];',
    ]
    for node, leaf in enumerate(tree.leaf_number.tolist()):
        if leaf >= 0:
            lines.append(f"  {node} [label={_label(book.plans.text(leaf), book.basis(leaf))}, style=rounded];")
        else:
            lines += [
                f"  {node} [label={_label(f'{book.question(node)}?')}];",
                f'  {node} -> {tree.left[node]} [label="yes"];',
                f'  {node} -> {tree.right[node]} [label="no"];',
            ]
    return "\n".join([*lines, "}", ""])


def _label(*paragraphs: str) -> str:
    lines = [line for paragraph in paragraphs for line in _wrapped(paragraph)]
    # Graphviz reads escapes such as \N and entities such as &lt; in labels; names must show as they are.
    escaped = [line.replace("&", "&amp;").replace("\\", "\\\\").replace('"', '\\"') for line in lines]
    return '"' + "\\n".join(escaped) + '"'


def _wrapped(paragraph: str) -> list[str]:
    # Numbers and names stay whole.
    return textwrap.wrap(paragraph, _WIDTH, break_long_words=False, break_on_hyphens=False)
