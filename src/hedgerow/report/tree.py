"""The rules as nested values, which the template writes as nested lists."""

__all__ = ["nested_rules"]

from collections.abc import Callable
from typing import Any

from hedgerow.rules import RuleBook
from hedgerow.wording.numbers import reading, typeset
from hedgerow.wording.questions import Phrase

COLOURS = 8
"""Plans have this many colours on a page; letters tell plans apart where colours repeat."""
_LONGEST_ADVICE = 600


def nested_rules(
    book: RuleBook,
    *,
    note: Callable[[int], str] = lambda _: "",
    leaf_note: Callable[[int], str] = lambda _: "",
    phrase: Callable[[Any], Phrase] | None = None,
) -> dict[str, Any]:
    """Return the tree as nested questions and plans, with a note for each node and each leaf, in short."""
    plans, tree = book.plans, book.tree
    phrase = phrase or (lambda question: book.phrase(question, reading))
    node_of_leaf = [node for node in range(tree.n_nodes) if not tree.is_inner[node]]

    def at_leaf(leaf: int) -> dict[str, Any]:
        rows = tree.rows_at(leaf)
        return {
            "node": node_of_leaf[leaf],
            "heading": f"{book.best_of_several}:" if tree.card(leaf) is not None else "",
            "plans": [
                {"letter": plans.letters[plan], "kind": f"plan-{plan % COLOURS}", "words": in_short(words)}
                for plan, words in zip(plans.of_leaf[rows].tolist(), book.choices(leaf), strict=True)
            ],
            "note": leaf_note(leaf),
        }

    def at_question(node: int, left: dict[str, Any], right: dict[str, Any]) -> dict[str, Any]:
        asked, threshold = phrase(book.asks(node)), float(tree.threshold[node])
        words = {"asks": typeset(asked.asks(threshold)), "answers": asked.answers(threshold), "note": note(node)}
        return {"node": node, **words, "left": left, "right": right}

    return tree.fold(at_leaf, at_question)


def in_short(advice: str) -> str:
    """Return advice that fits a page; all that a plan uses is listed further down."""
    return advice if len(advice) <= _LONGEST_ADVICE else f"{advice[: _LONGEST_ADVICE - 1]}…"
