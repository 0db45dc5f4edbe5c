"""The rules as nested values, which the template writes as nested lists."""

__all__ = ["nested_rules"]

from collections.abc import Callable, Sequence
from typing import Any

from hedgerow.rules import RuleBook
from hedgerow.rules.plans import letters
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
    all_plans: Sequence[str] | None = None,
) -> dict[str, Any]:
    """Return the tree as nested questions and plans, with a note for each node and each leaf, in short.

    Plans have the letters of their places in `all_plans`, which are the plans of all rule books on a page in words; if
    left out, the rule book is the only one.
    """
    plans, tree = book.plans, book.tree
    phrase = phrase or (lambda question: book.phrase(question, reading))
    places = range(len(plans)) if all_plans is None else [all_plans.index(words) for words in plans.words]
    node_of_leaf = [node for node in range(tree.n_nodes) if not tree.is_inner[node]]

    def at_leaf(leaf: int) -> dict[str, Any]:
        rows = tree.rows_at(leaf)
        numbers = [places[plan] for plan in plans.of_leaf[rows].tolist()]
        return {
            "node": node_of_leaf[leaf],
            "heading": f"{book.best_of_several}:" if tree.card(leaf) is not None else "",
            "plans": [
                {"letter": letters(number), "kind": f"plan-{number % COLOURS}", "words": in_short(words)}
                for number, words in zip(numbers, book.choices(leaf), strict=True)
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
