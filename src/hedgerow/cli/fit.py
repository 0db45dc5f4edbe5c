"""`hedgerow fit`: a problem and a file of costs in, a tree file out."""

__all__ = ["fit"]

import json
import math
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from hedgerow.arrays import FloatArray
from hedgerow.checks import list_some
from hedgerow.cli.files import Table, check_output, read_table
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
from hedgerow.cli.problems import items_among, problem_named
from hedgerow.cli.progress import Progress, note, notes_from_the_log
from hedgerow.errors import InputError
from hedgerow.instance import Instance
from hedgerow.run import Interrupt, Result, Settings
from hedgerow.treefile import finite_or_none, write_tree
from hedgerow.uncertainty import Nominal

_INTERRUPTED = 130


def fit(
    problem: Annotated[
        str, typer.Argument(metavar="PROBLEM", help="grid:4, selection:40:10 or a file (.toml, .mps, .lp).")
    ],
    costs: Annotated[Path, typer.Argument(metavar="COSTS.csv", help="One row per sample, one column per item.")],
    depth: Annotated[int, typer.Option(help="Most questions on the way to a leaf.")] = 2,
    local: LocalFraction = None,
    global_: GlobalFraction = None,
    local_budget: LocalBudgetOption = None,
    global_budget: GlobalBudgetOption = None,
    prices: PricesOption = None,
    limits: LimitsOption = None,
    observations: ObservationsOption = None,
    features: Annotated[
        str | None, typer.Option(metavar="NAMES", help="Columns of --observations to ask about; all with numbers.")
    ] = None,
    method: Annotated[str, typer.Option(help="auto, exact, scenario_generation, fix_tree, alternate, …")] = "auto",
    thresholds: Annotated[str, typer.Option(help="midpoints or grid.")] = "midpoints",
    refine: Annotated[bool, typer.Option("--refine", help="Refine the thresholds afterwards.")] = False,
    time_limit: Annotated[float, typer.Option(metavar="SECONDS", help="inf for no limit.")] = 60.0,
    iteration_limit: Annotated[int | None, typer.Option(metavar="NUMBER", help="Most iterations.")] = None,
    gap_limit: Annotated[float, typer.Option(metavar="GAP", help="Stop at this relative gap.")] = 0.0,
    min_samples_leaf: Annotated[int, typer.Option(metavar="NUMBER", help="Fewest rows at a leaf.")] = 0,
    max_leaves: Annotated[int | None, typer.Option(metavar="NUMBER", help="Most leaves.")] = None,
    solver: Annotated[str, typer.Option(help="The MIP solver: highs, gurobi or scip.")] = "highs",
    seed: Annotated[int, typer.Option(min=0, help="The same seed and iteration limit give the same tree.")] = 0,
    jobs: Annotated[int, typer.Option(help="Processes at once; -1 for all processors.")] = 1,
    output: Annotated[Path, typer.Option("--output", "-o", metavar="FILE", help="The tree file.")] = Path("tree.json"),
    as_json: JsonOption = False,
) -> None:
    """Find a robust tree for PROBLEM from the samples in COSTS.csv and save it.

    Ctrl-C ends the search; the best tree so far is saved all the same.
    """
    # Imported here: `hedgerow --help` need not wait for it.
    from hedgerow.methods import solve

    interrupt = Interrupt()
    # From here on Ctrl-C is a wish to stop, so that it can't lose a tree.
    with interrupt:
        check_output(output)
        as_given = uncertainty_of(local, global_, local_budget, global_budget, prices, limits) or Nominal()
        table = read_table(costs)
        chosen = items_among(problem_named(problem), table.columns)
        matrix = table.numbers(chosen.item_names, "items")
        _tell_ignored(table, chosen.item_names)
        observed, names = _observed(observations, features, len(matrix))
        instance = Instance.create(
            chosen, matrix, observations=observed, uncertainty=as_given, depth=depth, feature_names=names
        )
        limit = None if time_limit == math.inf else time_limit
        progress = Progress(limit)
        note(f"fitting a tree of depth {depth} to {instance.n_samples} samples under {instance.uncertainty!r}")
        with notes_from_the_log(), progress.shown():
            result = solve(
                instance,
                method=method,
                settings=Settings(
                    thresholds=thresholds,  # type: ignore[arg-type]  # checked by solve
                    min_samples_leaf=min_samples_leaf,
                    max_leaves=max_leaves,
                    solver=solver,
                    n_jobs=jobs,
                ),
                refine=refine,
                time_limit=limit,
                iteration_limit=iteration_limit,
                gap_limit=gap_limit,
                random_state=seed,
                monitor=progress,
                interrupt=interrupt,
            )
        _save(output, instance, result, as_given, seed)
    print(json.dumps(_fields(result, seed), allow_nan=False) if as_json else _in_words(instance, result))
    sys.stdout.flush()
    note(f"saved to {output}")
    if result.status == "interrupted":
        raise typer.Exit(_INTERRUPTED)


def _observed(
    path: Path | None, features: str | None, n_samples: int
) -> tuple[FloatArray | None, Sequence[str] | None]:
    """Return the observations and their names, or nothing where the costs are observed."""
    if path is None:
        if features is not None:
            raise InputError("--features needs --observations; without it the tree asks about the costs.")
        return None, None
    table = read_table(path)
    names = table.numeric_columns() if features is None else [name.strip() for name in features.split(",")]
    if not names:
        raise InputError(f"{path} has no column of numbers that a tree could ask about.")
    matrix = table.numbers(names, "features")
    if len(matrix) != n_samples:
        raise InputError(f"{path} must have one row for each of the {n_samples} samples; got {len(matrix)}.")
    note(f"observing {list_some(names)}")
    _tell_ignored(table, names)
    return matrix, names


def _tell_ignored(table: Table, names: Sequence[str]) -> None:
    ignored = [table.columns[place] for place in table.others(names)]
    if ignored:
        note(f"{table.path}: these columns are not used: {list_some(ignored)}")


def _save(output: Path, instance: Instance, result: Result, as_given: Any, seed: int) -> None:
    from hedgerow.saved import Training, to_tree_file

    content = to_tree_file(
        result,
        instance.problem,
        feature_names=instance.feature_names,
        training=Training.of(instance, result.tree),
        uncertainty=instance.uncertainty,
        as_given=as_given,
        seed=seed,
    )
    write_tree(output, content)


def _fields(result: Result, seed: int) -> dict[str, Any]:
    return {
        "objective": finite_or_none(result.objective),
        "lower_bound": finite_or_none(result.lower_bound),
        "gap": finite_or_none(result.gap),
        "status": result.status,
        "runtime": result.runtime,
        "method": result.method,
        "nominal": finite_or_none(result.nominal),
        "robust": finite_or_none(result.objective),
        "refined": None if result.refined is None else finite_or_none(result.refined.objective),
        "depth": result.tree.depth,
        "n_leaves": result.tree.n_leaves,
        "iterations": result.iterations,
        "thresholds": result.thresholds,
        "seed": seed,
        "message": result.message,
    }


def _in_words(instance: Instance, result: Result) -> str:
    problem = instance.problem
    unit = f" {problem.unit}" if problem.unit else ""
    lines = [
        result.tree.to_text(instance.feature_names, problem.describe),
        "",
        f"worst case  {result.objective:.8g}{unit} ({result.objective / instance.total_weight:.6g} per sample)",
        f"nominal     {result.nominal:.8g}{unit} ({result.nominal / instance.total_weight:.6g} per sample)",
    ]
    if math.isfinite(result.lower_bound):
        lines.append(f"bound       {result.lower_bound:.8g}{unit}, gap {result.gap:.3%}, over {result.thresholds}")
    if result.refined is not None:
        lines.append(f"refined     {result.refined.objective:.8g}{unit}")
    lines.append(f"{result.status} after {result.runtime:.1f} s with {result.method}")
    return "\n".join(lines)
