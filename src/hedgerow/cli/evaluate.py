"""`hedgerow evaluate`: what a tree costs on given data, as read and under the worst misreading."""

__all__ = ["evaluate", "show_hurt"]

import json
from collections.abc import Sequence
from typing import Annotated, Any

from hedgerow.adversary import Attack
from hedgerow.cli import shared
from hedgerow.cli.inputs import read_rules, samples_of
from hedgerow.cli.output import show, table_text
from hedgerow.data.json_files import finite_or_none
from hedgerow.evaluation import Evaluation
from hedgerow.explain.tree_explanation import hurt_samples
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
    label, names = table.labels([*rules.needed_problem().item_names, *([] if weights is None else [weights])])
    if as_json:
        show(json.dumps(_fields(rules, result), allow_nan=False))
    else:
        _show(rules, result)
        if budget.local_budget is None and budget.global_budget is None and rules.training is not None:
            # What a budget of the training data means for another number of samples.
            show(budget_per_sample(result.attack.instance.uncertainty, rules.training.n_samples, result.n_samples))
        show_hurt(rules, result.attack, label, names)


def _plain(value: Any) -> Any:
    return finite_or_none(value) if isinstance(value, float) else value


def _fields(rules: RuleBook, result: Evaluation) -> dict[str, Any]:
    fit = rules.result
    return {
        **{name: None if fit is None else _plain(getattr(fit, name)) for name in _OF_THE_FIT},
        **{name: finite_or_none(getattr(result, name)) for name in _OF_THE_ROWS},
        "nominal_interval": list(map(finite_or_none, result.nominal_interval)),
        "n_samples": result.n_samples,
        "n_moved": int(result.attack.moved.size),
        "exact": result.attack.exact,
        "uncertainty": result.attack.instance.uncertainty.to_dict(),
    }


def _show(rules: RuleBook, result: Evaluation) -> None:
    from hedgerow.export.printed import figures_of

    figures = figures_of(result)
    show(f"{table_text(figures.header, figures.rows, right=(1, 2))}\n")
    low, high = (amount(end, rules.unit) for end in result.nominal_interval)
    show(f"As read, the mean per sample lies between {low} and {high} with 95 % confidence.")
    for sentence in figures.sentences:
        show(sentence)
    if result.missing:
        show(result.summary)
    if not result.attack.exact:
        show("A worse attack is not ruled out; the worst case above is a bound that none exceeds.")


def show_hurt(rules: RuleBook, attack: Attack, label: str, names: Sequence[str]) -> None:
    """Show the samples that the worst case hurts most: what is misread, and what that costs."""

    def row(hurt: dict[str, Any]) -> list[str]:
        changes = (f"{each.name}: {reading(each.value)} as {reading(each.new_value)}" for each in hurt["changes"])
        advice = [rules.plans.text(int(row[hurt["sample"]])) for row in (attack.row, attack.nominal_row)]
        amounts = [amount(hurt[cost], rules.unit) for cost in ("cost", "nominal_cost")]
        return [hurt["label"], ", ".join(changes), *advice, *amounts]

    worst = hurt_samples(rules, attack, names, _MOST_SHOWN)
    if worst:
        gives = "gives" if rules.sense == "max" else "costs"
        header = [label, "misread", "advice", "instead of", gives, "instead of"]
        show(f"\n{table_text(header, map(row, worst), right=(4, 5))}")
    if attack.moved.size > len(worst):
        show(f"… and {attack.moved.size - len(worst):,} more, hurt less.")
