"""`hedgerow tune`: which tree to fit, chosen by cross-validation."""

__all__ = ["tune"]

from typing import Annotated

import typer

from hedgerow.cli import options as given
from hedgerow.cli.group import INTERRUPTED
from hedgerow.cli.inputs import read_rows, splitter
from hedgerow.cli.output import check_output, counting_fits, note, show_result
from hedgerow.uncertainty import Nominal
from hedgerow.wording.numbers import counted

_FRACTIONS = "Budgets λ to try; by default those that errors suggest."


def tune(
    problem: given.Problem,
    costs: given.Costs,
    readings: given.Readings = None,
    context: given.Context = None,
    features: given.Features = None,
    weights: given.Weights = None,
    questions: given.QuestionKinds = "",
    depths: Annotated[str, given.option("LIST", "Depths to try.")] = "1,2,3",
    fractions: Annotated[str | None, given.option("LIST", _FRACTIONS)] = None,
    global_: Annotated[bool, given.option(None, "Budgets for all samples together.", "--global")] = False,
    prices: given.Prices = None,
    folds: given.Folds = None,
    order: given.Order = "blocks",
    method: given.Method = "auto",
    time_limit: Annotated[float, given.option("SECONDS", "For each fit; inf for no limit.")] = 10.0,
    total_time: Annotated[float | None, given.option("SECONDS", "For all fits together.")] = None,
    iteration_limit: given.IterationLimit = None,
    max_thresholds: given.MaxThresholds = None,
    seed: given.Seed = 0,
    jobs: given.Jobs = 1,
    output: given.Scores = None,
) -> None:
    """Choose how to fit a tree for PROBLEM by cross-validation on the rows in COSTS.csv.

    Trees are fitted to part of the rows and judged on the rest, each row with its own reading. The choice is the
    simplest setting within one standard error of the best that keeps nearly all of what the best wins over one plan.
    """
    from hedgerow import study
    from hedgerow.estimator import RobustTree

    check_output(output, excel=True)
    levels = given.listed(depths, "--depths", int)
    local, overall = (None, 0.0) if global_ else (0.0, None)
    budget = given.budget_of(local, overall, None, None, prices) or Nominal()
    sets = None
    if fractions is not None:
        shares = given.listed(fractions, "--fractions", float)
        sets = [budget.sized(fraction=share) if share else Nominal() for share in shares]
    rows = read_rows(problem, costs, readings, context, features, weights)
    model = RobustTree(
        rows.problem,
        uncertainty=budget,
        method=method,
        time_limit=given.seconds(time_limit),
        iteration_limit=iteration_limit,
        max_thresholds=max_thresholds,
        random_state=seed,
    )
    with counting_fits() as on_progress:
        tuning = study.tune(
            model,
            rows.costs,
            **rows.read,
            questions=given.listed(questions, "--questions") if questions else None,
            depths=levels,
            uncertainties=sets,
            folds=splitter(order, folds, seed),
            time_limit=total_time,
            n_jobs=jobs,
            on_progress=on_progress,
            interruptible=True,
        )
    show_result(output, tuning)
    if tuning.n_folds_left_out:
        note(f"stopped with {counted(tuning.n_folds_left_out, 'fold')} to go; the scores are of the others")
        raise typer.Exit(INTERRUPTED)
