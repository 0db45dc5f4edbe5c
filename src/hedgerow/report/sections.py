"""What the template fills in: the parts of the page that are plain text and tables."""

__all__ = ["sections"]

import math
from typing import Any

from hedgerow.report.figures import attack_in_words, figure_rows
from hedgerow.report.inputs import Inputs
from hedgerow.report.provenance import provenance
from hedgerow.report.reproduce import PLACEHOLDERS, caveats, commands
from hedgerow.report.rules import rules_in_words
from hedgerow.report.words import in_words, proof_in_words, readings_in_words
from hedgerow.uncertainty import Nominal
from hedgerow.words import budget_per_sample

_FEW_RULES = 8
"""Up to this many rules are shown as text at once; more of them can be unfolded."""


def sections(inputs: Inputs) -> dict[str, Any]:
    """Return the template's variables by name."""
    lines = commands(inputs)
    return {
        "title": inputs.title,
        "subtitle": _subtitle(inputs),
        "n_asked": inputs.asked.size,
        "sense": inputs.sense,
        "unit": inputs.unit,
        "rules": rules_in_words(inputs),
        "plan_names": [inputs.plans.name(plan) for plan in range(len(inputs.plans))],
        "few_rules": inputs.tree.n_leaves <= _FEW_RULES,
        "counted": inputs.leaf_samples is not None,
        "figures": figure_rows(inputs),
        "notes": _notes(inputs),
        "attack": _attack(inputs),
        "uncertainty": readings_in_words(inputs.uncertainty, inputs.reading_unit),
        "proof": _proof(inputs),
        "provenance": provenance(inputs),
        "commands": lines,
        "caveats": caveats(inputs),
        "has_placeholders": any(name in line for line in lines for name in PLACEHOLDERS),
        "include_samples": inputs.include_samples,
    }


def _subtitle(inputs: Inputs) -> str:
    told = (
        f"{in_words(inputs.tree.n_leaves, 'rule')}, {in_words(len(inputs.plans), 'plan')}, "
        f"{in_words(inputs.asked.size, 'reading')} to take"
    )
    if inputs.summary is not None:
        told += f"; learnt from {in_words(inputs.summary.n_samples, 'sample')}"
    return f"{told[0].upper()}{told[1:]}."


def _proof(inputs: Inputs) -> str:
    depth = inputs.tree.depth if inputs.summary is None else inputs.summary.depth
    return proof_in_words(inputs.saved, depth)


def _attack(inputs: Inputs) -> str | None:
    if inputs.training is None or isinstance(inputs.uncertainty, Nominal):
        return None
    return attack_in_words(inputs)


def _same_weights(inputs: Inputs) -> bool:
    summary, training = inputs.summary, inputs.training
    if summary is None or training is None:
        return True
    is_weighted = bool((training.attack.instance.weights != 1.0).any())
    return is_weighted == inputs.saved.is_weighted and math.isclose(summary.total_weight, training.total_weight)


def _notes(inputs: Inputs) -> list[str]:
    notes = []
    if inputs.training is None:
        notes.append("The training data was not at hand, so the worst misreading can’t be told in detail.")
    elif not _same_weights(inputs):
        notes.append(
            "The training samples had weights, which were not at hand: in this table each counts once, while what is "
            "proven, and what these rules promise there, counts each by its weight."
        )
    if inputs.test is None:
        notes.append("No test data was given: these are figures on samples that the tree was fitted to.")
    if inputs.test_is_nominal:
        notes.append("How wrong readings may be was given sample by sample, so it can’t be carried over to test data.")
    elif inputs.test is not None and inputs.summary is not None:
        notes.append(budget_per_sample(inputs.uncertainty, inputs.summary.n_samples, inputs.test.n_samples))
    return [note for note in notes if note]
