"""The commands that make tree and report again, and what they can't repeat."""

__all__ = ["PLACEHOLDERS", "caveats", "commands"]

import json
import math
import shlex
from collections.abc import Iterator, Mapping
from typing import Any, TypeGuard

from hedgerow.report.data import ReportData
from hedgerow.report.language import Message, listed, message, reading
from hedgerow.rules.proof import is_number
from hedgerow.run import Options
from hedgerow.uncertainty import LocalBudget

_PROBLEM, _COSTS, _TEST = "PROBLEM.toml", "COSTS.csv", "TEST.csv"
_QUESTIONS = "QUESTIONS.json"
_CONTEXT, _TEST_CONTEXT = "OBSERVATIONS.csv", "TEST_CONTEXT.csv"
PLACEHOLDERS = (_PROBLEM, _COSTS, _QUESTIONS, _TEST, _CONTEXT, _TEST_CONTEXT)
"""What stands in commands for files whose names are not known."""

_USUAL = Options()
_USUAL_EPSILON = LocalBudget(0.0).epsilon


def commands(data: ReportData) -> list[str]:
    """Return the commands that fit the tree again and write this report, as far as the tree file says."""
    files = {
        "tree": "tree.json",
        "costs": _COSTS,
        "test": _TEST,
        "context": _CONTEXT,
        "test_context": _TEST_CONTEXT,
        **data.file_names,
    }
    lines = _fit_command(data, files), _report_command(data, files)
    return [shlex.join(map(str, words)) for words in lines if words]


def caveats(data: ReportData) -> list[Message]:
    """Return in sentences why the commands may make another tree, or can't be run as they are."""
    if not _is_fitted(data):
        return []
    book, messages = data.book, []
    if not book.can_be_rebuilt:
        messages.append(message("again.own_problem"))
    beyond = list(_beyond_the_command_line(data))
    if beyond:
        messages.append(message("again.beyond", what=listed(beyond)))
    if book.proof.status in ("time_limit", "interrupted"):
        messages.append(message(f"again.{book.proof.status}"))
    elif book.proof.seed is None:
        messages.append(message("again.no_seed"))
    return messages


def _is_fitted(data: ReportData) -> bool:
    return "result" in data.book.details and data.book.training is not None


def _report_command(data: ReportData, files: Mapping[str, str]) -> list[Any]:
    asks_other_things = not data.book.observes_costs
    words: list[Any] = ["hedgerow", "report", files["tree"]]
    if data.training is not None:
        words.append(files["costs"])
        words += ["--context", files["context"]] if asks_other_things else []
    if data.test is not None:
        words += ["--test", files["test"]]
        words += ["--test-context", files["test_context"]] if asks_other_things else []
    if data.include_samples:
        words.append("--include-samples")
    words += ["--title", data.title] if data.title else []
    words += ["--language", data.language] if data.language else []
    return [*words, "-o", "report.html"]


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
        options += ["--questions", proof.questions or _QUESTIONS]
    if not data.book.observes_costs:
        options += ["--context", files["context"]]
        names = data.book.feature_names
        options += ["--features", ",".join(names)] if _can_be_listed(names) else []
    described = data.book.all_details.get("problem")
    problem = _PROBLEM
    if isinstance(described, Mapping) and described.get("kind") == "grid":
        problem = f"grid:{described.get('size')}"
    return ["hedgerow", "fit", problem, files["costs"], *options, "-o", files["tree"]]


def _options_of(asked: Options) -> list[Any]:
    """Return the options for what the run was asked for: the time limit always, others where they are set."""
    options: list[Any] = ["--refine"] if asked.refine else []
    options += ["--time-limit", "inf" if asked.time_limit is None else f"{asked.time_limit:.17g}"]
    for name in (
        "iteration_limit",
        "gap_limit",
        "min_samples_leaf",
        "max_leaves",
        "max_thresholds",
        "max_samples",
        "solver",
    ):
        value = getattr(asked, name)
        if value != getattr(_USUAL, name):
            options += [f"--{name.replace('_', '-')}", value]
    if asked.wishes is not None:
        options += ["--wishes", json.dumps(asked.wishes.to_dict(), ensure_ascii=False)]
    return options


def _budget_options(data: ReportData) -> list[Any]:
    """Return the options that give the same uncertainty set, as far as the command line can."""
    given = data.book.uncertainty_as_given
    options: list[Any] = []
    if is_number(given.get("fraction")):
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


def _beyond_the_command_line(data: ReportData) -> Iterator[Message]:
    """Yield what no option of the command line stands for."""
    given = data.book.uncertainty_as_given
    if data.book.is_weighted:
        yield message("again.weights")
    if isinstance(given.get("budget"), list):
        yield message("again.budgets")
    if isinstance(given.get("limits"), list) and not _is_row(given["limits"]):
        yield message("again.limits")
    epsilon = given.get("epsilon")
    if is_number(epsilon) and not math.isclose(epsilon, _USUAL_EPSILON):
        yield message("again.step", step=reading(epsilon))
    if not data.book.observes_costs and not _can_be_listed(data.book.feature_names):
        yield message("again.commas")


def _is_row(value: Any) -> TypeGuard[list[float | None]]:
    """Return whether a value is a list of numbers, one per item; None is no limit."""
    return isinstance(value, list) and all(entry is None or is_number(entry) for entry in value)


def _can_be_listed(names: tuple[str, ...]) -> bool:
    return not any("," in name or name != name.strip() for name in names)
