"""The page to choose on: a few good rule books side by side, what a reading is worth, and a builder."""

__all__ = ["choosing_html", "write_choosing"]

import json
from pathlib import Path
from typing import Any

import numpy as np

from hedgerow.good_trees import Alternative, Alternatives, Choice, ReadingsCurve, choices
from hedgerow.report.rendering import render
from hedgerow.rulebook import RuleBook
from hedgerow.tree import Tree
from hedgerow.words import amount, joined, percentage
from hedgerow.writing import check_writable, write_text


def choosing_html(
    found: Alternatives,
    curve: ReadingsCurve | None = None,
    *,
    title: str = "Rule books to choose from",
    builder_within: float = 0.05,
    time_limit: float | None = 60.0,
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

    Examples
    --------
    >>> from hedgerow import Instance, LocalBudget, alternatives
    >>> from hedgerow.problems import Selection
    >>> from hedgerow.report.choosing import choosing_html
    >>> costs = [[1.0, 3.0], [4.0, 2.0], [5.0, 2.5]]
    >>> instance = Instance.create(Selection(2, 1), costs, uncertainty=LocalBudget(0.5), depth=1)
    >>> page = choosing_html(alternatives(instance), title="Two tasks")
    >>> "<title>Two tasks</title>" in page, "://" in page
    (True, False)
    """
    offered = choices(found, max(builder_within, found.within), time_limit=time_limit)
    unit = found.instance.problem.unit
    first = found.picks[0]
    sections = {
        "title": title,
        "summary": found.summary(),
        "picks": [_card(pick, first, found, unit) for pick in found.picks],
        "curve": None if curve is None else _curve(curve, unit),
        "offers": bool(offered) and found.instance.depth > 0,
        "margin": f"{100.0 * max(builder_within, found.within):g} %",
        "has_like": found.like is not None,
    }
    files = {"template": "choose.html", "styles": ("style.css", "choose.css"), "scripts": ("choose.js",)}
    return render(sections, _facts(found, offered), **files)  # type: ignore[arg-type]  # names of files


def write_choosing(found: Alternatives, path: str | Path, curve: ReadingsCurve | None = None, **options: Any) -> None:
    """Write the page to choose on to a file; options are those of `choosing_html`."""
    check_writable(path)
    write_text(path, choosing_html(found, curve, **options))


def _card(pick: Alternative, first: Alternative, found: Alternatives, unit: str) -> dict[str, Any]:
    readings = found.instance.observations
    other = int((pick.tree.predict(readings) != first.tree.predict(readings)).any(axis=1).sum())
    differs = []
    if pick is not first:
        fresh = [name for item, name in pick.asked.items() if item not in first.asked]
        spared = [name for item, name in first.asked.items() if item not in pick.asked]
        differs += [f"asks about {joined(fresh)}"] if fresh else []
        differs += [f"does not ask about {joined(spared)}"] if spared else []
        differs.append(f"other advice on {other} of {len(readings)} samples")
    stable = "never changes" if np.isinf(pick.stability) else amount(float(f"{pick.stability:.3g}"), pick.reading_unit)
    return {
        "reasons": joined(pick.reasons),
        "price": "the best" if pick.price == 0.0 else f"+{percentage(pick.price)}",
        "worst_case": amount(pick.worst_case, unit),
        "nominal": amount(pick.nominal, unit),
        "n_questions": pick.n_questions,
        "n_readings": pick.n_readings,
        "stability": stable,
        "same_advice": percentage(pick.same_advice) if found.like is not None else "",
        "n_structures": f"{pick.n_structures:,}",
        "differs": "; ".join(differs),
        "tree": _in_words(pick, 0),
    }


def _in_words(book: RuleBook, node: int) -> dict[str, Any]:
    tree = book.tree
    if not tree.is_inner[node]:
        return {"words": book.plans.text(int(tree.leaf_number[node]))}
    below = {"yes": tree.left, "no": tree.right}
    return {"text": book.question(node), **{side: _in_words(book, int(at[node])) for side, at in below.items()}}


def _curve(curve: ReadingsCurve, unit: str) -> list[dict[str, Any]]:
    best, worst = curve.points[-1].value, curve.points[0].value
    return [
        {
            "n": point.n_readings,
            "value": amount(point.value, unit),
            "proven": abs(point.value - point.bound) <= 1e-6 * max(1.0, abs(point.value)),
            "share": f"{100.0 * (worst - point.value) / (worst - best):.0f} %" if worst != best else "",
            "asked": joined(point.readings) or "nothing",
        }
        for point in curve.points
    ]


def _facts(found: Alternatives, offered: list[Choice]) -> dict[str, Any]:
    """Return what the builder works with: questions, plans, trees by their questions, and a rule book to fill in."""
    if not offered:
        return {"choices": []}
    instance = found.instance
    asked = {question for each in offered for question in each.book.tree.questions}
    questions = [question for question in instance.questions if question in asked]
    plans: dict[bytes, int] = {}
    rows: list[list[float]] = []
    for each in offered:
        for row in each.book.tree.solutions:
            if row.tobytes() not in plans:
                plans[row.tobytes()] = len(rows)
                rows.append(row.tolist())
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
        "plans": [{"solution": row, "words": instance.problem.describe(np.array(row))} for row in rows],
        "choices": [
            {
                "asked": [-1 if q < 0 else questions.index(instance.questions[q]) for q in _numbers(each, found)],
                "tree": _nested(each.book.tree, 0, each.book, questions, plans),
                "value": each.book.worst_case,
                "price": each.book.price,
                "nominal": each.book.nominal,
                "samples": [int(count) for count in each.book.training.leaf_samples],  # type: ignore[union-attr]
            }
            for each in offered
        ],
        "base": base,
    }


def _numbers(choice: Choice, found: Alternatives) -> tuple[int, ...]:
    """Return the questions' numbers in the whole instance, by what the tree asks."""
    tree, depth = choice.book.tree, found.instance.depth
    numbers = [-1] * (2**depth - 1)
    stack = [(0, 0)]
    while stack:
        node, place = stack.pop()
        if tree.is_inner[node]:
            numbers[place] = found.instance.questions.index(tree.questions[tree.question[node]])
            stack += [(int(tree.left[node]), 2 * place + 1), (int(tree.right[node]), 2 * place + 2)]
    return tuple(numbers)


def _nested(tree: Tree, node: int, book: RuleBook, questions: list[Any], plans: dict[bytes, int]) -> dict[str, Any]:
    if not tree.is_inner[node]:
        return {"plan": plans[tree.solutions[tree.leaf_number[node]].tobytes()]}
    return {
        "ask": questions.index(tree.questions[tree.question[node]]),
        "threshold": float(tree.threshold[node]),
        "text": book.question(node),
        "yes": _nested(tree, int(tree.left[node]), book, questions, plans),
        "no": _nested(tree, int(tree.right[node]), book, questions, plans),
    }
