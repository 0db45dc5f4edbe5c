"""The page to choose on: a few good rule books side by side, and a builder."""

import json
from pathlib import Path
from typing import Any

import numpy as np

from hedgerow.data.text_files import check_writable, write_text
from hedgerow.errors import InputError
from hedgerow.good_trees import Alternative, Alternatives
from hedgerow.instance import Instance
from hedgerow.report.rendering import nested_rules, render
from hedgerow.tolerances import OPTIMALITY_GAP
from hedgerow.tree.questions import Question
from hedgerow.wording.numbers import amount, joined, percentage, reading

_BUILDER_WITHIN = 0.05
"""The builder offers trees whose worst case is within this margin of the best, or within that of the picks."""
_SMALLEST_SHARE = 1e-4
"""Extra costs are shown in hundredths of a per cent; what is less than one is shown as one."""


def choosing_html(
    found: Alternatives,
    *,
    title: str | None = None,
    time_limit: float | None = 60.0,
) -> str:
    """Return the page to choose on as the text of one HTML file that needs nothing else.

    Parameters
    ----------
    found
        What `hedgerow.alternatives` returned.
    title
        The page's title.
    time_limit
        Seconds for listing what the builder offers.

    Examples
    --------
    >>> from hedgerow import Instance, LocalBudget, alternatives
    >>> from hedgerow.problems import Selection
    >>> costs = [[1.0, 3.0], [4.0, 2.0], [5.0, 2.5]]
    >>> instance = Instance.create(Selection(2, 1), costs, uncertainty=LocalBudget(0.5), depth=1)
    >>> page = choosing_html(alternatives(instance), title="Two tasks")
    >>> "<title>Two tasks</title>" in page, "://" in page
    (True, False)
    """
    if title is not None and not isinstance(title, str):
        raise InputError(f"title must be a text; got {type(title).__name__}.")
    widest = max(_BUILDER_WITHIN, found.within)
    # A rule book's file keeps only the context that its own tree asks about, so that the builder can't fill it in.
    offered = [] if found.instance.context else found.choices(widest, time_limit=time_limit)
    all_plans = list(dict.fromkeys(words for pick in found.picks for words in pick.plans.words))
    sections = {
        "title": title or "Rule books to choose from",
        "summary": found.summary,
        "terms": found.terms,
        "picks": [(pick, _n_changed(pick, found), nested_rules(pick, all_plans=all_plans)) for pick in found.picks],
        "n_samples": found.instance.n_samples,
        "unit": found.instance.problem.unit,
        "offers": bool(offered) and found.instance.depth > 0,
        "margin": percentage(widest),
    }
    words = {"amount": amount, "extra": _extra, "joined": joined, "infinity": np.inf}
    return render("choose.html", ("dom.js", "choose.js"), {**sections, **words}, _facts(found, offered))


def write_choosing(found: Alternatives, path: str | Path, **options: Any) -> None:
    """Write the page to choose on to a file; options are those of `choosing_html`."""
    check_writable(path)
    write_text(path, choosing_html(found, **options))


def _n_changed(pick: Alternative, found: Alternatives) -> int:
    """Return how many samples get other advice from a pick than from the first one."""
    readings, first = found.instance.observations, found.picks[0]
    return int((pick.tree.predict(readings) != first.tree.predict(readings)).any(axis=1).sum())


def _extra(extra_cost: float) -> str:
    return f"+{percentage(max(round(extra_cost, 4), _SMALLEST_SHARE))}"


def _facts(found: Alternatives, offered: list[Alternative]) -> dict[str, Any]:
    """Return what the builder works with: questions, plans, trees by their questions, and a rule book to fill in."""
    if not offered:
        return {"choices": []}
    instance = found.instance
    asked = {question for each in offered for question in each.tree.questions}
    questions = [question for question in instance.questions if question in asked]
    questions += sorted(asked.difference(questions), key=lambda question: question.label(instance.feature_names))
    plans = {row.tobytes(): row for each in offered for row in each.tree.solutions}
    number = {plan: place for place, plan in enumerate(plans)}
    base = json.loads(offered[0].to_json())
    base["tree"] = None
    return {
        "questions": [
            {
                "label": question.label(instance.feature_names),
                "asked": {"item": question.item} if question.item is not None else {"question": question.to_dict()},
            }
            for question in questions
        ],
        "plans": [{"solution": row.tolist(), "words": instance.problem.describe(row)} for row in plans.values()],
        "choices": [_choice(each, questions, number, instance) for each in offered],
        "base": base,
    }


def _choice(
    book: Alternative, questions: list[Question], plans: dict[bytes, int], instance: Instance
) -> dict[str, Any]:
    """Return a tree of the builder: what its nodes ask, level by level, and its nodes one below the other."""
    tree, asked = book.tree, [-1] * (2**instance.depth - 1)
    for node in np.flatnonzero(tree.is_inner).tolist():
        asked[tree.level_place[node]] = questions.index(book.asks(node))

    def at_question(node: int, yes: dict[str, Any], no: dict[str, Any]) -> dict[str, Any]:
        ask, threshold = questions.index(book.asks(node)), float(tree.threshold[node])
        words = {"asks": book.question(node, digits=reading), "answers": book.answers(node)}
        return {"ask": ask, "threshold": threshold, **words, "yes": yes, "no": no}

    extra = _extra(book.extra_cost) if book.extra_cost else "no extra cost"
    value, nominal = (amount(each, instance.problem.unit) for each in (book.worst_case, book.nominal))
    assert book.result is not None
    is_optimal = book.result.gap <= OPTIMALITY_GAP
    return {
        "asked": asked,
        "tree": tree.fold(lambda leaf: {"plan": plans[tree.solutions[leaf].tobytes()]}, at_question),
        "value": book.worst_case,
        "extra": book.extra_cost,
        "nominal": book.nominal,
        "extraCost": extra,
        "words": f"Worst case {value} ({extra}), {nominal} as read.",
        "proof": {"status": "optimal" if is_optimal else "feasible"},
        "samples": np.bincount(tree.apply(instance.observations), minlength=tree.n_leaves).tolist(),
    }
