"""How good the tree is, in figures: on its training data and on held-out data, as read and at worst."""

__all__ = ["FigureRow", "attack_in_words", "figure_rows"]

from collections import Counter
from typing import NamedTuple

import numpy as np

from hedgerow.adversary import Attack
from hedgerow.arrays import FloatArray
from hedgerow.evaluate import Evaluation
from hedgerow.problem import sign_of
from hedgerow.report.data import ReportData
from hedgerow.words import amount, joined, reading, spelt, typeset

_MEAN_DIGITS = 4


class FigureRow(NamedTuple):
    """One row of the table, as texts: a data set or a comparison, and what it costs."""

    label: str
    samples: str
    nominal: str
    robust: str
    nominal_sum: str
    robust_sum: str
    is_comparison: bool = False


def figure_rows(data: ReportData) -> list[FigureRow]:
    """Return the table's rows; those of the training data come from the rule book where no data is given."""
    book, rows = data.book, []
    proof, kept = book.proof, book.training
    if data.training is not None:
        rows += [_row("Training data", data.training, book.unit), *_single_plan(data, data.training)]
    elif kept is not None and proof.nominal is not None and proof.objective is not None:
        sums = proof.nominal, proof.objective
        rows.append(_figures("Training data", f"{kept.n_samples:,}", sums, kept.total_weight, book.unit))
    if data.test is not None:
        rows += [_row("Test data", data.test, book.unit, data.test_is_nominal), *_single_plan(data, data.test)]
    return rows


def _row(label: str, found: Evaluation, unit: str, nominal_only: bool = False) -> FigureRow:
    sums = found.nominal, None if nominal_only else found.robust
    return _figures(label, f"{found.n_samples:,}", sums, found.total_weight, unit)


def _figures(
    label: str, samples: str, sums: tuple[float, float | None], weight: float, unit: str, is_comparison: bool = False
) -> FigureRow:
    each = ["–" if value is None else typeset(amount(value / weight, unit, _MEAN_DIGITS)) for value in sums]
    total = ["–" if value is None else typeset(amount(value, unit)) for value in sums]
    return FigureRow(label, samples, each[0], each[1], total[0], total[1], is_comparison)


def _single_plan(data: ReportData, found: Evaluation) -> list[FigureRow]:
    """Return the row for following the same plan always: no reading can mislead then."""
    plans, problem = data.book.plans, data.book.problem
    if problem is None or len(plans) == 1:
        return []

    def sums(of: Evaluation) -> FloatArray:
        instance = of.attack.instance
        each: FloatArray = instance.weights @ problem.costs(plans.solutions, instance.costs)
        return each

    best = int(np.argmin(sign_of(problem) * sums(data.training or found)))
    total = float(sums(found)[best])
    label = f"… always {plans.name(best)}"
    return [_figures(label, "", (total, total), found.total_weight, data.book.unit, is_comparison=True)]


def attack_in_words(data: ReportData) -> str:
    """Return the worst misreading of the training data in a sentence or two."""
    assert data.training is not None
    attack, unit = data.training.attack, data.book.unit
    moved = attack.moved
    if not moved.size:
        return "No misreading that the budget allows does any harm: every sample keeps advice that is as good."
    harm = abs(float(attack.cost.sum() - attack.nominal_cost.sum()))
    each = typeset(amount(harm / data.training.total_weight, unit, _MEAN_DIGITS))
    worse = "less gain" if data.book.sense == "max" else "more"
    words = (
        f"The worst misreading that the budget allows leads {moved.size:,} of "
        f"{spelt(attack.leaf.size, 'sample')} to another plan, for {typeset(amount(harm, unit))} {worse} in total "
        f"({each} per sample). It reads {_directions(data, attack)}."
    )
    if not attack.exact:
        words += " A worse one is not ruled out; the table shows the proven bound."
    return f"{words} {_costliest(data, attack)}" if data.include_samples else words


def _directions(data: ReportData, attack: Attack) -> str:
    """Return what is misread which way, and how often, without any sample's own value."""
    before, after = attack.instance.observations, attack.observations
    ways: Counter[tuple[int, bool]] = Counter()
    for item in data.asked.tolist():
        for too_high, count in ((True, after[:, item] > before[:, item]), (False, after[:, item] < before[:, item])):
            ways[item, too_high] = int(count.sum())
    return joined(
        [
            f"{data.book.names[item]} too {'high' if too_high else 'low'} ({_times(count)})"
            for (item, too_high), count in ways.most_common()
            if count
        ]
    )


def _times(count: int) -> str:
    return {1: "once", 2: "twice"}.get(count, f"{count} times")


def _costliest(data: ReportData, attack: Attack) -> str:
    """Return the single most harmful misreading with its values, for pages that may show samples."""
    sample = int(np.argmax(abs(attack.cost - attack.nominal_cost)))
    before, after, book = attack.instance.observations[sample], attack.observations[sample], data.book
    readings = " and ".join(
        f"{book.names[item]} as {typeset(reading(after[item]))} instead of "
        f"{typeset(reading(before[item], book.reading_unit))}"
        for item in data.asked.tolist()
        if after[item] != before[item]
    )
    plans = book.plans
    wrong, right = (plans.name(plans.of_leaf[leaf[sample]]) for leaf in (attack.leaf, attack.nominal_leaf))
    paid, best = (float(cost[sample]) for cost in (attack.cost, attack.nominal_cost))
    return (
        f"The costliest single one is sample {sample + 1}: reading {readings} leads to {wrong} in place of {right}, "
        f"which {'yields' if book.sense == 'max' else 'costs'} {typeset(amount(paid, book.unit))} instead of "
        f"{typeset(amount(best))}."
    )
