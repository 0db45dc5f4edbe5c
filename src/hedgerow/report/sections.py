"""What the template fills in: the parts of the page that are plain text and tables."""

__all__ = ["sections"]

import math
from typing import Any

from hedgerow.report.data import ReportData
from hedgerow.report.figures import attack_in_words, figure_rows
from hedgerow.report.provenance import provenance
from hedgerow.report.reproduce import PLACEHOLDERS, caveats, commands
from hedgerow.report.rules import rules_in_words
from hedgerow.uncertainty import Nominal
from hedgerow.words import budget_per_sample, sentence, spelt, typeset, uncertainty_in_words

_FEW_RULES = 8
"""Up to this many rules are shown as text at once; more of them can be unfolded."""


def sections(data: ReportData) -> dict[str, Any]:
    """Return the template's variables by name."""
    book, lines = data.book, commands(data)
    return {
        "title": data.title,
        "subtitle": _subtitle(data),
        "n_asked": data.asked.size,
        "sense": book.sense,
        "unit": book.unit,
        "rules": rules_in_words(data),
        "plan_names": [book.plans.name(plan) for plan in range(len(book.plans))],
        "few_rules": book.tree.n_leaves <= _FEW_RULES,
        "counted": data.leaf_samples is not None,
        "figures": figure_rows(data),
        "notes": _notes(data),
        "attack": _attack(data),
        "uncertainty": sentence(uncertainty_in_words(book.uncertainty, book.reading_unit)),
        "proof": typeset(book.proof.in_words(book.depth, book.sense, book.unit)),
        "provenance": provenance(data),
        "commands": lines,
        "caveats": caveats(data),
        "has_placeholders": any(name in line for line in lines for name in PLACEHOLDERS),
        "include_samples": data.include_samples,
    }


def _subtitle(data: ReportData) -> str:
    book = data.book
    words = (
        f"{spelt(book.tree.n_leaves, 'rule')}, {spelt(len(book.plans), 'plan')}, "
        f"{spelt(data.asked.size, 'reading')} to take"
    )
    learnt = "" if book.training is None else f"; learnt from {spelt(book.training.n_samples, 'sample')}"
    return sentence(words + learnt)


def _attack(data: ReportData) -> str | None:
    if data.training is None or isinstance(data.book.uncertainty, Nominal):
        return None
    return attack_in_words(data)


def _same_weights(data: ReportData) -> bool:
    summary, training = data.book.training, data.training
    if summary is None or training is None:
        return True
    is_weighted = bool((training.attack.instance.weights != 1.0).any())
    return is_weighted == data.book.is_weighted and math.isclose(summary.total_weight, training.total_weight)


def _notes(data: ReportData) -> list[str]:
    notes = []
    if data.training is None:
        notes.append("The training data was not at hand, so the worst misreading can’t be shown in detail.")
    elif not _same_weights(data):
        notes.append(
            "The training samples had weights, which were not at hand: in this table each counts once, while what is "
            "proven, and what these rules promise there, counts each by its weight."
        )
    if data.test is None:
        notes.append("No test data was given: these are figures on samples that the tree was fitted to.")
    if data.test_is_nominal:
        notes.append("How wrong readings may be was given sample by sample, so it can’t be carried over to test data.")
    elif data.test is not None and data.book.training is not None:
        notes.append(budget_per_sample(data.book.uncertainty, data.book.training.n_samples, data.test.n_samples))
    return [note for note in notes if note]
