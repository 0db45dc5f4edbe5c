"""What the template fills in: the rules, figures, and where the rules come from."""

__all__ = ["sections"]

from typing import Any

from hedgerow.report.data import ReportData
from hedgerow.report.facts import axes
from hedgerow.report.figures import attack_in_words, figure_rows, gain_in_words, gaps_in_words, notes
from hedgerow.report.tree import nested_rules
from hedgerow.wording.numbers import WRITTEN_BY, counted, sentence

_MOST_ACROSS = 8
"""Up to this many rules are drawn from left to right, more of them one below the other."""


def sections(data: ReportData) -> dict[str, Any]:
    """Return the template's variables by name."""
    findings = (
        ("gained", "What was gained", gain_in_words(data)),
        ("misread", "What may be misread", data.book.misreading),
        ("attack", "The worst that can happen", attack_in_words(data)),
        ("gaps", "If readings are missing", gaps_in_words(data)),
        ("proof", "Could other rules do better?", _proof(data)),
    )
    return {
        "title": data.heading,
        "subtitle": _subtitle(data),
        "n_asked": len(data.asked),
        "sense": data.book.sense,
        "tree": _tree(data),
        "is_deep": data.book.tree.n_leaves > _MOST_ACROSS,
        "refit": data.refit,
        "axes": axes(data),
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


def _tree(data: ReportData) -> dict[str, Any]:
    """Return the rules with how many training samples reach each, and where else thresholds may lie."""
    tree, counts = data.book.tree, data.row_samples

    def leaf_note(leaf: int) -> str:
        rows = tree.rows_at(leaf)
        if not data.reachable[rows].any():
            return "no reading can be so"
        if counts is None:
            return ""
        return counted(int(counts[rows].sum()), "sample") if counts[rows].any() else "no sample as read"

    return nested_rules(data.book, note=data.book.cell, leaf_note=leaf_note, phrase=data.phrase)
