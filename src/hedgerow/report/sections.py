"""What the template fills in: rules as messages, and the parts of the page that are plain text and tables."""

__all__ = ["condition", "rules_in_words", "sections"]

import math
from collections.abc import Callable
from typing import Any

from hedgerow.report.data import ReportData
from hedgerow.report.facts import compared_side, in_short
from hedgerow.report.figures import attack_in_words, figure_rows, gain_in_words, plan_name, uncertainty_in_words
from hedgerow.report.language import DEFAULT, Message, figure, languages, message, reading, say
from hedgerow.report.provenance import proof_in_words, provenance
from hedgerow.report.reproduce import PLACEHOLDERS, caveats, commands
from hedgerow.rules import RuleBook
from hedgerow.tree.questions import Question
from hedgerow.uncertainty import GlobalBudget, Nominal
from hedgerow.wording.numbers import printable
from hedgerow.wording.questions import kind_of_unit

_FEW_RULES = 8
"""Up to this many rules are shown as text at once; more of them can be unfolded."""


def sections(data: ReportData) -> dict[str, Any]:
    """Return the template's variables by name."""
    book, lines = data.book, commands(data)
    return {
        "heading": data.heading,
        "title": say(data.heading, languages()[data.language or DEFAULT]),
        "subtitle": _subtitle(data),
        "n_asked": data.asked.size,
        "sense": book.sense,
        "rules": rules_in_words(data),
        "plan_names": [plan_name(data, plan) for plan in range(len(book.plans))],
        "few_rules": book.tree.n_leaves <= _FEW_RULES,
        "counted": data.leaf_samples is not None,
        "figures": figure_rows(data),
        "gained": gain_in_words(data),
        "notes": _notes(data),
        "attack": [] if data.training is None or isinstance(book.uncertainty, Nominal) else attack_in_words(data),
        "uncertainty": uncertainty_in_words(data),
        "proof": proof_in_words(data),
        "provenance": provenance(data),
        "commands": lines,
        "caveats": caveats(data),
        "has_placeholders": any(name in line for line in lines for name in PLACEHOLDERS),
        "include_samples": data.include_samples,
    }


def _subtitle(data: ReportData) -> Message:
    book, training = data.book, data.book.training
    counts = {
        "rules": message("count.rules", n=book.tree.n_leaves),
        "plans": message("count.plans", n=len(book.plans)),
        "readings": message("count.readings", n=data.asked.size),
    }
    if training is None:
        return message("subtitle", **counts)
    return message("subtitle.learnt", **counts, n=training.n_samples // training.draws)


def _notes(data: ReportData) -> list[Message]:
    book, training = data.book, data.book.training
    notes = []
    if data.training is None:
        notes.append(message("note.no_training"))
    elif training is not None:
        is_weighted = bool((data.training.attack.instance.weights != 1.0).any())
        if is_weighted != book.is_weighted or not math.isclose(training.total_weight, data.training.total_weight):
            notes.append(message("note.weights"))
        elif training.draws > 1:
            notes.append(message("note.drawn"))
    if data.test is None:
        notes.append(message("note.no_test"))
    elif data.test_is_nominal:
        notes.append(message("note.per_sample"))
    elif training is not None and isinstance(book.uncertainty, GlobalBudget) and book.uncertainty.budget:
        fitted, tested = training.n_samples, data.test.n_samples
        if fitted != tested:
            key = "note.shared_worse" if tested < fitted else "note.shared_better"
            notes.append(message(key, tested=tested, fitted=fitted, times=figure(fitted / tested)))
    return notes


def rules_in_words(data: ReportData) -> list[dict[str, Any]]:
    """Return the rules from left to right: conditions, plan, advice, and how many training samples reach each."""
    book, counts = data.book, data.leaf_samples

    def side_name(side: str) -> Any:
        found = compared_side(data, side)
        return plan_name(data, found) if isinstance(found, int) else found

    rules = []
    for leaf, plan in enumerate(book.plans.of_leaf.tolist()):
        intervals = book.intervals_at(leaf)
        conditions = [
            condition(book, question, end, name=side_name, yes=yes)
            for question, low, high in intervals
            for end, yes in ((low, False), (high, True))
            if math.isfinite(end)
        ]
        rules.append(
            {
                "leaf": leaf,
                "conditions": conditions,
                "reachable": all(low < high for _, low, high in intervals),
                "plan": plan,
                "words": in_short(book.plans.words[plan]),
                "samples": None if counts is None else int(counts[leaf]),
            }
        )
    return rules


def condition(
    book: RuleBook, question: Question, threshold: float, *, name: Callable[[str], Any] = printable, yes: bool = True
) -> Message:
    """Return the answer "yes", or "no", as a statement; `name` returns what the sides of a comparison are called."""
    unit = book.unit_of(question)
    answer = "yes" if yes else "no"
    sides = question.compared
    if sides is None:
        return message(f"reading.{answer}", name=printable(book.label(question)), value=reading(threshold, unit))
    first, second = map(name, sides)
    side = "equal" if threshold == 0.0 else "below" if threshold < 0.0 else "beyond"
    lower, higher = (message(f"{kind}.{kind_of_unit(unit)}") for kind in ("lower", "higher"))
    return message(
        f"less.{side}.{answer}",
        first=first,
        second=second,
        amount=reading(abs(threshold), unit),
        lower=lower,
        higher=higher,
    )
