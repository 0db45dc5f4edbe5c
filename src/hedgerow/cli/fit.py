"""`hedgerow fit`: a problem and a file of costs in, a tree file out."""

__all__ = ["EXAMPLES", "fit", "read_observations", "read_readings"]

import json
import math
import os
import sys
import tempfile
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Annotated, Any, get_args

import numpy as np
import typer

from hedgerow.arrays import FloatArray
from hedgerow.checks import list_some
from hedgerow.cli.files import check_output
from hedgerow.cli.notes import Notes, note, notes_from_the_log
from hedgerow.cli.options import (
    CostsArgument,
    DaskOption,
    FeaturesOption,
    GlobalBudgetOption,
    GlobalFraction,
    JsonOption,
    LearnFromOption,
    LimitsOption,
    LocalBudgetOption,
    LocalFraction,
    MaxSamplesOption,
    MaxThresholdsOption,
    ObservationsOption,
    PricesOption,
    ProblemArgument,
    QuestionsOption,
    ReadingsOption,
    WeightsOption,
    WishesOption,
    examples,
    method_names,
    questions_named,
    uncertainty_of,
    unused_columns,
    weights_in,
    wishes_of,
    workers_of,
)
from hedgerow.cli.problems import items_among, problem_named
from hedgerow.cli.results import result_fields, show_result
from hedgerow.columns import CATEGORY_ADVICE
from hedgerow.data_files import Table, read_table
from hedgerow.errors import InputError
from hedgerow.instance import Instance
from hedgerow.rulebook import RuleBook
from hedgerow.run import Interrupt, Row
from hedgerow.run.progress import FitProgress
from hedgerow.splits import ThresholdSet
from hedgerow.uncertainty import Nominal
from hedgerow.words import counted, uncertainty_in_words

_INTERRUPTED = 130

EXAMPLES = examples(
    "hedgerow fit grid:4 costs.csv --local 0.05",
    "hedgerow fit grid:4 costs.csv --global 0.05 --method alternate -o rules.json",
    "hedgerow fit plan.toml costs.parquet --depth 3 --time-limit 600",
    "hedgerow fit plan.toml costs.csv --observations weather.csv",
    "hedgerow fit plan.toml prices.csv --readings forecasts.csv --learn-from readings",
    "hedgerow fit plan.toml prices.csv --questions plans:8",
)


def _search(*flags: str, **options: Any) -> Any:
    return typer.Option(*flags, rich_help_panel="Search", **options)


def _solvers() -> list[str]:
    from hedgerow.mip import available_solvers

    return list(available_solvers())


def fit(
    problem: ProblemArgument,
    costs: CostsArgument,
    depth: Annotated[int, typer.Option(metavar="NUMBER", help="Most questions on the way to a leaf.")] = 2,
    local: LocalFraction = None,
    global_: GlobalFraction = None,
    local_budget: LocalBudgetOption = None,
    global_budget: GlobalBudgetOption = None,
    prices: PricesOption = None,
    limits: LimitsOption = None,
    observations: ObservationsOption = None,
    features: FeaturesOption = None,
    readings: ReadingsOption = None,
    learn_from: LearnFromOption = "truth",
    weights: WeightsOption = None,
    questions: QuestionsOption = "items",
    method: Annotated[
        str,
        _search(metavar="NAME", help="auto, exact, fix_tree, alternate, nominal, …", autocompletion=method_names),
    ] = "auto",
    thresholds: Annotated[
        str | None,
        _search(
            metavar="NAME",
            help="midpoints, grid or continuous; by default the widest that the method knows.",
            autocompletion=lambda: list(get_args(ThresholdSet)),
        ),
    ] = None,
    round_thresholds: Annotated[
        bool, _search("--round-thresholds/--no-round-thresholds", help="Move thresholds to round numbers, at no cost.")
    ] = True,
    threshold_margin: Annotated[
        float | None, _search(metavar="NUMBER", help="How far thresholds may be moved without breaking the promise.")
    ] = None,
    refine: Annotated[bool, _search("--refine", help="Refine the thresholds afterwards.")] = False,
    time_limit: Annotated[float, _search(metavar="SECONDS", help="inf for no limit.")] = 60.0,
    iteration_limit: Annotated[int | None, _search(metavar="NUMBER", help="Most iterations.")] = None,
    gap_limit: Annotated[float, _search(metavar="GAP", help="Stop at this relative gap.")] = 0.0,
    min_samples_leaf: Annotated[int, typer.Option(metavar="NUMBER", help="Fewest rows at a leaf.")] = 0,
    max_leaves: Annotated[int | None, typer.Option(metavar="NUMBER", help="Most leaves.")] = None,
    wishes: WishesOption = None,
    max_thresholds: MaxThresholdsOption = None,
    max_samples: MaxSamplesOption = None,
    solver: Annotated[
        str, _search(metavar="NAME", help="The MIP solver: highs, gurobi or scip.", autocompletion=_solvers)
    ] = "highs",
    seed: Annotated[
        int, _search(min=0, metavar="NUMBER", help="The same seed and iteration limit give the same tree.")
    ] = 0,
    jobs: Annotated[int, _search(metavar="NUMBER", help="Processes at once; -1 for all processors.")] = 1,
    dask: DaskOption = None,
    output: Annotated[Path, typer.Option("--output", "-o", metavar="FILE", help="The tree file.")] = Path("tree.json"),
    as_json: JsonOption = False,
) -> None:
    """Find a robust tree for PROBLEM from the samples in COSTS.csv and save it.

    Ctrl-C ends the search; the best tree so far is saved all the same.
    """
    # Imported here: `hedgerow --help` need not wait for it.
    from hedgerow.methods import solve

    interrupt, notes = Interrupt(), Notes()
    check_output(output)
    as_given = uncertainty_of(local, global_, local_budget, global_budget, prices, limits) or Nominal()
    table = read_table(costs)
    chosen = items_among(problem_named(problem), table, notes, weights)
    matrix = table.numbers(chosen.item_names, "costs")
    notes.add(unused_columns(table, chosen.item_names, weights))
    observed, names = read_observations(observations, features, table, notes)
    instance = Instance.create(
        chosen,
        matrix,
        observations=observed,
        weights=weights_in(table, weights),
        uncertainty=as_given,
        depth=depth,
        feature_names=names,
        readings=read_readings(readings, table, chosen.item_names if names is None else names, notes),
        learn_from=learn_from,  # type: ignore[arg-type]  # checked there
        rng=np.random.default_rng(seed),
        questions=None if questions == "auto" else questions_named(questions),
    )
    notes.add(
        f"fitting a tree of depth {depth} to {counted(instance.n_samples, 'sample')}; "
        f"{uncertainty_in_words(instance.uncertainty, instance.reading_unit)}"
    )
    # From here on Ctrl-C asks the search to stop, so that it can't lose a tree; before, there is none to lose.
    with interrupt:
        limit = None if time_limit == math.inf else time_limit
        progress = FitProgress(limit, iteration_limit, chosen.unit)

        def monitor(row: Row) -> None:
            notes.show()
            progress(row)

        with workers_of(jobs, dask), notes_from_the_log(notes), progress.shown():
            result = solve(
                instance,
                questions="auto" if questions == "auto" else None,
                method=method,
                thresholds=thresholds,
                threshold_margin=threshold_margin,
                round_thresholds=round_thresholds,
                min_samples_leaf=min_samples_leaf,
                max_leaves=max_leaves,
                wishes=wishes_of(wishes),
                solver=solver,
                n_jobs=jobs,
                max_thresholds=max_thresholds,
                max_samples=max_samples,
                refine=refine,
                time_limit=limit,
                iteration_limit=iteration_limit,
                gap_limit=gap_limit,
                random_state=seed,
                monitor=monitor,
                interrupt=interrupt,
            )
        rules = RuleBook.of_fit(result, instance, as_given=as_given, seed=seed)
        failure = _save(output, costs, rules)
    notes.show()
    if as_json:
        print(json.dumps(result_fields(rules), allow_nan=False))
    else:
        show_result(rules)
    sys.stdout.flush()
    if failure is not None:
        raise failure
    note(f"saved to {output}")
    # Ctrl-C may also have cut short what comes after a search that was done.
    if result.status == "interrupted" or interrupt.requested:
        raise typer.Exit(_INTERRUPTED)


def read_observations(
    path: Path | None, features: str | None, costs: Table, notes: Notes
) -> tuple[FloatArray | None, Sequence[str] | None]:
    """Return the observations and their names, or nothing where the costs are observed."""
    if path is None:
        if features is not None:
            raise InputError("--features needs --observations; without it the tree asks about the costs.")
        return None, None
    table = read_table(path)
    numeric = table.numeric_columns()
    names = numeric if features is None else [name.strip() for name in features.split(",")]
    if not names:
        raise InputError(f"{path} has no column of numbers that a tree could ask about.")
    no_numbers = set(table.columns) - set(numeric)
    without_order = [name for name in names if name in no_numbers]
    if without_order:
        raise InputError(f"{path}: these columns hold no numbers: {list_some(without_order)}. {CATEGORY_ADVICE}")
    matrix = table.numbers_beside(costs, names, "observations")
    notes.add(f"observing {list_some(names)}")
    notes.add(unused_columns(table, names))
    return matrix, names


def read_readings(path: Path | None, costs: Table, names: Sequence[str], notes: Notes) -> FloatArray | None:
    """Return what was read, beside the costs' rows; nothing without a file."""
    if path is None:
        return None
    table = read_table(path)
    notes.add(unused_columns(table, names))
    return table.numbers_beside(costs, names, "readings")


def _save(output: Path, costs: Path, rules: RuleBook) -> OSError | None:
    """Write the tree file; where that fails, keep the tree in a second place, say where, and return the error."""
    try:
        rules.save(output)
    except OSError as error:
        for folder in (costs.absolute().parent, Path(tempfile.gettempdir())):
            place = folder / f"{output.stem or 'tree'}-{os.getpid()}.json"
            with suppress(OSError):
                rules.save(place)
                note(f"the tree was saved to {place} instead")
                return error
        print(rules.to_json())
        note("the tree could not be saved anywhere, so its file is written to standard output")
        return error
    return None
