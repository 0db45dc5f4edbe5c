"""How the result of a fit is shown: one JSON object for programs, rules and a table for people."""

__all__ = ["result_fields", "show_result"]

from collections.abc import Iterator
from typing import Any

import numpy as np

from hedgerow.cli.display import say, show, show_table
from hedgerow.notebook import figures_of
from hedgerow.rulebook import RuleBook

_FIELDS = ("objective", "lower_bound", "gap", "status", "runtime", "method", "nominal")
_FURTHER_FIELDS = ("iterations", "thresholds", "threshold_margin", "cells", "seed", "thinning", "message")


def result_fields(rules: RuleBook) -> dict[str, Any]:
    """Return the fields of a result as plain JSON values."""
    proof = rules.proof.to_dict()
    return {
        **{name: proof[name] for name in _FIELDS},
        "robust": proof["objective"],
        "refined": None if proof["refined"] is None else proof["refined"]["objective"],
        "depth": rules.tree.depth,
        "n_leaves": rules.tree.n_leaves,
        **{name: proof[name] for name in _FURTHER_FIELDS},
    }


def show_result(rules: RuleBook) -> None:
    """Print the rules, what they cost and how good they are proven to be."""
    figures = figures_of(rules)
    show(rules.tree.to_text(rules.names, rules.needed_problem().describe, rules.reading_unit))
    show()
    for line in _movable(rules):
        say(line)
    show()
    show_table(figures.header, figures.rows, right=(1, 2))
    show()
    for line in figures.sentences:
        say(line)


def _movable(rules: RuleBook) -> Iterator[str]:
    """Yield for each threshold how far it may move."""
    for node in np.flatnonzero(rules.tree.is_inner).tolist():
        if rules.cell(node):
            yield f"{rules.question(node)}: {rules.cell(node)}."
