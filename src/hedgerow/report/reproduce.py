"""The commands that make tree and report again, and what they can't repeat."""

__all__ = ["caveats", "commands"]

import json
import math
import shlex
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from hedgerow.report.data import ReportData
from hedgerow.run import Options
from hedgerow.uncertainty import GlobalBudget, LocalBudget
from hedgerow.wording.numbers import joined, reading

_FILES = {
    "problem": "PROBLEM.toml",
    "questions": "QUESTIONS.json",
    "tree": "tree.json",
    "costs": "COSTS.csv",
    "test": "TEST.csv",
    "context": "CONTEXT.csv",
    "test_context": "TEST_CONTEXT.csv",
}
"""What files are called in commands whose names are not known: in capital letters those that are the user's own."""

_USUAL = Options()
_USUAL_EPSILON = LocalBudget(0.0).epsilon
_OPTIONS = (
    "iteration_limit", "gap_limit", "min_samples_leaf", "max_leaves", "max_thresholds", "max_samples", "solver",
)  # fmt: skip


def commands(data: ReportData) -> list[str]:
    """Return the commands that fit the tree again and write this report, as far as the tree file says."""
    files = {**_FILES, **data.file_names}
    lines = _fit_command(data, files), _report_command(data, files)
    return [shlex.join(map(str, words)) for words in lines if words]


def caveats(data: ReportData) -> list[str]:
    """Return in sentences why the commands may make another tree, or can't be run as they are."""
    words = " ".join(commands(data))
    placeholders = [name for name in _FILES.values() if name.split(".")[0].isupper() and name in words]
    sentences = ["Names in capital letters stand for files of your own."] if placeholders else []
    if not _is_fitted(data):
        return sentences
    book = data.book
    if not book.can_be_rebuilt:
        sentences.append("The problem is one of its owner’s own: the tree can only be fitted again in Python.")
    beyond = list(_beyond_the_command_line(data))
    if beyond:
        what = joined(beyond)
        sentences.append(f"The command line can’t take what this tree was fitted with: {what}. Fit it again in Python.")
    ends = {"time_limit": "ended when its time was up", "interrupted": "was interrupted"}
    status = "" if book.result is None else book.result.status
    if status in ends:
        sentences.append(
            f"The search {ends[status]}: another run may get less far, or further, and end with another tree."
        )
    elif book.call is None or book.call.seed is None:
        sentences.append("No seed was kept: another run may end with another tree.")
    return sentences


def _is_fitted(data: ReportData) -> bool:
    return data.book.result is not None and data.book.training is not None


def _report_command(data: ReportData, files: Mapping[str, str]) -> list[Any]:
    words: list[Any] = ["hedgerow", "report", files["tree"]]
    if data.training is not None:
        words += [files["costs"], *_tables(data, files, "")]
    if data.test is not None:
        words += ["--test", files["test"], *_tables(data, files, "test_")]
    if data.include_samples:
        words.append("--include-samples")
    words += ["--title", data.title] if data.title else []
    return [*words, "-o", "report.html"]


def _tables(data: ReportData, files: Mapping[str, str], prefix: str) -> list[str]:
    """Return the options for readings and context of the training data, or of the test data."""
    options = []
    for name in ("readings", "context"):
        if f"{prefix}{name}" in data.file_names or (name == "context" and not data.book.observes_costs):
            options += [f"--{prefix.replace('_', '-')}{name}", files[f"{prefix}{name}"]]
    return options


def _fit_command(data: ReportData, files: Mapping[str, str]) -> list[Any]:
    training, result, call = data.book.training, data.book.result, data.book.call
    if training is None or result is None:
        return []
    options: list[Any] = ["--depth", training.depth, *_budget_options(data)]
    options += ["--method", result.method, "--thresholds", result.thresholds]
    options += [] if call is None or call.seed is None else ["--seed", call.seed]
    if result.options is not None:
        options += _options_of(result.options)
    if (result.questions or "items") != "items" or not data.book.tree.asks_single_items:
        options += ["--questions", result.questions or files["questions"]]
    options += _tables(data, files, "")
    if not data.book.observes_costs and _can_be_listed(data.book.feature_names):
        options += ["--features", ",".join(data.book.feature_names)]
    described = {} if data.book.problem is None else data.book.problem.to_dict()
    problem = f"grid:{described.get('size')}" if described.get("kind") == "grid" else files["problem"]
    return ["hedgerow", "fit", problem, files["costs"], *options, "-o", files["tree"]]


def _options_of(asked: Options) -> list[Any]:
    """Return the options for what the run was asked for: the time limit always, others where they are set."""
    options: list[Any] = ["--refine"] if asked.refine else []
    options += ["--time-limit", "inf" if asked.time_limit is None else f"{asked.time_limit:.17g}"]
    for name in _OPTIONS:
        value = getattr(asked, name)
        if value != getattr(_USUAL, name):
            options += [f"--{name.replace('_', '-')}", value]
    if asked.wishes is not None:
        options += ["--wishes", json.dumps(asked.wishes.to_dict(), ensure_ascii=False)]
    return options


def _budget_options(data: ReportData) -> list[Any]:
    """Return the options that give the same uncertainty set, as far as the command line can."""
    book, given = data.book, data.book.uncertainty_as_given
    if not isinstance(given, LocalBudget | GlobalBudget):
        return []
    options: list[Any] = []
    if book.lowered_from is not None and isinstance(book.uncertainty, LocalBudget):
        options += ["--local-budget", book.uncertainty.budget]
    elif given.fraction is not None:
        options += [f"--{given.kind}", given.fraction]
    elif isinstance(given.budget, float):
        options += [f"--{given.kind}-budget", given.budget]
    for name in ("prices", "limits"):
        value = getattr(given, name)
        if np.ndim(value) == 1:
            options += [f"--{name}", ",".join(map(repr, value.tolist()))]
        elif value is not None and np.ndim(value) == 0:
            options += [f"--{name}", value]
    return options


def _beyond_the_command_line(data: ReportData) -> Iterator[str]:
    """Yield what no option of the command line stands for."""
    given = data.book.uncertainty_as_given
    if data.book.is_weighted:
        yield "weights of the samples"
    if isinstance(given, LocalBudget | GlobalBudget):
        if np.ndim(given.budget) == 1:
            yield "a budget for each sample"
        if np.ndim(given.limits) == 2:
            yield "limits for each sample"
        if not math.isclose(given.epsilon, _USUAL_EPSILON):
            yield f"a step of {reading(given.epsilon)} beyond thresholds"
    if not data.book.observes_costs and not _can_be_listed(data.book.feature_names):
        yield "features with a comma in their names"


def _can_be_listed(names: tuple[str, ...]) -> bool:
    return not any("," in name or name != name.strip() for name in names)
