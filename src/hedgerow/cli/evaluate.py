"""`hedgerow evaluate`: what a tree costs on given data, as read and under the worst misreading."""

__all__ = ["evaluate"]

import json
import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from hedgerow.arrays import FloatArray
from hedgerow.checks import list_some
from hedgerow.cli.files import read_table
from hedgerow.cli.options import (
    GlobalBudgetOption,
    GlobalFraction,
    JsonOption,
    LimitsOption,
    LocalBudgetOption,
    LocalFraction,
    ObservationsOption,
    PricesOption,
    uncertainty_of,
)
from hedgerow.cli.predict import read_saved
from hedgerow.cli.progress import note
from hedgerow.errors import InputError
from hedgerow.evaluate import Evaluation
from hedgerow.evaluate import evaluate as evaluated
from hedgerow.saved import SavedTree
from hedgerow.treefile import finite_or_none
from hedgerow.uncertainty import Uncertainty

_OF_THE_FIT = ("objective", "lower_bound", "gap", "status", "runtime", "method")


def evaluate(
    tree: Annotated[Path, typer.Argument(metavar="TREE.json", help="A tree file.")],
    costs: Annotated[Path, typer.Argument(metavar="COSTS.csv", help="One row per sample, one column per item.")],
    local: LocalFraction = None,
    global_: GlobalFraction = None,
    local_budget: LocalBudgetOption = None,
    global_budget: GlobalBudgetOption = None,
    prices: PricesOption = None,
    limits: LimitsOption = None,
    observations: ObservationsOption = None,
    as_json: JsonOption = False,
) -> None:
    """Evaluate a tree on the samples in COSTS.csv, nominally and in the worst case.

    The uncertainty set is the one the tree was fitted under unless a budget is given. A fraction λ refers to the
    training data, of which the tree file keeps ranges, number of samples and depth.
    """
    saved = read_saved(tree)
    problem = saved.problem
    given = uncertainty_of(local, global_, local_budget, global_budget, prices, limits)
    uncertainty = saved.uncertainty if given is None else saved.with_budget(given)
    table = read_table(costs)
    matrix = table.numbers(problem.item_names, "items")
    ignored = [table.columns[place] for place in table.others(problem.item_names)]
    if ignored:
        note(f"{costs}: these columns are not used: {list_some(ignored)}")
    observed = _observed(saved, observations, len(matrix))
    result = evaluated(saved.tree, problem, matrix, uncertainty, observations=observed)
    if as_json:
        print(json.dumps(_fields(saved, result, uncertainty), allow_nan=False))
    else:
        print(_in_words(result, problem.unit, uncertainty))
    sys.stdout.flush()


def _observed(saved: SavedTree, path: Path | None, n_samples: int) -> FloatArray | None:
    if path is None:
        if not saved.observes_costs:
            raise InputError(
                f"this tree asks about {list_some(saved.feature_names)}, which are no costs; "
                "give them with --observations FILE."
            )
        return None
    matrix = read_table(path).numbers(saved.feature_names, "features")
    if len(matrix) != n_samples:
        raise InputError(f"{path} must have one row for each of the {n_samples} samples; got {len(matrix)}.")
    return matrix


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


def _in_words(result: Evaluation, unit: str, uncertainty: Uncertainty) -> str:
    unit = f" {unit}" if unit else ""
    moved = int(result.attack.moved.size)
    return "\n".join(
        [
            f"nominal     {result.nominal:.8g}{unit} ({result.nominal_mean:.6g} per sample)",
            f"worst case  {result.robust:.8g}{unit} ({result.robust_mean:.6g} per sample)",
            f"{moved} of {result.n_samples} samples are led to another leaf under {uncertainty!r}"
            + ("" if result.attack.exact else "; a worse attack is not ruled out"),
        ]
    )
