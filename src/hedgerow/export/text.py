"""Export to text and drawings: questions and answers, sentences, and graphs for Graphviz and Mermaid."""

__all__ = ["sentence", "to_dot", "to_mermaid", "to_rules", "to_text"]

import textwrap
from collections.abc import Callable
from typing import Any

from hedgerow.rules import RuleBook
from hedgerow.tree.tree import indented
from hedgerow.wording.numbers import WRITTEN_BY

_WIDTH = 40
_PLAIN = frozenset(" .,:?!()+-=/_'")


def to_text(source: Any) -> str:
    """Return the tree as indented questions and answers.

    Examples
    --------
    >>> from hedgerow import RuleBook, Tree
    >>> from hedgerow.export import to_text
    >>> from hedgerow.rules import Labels
    >>> tree = Tree.full([0], [35.0], [[1.0, 0.0], [0.0, 1.0]])
    >>> labels = Labels(advice=("by bridge", "by tunnel"), unit="min")
    >>> print(to_text(RuleBook(tree, ("bridge", "tunnel"), labels=labels)), end="")
    bridge ≤ 35 min?
    ├─ yes: by bridge (leaf 0)
    └─ no:  by tunnel (leaf 1)
    """
    book = RuleBook.of(source)

    def at_leaf(leaf: int) -> list[str]:
        basis = book.basis(leaf)
        return [f"{book.plans.text(leaf)} (leaf {leaf}{', ' if basis else ''}{basis})"]

    def at_question(node: int, yes: list[str], no: list[str]) -> list[str]:
        return indented(f"{book.question(node)}?", yes, no, book.answers(node))

    return "\n".join([*book.tree.fold(at_leaf, at_question), ""])


def to_rules(source: Any) -> str:
    """Return one sentence per leaf, a line each, from left to right.

    Examples
    --------
    >>> from hedgerow import RuleBook, Tree
    >>> from hedgerow.export import to_rules
    >>> from hedgerow.rules import Labels
    >>> tree = Tree.full([0], [35.0], [[1.0, 0.0], [0.0, 1.0]])
    >>> labels = Labels(advice=("the bridge", "the tunnel"), unit="min")
    >>> print(to_rules(RuleBook(tree, ("bridge", "tunnel"), labels=labels)), end="")
    If bridge ≤ 35 min, then take the bridge.
    If bridge > 35 min, then take the tunnel.
    """
    book = RuleBook.of(source)
    lines = [sentence(book, leaf) for leaf in range(book.tree.n_leaves)]
    return "\n".join([*lines, *([book.experience] if book.experience else []), ""])


def sentence(book: RuleBook, leaf: int) -> str:
    """Return a leaf's rule as a sentence; a reading that is asked twice on the way has one interval."""
    advice = book.plans.text(leaf)
    if (book.tree.bounds.lower[leaf] >= book.tree.bounds.upper[leaf]).any():
        return f"Nothing leads to {advice} at leaf {leaf}: the questions before it contradict each other."
    conditions = book.conditions(leaf)
    basis = f" (based on {book.basis(leaf)})" if book.basis(leaf) else ""
    if not conditions:
        return f"Always take {advice}{basis}."
    return f"If {' and '.join(conditions)}, then take {advice}{basis}."


def to_dot(source: Any) -> str:
    """Return the tree as a graph for Graphviz; nodes have the tree's own numbers.

    Examples
    --------
    >>> from hedgerow import RuleBook, Tree
    >>> from hedgerow.export import to_dot
    >>> from hedgerow.rules import Labels
    >>> tree = Tree.full([0], [35.0], [[1.0, 0.0], [0.0, 1.0]])
    >>> print(to_dot(RuleBook(tree, ("bridge", "tunnel"), labels=Labels(advice=("by bridge", "by tunnel")))))
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

    def label(*paragraphs: str) -> str:
        # Numbers and names stay whole.
        options: dict[str, Any] = {"width": _WIDTH, "break_long_words": False, "break_on_hyphens": False}
        lines = [line for paragraph in paragraphs for line in textwrap.wrap(paragraph, **options)]
        # Graphviz reads escapes such as \N and entities such as &lt; in labels; names must show as they are.
        return "\\n".join(line.replace("&", "&amp;").replace("\\", "\\\\").replace('"', '\\"') for line in lines)

    head = ["digraph tree {", '  node [shape=box, fontname="Helvetica"];', '  edge [fontname="Helvetica"];']
    lines = _graph(
        RuleBook.of(source),
        "//",
        head,
        lambda node, words, basis: f'  {node} [label="{label(words, basis)}", style=rounded];',
        lambda node, words: f'  {node} [label="{label(words)}"];',
        lambda node, child, answer: f'  {node} -> {child} [label="{answer}"];',
    )
    return "\n".join([*lines, "}", ""])


def to_mermaid(source: Any) -> str:
    """Return the tree as a Mermaid flowchart, for Markdown pages, wikis and tickets; nodes have the tree's own numbers.

    Examples
    --------
    >>> from hedgerow import RuleBook, Tree
    >>> from hedgerow.export import to_mermaid
    >>> from hedgerow.rules import Labels
    >>> tree = Tree.full([0], [35.0], [[1.0, 0.0], [0.0, 1.0]])
    >>> print(to_mermaid(RuleBook(tree, ("bridge", "tunnel"), labels=Labels(advice=("by bridge", "by tunnel")))))
    %% A decision tree, written by hedgerow ...
    flowchart TD
      n0["bridge ≤ 35?"]
      n0 -->|yes| n1
      n0 -->|no| n2
      n1(["by bridge"])
      n2(["by tunnel"])
    """

    def label(*paragraphs: str) -> str:
        """Return texts with a code for every sign that could mean something to Mermaid, Markdown or HTML."""
        coded = (
            "".join(c if not c.isascii() or c.isalnum() or c in _PLAIN else f"#{ord(c)};" for c in p)
            for p in paragraphs
        )
        return "<br/>".join(filter(None, coded))

    lines = _graph(
        RuleBook.of(source),
        "%%",
        ["flowchart TD"],
        lambda node, words, basis: f'  n{node}(["{label(words, basis)}"])',
        lambda node, words: f'  n{node}["{label(words)}"]',
        lambda node, child, answer: f"  n{node} -->|{answer}| n{child}",
    )
    return "\n".join([*lines, ""])


def _graph(
    book: RuleBook,
    comment: str,
    head: list[str],
    at_leaf: Callable[[int, str, str], str],
    at_question: Callable[[int, str], str],
    at_edge: Callable[[int, int, str], str],
) -> list[str]:
    """Return the lines of a drawing: comments, its head, then a line for each node and each edge."""
    tree = book.tree
    notes = [
        f"{comment} A decision tree, {WRITTEN_BY}.",
        *([f"{comment} {book.experience}"] if book.experience else []),
    ]
    lines = [*notes, *head]
    for node, leaf in enumerate(tree.leaf_number.tolist()):
        if leaf >= 0:
            lines.append(at_leaf(node, book.plans.text(leaf), book.basis(leaf)))
        else:
            lines.append(at_question(node, f"{book.question(node)}?"))
            children = (int(tree.left[node]), int(tree.right[node]))
            lines += [at_edge(node, *edge) for edge in zip(children, book.answers(node), strict=True)]
    return lines
