"""How good the tree is, in figures: on its training data and on held-out data, as read and at worst."""

__all__ = ["FigureRow", "attack_in_words", "figure_rows"]

from collections import Counter
from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from hedgerow.adversary import Attack
from hedgerow.arrays import FloatArray
from hedgerow.evaluate import Evaluation
from hedgerow.problem import sign_of
from hedgerow.report.inputs import Inputs
from hedgerow.report.words import exactly, in_words, is_number, number, with_unit

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


def figure_rows(inputs: Inputs) -> list[FigureRow]:
    """Return the table's rows; those of the training data come from the tree file where no data is given."""
    unit, rows = inputs.unit, []
    if inputs.training is not None:
        rows += [_row("Training data", inputs.training, unit), *_single_plan(inputs, inputs.training)]
    elif inputs.summary is not None:
        rows += _from_file(inputs)
    if inputs.test is not None:
        rows += [_row("Test data", inputs.test, unit, inputs.test_is_nominal), *_single_plan(inputs, inputs.test)]
    return rows


def _row(label: str, found: Evaluation, unit: str, nominal_only: bool = False) -> FigureRow:
    return FigureRow(
        label,
        f"{found.n_samples:,}",
        with_unit(found.nominal_mean, unit, _MEAN_DIGITS),
        "–" if nominal_only else with_unit(found.robust_mean, unit, _MEAN_DIGITS),
        with_unit(found.nominal, unit),
        "–" if nominal_only else with_unit(found.robust, unit),
    )


def _from_file(inputs: Inputs) -> list[FigureRow]:
    summary, told = inputs.summary, inputs.saved.details.get("training")
    assert summary is not None
    nominal, robust = (told.get(name) if isinstance(told, Mapping) else None for name in ("nominal", "robust"))
    if not (is_number(nominal) and is_number(robust)):
        return []
    weight, unit = summary.total_weight, inputs.unit
    return [
        FigureRow(
            "Training data",
            f"{summary.n_samples:,}",
            with_unit(nominal / weight, unit, _MEAN_DIGITS),
            with_unit(robust / weight, unit, _MEAN_DIGITS),
            with_unit(nominal, unit),
            with_unit(robust, unit),
        )
    ]


def _single_plan(inputs: Inputs, found: Evaluation) -> list[FigureRow]:
    """Return the row of whoever always follows the same plan: no reading can mislead them."""
    problem = inputs.problem
    if problem is None or len(inputs.plans) == 1:
        return []
    known = found if inputs.training is None else inputs.training
    best = int(np.argmin(sign_of(problem) * _sums(inputs, known)))
    total = float(_sums(inputs, found)[best])
    each, all_of_them = (
        with_unit(total / found.total_weight, inputs.unit, _MEAN_DIGITS),
        with_unit(total, inputs.unit),
    )
    label = f"… always {inputs.plans.name(best)}"
    return [FigureRow(label, "", each, each, all_of_them, all_of_them, is_comparison=True)]


def _sums(inputs: Inputs, found: Evaluation) -> FloatArray:
    """Return for each plan what it costs over all samples of a data set."""
    assert inputs.problem is not None
    instance = found.attack.instance
    sums: FloatArray = instance.weights @ inputs.problem.costs(np.stack(inputs.plans.solutions), instance.costs)
    return sums


def attack_in_words(inputs: Inputs) -> str:
    """Return the adversary's best attack on the training data, told in a sentence or two."""
    assert inputs.training is not None
    attack, unit = inputs.training.attack, inputs.unit
    moved = attack.moved
    if not moved.size:
        return "No misreading that the budget allows does any harm: every sample keeps advice that is as good."
    harm = abs(float(attack.cost.sum() - attack.nominal_cost.sum()))
    each = with_unit(harm / inputs.training.total_weight, unit, _MEAN_DIGITS)
    worse = "less gain" if inputs.sense == "max" else "more"
    told = (
        f"The worst misreading that the budget allows leads {moved.size:,} of "
        f"{in_words(attack.leaf.size, 'sample')} to another plan, for {with_unit(harm, unit)} {worse} in total "
        f"({each} per sample). It reads {_directions(inputs, attack)}."
    )
    if not attack.exact:
        told += " A worse one is not ruled out; the table shows the proven bound."
    return f"{told} {_dearest(inputs, attack)}" if inputs.include_samples else told


def _directions(inputs: Inputs, attack: Attack) -> str:
    """Return what is misread which way, and how often; no sample's own value is told."""
    before, after = attack.instance.observations, attack.observations
    ways: Counter[tuple[int, bool]] = Counter()
    for item in inputs.asked.tolist():
        for too_high, count in ((True, after[:, item] > before[:, item]), (False, after[:, item] < before[:, item])):
            ways[item, too_high] = int(count.sum())
    told = [
        f"{inputs.item_name(item)} too {'high' if too_high else 'low'} ({_times(count)})"
        for (item, too_high), count in ways.most_common()
        if count
    ]
    return told[0] if len(told) == 1 else f"{', '.join(told[:-1])} and {told[-1]}"


def _times(count: int) -> str:
    return {1: "once", 2: "twice"}.get(count, f"{count} times")


def _dearest(inputs: Inputs, attack: Attack) -> str:
    """Return the single most harmful misreading with its values, for pages that may show samples."""
    sample = int(np.argmax(abs(attack.cost - attack.nominal_cost)))
    before, after, unit = attack.instance.observations[sample], attack.observations[sample], inputs.reading_unit
    readings = " and ".join(
        f"{inputs.item_name(item)} as {exactly(after[item])} instead of {exactly(before[item])}"
        f"{f' {unit}' if unit else ''}"
        for item in inputs.asked.tolist()
        if after[item] != before[item]
    )
    plans = inputs.plans
    wrong, right = (plans.name(plans.of_leaf[leaf[sample]]) for leaf in (attack.leaf, attack.nominal_leaf))
    return (
        f"The dearest single one is sample {sample + 1}: reading {readings} leads to {wrong} in place of {right}, "
        f"which {'yields' if inputs.sense == 'max' else 'costs'} {with_unit(float(attack.cost[sample]), inputs.unit)} "
        f"instead of {number(float(attack.nominal_cost[sample]))}."
    )
