"""`hedgerow tune`: which tree to fit, chosen by cross-validation."""

__all__ = ["tune"]

import math
import shlex
from dataclasses import MISSING, fields, replace
from typing import Annotated, Any

from hedgerow.cli import shared
from hedgerow.cli.inputs import read_rows
from hedgerow.cli.output import check_output, show_result

_PLANS = "Most plans at a leaf to try; with --readings, cards of 4, 8 and 12 by default."
_FLAGS = {"random_state": "--seed", "n_jobs": "--jobs"}


def tune(
    rows: shared.RowFiles,
    search: shared.Search,
    folds: shared.Folds = None,
    questions: shared.QuestionList = "",
    depths: Annotated[str, shared.option("LIST", "Depths to try.")] = "0,1,2,3,4",
    plans_per_leaf: Annotated[str | None, shared.option("LIST", _PLANS)] = None,
    time_limit: shared.TimeLimit = math.inf,
    output: shared.Scores = None,
) -> None:
    """Choose how to fit rules for PROBLEM by cross-validation on the rows in COSTS.csv.

    Rules are fitted to part of the rows and judged on the rest, each row with its own reading. With readings a card of
    twelve plans is chosen unless another setting is better by more than two standard errors.
    """
    from hedgerow import study
    from hedgerow.estimator import RobustTree

    check_output(output)
    levels = shared.listed(depths, "--depths", int)
    plans = None if plans_per_leaf is None else shared.listed(plans_per_leaf, "--plans-per-leaf", int)
    problem, tables = read_rows(rows)
    tuning = study.tune(
        RobustTree(problem, **vars(search)),
        **tables,
        questions=shared.listed(questions, "--questions") if questions else None,
        depths=levels,
        plans_per_leaf=plans,
        folds=folds,
        refit=False,
        time_limit=shared.seconds(time_limit),
        n_jobs=search.n_jobs,
        verbose=True,
    )
    setting = tuning.chosen
    words: list[Any] = [*_words(rows), "--depth", setting.depth]
    words += ["--plans-per-leaf", setting.plans_per_leaf] if setting.plans_per_leaf > 1 else []
    words += ["--questions", setting.questions] if setting.depth else []
    words += ["--learn-from", setting.learn_from] if setting.learn_from != "truth" else []
    command = shlex.join(["hedgerow", "fit", *map(str, words), *_words(replace(search, method=tuning.model.method))])
    show_result(output, replace(tuning, call=command))


def _words(group: shared.RowFiles | shared.Search) -> list[str]:
    """Return the words of the command line that stand for a group of options."""
    words: list[str] = []
    for each in fields(group):
        value = getattr(group, each.name)
        if each.default is MISSING:
            words.append(str(value))
        elif value != each.default:
            words += [_FLAGS.get(each.name, f"--{each.name.replace('_', '-')}"), str(value)]
    return words
