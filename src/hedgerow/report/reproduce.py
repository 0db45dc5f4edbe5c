"""The commands that make tree and report again, and what they can't repeat."""

__all__ = ["caveats", "commands"]

import json
import math
import shlex
from collections.abc import Iterator, Mapping
from typing import Any, TypeGuard

from hedgerow.report.data import ReportData
from hedgerow.rules.proof import is_number
from hedgerow.run import Options
from hedgerow.uncertainty import LocalBudget
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
    if book.proof.status in ends:
        sentences.append(
            f"The search {ends[book.proof.status]}: another run may get less far, or further, and end with another "
            "tree."
        )
    elif book.proof.seed is None:
        sentences.append("No seed was kept: another run may end with another tree.")
    return sentences


def _is_fitted(data: ReportData) -> bool:
    return "result" in data.book.details and data.book.training is not None


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
    if not _is_fitted(data):
        return []
    assert data.book.training is not None
    options: list[Any] = ["--depth", data.book.training.depth, *_budget_options(data)]
    proof = data.book.proof
    for flag, value in (("--method", proof.method), ("--thresholds", proof.thresholds), ("--seed", proof.seed)):
        options += [] if value is None else [flag, value]
    if proof.options is not None:
        options += _options_of(proof.options)
    if (proof.questions or "items") != "items" or not data.book.tree.asks_single_items:
        options += ["--questions", proof.questions or files["questions"]]
    options += _tables(data, files, "")
    if not data.book.observes_costs and _can_be_listed(data.book.feature_names):
        options += ["--features", ",".join(data.book.feature_names)]
    described = data.book.all_details.get("problem")
    problem = files["problem"]
    if isinstance(described, Mapping) and described.get("kind") == "grid":
        problem = f"grid:{described.get('size')}"
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
    options: list[Any] = []
    if book.lowered_from is not None and isinstance(book.uncertainty, LocalBudget):
        options += ["--local-budget", book.uncertainty.budget]
    elif is_number(given.get("fraction")):
        options += [f"--{given['kind']}", given["fraction"]]
    elif is_number(given.get("budget")):
        options += [f"--{given['kind']}-budget", given["budget"]]
    for name in ("prices", "limits"):
        value = given.get(name)
        if value == "range" or is_number(value):
            options += [f"--{name}", value]
        elif _is_row(value):
            options += [f"--{name}", ",".join("inf" if entry is None else repr(entry) for entry in value)]
    return options


def _beyond_the_command_line(data: ReportData) -> Iterator[str]:
    """Yield what no option of the command line stands for."""
    given = data.book.uncertainty_as_given
    if data.book.is_weighted:
        yield "weights of the samples"
    if isinstance(given.get("budget"), list):
        yield "a budget for each sample"
    if isinstance(given.get("limits"), list) and not _is_row(given["limits"]):
        yield "limits for each sample"
    epsilon = given.get("epsilon")
    if is_number(epsilon) and not math.isclose(epsilon, _USUAL_EPSILON):
        yield f"a step of {reading(epsilon)} beyond thresholds"
    if not data.book.observes_costs and not _can_be_listed(data.book.feature_names):
        yield "features with a comma in their names"


def _is_row(value: Any) -> TypeGuard[list[float | None]]:
    """Return whether a value is a list of numbers, one per item; None is no limit."""
    return isinstance(value, list) and all(entry is None or is_number(entry) for entry in value)


def _can_be_listed(names: tuple[str, ...]) -> bool:
    return not any("," in name or name != name.strip() for name in names)
