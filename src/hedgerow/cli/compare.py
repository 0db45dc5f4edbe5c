"""`hedgerow compare`: is a tree worth it? Contenders on rows that none of them has seen."""

__all__ = ["EXAMPLES", "compare"]

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
    FeaturesOption,
    GlobalBudgetOption,
    GlobalFraction,
    LearnFromOption,
    LimitsOption,
    LocalBudgetOption,
    LocalFraction,
    ObservationsOption,
    PricesOption,
    ProblemArgument,
    ReadingsOption,
    WeightsOption,
    examples,
    uncertainty_of,
)
from hedgerow.data_files.columns import NumberColumn, TextColumn
from hedgerow.errors import InputError
from hedgerow.study import Comparison
from hedgerow.words import number

EXAMPLES = examples(
    "hedgerow compare plan.toml prices.csv --readings forecasts.csv",
    "hedgerow compare plan.toml prices.csv --readings forecasts.csv --train 363 --depth 3 --picture shares.png",
    "hedgerow compare grid:4 costs.csv --questions items --local 0.05 -o table.csv",
)


def compare(
    problem: ProblemArgument,
    costs: CostsArgument,
    readings: ReadingsOption = None,
    questions: KindsOption = "items,plans",
    depth: Annotated[int, typer.Option(metavar="NUMBER", help="Most questions on the way to a leaf.")] = 2,
    learn_from: LearnFromOption = "truth",
    local: LocalFraction = None,
    global_: GlobalFraction = None,
    local_budget: LocalBudgetOption = None,
    global_budget: GlobalBudgetOption = None,
    prices: PricesOption = None,
    limits: LimitsOption = None,
    observations: ObservationsOption = None,
    features: FeaturesOption = None,
    weights: WeightsOption = None,
    train: Annotated[
        int | None, typer.Option(metavar="NUMBER", help="Learn from this many first rows, judge on the others.")
    ] = None,
    folds: FoldsOption = None,
    order: OrderOption = "blocks",
    iteration_limit: Annotated[
        int, typer.Option(metavar="NUMBER", help="Descents of local search for each tree.")
    ] = 10,
    seed: Annotated[int, typer.Option(min=0, metavar="NUMBER", help="Seed of searches and errors.")] = 0,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", help="The table; .csv, .xlsx or .parquet.")
    ] = None,
    picture: Annotated[Path | None, typer.Option(metavar="FILE", help="The table drawn; .png, .svg or .pdf.")] = None,
) -> None:
    """Compare trees for PROBLEM with simpler and costlier ways to decide, on rows of COSTS.csv held out.

    Every contender learns from part of the rows and is judged on the rest by their true costs, with their own readings.
    Shares are of what can be won between one plan for all rows and knowing everything; intervals hold with 95 %
    confidence and come from blocks of consecutive rows.
    """
    from hedgerow.study.comparing import compare as compared

    notes = Notes()
    for path in (output, picture):
        if path is not None:
            check_output(path, excel=path is output)
    uncertainty = uncertainty_of(local, global_, local_budget, global_budget, prices, limits)
    rows = read_rows(problem, costs, observations, features, readings, weights, notes)
    with judging(notes) as on_progress:
        found = compared(
            rows.problem,
            rows.costs,
            readings=rows.readings,
            sample_weight=rows.weights,
            observations=rows.observations,
            depth=depth,
            questions=listed(questions, "--questions"),
            uncertainty=uncertainty,
            learn_from=learn_from,  # type: ignore[arg-type]  # checked there
            iteration_limit=iteration_limit,
            folds=splitter(order, folds, seed, usual=5) if train is None else _first(train, len(rows.costs)),
            random_state=seed,
            on_progress=on_progress,
        )
    if output is None or str(output) != "-":
        _show(found)
    sys.stdout.flush()
    if output is not None:
        table = found.table
        numbers = [NumberColumn(str(name), np.asarray(table[name], dtype=np.float64)) for name in list(table)[1:]]
        write_output(output, [TextColumn("contender", list(found.names)), *numbers])
        note(f"saved to {output}")
    if picture is not None:
        from hedgerow.plot import plot_comparison

        plot_comparison(found).figure.savefig(picture)  # type: ignore[union-attr]  # these axes have a figure
        note(f"saved to {picture}")


def _first(train: int, n_rows: int) -> list[tuple[range, range]]:
    if not 1 <= train < n_rows:
        raise InputError(f"--train must leave some of the {n_rows} rows to judge on; got {train}.")
    return [(range(train), range(train, n_rows))]


def _show(found: Comparison) -> None:
    def row(name: str, *figures: float) -> list[str]:
        cost, low, high, *shares = figures
        share, least, most = (f"{100.0 * value:.0f}" for value in shares)
        return [name, number(cost), f"{number(low)} to {number(high)}", share, f"{least} to {most}"]

    unit = f" ({found.unit})" if found.unit else ""
    header = ["contender", f"per row{unit}", "95 % interval", "share won (%)", "95 % interval"]
    show_table(header, [row(*values) for values in found.table.itertuples(index=False)], right=range(1, 5))
    show()
    say(found.sentence)
