"""`hedgerow evaluate`: what a tree costs on given data, as read and under the worst misreading."""

__all__ = ["evaluate"]

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from hedgerow.adversary import Attack
from hedgerow.cli.inputs import read_rules, shown_in, unused_columns, weights_in
from hedgerow.cli.options import Budget
from hedgerow.cli.output import note_later, say, show, show_notes, show_table
from hedgerow.data.files import read_table
from hedgerow.evaluation import Evaluation
from hedgerow.explain.tree_explanation import hurt_samples
from hedgerow.rules import RuleBook
from hedgerow.rules.proof import finite_or_none
from hedgerow.wording.budgets import budget_per_sample, uncertainty_in_words
from hedgerow.wording.numbers import amount, reading

_OF_THE_FIT = ("objective", "lower_bound", "gap", "status", "runtime", "method")
_MOST_SHOWN = 10


def evaluate(
    tree: Path,
    costs: Path,
    budget: Budget,
    readings: Path | None = None,
    context: Path | None = None,
    weights: str | None = None,
    as_json: bool = False,
) -> None:
    """Evaluate a tree on the samples in COSTS.csv, as read and in the worst case."""
    rules = read_rules(tree)
    problem = rules.needed_problem()
    given = budget.uncertainty()
    table = read_table(costs)
    matrix = table.numbers(problem.item_names, "costs")
    shown = shown_in(rules, table, readings, context)
    result = rules.evaluate(matrix, given, sample_weight=weights_in(table, weights), **shown)
    label, names = table.labels([*problem.item_names, *([] if weights is None else [weights])])
    note_later(unused_columns(table, problem.item_names, label, weights))
    show_notes()
    if as_json:
        print(json.dumps(_fields(rules, result), allow_nan=False))
    else:
        _show(rules, result)
        if budget.local_budget is None and budget.global_budget is None and rules.training is not None:
            # What a budget of the training data means for another number of samples.
            share = budget_per_sample(result.attack.instance.uncertainty, rules.training.n_samples, result.n_samples)
            if share:
                say(share)
        _show_hurt(rules, result.attack, label, names)
    sys.stdout.flush()


def _fields(rules: RuleBook, result: Evaluation) -> dict[str, Any]:
    return {
        **{name: getattr(rules.proof, name) for name in _OF_THE_FIT},
        **{
            name: finite_or_none(getattr(result, name)) for name in ("nominal", "robust", "nominal_mean", "robust_mean")
        },
        "nominal_interval": list(map(finite_or_none, result.nominal_interval)),
        "n_samples": result.n_samples,
        "n_moved": int(result.attack.moved.size),
        "exact": result.attack.exact,
        "uncertainty": result.attack.instance.uncertainty.to_dict(),
    }


def _show(rules: RuleBook, result: Evaluation) -> None:
    # Imported here: `hedgerow --help` need not wait for figures.
    from hedgerow.plot.notebook import figures_of

    figures = figures_of(result)
    show_table(figures.header, figures.rows, right=(1, 2))
    show()
    low, high = (amount(end, rules.unit) for end in result.nominal_interval)
    say(f"As read, the mean per sample lies between {low} and {high} with 95 % confidence.")
    say(f"Worst case: {uncertainty_in_words(result.attack.instance.uncertainty, rules.reading_unit)}.")
    moved = int(result.attack.moved.size)
    say(f"Samples that then get worse advice than when read right: {moved:,} of {result.n_samples:,}.")
    if not result.attack.exact:
        say("A worse attack is not ruled out; the worst case above is a bound that none exceeds.")


def _show_hurt(rules: RuleBook, attack: Attack, label: str, names: Sequence[str]) -> None:
    """Show the samples that the worst case hurts most: what is misread, and what that costs."""
    worst = hurt_samples(rules, attack, names, _MOST_SHOWN)
    if not worst:
        return
    show()
    show_table(
        (label, "misread", "advice", "instead of", "gives" if rules.sense == "max" else "costs", "instead of"),
        [
            (
                hurt.label,
                ", ".join(f"{each.name}: {reading(each.value)} as {reading(each.new_value)}" for each in hurt.changes),
                rules.plans.text(hurt.leaf),
                rules.plans.text(hurt.nominal_leaf),
                amount(hurt.cost, rules.unit),
                amount(hurt.nominal_cost, rules.unit),
            )
            for hurt in worst
        ],
        right=(4, 5),
    )
    if attack.moved.size > len(worst):
        show(f"… and {attack.moved.size - len(worst):,} more, hurt less.")
