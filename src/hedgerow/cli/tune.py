"""`hedgerow tune`: choose depth and budget by cross-validation."""

__all__ = ["EXAMPLES", "tune"]

import math
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer

from hedgerow.arrays import FloatArray
from hedgerow.checks import in_short
from hedgerow.cli.display import say, show, show_table
from hedgerow.cli.files import check_output, write_output
from hedgerow.cli.fit import read_observations
from hedgerow.cli.notes import Notes, note
from hedgerow.cli.options import (
    CostsArgument,
    FeaturesOption,
    MaxSamplesOption,
    MaxThresholdsOption,
    ObservationsOption,
    PricesOption,
    ProblemArgument,
    examples,
    method_names,
    uncertainty_of,
    unused_columns,
)
from hedgerow.cli.problems import items_among, problem_named
from hedgerow.data_files import Table, read_table
from hedgerow.data_files.columns import Column, NumberColumn
from hedgerow.errors import InputError
from hedgerow.study import Score, Tuning
from hedgerow.study import tune as tuned
from hedgerow.words import counted, with_error

EXAMPLES = examples(
    "hedgerow tune grid:4 costs.csv --depths 1,2 --fractions 0,0.05",
    "hedgerow tune plan.toml prices.csv --observed forecasts.csv -o tuning.csv",
    "hedgerow tune plan.toml prices.csv --order forward --folds 4 --jobs -1",
)

_ORDERS = ("blocks", "forward", "shuffled")
_INTERRUPTED = 130


def tune(
    problem: ProblemArgument,
    costs: CostsArgument,
    depths: Annotated[str, typer.Option(metavar="LIST", help="Depths to try.")] = "1,2,3",
    fractions: Annotated[str, typer.Option(metavar="LIST", help="Budgets λ to try.")] = "0,0.02,0.05,0.1",
    global_: Annotated[bool, typer.Option("--global", help="Budgets for all samples together.")] = False,
    prices: PricesOption = None,
    observed: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="What was read, such as forecasts, row by row; trees are then judged under errors like these.",
        ),
    ] = None,
    observations: ObservationsOption = None,
    features: FeaturesOption = None,
    folds: Annotated[int, typer.Option(metavar="NUMBER", help="Into how many parts the samples are split.")] = 5,
    order: Annotated[
        str,
        typer.Option(
            metavar="NAME",
            help="blocks of rows, forward (fit on the past alone) or shuffled.",
            autocompletion=lambda: list(_ORDERS),
        ),
    ] = "blocks",
    method: Annotated[
        str, typer.Option(metavar="NAME", help="How trees are found, as for fit.", autocompletion=method_names)
    ] = "auto",
    time_limit: Annotated[float, typer.Option(metavar="SECONDS", help="For each fit; inf for no limit.")] = 10.0,
    iteration_limit: Annotated[int | None, typer.Option(metavar="NUMBER", help="For each fit.")] = None,
    max_thresholds: MaxThresholdsOption = None,
    max_samples: MaxSamplesOption = None,
    seed: Annotated[int, typer.Option(min=0, metavar="NUMBER", help="Seed of searches and errors.")] = 0,
    jobs: Annotated[int, typer.Option(metavar="NUMBER", help="Processes at once; -1 for all processors.")] = 1,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", help="The scores; .csv or .parquet.")
    ] = None,
) -> None:
    """Choose depth and budget for PROBLEM by cross-validation on the samples in COSTS.csv.

    Trees of each depth and budget are fitted to part of the samples and judged on the rest. The choice is the simplest
    setting within one standard error of the best: the smallest depth, then the largest budget.
    """
    from hedgerow.estimator import RobustTree

    notes = Notes()
    if output is not None:
        check_output(output)
    levels = _numbers(depths, "--depths", int)
    shares = _numbers(fractions, "--fractions", float)
    kind = {"local": None, "global_": 0.0} if global_ else {"local": 0.0, "global_": None}
    uncertainty = uncertainty_of(**kind, local_budget=None, global_budget=None, prices=prices, limits=None)
    assert uncertainty is not None
    table = read_table(costs)
    chosen = items_among(problem_named(problem), table.columns, notes)
    matrix = table.numbers(chosen.item_names, "costs")
    notes.add(unused_columns(table, chosen.item_names))
    readings, names = read_observations(observations, features, table, notes)
    true, true_names = (matrix, chosen.item_names) if readings is None else (readings, names or ())
    errors = None if observed is None else _errors(observed, table, true, true_names)
    model = RobustTree(
        chosen,
        uncertainty=uncertainty,
        method=method,
        time_limit=None if time_limit == math.inf else time_limit,
        iteration_limit=iteration_limit,
        max_thresholds=max_thresholds,
        max_samples=max_samples,
        random_state=seed,
    )
    with _progress(notes, len(set(shares)), time_limit) as on_progress:
        tuning = tuned(
            model,
            matrix,
            observations=readings,
            depths=levels,
            fractions=shares,
            folds=_splitter(order, folds, seed),
            perturbation=errors,
            n_jobs=jobs,
            on_progress=on_progress,
        )
    if output is None or str(output) != "-":
        _show(tuning)
    sys.stdout.flush()
    if output is not None:
        write_output(output, _columns(tuning))
        note(f"saved to {output}")
    if tuning.n_folds_left_out:
        note(f"stopped with {counted(tuning.n_folds_left_out, 'fold')} to go; the scores are of the others")
        raise typer.Exit(_INTERRUPTED)


def _numbers(text: str, flag: str, kind: Callable[[str], Any]) -> list[Any]:
    try:
        return [kind(part) for part in text.split(",")]
    except ValueError:
        what = "whole numbers" if kind is int else "numbers"
        raise InputError(f"{flag} must be {what} separated by commas; got {in_short(text)}.") from None


def _seconds(time_limit: float) -> str:
    return "unlimited time" if time_limit == math.inf else f"at most {time_limit:g} s"


def _errors(path: Path, table: Table, true: FloatArray, names: Any) -> FloatArray:
    """Return how far readings were off, matched to the true values by row and by name."""
    return read_table(path).numbers_beside(table, names, "observations") - true


def _splitter(order: str, folds: int, seed: int) -> Any:
    from sklearn.model_selection import KFold, TimeSeriesSplit

    if order not in _ORDERS:
        raise InputError(f"--order must be one of {', '.join(_ORDERS)}; got {in_short(order)}.")
    if folds < 2:
        raise InputError(f"--folds must be 2 or more; got {folds}.")
    if order == "forward":
        return TimeSeriesSplit(folds)
    return KFold(folds, shuffle=True, random_state=seed) if order == "shuffled" else folds


@contextmanager
def _progress(notes: Notes, fits_per_task: int, time_limit: float) -> Iterator[Callable[[int, int], None]]:
    """Show a bar on a terminal, and the notes once the input has been checked."""
    from rich.console import Console
    from rich.progress import Progress

    console = Console(stderr=True)
    with Progress(console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task("judging settings", total=None)

        def on_progress(done: int, total: int) -> None:
            if not done:
                notes.add(f"{total * fits_per_task} fits of {_seconds(time_limit)} each")
                notes.show()
            bar.update(task, completed=done, total=total)

        yield on_progress


def _show(tuning: Tuning) -> None:
    def row(score: Score) -> list[str]:
        cells = [str(score.depth), f"{score.fraction:g}", with_error(score.nominal, score.nominal_error)]
        cells += [with_error(score.perturbed, score.perturbed_error)] if tuning.is_perturbed else []
        mark = "chosen" if score is tuning.chosen else "best" if score is tuning.best else ""
        return [*cells, with_error(score.excess, score.excess_error), mark]

    unit = f" ({tuning.unit})" if tuning.unit else ""
    header = ["depth", "λ", f"as read{unit}", *(["perturbed"] if tuning.is_perturbed else []), "worse than best", ""]
    show_table(header, [row(score) for score in tuning.scores], right=range(len(header) - 1))
    show()
    say(tuning.in_words())


def _columns(tuning: Tuning) -> list[Column]:
    frame = tuning.to_frame()
    kept = [name for name in frame if tuning.is_perturbed or not str(name).startswith("perturbed")]
    return [NumberColumn(str(name), np.asarray(frame[name], dtype=np.float64)) for name in kept]
