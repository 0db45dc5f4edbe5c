"""`hedgerow tune`: what to learn from, what to ask, how deep and under which budget, as rows held out tell."""

__all__ = ["EXAMPLES", "tune"]

import math
import sys
from pathlib import Path
from typing import Annotated

import numpy as np
import typer

from hedgerow.cli.display import say, show, show_table
from hedgerow.cli.files import check_output, write_output
from hedgerow.cli.held_out import FoldsOption, KindsOption, OrderOption, judging, listed, read_rows, splitter
from hedgerow.cli.notes import Notes, note
from hedgerow.cli.options import (
    CostsArgument,
    DaskOption,
    FeaturesOption,
    MaxSamplesOption,
    MaxThresholdsOption,
    ObservationsOption,
    PricesOption,
    ProblemArgument,
    ReadingsOption,
    WeightsOption,
    examples,
    method_names,
    uncertainty_of,
    workers_of,
)
from hedgerow.data_files.columns import Column, NumberColumn, TextColumn
from hedgerow.study import Score, Tuning
from hedgerow.study import tune as tuned
from hedgerow.uncertainty import GlobalBudget, LocalBudget, Nominal, Uncertainty
from hedgerow.words import counted, with_error

EXAMPLES = examples(
    "hedgerow tune plan.toml prices.csv --readings forecasts.csv",
    "hedgerow tune grid:4 costs.csv --depths 1,2 --fractions 0,0.05 -o tuning.csv",
    "hedgerow tune plan.toml prices.csv --readings forecasts.csv --order forward --folds 4 --jobs -1",
)

_INTERRUPTED = 130


def tune(
    problem: ProblemArgument,
    costs: CostsArgument,
    readings: ReadingsOption = None,
    questions: KindsOption = "",
    depths: Annotated[str, typer.Option(metavar="LIST", help="Depths to try.")] = "1,2,3",
    fractions: Annotated[
        str | None, typer.Option(metavar="LIST", help="Budgets λ to try; by default those that errors suggest.")
    ] = None,
    global_: Annotated[bool, typer.Option("--global", help="Budgets for all samples together.")] = False,
    prices: PricesOption = None,
    observations: ObservationsOption = None,
    features: FeaturesOption = None,
    weights: WeightsOption = None,
    folds: FoldsOption = None,
    order: OrderOption = "blocks",
    method: Annotated[
        str, typer.Option(metavar="NAME", help="How trees are found, as for fit.", autocompletion=method_names)
    ] = "auto",
    time_limit: Annotated[float, typer.Option(metavar="SECONDS", help="For each fit; inf for no limit.")] = 10.0,
    total_time: Annotated[float | None, typer.Option(metavar="SECONDS", help="For all fits together.")] = None,
    iteration_limit: Annotated[int | None, typer.Option(metavar="NUMBER", help="For each fit.")] = None,
    max_thresholds: MaxThresholdsOption = None,
    max_samples: MaxSamplesOption = None,
    seed: Annotated[int, typer.Option(min=0, metavar="NUMBER", help="Seed of searches and errors.")] = 0,
    jobs: Annotated[int, typer.Option(metavar="NUMBER", help="Processes at once; -1 for all processors.")] = 1,
    dask: DaskOption = None,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", help="The scores; .csv, .xlsx or .parquet.")
    ] = None,
) -> None:
    """Choose how to fit a tree for PROBLEM by cross-validation on the rows in COSTS.csv.

    Trees are fitted to part of the rows and judged on the rest, each row with its own reading. The choice is the
    simplest setting within one standard error of the best that keeps nearly all of what the best wins over one plan.
    """
    from hedgerow.estimator import RobustTree

    notes = Notes()
    if output is not None:
        check_output(output, excel=True)
    levels = listed(depths, "--depths", int)
    kind = {"local": None, "global_": 0.0} if global_ else {"local": 0.0, "global_": None}
    budget = uncertainty_of(**kind, local_budget=None, global_budget=None, prices=prices, limits=None)
    assert isinstance(budget, LocalBudget | GlobalBudget)
    rows = read_rows(problem, costs, observations, features, readings, weights, notes)
    model = RobustTree(
        rows.problem,
        uncertainty=budget,
        method=method,
        time_limit=None if time_limit == math.inf else time_limit,
        iteration_limit=iteration_limit,
        max_thresholds=max_thresholds,
        max_samples=max_samples,
        random_state=seed,
    )
    with workers_of(jobs, dask), judging(notes) as on_progress:
        tuning = tuned(
            model,
            rows.costs,
            observations=rows.observations,
            readings=rows.readings,
            sample_weight=rows.weights,
            questions=listed(questions, "--questions") if questions else None,
            depths=levels,
            uncertainties=None if fractions is None else _sets(fractions, budget),
            folds=splitter(order, folds, seed),
            time_limit=total_time,
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


def _sets(fractions: str, budget: LocalBudget | GlobalBudget) -> list[Uncertainty]:
    shares = listed(fractions, "--fractions", float)
    return [type(budget)(fraction=share, prices=budget.prices) if share else Nominal() for share in shares]


def _show(tuning: Tuning) -> None:
    def row(score: Score) -> list[str]:
        setting = score.setting
        mark = "chosen" if score is tuning.chosen else "best" if score is tuning.best else ""
        cost, excess = with_error(score.cost, score.cost_error), with_error(score.excess, score.excess_error)
        return [str(setting.depth), str(setting.questions), setting.learn_from, setting.budget, cost, excess, mark]

    unit = f" ({tuning.unit})" if tuning.unit else ""
    header = ["depth", "questions", "learnt from", "budget", f"cost{unit}", "worse than best", ""]
    show_table(header, [row(score) for score in tuning.scores], right=(0, 4, 5))
    show()
    say(tuning.in_words())


def _columns(tuning: Tuning) -> list[Column]:
    frame = tuning.to_frame()
    texts = ("learn_from", "questions", "budget")
    return [
        TextColumn(str(name), list(map(str, frame[name])))
        if name in texts
        else NumberColumn(str(name), np.asarray(frame[name], dtype=np.float64))
        for name in frame
    ]
