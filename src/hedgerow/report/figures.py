"""How good the tree is, in figures: on its training data and on held-out data, as read and at worst."""

__all__ = ["attack_in_words", "figure_rows", "gain_in_words", "plan_name", "uncertainty_in_words"]

from collections import Counter
from typing import Any

import numpy as np

from hedgerow.adversary import Attack
from hedgerow.data.arrays import FloatArray
from hedgerow.data.confidence import block_labels, block_means, interval
from hedgerow.evaluation import Evaluation
from hedgerow.problem import sign_of
from hedgerow.report.data import ReportData
from hedgerow.report.language import Message, figure, listed, message, plain, reading
from hedgerow.uncertainty import LocalBudget, Nominal


def figure_rows(data: ReportData) -> list[dict[str, Any]]:
    """Return the table's rows; those of the training data come from the rule book where no data is given."""
    book, rows = data.book, []
    proof, kept = book.proof, book.training
    if data.training is not None:
        rows += _rows(data, message("data.training"), data.training)
    elif kept is not None and proof.nominal is not None and proof.objective is not None:
        sums = proof.nominal, proof.objective
        rows.append(_figures(message("data.training"), kept.n_samples, sums, kept.total_weight, book.unit))
    if data.test is not None:
        rows += _rows(data, message("data.test"), data.test, nominal_only=data.test_is_nominal)
    return rows


def _rows(data: ReportData, label: Message, found: Evaluation, *, nominal_only: bool = False) -> list[dict[str, Any]]:
    """Return the row of an evaluation, and one for following the same plan always: no reading can mislead then."""
    sums, unit = (found.nominal, None if nominal_only else found.robust), data.book.unit
    rows = [_figures(label, found.n_samples, sums, found.total_weight, unit)]
    best = _best_plan(data)
    if best is not None:
        total = float(found.attack.instance.weights @ _paid_always(data, best, found))
        always = message("data.always", plan=plan_name(data, best))
        rows.append(_figures(always, None, (total, total), found.total_weight, unit))
    return rows


def _figures(
    label: Message, samples: int | None, sums: tuple[float, float | None], weight: float, unit: str
) -> dict[str, Any]:
    values = [None if value is None else value / weight for value in sums] + list(sums)
    cells = ["–" if value is None else figure(value, unit) for value in values]
    return {
        "label": label,
        "cells": [plain(cell) for cell in ("" if samples is None else samples, *cells)],
        "is_comparison": samples is None,
    }


def _best_plan(data: ReportData) -> int | None:
    """Return the plan that does best if it is followed always, on the training data where that is given."""
    plans, problem, found = data.book.plans, data.book.problem, data.training or data.test
    if problem is None or found is None or len(plans) == 1:
        return None
    instance = found.attack.instance
    sums = instance.weights @ problem.costs(plans.solutions, instance.costs)
    return int(np.argmin(sign_of(problem) * sums))


def _paid_always(data: ReportData, plan: int, found: Evaluation) -> FloatArray:
    assert data.book.problem is not None
    return data.book.problem.costs(data.book.plans.solutions[[plan]], found.attack.instance.costs)[:, 0]


def gain_in_words(data: ReportData) -> list[Message]:
    """Return what the rules gain over one plan on samples that they have not seen, with its interval."""
    best, found = _best_plan(data), data.test
    if best is None or found is None or data.book.problem is None:
        return []
    # Rows to test on have no weights.
    gains = sign_of(data.book.problem) * (_paid_always(data, best, found) - found.attack.nominal_cost)
    labels, rng = block_labels(None, gains.size), np.random.default_rng(0)
    low, high = interval(block_means(gains[:, None], np.ones(gains.size), labels, rng))
    clear = "" if low > 0.0 else "less_" if high < 0.0 else None
    key = "gained.unclear" if clear is None else f"gained.{clear}{data.book.sense}"
    low, high = (-high, -low) if high < 0.0 else (low, high)
    values = {"each": abs(float(gains.mean())), "low": low, "high": high}
    shown = {name: figure(value, data.book.unit) for name, value in values.items()}
    return [message(key, n=found.n_samples, plan=plan_name(data, best), **shown)]


def plan_name(data: ReportData, plan: int) -> Message:
    """Return what a plan is called."""
    return message("plan", letter=data.book.plans.letters[plan])


def uncertainty_in_words(data: ReportData) -> list[Message]:
    """Return how wrong readings may be, in sentences."""
    uncertainty, unit = data.book.uncertainty, data.book.reading_unit
    if isinstance(uncertainty, Nominal):
        return [message("misread.nothing")]
    budget, limits = uncertainty.budget, uncertainty.limits
    whom = "each" if isinstance(uncertainty, LocalBudget) else "all"
    # With prices the budget is no longer in the unit of the readings.
    measure = unit if uncertainty.prices is None else ""
    own = isinstance(budget, np.ndarray)
    messages = [message("misread.own") if own else message(f"misread.{whom}", size=figure(budget, measure))]
    if uncertainty.prices is not None:
        messages.append(message("misread.prices"))
    if limits is not None:
        each = isinstance(limits, np.ndarray)
        messages.append(message("misread.limits") if each else message("misread.limit", limit=figure(limits, unit)))
    return messages


def attack_in_words(data: ReportData) -> list[Message]:
    """Return the worst misreading of the training data in a sentence or two."""
    assert data.training is not None
    attack, unit = data.training.attack, data.book.unit
    moved = attack.moved
    if not moved.size:
        return [message("attack.none")]
    harm = abs(float(attack.cost.sum() - attack.nominal_cost.sum()))
    messages = [
        message(
            f"attack.{data.book.sense}",
            moved=moved.size,
            total=attack.leaf.size,
            harm=figure(harm, unit),
            each=figure(harm / data.training.total_weight, unit),
        ),
        message("attack.reads", ways=listed(_directions(data, attack))),
    ]
    if not attack.exact:
        messages.append(message("attack.bound"))
    return [*messages, _costliest(data, attack)] if data.include_samples else messages


def _directions(data: ReportData, attack: Attack) -> list[Message]:
    """Return what is misread which way, and how often, without any sample's own value."""
    before, after = attack.instance.observations, attack.observations
    ways: Counter[tuple[int, str]] = Counter()
    for item in data.asked.tolist():
        ways[item, "high"] = int((after[:, item] > before[:, item]).sum())
        ways[item, "low"] = int((after[:, item] < before[:, item]).sum())
    return [
        message(f"attack.too_{way}", name=data.book.names[item], n=count)
        for (item, way), count in ways.most_common()
        if count
    ]


def _costliest(data: ReportData, attack: Attack) -> Message:
    """Return the single most harmful misreading with its values, for pages that may show samples."""
    sample = int(np.argmax(abs(attack.cost - attack.nominal_cost)))
    before, after, book = attack.instance.observations[sample], attack.observations[sample], data.book
    readings = [
        message(
            "attack.instead",
            name=book.names[item],
            new=reading(after[item]),
            old=reading(before[item], book.reading_unit),
        )
        for item in data.asked.tolist()
        if after[item] != before[item]
    ]
    wrong, right = (plan_name(data, book.plans.of_leaf[leaf[sample]]) for leaf in (attack.leaf, attack.nominal_leaf))
    return message(
        f"attack.costliest_{book.sense}",
        sample=sample + 1,
        readings=listed(readings),
        wrong=wrong,
        right=right,
        paid=figure(attack.cost[sample], book.unit),
        best=figure(attack.nominal_cost[sample]),
    )
