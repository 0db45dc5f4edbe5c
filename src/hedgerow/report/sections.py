"""What the template fills in: the rules, how good they are in figures, and where they come from."""

__all__ = ["sections"]

import math
from typing import Any

import numpy as np

from hedgerow.data.confidence import block_labels, block_means, interval
from hedgerow.evaluation import Evaluation
from hedgerow.problem import sign_of
from hedgerow.report.data import ReportData
from hedgerow.report.facts import axes
from hedgerow.report.rendering import nested_rules
from hedgerow.tolerances import VALUE
from hedgerow.wording.budgets import budget_per_sample
from hedgerow.wording.numbers import WRITTEN_BY, counted, percentage, sentence

_MOST_ACROSS = 8
"""Up to this many rules are drawn from left to right, more of them one below the other."""
_NO_PROOF = "The tree file doesn’t say how good the tree is."


def sections(data: ReportData) -> dict[str, Any]:
    """Return the template's variables by name."""
    findings = (
        ("gained", "What was gained", _gain_in_words(data)),
        ("misread", "What may be misread", data.book.misreading),
        ("gaps", "If readings are missing", _gaps_in_words(data)),
        ("proof", "Could other rules do better?", data.book.origin.get("Proof", _NO_PROOF)),
    )
    return {
        "title": data.title,
        "subtitle": _subtitle(data),
        "n_asked": len(data.asked),
        "sense": data.book.sense,
        "tree": _tree(data),
        "is_deep": data.book.tree.n_leaves > _MOST_ACROSS,
        "refit": data.refit,
        "axes": axes(data),
        "figures": _figure_rows(data),
        "findings": [finding for finding in findings if finding[2]],
        "notes": _notes(data),
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


def _tree(data: ReportData) -> dict[str, Any]:
    """Return the rules with how many training samples reach each."""
    tree, counts = data.book.tree, data.row_samples

    def leaf_note(leaf: int) -> str:
        rows = tree.rows_at(leaf)
        if not data.book.tree.is_reachable[leaf]:
            return "no reading can be so"
        if counts is None:
            return ""
        return counted(int(counts[rows].sum()), "sample") if counts[rows].any() else "no sample as read"

    return nested_rules(data.book, leaf_note=leaf_note, phrase=data.phrase)


# -- how good the rules are: on their training data and on held-out data, as read and at worst -------------------------


def _figure_rows(data: ReportData) -> list[tuple[str, list[str]]]:
    """Return the table's rows; those of the training data come from the rule book where no data is given."""
    book, rows = data.book, []
    result, training = book.result, book.training
    if data.training is not None:
        rows.append(_figures(data, "Training data", data.training))
    elif training is not None and result is not None:
        sums = result.nominal, result.objective
        rows.append(("Training data", _cells(data, training.n_samples, training.total_weight, *sums)))
    if data.test is not None:
        rows.append(_figures(data, "Test data", data.test))
    return rows


def _figures(data: ReportData, label: str, found: Evaluation) -> tuple[str, list[str]]:
    carries_over = found is data.training or not data.book.uncertainty.belongs_to_samples
    robust = found.robust if carries_over else None
    return label, _cells(data, found.n_samples, found.total_weight, found.nominal, robust)


def _cells(data: ReportData, n_samples: int, weight: float, *sums: float | None) -> list[str]:
    means = [None if value is None else value / weight for value in sums]
    return [f"{n_samples:,}", *("–" if value is None else data.cost(value) for value in (*means, *sums))]


def _gain_in_words(data: ReportData) -> str:
    """Return what the rules gain over their best plan on samples that they have not seen, with its interval."""
    plans, problem, found = data.book.plans, data.book.problem, data.test
    if problem is None or found is None or len(plans) == 1:
        return ""
    sign, known = sign_of(problem), (data.training or found).attack.instance
    best = int(np.argmin(sign * known.weights @ problem.costs(plans.solutions, known.costs)))
    always = problem.costs(plans.solutions[[best]], found.attack.instance.costs)[:, 0]
    # Rows to test on have no weights.
    gains = sign * (always - found.attack.nominal_cost)
    labels, rng = block_labels(None, gains.size), np.random.default_rng(0)
    low, high = interval(block_means(gains[:, None], np.ones(gains.size), labels, rng))
    verdict = "" if low > 0.0 else " That may be chance." if high >= 0.0 else " The rules are not worth following."
    mean, least, most = map(data.cost, (abs(float(gains.mean())), low, high))
    return (
        f"On {found.n_samples:,} samples that the rules had not seen, following them is {mean} per sample "
        f"{'better' if gains.mean() >= 0.0 else 'worse'} than always following {data.plan_name(best)} (the gain is "
        f"between {least} and {most} with 95 % confidence).{verdict}"
    )


def _gaps_in_words(data: ReportData) -> str:
    """Return what it costs if some readings are missing, in a sentence; nothing if that is not known."""
    found = data.with_gaps
    if found is None:
        return ""
    where = "the training data" if data.test is None else "the test data"
    return (
        f"With {percentage(found.missing)} of the readings of {where} left out at random, and filled in as the rules "
        f"say, following them is {data.cost(found.lost / found.total_weight)} per sample worse."
    )


def _notes(data: ReportData) -> list[str]:
    """Return what has to be known about the figures."""
    book, training, result = data.book, data.book.training, data.book.result
    found = []
    if (
        data.training is not None
        and result is not None
        and not math.isclose(result.nominal, data.training.nominal, rel_tol=VALUE)
    ):
        found.append(
            "The fit gave its samples weights, or drew readings around them. In this table each counts as it is given "
            "here, so that its worst case is not the one that the rules promise."
        )
    if data.test is None:
        found.append("No test data was given: these are figures on samples that the tree was fitted to.")
    elif book.uncertainty.belongs_to_samples:
        found.append("How wrong readings may be was given sample by sample, so it can’t be carried over to test data.")
    elif training is not None:
        found.append(budget_per_sample(book.uncertainty, training.n_samples, data.test.n_samples))
    return list(filter(None, found))
