"""What the template fills in: the rules, how good they are in figures, and where they come from."""

__all__ = ["sections"]

import math
from typing import Any

import numpy as np

from hedgerow.data.arrays import FloatArray
from hedgerow.data.confidence import block_labels, block_means, interval
from hedgerow.evaluation import Evaluation
from hedgerow.report.data import ReportData
from hedgerow.report.facts import axes
from hedgerow.report.rendering import nested_rules
from hedgerow.wording.budgets import budget_per_sample
from hedgerow.wording.numbers import WRITTEN_BY, counted, percentage, sentence

_MOST_ACROSS = 8
"""Up to this many rules are drawn from left to right, more of them one below the other."""


def sections(data: ReportData) -> dict[str, Any]:
    """Return the template's variables by name."""
    findings = (
        ("gained", "What was gained", _gain_in_words(data)),
        ("misread", "What may be misread", data.book.misreading),
        ("attack", "The worst that can happen", _attack_in_words(data)),
        ("gaps", "If readings are missing", _gaps_in_words(data)),
        ("proof", "Could other rules do better?", _proof(data)),
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
    """Return the rules with how many training samples reach each."""
    tree, counts = data.book.tree, data.row_samples

    def leaf_note(leaf: int) -> str:
        rows = tree.rows_at(leaf)
        if not data.reachable[rows].any():
            return "no reading can be so"
        if counts is None:
            return ""
        return counted(int(counts[rows].sum()), "sample") if counts[rows].any() else "no sample as read"

    return nested_rules(data.book, leaf_note=leaf_note, phrase=data.phrase)


# -- how good the rules are: on their training data and on held-out data, as read and at worst -------------------------


def _figure_rows(data: ReportData) -> list[dict[str, Any]]:
    """Return the table's rows; those of the training data come from the rule book where no data is given."""
    book, rows = data.book, []
    result, training = book.result, book.training
    if data.training is not None:
        rows += _rows(data, "Training data", data.training)
    elif training is not None and result is not None:
        sums = result.nominal, result.objective
        rows.append(_figures(data, "Training data", training.n_samples, sums, training.total_weight))
    if data.test is not None:
        rows += _rows(data, "Test data", data.test, nominal_only=data.book.uncertainty.belongs_to_samples)
    return rows


def _rows(data: ReportData, label: str, found: Evaluation, *, nominal_only: bool = False) -> list[dict[str, Any]]:
    """Return the row of an evaluation, and one for following the same plan always: no reading can mislead then."""
    sums = found.nominal, None if nominal_only else found.robust
    rows = [_figures(data, label, found.n_samples, sums, found.total_weight)]
    best = _best_plan(data)
    if best is not None:
        total = float(found.attack.instance.weights @ _paid_always(data, best, found))
        rows.append(_figures(data, f"… always {data.plan_name(best)}", None, (total, total), found.total_weight))
    return rows


def _figures(
    data: ReportData, label: str, samples: int | None, sums: tuple[float, float | None], weight: float
) -> dict[str, Any]:
    values = [None if value is None else value / weight for value in sums] + list(sums)
    cells = ["–" if value is None else data.cost(value) for value in values]
    return {
        "label": label,
        "cells": ["" if samples is None else f"{samples:,}", *cells],
        "is_comparison": samples is None,
    }


def _best_plan(data: ReportData) -> int | None:
    """Return the best of the plans to follow always; None if that can't be said, or there is no other."""
    plans, problem, found = data.book.plans, data.book.problem, data.training or data.test
    if problem is None or found is None or len(plans) == 1:
        return None
    instance = found.attack.instance
    sums = instance.weights @ problem.costs(plans.solutions, instance.costs)
    return int(np.argmin(problem.sign * sums))


def _paid_always(data: ReportData, plan: int, found: Evaluation) -> FloatArray:
    assert data.book.problem is not None
    return data.book.problem.costs(data.book.plans.solutions[[plan]], found.attack.instance.costs)[:, 0]


def _gain_in_words(data: ReportData) -> str:
    """Return what the rules gain over one plan on samples that they have not seen, with its interval."""
    best, found = _best_plan(data), data.test
    if best is None or found is None or data.book.problem is None:
        return ""
    # Rows to test on have no weights.
    gains = data.book.problem.sign * (_paid_always(data, best, found) - found.attack.nominal_cost)
    labels, rng = block_labels(gains.size), np.random.default_rng(0)
    low, high = interval(block_means(gains[:, None], np.ones(gains.size), labels, rng))
    unseen, plan = f"On {found.n_samples:,} samples that the rules had not seen", data.plan_name(best)
    if low <= 0.0 <= high:
        return (
            f"{unseen}, it is not clear that following them is better than always following {plan}: the difference "
            f"per sample lies between {data.cost(low)} and {data.cost(high)} with 95 % confidence."
        )
    is_better, is_gain = low > 0.0, data.book.sense == "max"
    verb, side = "brought" if is_gain else "cost", "more" if is_better == is_gain else "less"
    least, most = map(data.cost, (low, high) if is_better else (-high, -low))
    verdict = "" if is_better else " The rules are not worth following."
    return (
        f"{unseen}, following them {verb} {data.cost(abs(float(gains.mean())))} {side} per sample than always "
        f"following {plan} (with 95 % confidence between {least} and {most} {side}).{verdict}"
    )


def _attack_in_words(data: ReportData) -> str:
    """Return the worst misreading of the training data in a sentence or two; nothing if there is none."""
    if data.training is None or not data.book.uncertainty.can_misread:
        return ""
    attack = data.training.attack
    if not attack.moved.size:
        return "No misreading that the budget allows does any harm: every sample keeps advice that is as good."
    harm = abs(float(attack.cost.sum() - attack.nominal_cost.sum()))
    gain = " gain" if data.book.sense == "max" else ""
    sentences = [
        f"The worst misreading that the budget allows leads {attack.moved.size:,} of {attack.leaf.size:,} samples to "
        f"another plan, for {data.cost(harm)} {'less' if gain else 'more'}{gain} in total "
        f"({data.cost(harm / data.training.total_weight)} per sample).",
    ]
    if not attack.exact:
        sentences.append("A worse one is not ruled out; the table shows the proven bound.")
    return " ".join(sentences)


def _gaps_in_words(data: ReportData) -> str:
    """Return what it costs if some readings are missing, in a sentence; nothing if that is not known."""
    found = data.with_gaps
    if found is None:
        return ""
    where = "the training data" if data.test is None else "the test data"
    lost = found.lost / found.total_weight
    verb, side = ("brings", "less") if data.book.sense == "max" else ("costs", "more")
    side = side if lost >= 0.0 else {"less": "more", "more": "less"}[side]
    return (
        f"With {percentage(found.missing)} of the readings of {where} left out at random, and filled in as the rules "
        f"say, following them {verb} {data.cost(abs(lost))} {side} per sample."
    )


def _notes(data: ReportData) -> list[str]:
    """Return what has to be known about the figures."""
    book, training = data.book, data.book.training
    found = []
    if data.training is None:
        found.append("The training data was not at hand, so the worst misreading can’t be shown in detail.")
    elif training is not None and (
        training.draws > 1
        or (data.training.attack.instance.weights != 1.0).any() != training.weighted
        or not math.isclose(training.total_weight, data.training.total_weight)
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
