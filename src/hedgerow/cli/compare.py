"""`hedgerow compare`: rules beside simpler and costlier ways to decide, on rows held out."""

__all__ = ["compare"]

import math
from typing import Annotated, Any

from hedgerow.cli import shared
from hedgerow.cli.inputs import read_rows
from hedgerow.cli.output import check_output, show_result
from hedgerow.errors import InputError

_TRAIN = "Learn from this many first rows, judge on the others."


def compare(
    rows: shared.RowFiles,
    budget: shared.Budget,
    folds: shared.Folds = 5,
    questions: shared.QuestionList = "items,plans",
    depth: shared.Depth = 2,
    train: Annotated[int | None, shared.option("NUMBER", _TRAIN)] = None,
    output: shared.Scores = None,
    time_limit: shared.TimeLimit = math.inf,
) -> None:
    """Compare rules for PROBLEM with simpler and costlier ways to decide, on rows of COSTS.csv held out.

    Every contender learns from part of the rows and is judged on the rest by their true costs, with their own
    readings. Shares are of what can be won between one plan for all rows and knowing everything; intervals hold with
    95 % confidence for as many later rows. What is worth it is chosen on the rows to learn from.
    """
    from hedgerow import study

    check_output(output)
    problem, tables = read_rows(rows)
    n_rows = len(tables["costs"])
    if train is not None and not 1 <= train < n_rows:
        raise InputError(f"--train must leave some of the {n_rows} rows to judge on; got {train}.")
    parts: Any = folds if train is None else [(range(train), range(train, n_rows))]
    options: dict[str, Any] = {
        "uncertainty": budget.uncertainty,
        "questions": shared.listed(questions, "--questions"),
        "depth": depth,
        "time_limit": shared.seconds(time_limit),
    }
    comparison = study.compare(problem, **tables, **options, folds=parts, verbose=True)
    show_result(output, comparison)
