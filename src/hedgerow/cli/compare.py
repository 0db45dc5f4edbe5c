"""`hedgerow compare`: trees beside simpler and costlier ways to decide, on rows held out."""

__all__ = ["compare"]

from typing import Annotated

from hedgerow.cli import options as given
from hedgerow.cli.inputs import read_rows, splitter
from hedgerow.cli.output import check_output, counting_fits, save_picture, show_result
from hedgerow.errors import InputError

_TRAIN = "Learn from this many first rows, judge on the others."


def compare(
    problem: given.Problem,
    costs: given.Costs,
    readings: given.Readings = None,
    context: given.Context = None,
    features: given.Features = None,
    weights: given.Weights = None,
    questions: given.QuestionKinds = "items,plans",
    depth: given.Depth = 2,
    learn_from: given.LearnFrom = "truth",
    train: Annotated[int | None, given.option("NUMBER", _TRAIN)] = None,
    folds: given.Folds = None,
    order: given.Order = "blocks",
    iteration_limit: Annotated[int, given.option("NUMBER", "Descents of local search for each tree.")] = 10,
    seed: given.Seed = 0,
    output: given.Scores = None,
    picture: given.Picture = None,
    local: given.Local = None,
    global_: given.Global = None,
    local_budget: given.LocalAmount = None,
    global_budget: given.GlobalAmount = None,
    prices: given.Prices = None,
    limits: given.Limits = None,
) -> None:
    """Compare trees for PROBLEM with simpler and costlier ways to decide, on rows of COSTS.csv held out.

    Every contender learns from part of the rows and is judged on the rest by their true costs, with their own
    readings. Shares are of what can be won between one plan for all rows and knowing everything; intervals hold with
    95 % confidence and come from blocks of consecutive rows.
    """
    from hedgerow import study

    check_output(output, excel=True)
    check_output(picture)
    uncertainty = given.budget_of(local, global_, local_budget, global_budget, prices, limits)
    rows = read_rows(problem, costs, readings, context, features, weights)
    n_rows = len(rows.costs)
    if train is not None and not 1 <= train < n_rows:
        raise InputError(f"--train must leave some of the {n_rows} rows to judge on; got {train}.")
    with counting_fits() as on_progress:
        comparison = study.compare(
            rows.problem,
            rows.costs,
            **rows.read,
            depth=depth,
            questions=given.listed(questions, "--questions"),
            uncertainty=uncertainty,
            learn_from=learn_from,  # type: ignore[arg-type]  # checked there
            iteration_limit=iteration_limit,
            folds=splitter(order, folds, seed) or 5 if train is None else [(range(train), range(train, n_rows))],
            random_state=seed,
            on_progress=on_progress,
        )
    show_result(output, comparison)
    save_picture(picture, comparison.plot)
