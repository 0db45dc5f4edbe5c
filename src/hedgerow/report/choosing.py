"""The page to choose on: a few good rule books side by side, what a reading is worth, and a builder."""

__all__ = ["choosing_html", "write_choosing"]

import json
from pathlib import Path
from typing import Any

import numpy as np

from hedgerow.data.writing import check_writable, write_text
from hedgerow.good_trees import Alternative, Alternatives, Choice, ReadingsCurve, choices
from hedgerow.instance import Instance
from hedgerow.report.language import (
    DEFAULT,
    Message,
    check_language,
    figure,
    languages,
    listed,
    message,
    plain,
    say,
    share,
)
from hedgerow.report.rendering import render
from hedgerow.report.sections import condition
from hedgerow.rules import RuleBook
from hedgerow.tree.questions import Question


def choosing_html(
    found: Alternatives,
    curve: ReadingsCurve | None = None,
    *,
    title: str | None = None,
    builder_within: float = 0.05,
    time_limit: float | None = 60.0,
    language: str | None = None,
) -> str:
    """Return the page to choose on as the text of one HTML file that needs nothing else.

    Parameters
    ----------
    found
        What `hedgerow.alternatives` returned.
    curve
        What `hedgerow.good_trees.readings_curve` returned, to be shown beside.
    title
        The page's title.
    builder_within
        The builder offers trees whose worst case is within this margin of the best.
    time_limit
        Seconds for listing what the builder offers.
    language
        As for `write_report`.

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
    check_language(language)
    widest = max(builder_within, found.within)
    offered = choices(found, widest, time_limit=time_limit)
    unit = found.instance.problem.unit
    heading = message("choose.title") if title is None else plain(title)
    sections = {
        "title": say(heading, languages()[language or DEFAULT]),
        "heading": heading,
        "summary": _summary(found),
        "picks": [_card(pick, found, unit) for pick in found.picks],
        "curve": None if curve is None else _curve(curve, unit),
        "offers": bool(offered) and found.instance.depth > 0,
        "build_lead": message("choose.build_lead", margin=share(widest)),
        "has_like": found.like is not None,
    }
    scripts = ("language.js", "dom.js", "choose.js")
    facts = {"language": language, "languages": languages(), "readingUnit": unit, **_facts(found, offered)}
    return render(sections, facts, template="choose.html", styles=("style.css", "choose.css"), scripts=scripts)


def write_choosing(found: Alternatives, path: str | Path, curve: ReadingsCurve | None = None, **options: Any) -> None:
    """Write the page to choose on to a file; options are those of `choosing_html`."""
    check_writable(path)
    write_text(path, choosing_html(found, curve, **options))


def _summary(found: Alternatives) -> list[Message]:
    margin = share(found.within)
    if not found.complete:
        return [message("choose.met", n=found.n_structures, margin=margin), plain(found.message)]
    all_of_them = message("choose.all", n=found.n_structures, margin=margin)
    return (
        [all_of_them, message("choose.behaviours", n=found.n_behaviours)] if found.n_structures > 1 else [all_of_them]
    )


def _card(pick: Alternative, found: Alternatives, unit: str) -> dict[str, Any]:
    """Return a pick as messages; it is compared with the first one."""
    readings, first = found.instance.observations, found.picks[0]
    differs = []
    if pick is not first:
        fresh = [name for item, name in pick.asked.items() if item not in first.asked]
        spared = [name for item, name in first.asked.items() if item not in pick.asked]
        differs += [message("choose.asks", names=listed(fresh))] if fresh else []
        differs += [message("choose.asks_not", names=listed(spared))] if spared else []
        other = int((pick.tree.predict(readings) != first.tree.predict(readings)).any(axis=1).sum())
        differs.append(message("choose.other_advice", n=other, all=len(readings)))
    is_firm = np.isinf(pick.stability)
    return {
        "reasons": plain(listed(message(f"choose.reason.{reason.replace(' ', '_')}") for reason in pick.reasons)),
        # In hundredths of a per cent.
        "price": message("choose.price", price=share(max(round(pick.price, 4), 1e-4)))
        if pick.price
        else message("choose.best"),
        "worst_case": plain(figure(pick.worst_case, unit)),
        "nominal": plain(figure(pick.nominal, unit)),
        "n_questions": pick.n_questions,
        "n_readings": pick.n_readings,
        "stability": message("choose.never") if is_firm else plain(figure(pick.stability, pick.reading_unit)),
        "same_advice": None if found.like is None else plain(share(pick.same_advice)),
        "differs": differs,
        "tree": pick.fold(
            lambda leaf: {"words": pick.plans.text(leaf)},
            lambda node, yes, no: {"asks": _asks(pick, node), "yes": yes, "no": no},
        ),
    }


def _asks(book: RuleBook, node: int) -> Message:
    return condition(book, book.asks(node), float(book.tree.threshold[node]))


def _curve(curve: ReadingsCurve, unit: str) -> list[dict[str, Any]]:
    best, worst = curve.points[-1].value, curve.points[0].value
    points = []
    for point in curve.points:
        is_proven = abs(point.value - point.bound) <= 1e-6 * max(1.0, abs(point.value))
        value = figure(point.value, unit)
        points.append(
            {
                "n": point.n_readings,
                "value": plain(value) if is_proven else message("choose.not_proven", value=value),
                "share": None if worst == best else plain(share(round((worst - point.value) / (worst - best), 2))),
                "asked": plain(listed(point.readings)) if point.readings else message("choose.nothing"),
            }
        )
    return points


def _facts(found: Alternatives, offered: list[Choice]) -> dict[str, Any]:
    """Return what the builder works with: questions, plans, trees by their questions, and a rule book to fill in."""
    if not offered:
        return {"choices": []}
    instance = found.instance
    asked = {question for each in offered for question in each.book.tree.questions}
    questions = [question for question in instance.questions if question in asked]
    questions += sorted(asked.difference(questions), key=lambda question: question.label(instance.feature_names))
    plans = {row.tobytes(): row for each in offered for row in each.book.tree.solutions}
    number = {plan: place for place, plan in enumerate(plans)}
    base = json.loads(offered[0].book.to_json())
    base["tree"] = None
    return {
        "unit": instance.problem.unit,
        "best": found.best.objective,
        "questions": [
            {
                "label": question.label(instance.feature_names),
                "asked": {"item": question.item} if question.item is not None else {"question": question.to_dict()},
            }
            for question in questions
        ],
        "plans": [{"solution": row.tolist(), "words": instance.problem.describe(row)} for row in plans.values()],
        "choices": [_choice(each.book, questions, number, instance) for each in offered],
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
        return {"ask": ask, "threshold": threshold, "asks": _asks(book, node), "yes": yes, "no": no}

    return {
        "asked": asked,
        "tree": book.fold(lambda leaf: {"plan": plans[tree.solutions[leaf].tobytes()]}, at_question),
        "value": book.worst_case,
        "price": book.price,
        "nominal": book.nominal,
        "samples": np.bincount(tree.apply(instance.observations), minlength=tree.n_leaves).tolist(),
    }
