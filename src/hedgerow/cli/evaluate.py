"""`hedgerow evaluate`: what a tree costs on given data, as read and under the worst misreading."""

__all__ = ["evaluate", "show_hurt"]

from collections.abc import Sequence
from typing import Annotated, Any

import numpy as np

from hedgerow.adversary import Attack
from hedgerow.cli import shared
from hedgerow.cli.inputs import read_rules, samples_of
from hedgerow.cli.output import show, show_json
from hedgerow.data.table import row_labels
from hedgerow.evaluation import Evaluation
from hedgerow.rules import RuleBook
from hedgerow.wording.budgets import budget_per_sample
from hedgerow.wording.numbers import amount, reading

_OF_THE_FIT = ("objective", "lower_bound", "gap", "status", "runtime", "method")
_OF_THE_ROWS = ("nominal", "robust", "nominal_mean", "robust_mean")
_MOST_SHOWN = 10


def evaluate(
    tree: shared.Tree,
    costs: shared.Costs,
    budget: shared.Budget,
    readings: shared.Readings = None,
    context: shared.Context = None,
    weights: shared.Weights = None,
    missing: Annotated[float, shared.option("SHARE", "The share of readings to leave out at random.")] = 0.0,
    as_json: shared.AsJson = False,
) -> None:
    """Evaluate a tree on the samples in COSTS.csv, as read and in the worst case.

    The uncertainty set is the one the tree was fitted under unless a budget is shared. A fraction λ refers to the
    training data, of which the tree file keeps ranges, number of samples and depth. Samples are called by the first
    column that is no item and tells them apart, such as a date or an id.
    """
    rules = read_rules(tree)
    uncertainty = budget.uncertainty
    table, samples = samples_of(rules, costs, readings, context, weights)
    result = rules.evaluate(samples.pop("costs"), uncertainty, missing=missing, **samples)
    label, names = row_labels(table, [*rules.needed_problem().item_names, weights or ""])
    if as_json:
        show_json(_fields(rules, result))
    else:
        show(f"{result}\n")
        low, high = (amount(end, rules.unit) for end in result.nominal_interval)
        show(f"As read, the mean per sample lies between {low} and {high} with 95 % confidence.")
        if result.missing:
            show(result.summary)
        if budget.local_budget is None and budget.global_budget is None and rules.training is not None:
            # What a budget of the training data means for another number of samples.
            show(budget_per_sample(result.attack.instance.uncertainty, rules.training.n_samples, result.n_samples))
        show_hurt(rules, result.attack, label, names)


def _fields(rules: RuleBook, result: Evaluation) -> dict[str, Any]:
    fit = rules.result
    return {
        **{name: None if fit is None else getattr(fit, name) for name in _OF_THE_FIT},
        **{name: getattr(result, name) for name in _OF_THE_ROWS},
        "nominal_interval": result.nominal_interval,
        "n_samples": result.n_samples,
        "n_moved": int(result.attack.moved.size),
        "exact": result.attack.exact,
        "uncertainty": result.attack.instance.uncertainty.to_dict(),
    }


def show_hurt(rules: RuleBook, attack: Attack, label: str, names: Sequence[str]) -> None:
    """Show the samples that the worst case hurts most: what is misread, and what that costs."""
    import pandas as pd

    instance = attack.instance
    loss = instance.sign * (attack.cost - attack.nominal_cost)
    worst = sorted(attack.moved.tolist(), key=lambda sample: (-loss[sample], sample))[:_MOST_SHOWN]

    def row(sample: int) -> list[str]:
        true, misread = instance.observations[sample], attack.observations[sample]
        changes = (
            f"{rules.names[item]}: {reading(true[item])} as {reading(misread[item])}"
            for item in np.flatnonzero(true != misread).tolist()
        )
        advice = [rules.plans.text(int(rows[sample])) for rows in (attack.row, attack.nominal_row)]
        amounts = [amount(costs[sample], rules.unit) for costs in (attack.cost, attack.nominal_cost)]
        return [names[sample], ", ".join(changes), *advice, *amounts]

    if worst:
        gives = "gives" if rules.sense == "max" else "costs"
        header = [label, "misread", "advice", "instead of", gives, "instead of"]
        show(f"\n{pd.DataFrame(map(row, worst), columns=header).to_string(index=False)}")
    if attack.moved.size > len(worst):
        show(f"… and {attack.moved.size - len(worst):,} more, hurt less.")
