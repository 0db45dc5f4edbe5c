"""The page's text: template, style, script and facts become one HTML file that loads nothing else; rules as lists."""

import base64
import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from importlib import resources
from typing import Any, Final

from hedgerow.data.text_files import IN_SCRIPTS
from hedgerow.errors import needed
from hedgerow.rules import RuleBook
from hedgerow.rules.contents import letters
from hedgerow.wording.numbers import counted, percentage, reading
from hedgerow.wording.questions import Phrase

COLOURS: Final = 8
"""Plans have this many colours on a page; letters tell plans apart where colours repeat."""
_LONGEST_ADVICE: Final = 600


def render(template: str, scripts: Sequence[str], sections: Mapping[str, Any], facts: Mapping[str, Any]) -> str:
    """Return the page: the template filled with sections, and facts, plain JSON values, for the scripts."""
    with needed("a report needs Jinja2", "report"):
        import jinja2
    environment = jinja2.Environment(
        loader=jinja2.FunctionLoader(_page_file),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    style = _page_file("style.css")
    # One function around all files keeps their names private.
    script = "\n".join(['(() => {\n"use strict";', *map(_page_file, scripts), "})();"])
    page: str = environment.get_template(template).render(
        **sections,
        counted=counted,
        percentage=percentage,
        style=style,
        script=script,
        facts=json.dumps(facts, ensure_ascii=False, allow_nan=False, separators=(",", ":")).translate(IN_SCRIPTS),
        # This style, this script, and nothing from anywhere.
        policy=f"default-src 'none'; style-src {_hash(style)}; script-src {_hash(script)}; img-src data:; "
        "base-uri 'none'; form-action 'none'",
    )
    return page


def _page_file(name: str) -> str:
    return resources.files("hedgerow.report").joinpath("page", name).read_text(encoding="utf-8")


def _hash(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def nested_rules(
    book: RuleBook,
    *,
    leaf_note: Callable[[int], str] = lambda _: "",
    phrase: Callable[[Any], Phrase] | None = None,
    all_plans: Sequence[str] | None = None,
) -> dict[str, Any]:
    """Return the tree as nested questions and plans, with a note for each leaf, in short.

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
        words = {"asks": asked.asks(threshold), "answers": asked.answers(threshold)}
        return {"node": node, **words, "left": left, "right": right}

    return tree.fold(at_leaf, at_question)


def in_short(advice: str) -> str:
    """Return advice that fits a page; all that a plan uses is listed further down."""
    return advice if len(advice) <= _LONGEST_ADVICE else f"{advice[: _LONGEST_ADVICE - 1]}…"
