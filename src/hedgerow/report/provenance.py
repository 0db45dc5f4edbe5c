"""Where the tree comes from: data, method, seed, limits, bound and version."""

__all__ = ["provenance"]

from collections.abc import Mapping
from typing import Any

from hedgerow._version import __version__
from hedgerow.report.inputs import Inputs
from hedgerow.report.words import in_words, is_number, readings_in_words, with_unit
from hedgerow.words import printable

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
            ("Limits", _limits_in_words(inputs)),
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
    if inputs.saved.is_weighted:
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


def _limits_in_words(inputs: Inputs) -> str:
    options = inputs.saved.options
    if options is None:
        return "not kept"
    depth = inputs.tree.depth if inputs.summary is None else inputs.summary.depth
    told = [words for words in (options.in_words(depth),) if words]
    if inputs.saved.thinning is not None:
        told.append(f"searched on {inputs.saved.thinning.kept}")
    return "; ".join(told) or "none"


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
