"""Where the tree comes from: data, method, seed, bound and version, and the commands that make it again."""

__all__ = ["PLACEHOLDERS", "commands", "provenance"]

import math
import shlex
from collections.abc import Mapping
from typing import Any

from hedgerow._version import __version__
from hedgerow.report.inputs import Inputs
from hedgerow.report.words import in_words, is_number, readings_in_words, with_unit
from hedgerow.words import printable

_PROBLEM, _COSTS, _TEST, _OBSERVATIONS = "PROBLEM.toml", "COSTS.csv", "TEST.csv", "OBSERVATIONS.csv"
PLACEHOLDERS = (_PROBLEM, _COSTS, _TEST, _OBSERVATIONS)
"""What stands in commands for files whose names nobody told."""

_STATUS_IN_WORDS = {
    "optimal": "proven optimal",
    "gap_limit": "stopped at the gap that was asked for",
    "time_limit": "stopped by the time limit",
    "iteration_limit": "stopped by the iteration limit",
    "memory_limit": "stopped by the memory limit",
    "stalled": "stopped without further progress",
    "interrupted": "interrupted",
    "feasible": "ended without a proof",
}


def provenance(inputs: Inputs) -> list[tuple[str, str]]:
    """Return what there is to know as pairs of a heading and a text."""
    saved, result, unit = inputs.saved, inputs.saved.result, inputs.unit
    rows = [("Problem", _problem_in_words(inputs))]
    if inputs.summary is not None:
        rows.append(("Data", _data_in_words(inputs)))
    rows += [
        ("Readings", readings_in_words(inputs.uncertainty, inputs.reading_unit) + _fraction_in_words(inputs)),
        ("Tree", _tree_in_words(inputs)),
    ]
    if result:
        rows += [
            ("Method", f"{_text(result, 'method')}, {_ended(result)}"),
            ("Seed", _text(result, "seed")),
            ("Worst case", _value(result, "objective", unit)),
            ("Proven bound", _value(result, "lower_bound", unit)),
            ("Thresholds", _text(result, "thresholds")),
        ]
        if isinstance(result.get("refined"), Mapping):
            rows.append(
                ("Refined", "the tree file also holds a tree with refined thresholds; this page shows the one before.")
            )
    note = saved.details.get("note")
    if isinstance(note, str):
        rows.append(("Note", printable(note)))
    rows.append(("Version", f"this page was written by Hedgerow {__version__}"))
    return rows


def commands(inputs: Inputs) -> list[str]:
    """Return the commands that fit the tree again and write this report, as far as the tree file tells."""
    files = {"tree": "tree.json", "costs": _COSTS, **inputs.file_names}
    report: list[Any] = ["hedgerow", "report", files["tree"]]
    if inputs.training is not None:
        report.append(files["costs"])
    if inputs.test is not None:
        report += ["--test", files.get("test", _TEST)]
    if inputs.include_samples:
        report.append("--include-samples")
    report += ["--title", inputs.title, "-o", "report.html"]
    fit = _fit_command(inputs, files)
    return [shlex.join(map(str, words)) for words in (fit, report) if words]


def _fit_command(inputs: Inputs, files: Mapping[str, str]) -> list[Any]:
    result, summary = inputs.saved.result, inputs.summary
    if not result or summary is None:
        return []
    options: list[Any] = ["--depth", summary.depth, *_budget_options(inputs)]
    for flag, field in (("--method", "method"), ("--thresholds", "thresholds"), ("--seed", "seed")):
        value = result.get(field)
        if isinstance(value, str | int):
            options += [flag, value]
    if not inputs.saved.observes_costs:
        options += ["--observations", files.get("observations", _OBSERVATIONS)]
    return ["hedgerow", "fit", _problem_word(inputs), files["costs"], *options, "-o", files["tree"]]


def _budget_options(inputs: Inputs) -> list[Any]:
    """Return the options that give the same uncertainty set, as far as the command line can."""
    given = inputs.saved.details.get("uncertainty_as_given")
    if not isinstance(given, Mapping) or given.get("kind") not in ("local", "global"):
        return []
    options: list[Any] = []
    if is_number(given.get("fraction")):
        options += [f"--{given['kind']}", given["fraction"]]
    elif is_number(given.get("budget")):
        options += [f"--{given['kind']}-budget", given["budget"]]
    for name in ("prices", "limits"):
        value = given.get(name)
        if value == "range" or is_number(value):
            options += [f"--{name}", value]
        elif isinstance(value, list) and all(map(is_number, value)):
            options += [f"--{name}", ",".join(map(repr, value))]
    return options


def _problem_word(inputs: Inputs) -> str:
    described = inputs.saved.details.get("problem")
    if isinstance(described, Mapping) and described.get("kind") == "grid":
        return f"grid:{described.get('size')}"
    return _PROBLEM


def _problem_in_words(inputs: Inputs) -> str:
    goal = "gain, to be large" if inputs.sense == "max" else "cost, to be small"
    unit = f" in {inputs.unit}" if inputs.unit else ""
    kind = repr(inputs.problem) if inputs.problem is not None else "a problem that only its owner can build again"
    return printable(f"{kind}; {goal}{unit}")


def _data_in_words(inputs: Inputs) -> str:
    summary = inputs.summary
    assert summary is not None
    asked = inputs.asked.size
    told = (
        f"{in_words(summary.n_samples, 'training sample')}, {in_words(len(summary.ranges), 'item')} observed, "
        f"of which the tree asks about {asked or 'none'}"
    )
    if not math.isclose(summary.total_weight, summary.n_samples):
        told += f"; samples have weights, {summary.total_weight:g} in all"
    if "costs" in inputs.file_names:
        told += f"; from {inputs.file_names['costs']}"
    if inputs.test is not None:
        told += f"; {in_words(inputs.test.n_samples, 'test sample')}"
        told += f" from {inputs.file_names['test']}" if "test" in inputs.file_names else ""
    return printable(told)


def _fraction_in_words(inputs: Inputs) -> str:
    given = inputs.saved.details.get("uncertainty_as_given")
    fraction = given.get("fraction") if isinstance(given, Mapping) else None
    return f" (Given as the fraction λ = {fraction:g} of the training data’s range.)" if is_number(fraction) else ""


def _tree_in_words(inputs: Inputs) -> str:
    tree = inputs.tree
    if not tree.depth:
        return "one plan, no questions"
    return (
        f"{in_words(tree.n_leaves, 'rule')} with at most {in_words(tree.depth, 'question')} each, "
        f"{in_words(len(inputs.plans), 'plan')}; a reading equal to a threshold counts as “at most”"
    )


def _ended(result: Mapping[str, Any]) -> str:
    told = _STATUS_IN_WORDS.get(str(result.get("status")), "ended")
    runtime = result.get("runtime")
    return f"{told} after {runtime:.3g} s" if is_number(runtime) else told


def _value(result: Mapping[str, Any], field: str, unit: str) -> str:
    value = result.get(field)
    return with_unit(float(value), unit) if is_number(value) else "none"


def _text(result: Mapping[str, Any], field: str) -> str:
    value = result.get(field)
    return printable(str(value)) if isinstance(value, str | int) else "not kept"
