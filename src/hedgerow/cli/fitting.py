"""Commands that learn from rows: `fit`, `tune`, `compare` and `alternatives`."""

import math
import shlex
from dataclasses import MISSING, dataclass, fields, replace
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer

from hedgerow.cli import shared
from hedgerow.cli.output import check_output, log_shown, note, show, show_json, show_result
from hedgerow.cli.shared import read_rows
from hedgerow.errors import InputError
from hedgerow.instance import Instance
from hedgerow.rules import RuleBook
from hedgerow.run import interruptible
from hedgerow.uncertainty import Nominal

# -- fit ---------------------------------------------------------------------------------------------------------------

_OF_THE_RESULT = (
    *("objective", "lower_bound", "gap", "runtime", "nominal", "iterations", "threshold_margin", "cells"),
    *("status", "method", "thresholds", "message"),
)
_THRESHOLDS = "midpoints, grid or continuous; by default the widest that the method takes by itself."


@dataclass(frozen=True)
class Allowed:
    """Which trees are allowed, and when the search for them ends: parameters of `RobustTree`."""

    depth: shared.Depth = 2
    plans_per_leaf: shared.PlansPerLeaf = 1
    learn_from: shared.LearnFrom = "truth"
    min_samples_leaf: Annotated[int, shared.option("NUMBER", "Fewest rows at a leaf.")] = 0
    max_leaves: Annotated[int | None, shared.option("NUMBER", "Most leaves.")] = None
    thresholds: Annotated[str | None, shared.option("NAME", _THRESHOLDS, panel="Search")] = None
    solver: Annotated[str, shared.option("NAME", "The MIP solver: highs or gurobi.", panel="Search")] = "highs"


def fit(
    invocation: typer.Context,
    rows: shared.RowFiles,
    allowed: Allowed,
    budget: shared.Budget,
    search: shared.Search,
    wishes: shared.WishesText = None,
    questions: shared.Questions = "auto",
    output: Annotated[Path, shared.option("FILE", "The tree file.", "--output", "-o")] = Path("tree.json"),
    as_json: shared.AsJson = False,
    time_limit: shared.TimeLimit = 60.0,
) -> None:
    """Find a robust tree for PROBLEM from the samples in COSTS.csv and save it.

    Ctrl-C ends the search; the best tree so far is saved all the same.
    """
    # Imported here, as solvers and studies are in all commands: `hedgerow --help` need not wait for it.
    from hedgerow.estimator import RobustTree

    check_output(output)
    parameters: dict[str, Any] = {
        **vars(allowed),
        **vars(search),
        "questions": shared.questions_of(questions),
        "uncertainty": budget.uncertainty or Nominal(),
        "wishes": shared.wishes_of(wishes),
        "time_limit": shared.seconds(time_limit),
    }
    problem, tables = read_rows(rows)
    model = RobustTree(problem, **parameters, verbose=True, interruptible=True)
    try:
        with log_shown():
            model.fit(**tables)
    finally:
        if hasattr(model, "result_"):  # after Ctrl-C, too: the best tree so far
            rules = replace(model.rulebook_, made_by=shlex.join(["hedgerow", *invocation.obj]))
            if rules.uncertainty.can_misread:
                note(f"worst case: {rules.uncertainty_in_words(rules.uncertainty)}")
            if as_json:
                show_json({**_fields(rules), "seed": search.random_state})
            else:
                show(f"{rules}\n")
                if rules.result is not None and rules.result.wish_cost is not None:
                    show(rules.result.wish_cost)
            rules.save(output)
            note(f"saved to {output}")


def _fields(rules: RuleBook) -> dict[str, Any]:
    """Return the fields of a result as plain values."""
    result = rules.result
    assert result is not None
    return {
        **{name: getattr(result, name) for name in _OF_THE_RESULT},
        "robust": result.objective,
        "depth": rules.tree.depth,
        "n_leaves": rules.tree.n_leaves,
    }


# -- tune --------------------------------------------------------------------------------------------------------------

_PLANS = "Most plans at a leaf to try; with --readings, cards of 4, 8 and 12 by default."
_FLAGS = {"random_state": "--seed", "global_": "--global"}


def tune(
    rows: shared.RowFiles,
    budget: shared.Budget,
    search: shared.Search,
    folds: shared.Folds = None,
    questions: shared.QuestionList = "",
    depths: Annotated[str, shared.option("LIST", "Depths to try.")] = "0,1,2,3,4",
    plans_per_leaf: Annotated[str | None, shared.option("LIST", _PLANS)] = None,
    jobs: shared.Jobs = 1,
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
        RobustTree(problem, uncertainty=budget.uncertainty or Nominal(), **vars(search)),
        **tables,
        questions=shared.listed(questions, "--questions") if questions else None,
        depths=levels,
        plans_per_leaf=plans,
        folds=folds,
        refit=False,
        time_limit=shared.seconds(time_limit),
        n_jobs=jobs,
        verbose=True,
    )
    setting = tuning.chosen
    words: list[Any] = [*_words(rows), "--depth", setting.depth]
    words += ["--plans-per-leaf", setting.plans_per_leaf] if setting.plans_per_leaf > 1 else []
    words += ["--questions", setting.questions] if setting.depth else []
    words += ["--learn-from", setting.learn_from] if setting.learn_from != "truth" else []
    words += _words(budget) if setting.learn_from == "truth" else []
    command = shlex.join(["hedgerow", "fit", *map(str, words), *_words(replace(search, method=tuning.model.method))])
    show_result(output, replace(tuning, call=command))


def _words(group: shared.RowFiles | shared.Budget | shared.Search) -> list[str]:
    """Return the words of the command line that stand for a group of options."""
    words: list[str] = []
    for each in fields(group):
        value = getattr(group, each.name)
        if each.default is MISSING:
            words.append(str(value))
        elif value != each.default:
            words += [_FLAGS.get(each.name, f"--{each.name.replace('_', '-')}"), str(value)]
    return words


# -- compare -----------------------------------------------------------------------------------------------------------

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


# -- alternatives ------------------------------------------------------------------------------------------------------

_SAVE = "Save the trees shown as NAME-1.json, NAME-2.json, …"


def alternatives(
    rows: shared.RowFiles,
    budget: shared.Budget,
    within: Annotated[float, shared.option("SHARE", "The margin: 0.01 is one per cent.", parser=shared.number)] = 0.01,
    wishes: shared.WishesText = None,
    depth: shared.Depth = 2,
    questions: shared.Questions = "items",
    report: Annotated[Path | None, shared.option("FILE", "A page to choose on.")] = None,
    save: Annotated[Path | None, shared.option("NAME", _SAVE)] = None,
    time_limit: shared.TimeLimit = 60.0,
    seed: shared.Seed = 0,
) -> None:
    """Show the trees for PROBLEM that are nearly as good as the best one, and a few of them that differ.

    The count is proven complete for trees of depth up to 2, where solutions can be listed; elsewhere only the best tree
    is shown, and that is said.
    """
    from hedgerow import good_trees

    check_output(report)
    asked: dict[str, Any] = {"questions": shared.questions_of(questions), "depth": depth}
    common: dict[str, Any] = {"wishes": shared.wishes_of(wishes), "random_state": seed}
    uncertainty, limit = budget.uncertainty, shared.seconds(time_limit)
    problem, tables = read_rows(rows)
    rng = np.random.default_rng(seed)
    instance = Instance.create(problem, **tables, uncertainty=uncertainty, rng=rng, **asked)
    # The page has its share of the one time limit.
    page_limit = None if limit is None else 0.2 * limit
    first_limit = limit if limit is None or report is None else 0.8 * limit
    # The first Ctrl-C asks the search to stop, so that what was found is shown, and ends the program after this block.
    with interruptible() as common["interrupt"]:
        options: dict[str, Any] = {"time_limit": first_limit}
        collection = good_trees.alternatives(instance, within, **options, **common)
        show(collection)
        for place, pick in enumerate(collection.picks, 1):
            show(f"\n{place}.\n{str(pick.export('text')).rstrip()}")
            if save is not None:
                pick.save(Path(f"{save}-{place}.json"))
                note(f"saved to {save}-{place}.json")
        if report is not None and not common["interrupt"].requested:
            from hedgerow.report.choosing import write_choosing

            write_choosing(collection, report, time_limit=page_limit)
            note(f"saved to {report}")
