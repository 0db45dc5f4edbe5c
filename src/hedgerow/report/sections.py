"""What the template fills in: the rules as text, figures, and where the rules come from."""

__all__ = ["in_short", "sections"]

from typing import Any

from hedgerow.report.data import ReportData
from hedgerow.report.figures import attack_in_words, figure_rows, gain_in_words, notes
from hedgerow.wording.numbers import WRITTEN_BY, counted, sentence

_FEW_RULES = 8
"""Up to this many rules are shown as text at once; more of them can be unfolded."""
_LONGEST_ADVICE = 600


def sections(data: ReportData) -> dict[str, Any]:
    """Return the template's variables by name."""
    findings = (
        ("gained", "What was gained", gain_in_words(data)),
        ("misread", "What may be misread", data.book.misreading),
        ("attack", "The worst that can happen", attack_in_words(data)),
        ("proof", "Could other rules do better?", _proof(data)),
    )
    return {
        "title": data.heading,
        "subtitle": _subtitle(data),
        "n_asked": len(data.asked),
        "sense": data.book.sense,
        "rules": _rules(data),
        "few_rules": data.book.tree.n_leaves <= _FEW_RULES,
        "counted": data.leaf_samples is not None,
        "figures": figure_rows(data),
        "findings": [finding for finding in findings if finding[2]],
        "notes": notes(data),
        "origin": {**_origin(data), "Version": sentence(WRITTEN_BY)},
    }


def _subtitle(data: ReportData) -> str:
    book, training = data.book, data.book.training
    counts = [
        counted(book.tree.n_leaves, "rule"),
        counted(len(book.plans), "plan"),
        f"{counted(len(data.asked), 'reading')} to take",
    ]
    learnt = "" if training is None else f"; learnt from {counted(training.n_samples // training.draws, 'sample')}"
    return f"{', '.join(counts)}{learnt}."


def _origin(data: ReportData) -> dict[str, str]:
    """Return where the rules come from, without what stands among the findings."""
    return {heading: words for heading, words in data.book.origin.items() if heading not in ("Misreading", "Proof")}


def _proof(data: ReportData) -> str:
    """Return what the rules promise, and whether other rules could promise more."""
    result = data.book.result
    if result is None:
        return "The tree file doesn’t say how good the tree is."
    at_most = "at least" if data.book.sense == "max" else "at most"
    promise = (
        f"These rules promise {at_most} {data.cost(result.objective)} over all training samples in the worst case."
    )
    return f"{result.summary} {promise}"


def _rules(data: ReportData) -> list[dict[str, Any]]:
    """Return the rules from left to right: conditions, plan, advice, and how many training samples reach each."""
    book, counts = data.book, data.leaf_samples
    rules = []
    for leaf, plan in enumerate(book.plans.of_leaf.tolist()):
        intervals = book.intervals_at(leaf)
        conditions = [data.condition(*interval) for interval in intervals]
        rules.append(
            {
                "conditions": " and ".join(conditions) or "always",
                "reachable": all(low < high for _, low, high in intervals),
                "plan": data.plan_name(plan),
                "words": in_short(book.plans.words[plan]),
                "samples": None if counts is None else int(counts[leaf]),
            }
        )
    return rules


def in_short(advice: str) -> str:
    """Return advice that fits a page; all that a plan uses is listed further down."""
    return advice if len(advice) <= _LONGEST_ADVICE else f"{advice[: _LONGEST_ADVICE - 1]}…"
