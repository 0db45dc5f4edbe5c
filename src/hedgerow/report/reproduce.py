"""The commands that make tree and report again, and what they can't repeat."""

__all__ = ["PLACEHOLDERS", "caveats", "commands"]

import math
import shlex
from collections.abc import Iterator, Mapping
from typing import Any, TypeGuard

from hedgerow.report.inputs import Inputs
from hedgerow.report.words import is_number
from hedgerow.run import Options
from hedgerow.uncertainty import LocalBudget

_PROBLEM, _COSTS, _TEST = "PROBLEM.toml", "COSTS.csv", "TEST.csv"
_OBSERVATIONS, _TEST_OBSERVATIONS = "OBSERVATIONS.csv", "TEST_OBSERVATIONS.csv"
PLACEHOLDERS = (_PROBLEM, _COSTS, _TEST, _OBSERVATIONS, _TEST_OBSERVATIONS)
"""What stands in commands for files whose names nobody told."""

_USUAL = Options()
_USUAL_EPSILON = LocalBudget(0.0).epsilon


def commands(inputs: Inputs) -> list[str]:
    """Return the commands that fit the tree again and write this report, as far as the tree file tells."""
    files = {
        "tree": "tree.json",
        "costs": _COSTS,
        "test": _TEST,
        "observations": _OBSERVATIONS,
        "test_observations": _TEST_OBSERVATIONS,
        **inputs.file_names,
    }
    lines = _fit_command(inputs, files), _report_command(inputs, files)
    return [shlex.join(map(str, words)) for words in lines if words]


def caveats(inputs: Inputs) -> list[str]:
    """Return in sentences why the commands may make another tree, or can't be run as they are."""
    if not _is_fitted(inputs):
        return []
    saved, told = inputs.saved, []
    if not saved.can_be_rebuilt:
        told.append("The problem is one of its owner’s own: the tree can only be fitted again in Python.")
    beyond = list(_beyond_the_command_line(inputs))
    if beyond:
        what = beyond[0] if len(beyond) == 1 else f"{', '.join(beyond[:-1])} and {beyond[-1]}"
        told.append(f"The command line can’t take what this tree was fitted with: {what}. Fit it again in Python.")
    if saved.result.get("status") in ("time_limit", "interrupted"):
        ended = "ended when its time was up" if saved.result["status"] == "time_limit" else "was interrupted"
        told.append(f"The search {ended}: another run may get less far, or further, and end with another tree.")
    elif not _is_seed(saved.result.get("seed")):
        told.append("No seed was kept: another run may end with another tree.")
    return told


def _is_fitted(inputs: Inputs) -> bool:
    return bool(inputs.saved.result) and inputs.summary is not None


def _is_seed(value: Any) -> bool:
    return isinstance(value, str | int)


def _report_command(inputs: Inputs, files: Mapping[str, str]) -> list[Any]:
    asks_other_things = not inputs.saved.observes_costs
    words: list[Any] = ["hedgerow", "report", files["tree"]]
    if inputs.training is not None:
        words.append(files["costs"])
        words += ["--observations", files["observations"]] if asks_other_things else []
    if inputs.test is not None:
        words += ["--test", files["test"]]
        words += ["--test-observations", files["test_observations"]] if asks_other_things else []
    if inputs.include_samples:
        words.append("--include-samples")
    return [*words, "--title", inputs.title, "-o", "report.html"]


def _fit_command(inputs: Inputs, files: Mapping[str, str]) -> list[Any]:
    if not _is_fitted(inputs):
        return []
    assert inputs.summary is not None
    options: list[Any] = ["--depth", inputs.summary.depth, *_budget_options(inputs)]
    for flag, field in (("--method", "method"), ("--thresholds", "thresholds"), ("--seed", "seed")):
        value = inputs.saved.result.get(field)
        if isinstance(value, str | int):
            options += [flag, value]
    if inputs.saved.options is not None:
        options += _options_of(inputs.saved.options)
    if not inputs.saved.observes_costs:
        options += ["--observations", files["observations"]]
        names = inputs.saved.feature_names
        options += ["--features", ",".join(names)] if _can_be_listed(names) else []
    return ["hedgerow", "fit", _problem_word(inputs), files["costs"], *options, "-o", files["tree"]]


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
    return options


def _budget_options(inputs: Inputs) -> list[Any]:
    """Return the options that give the same uncertainty set, as far as the command line can."""
    given = _budget_as_given(inputs)
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


def _beyond_the_command_line(inputs: Inputs) -> Iterator[str]:
    """Yield what no option of the command line stands for."""
    given = _budget_as_given(inputs)
    if inputs.saved.is_weighted:
        yield "weights of the samples"
    if isinstance(given.get("budget"), list):
        yield "a budget for each sample"
    if isinstance(given.get("limits"), list) and not _is_row(given["limits"]):
        yield "limits for each sample"
    epsilon = given.get("epsilon")
    if is_number(epsilon) and not math.isclose(epsilon, _USUAL_EPSILON):
        yield f"a step of {epsilon:g} beyond thresholds"
    if not inputs.saved.observes_costs and not _can_be_listed(inputs.saved.feature_names):
        yield "features with a comma in their names"


def _budget_as_given(inputs: Inputs) -> Mapping[str, Any]:
    given = inputs.saved.details.get("uncertainty_as_given")
    return given if isinstance(given, Mapping) and given.get("kind") in ("local", "global") else {}


def _is_row(value: Any) -> TypeGuard[list[float | None]]:
    """Return whether a value is a list of numbers, one per item; None is no limit."""
    return isinstance(value, list) and all(entry is None or is_number(entry) for entry in value)


def _can_be_listed(names: tuple[str, ...]) -> bool:
    return not any("," in name or name != name.strip() for name in names)


def _problem_word(inputs: Inputs) -> str:
    described = inputs.saved.details.get("problem")
    if isinstance(described, Mapping) and described.get("kind") == "grid":
        return f"grid:{described.get('size')}"
    return _PROBLEM
