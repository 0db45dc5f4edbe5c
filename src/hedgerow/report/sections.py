"""What the template fills in: the rules, how good they are in figures, and where they come from."""

from typing import Any

import numpy as np

from hedgerow.data.confidence import block_labels, block_means, interval
from hedgerow.report.data import ReportData
from hedgerow.report.facts import axes
from hedgerow.report.rendering import nested_rules
from hedgerow.wording.budgets import budget_per_sample
from hedgerow.wording.numbers import WRITTEN_BY, counted, sentence


def sections(data: ReportData) -> dict[str, Any]:
    """Return the template's variables by name."""
    return {
        "title": data.title,
        "data": data,
        "tree": _tree(data),
        "axes": axes(data),
        "figures": _figure_rows(data),
        "gained": _gain_in_words(data),
        "budget_per_sample": budget_per_sample,
        "version": sentence(WRITTEN_BY),
    }


def _tree(data: ReportData) -> dict[str, Any]:
    """Return the rules with how many training samples reach each."""
    tree, counts = data.book.tree, data.row_samples

    def leaf_note(leaf: int) -> str:
        rows = tree.rows_at(leaf)
        if not data.book.tree.is_reachable[leaf]:
            return "no reading can be so"
        if counts is None:
            return ""
        return counted(int(counts[rows].sum()), "sample") if counts[rows].any() else "no sample as read"

    return nested_rules(data.book, leaf_note=leaf_note, phrase=data.phrase)


# -- how good the rules are: on their training data and on held-out data, as read and at worst -------------------------


def _figure_rows(data: ReportData) -> list[tuple[str, int, float, float, float | None]]:
    """Return per set of samples its name, size and weight, and the sums of costs as read and at worst.

    Those of the training data come from the rule book where no data is given.
    """
    result, training = data.book.result, data.book.training
    rows: list[tuple[str, int, float, float, float | None]] = []
    if data.training is None and training is not None and result is not None:
        rows.append(("Training data", training.n_samples, training.total_weight, result.nominal, result.objective))
    for name, found in (("Training data", data.training), ("Test data", data.test)):
        if found is not None:
            carries_over = found is data.training or not data.book.uncertainty.belongs_to_samples
            robust = found.robust if carries_over else None
            rows.append((name, found.n_samples, found.total_weight, found.nominal, robust))
    return rows


def _gain_in_words(data: ReportData) -> str:
    """Return what the rules gain over their best plan on samples that they have not seen, with its interval."""
    plans, problem, found = data.book.plans, data.book.problem, data.test
    if problem is None or found is None or len(plans) == 1:
        return ""
    known = (data.training or found).attack.instance
    best = int(np.argmin(problem.sign * known.weights @ problem.costs(plans.solutions, known.costs)))
    always = problem.costs(plans.solutions[[best]], found.attack.instance.costs)[:, 0]
    # Rows to test on have no weights.
    gains = problem.sign * (always - found.attack.nominal_cost)
    labels, rng = block_labels(gains.size), np.random.default_rng(0)
    low, high = interval(block_means(gains[:, None], np.ones(gains.size), labels, rng))
    verdict = "" if low > 0.0 else " That may be chance." if high >= 0.0 else " The rules are not worth following."
    mean, least, most = map(data.cost, (abs(float(gains.mean())), low, high))
    return (
        f"On {found.n_samples:,} samples that the rules had not seen, following them is {mean} per sample "
        f"{'better' if gains.mean() >= 0.0 else 'worse'} than always following {data.plan_name(best)} (the gain is "
        f"between {least} and {most} with 95 % confidence).{verdict}"
    )
