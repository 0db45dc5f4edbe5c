"""`hedgerow evaluate`: what a tree costs on given data, as read and under the worst misreading."""

__all__ = ["EXAMPLES", "evaluate"]

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from hedgerow.adversary import Attack
from hedgerow.arrays import FloatArray
from hedgerow.checks import list_some
from hedgerow.cli.display import amount, say, show, show_table
from hedgerow.cli.notes import note
from hedgerow.cli.options import (
    CostsArgument,
    GlobalBudgetOption,
    GlobalFraction,
    JsonOption,
    LimitsOption,
    LocalBudgetOption,
    LocalFraction,
    ObservationsOption,
    PricesOption,
    TreeArgument,
    examples,
    told_unused,
    uncertainty_of,
)
from hedgerow.cli.predict import read_saved
from hedgerow.data_files import Table, read_table
from hedgerow.errors import InputError
from hedgerow.evaluate import Evaluation
from hedgerow.evaluate import evaluate as evaluated
from hedgerow.problem import sign_of
from hedgerow.saved import SavedTree
from hedgerow.treefile import finite_or_none
from hedgerow.uncertainty import Uncertainty
from hedgerow.words import budget_per_sample, counted, uncertainty_in_words

_OF_THE_FIT = ("objective", "lower_bound", "gap", "status", "runtime", "method")
_MOST_SHOWN = 10

EXAMPLES = examples(
    "hedgerow evaluate tree.json test.csv",
    "hedgerow evaluate tree.json test.csv --global-budget 9",
    "hedgerow evaluate tree.json test.parquet --local 0.1 --json",
)


def evaluate(
    tree: TreeArgument,
    costs: CostsArgument,
    local: LocalFraction = None,
    global_: GlobalFraction = None,
    local_budget: LocalBudgetOption = None,
    global_budget: GlobalBudgetOption = None,
    prices: PricesOption = None,
    limits: LimitsOption = None,
    observations: ObservationsOption = None,
    as_json: JsonOption = False,
) -> None:
    """Evaluate a tree on the samples in COSTS.csv, as read and in the worst case.

    The uncertainty set is the one the tree was fitted under unless a budget is given. A fraction λ refers to the
    training data, of which the tree file keeps ranges, number of samples and depth. Samples are called by the first
    column that is no item and tells them apart, such as a date or an id.
    """
    saved = read_saved(tree)
    problem = saved.problem
    given = uncertainty_of(local, global_, local_budget, global_budget, prices, limits)
    uncertainty = saved.uncertainty if given is None else saved.with_budget(given)
    table = read_table(costs)
    matrix = table.numbers(problem.item_names, "items")
    observed = _observed(saved, observations, table)
    result = evaluated(saved.tree, problem, matrix, uncertainty, observations=observed)
    label, names = table.labels(problem.item_names)
    unused = told_unused(table, [*problem.item_names, label])
    if unused:
        note(unused)
    if as_json:
        print(json.dumps(_fields(saved, result, uncertainty), allow_nan=False))
    else:
        _show(result, uncertainty)
        if local_budget is None and global_budget is None:
            _show_share(saved, result, uncertainty)
        _show_hurt(saved, result.attack, label, names)
    sys.stdout.flush()


def _observed(saved: SavedTree, path: Path | None, costs: Table) -> FloatArray | None:
    if path is None:
        if not saved.observes_costs:
            raise InputError(
                f"this tree asks about {list_some(saved.asked_names)}, which are no costs; "
                "give them with --observations FILE."
            )
        return None
    return read_table(path).numbers_beside(costs, saved.feature_names, "features")


def _fields(saved: SavedTree, result: Evaluation, uncertainty: Uncertainty) -> dict[str, Any]:
    return {
        **{name: saved.result.get(name) for name in _OF_THE_FIT},
        "nominal": finite_or_none(result.nominal),
        "robust": finite_or_none(result.robust),
        "nominal_mean": finite_or_none(result.nominal_mean),
        "robust_mean": finite_or_none(result.robust_mean),
        "n_samples": result.n_samples,
        "n_moved": int(result.attack.moved.size),
        "exact": result.attack.exact,
        "uncertainty": uncertainty.to_dict(),
    }


def _show(result: Evaluation, uncertainty: Uncertainty) -> None:
    instance = result.attack.instance
    unit = instance.problem.unit
    show_table(
        ("", f"over {counted(result.n_samples, 'sample')}", "per sample"),
        [
            ("as read", amount(result.nominal, unit), amount(result.nominal_mean, unit, 6)),
            ("worst case", amount(result.robust, unit), amount(result.robust_mean, unit, 6)),
        ],
        right=(1, 2),
    )
    show()
    say(f"Worst case: {uncertainty_in_words(uncertainty, instance.reading_unit)}.")
    moved = int(result.attack.moved.size)
    say(f"Samples that then get worse advice than when read right: {moved:,} of {result.n_samples:,}.")
    if not result.attack.exact:
        say("A worse attack is not ruled out; the worst case above is a bound that none exceeds.")


def _show_share(saved: SavedTree, result: Evaluation, uncertainty: Uncertainty) -> None:
    """Say what a budget of the training data means for another number of samples."""
    if saved.details.get("training") is not None:
        told = budget_per_sample(uncertainty, saved.training.n_samples, result.n_samples)
        if told:
            say(told)


def _show_hurt(saved: SavedTree, attack: Attack, label: str, names: Sequence[str]) -> None:
    """Show the samples that the worst case hurts most: what is misread, and what that costs."""
    moved = attack.moved
    if not moved.size:
        return
    problem = attack.instance.problem
    harm = sign_of(problem) * (attack.cost - attack.nominal_cost)[moved]
    worst = moved[np.argsort(-harm, kind="stable")][:_MOST_SHOWN]
    show()
    show_table(
        (label, "misread", "advice", "instead of", "gives" if problem.sense == "max" else "costs", "instead of"),
        [
            (
                names[sample],
                _misread(saved.feature_names, attack, sample),
                saved.advice[attack.leaf[sample]],
                saved.advice[attack.nominal_leaf[sample]],
                amount(attack.cost[sample], problem.unit, 6),
                amount(attack.nominal_cost[sample], problem.unit, 6),
            )
            for sample in worst
        ],
        right=(4, 5),
    )
    if moved.size > worst.size:
        show(f"… and {moved.size - worst.size:,} more, hurt less.")


def _misread(feature_names: Sequence[str], attack: Attack, sample: int) -> str:
    before, after = attack.instance.observations[sample], attack.observations[sample]
    return ", ".join(
        f"{feature_names[feature]}: {before[feature]:.8g} as {after[feature]:.8g}"
        for feature in np.flatnonzero(before != after).tolist()
    )
