"""Where the tree comes from and what is proven about it: data, method, seed, limits, bound and version."""

__all__ = ["better_rules_in_words", "origin", "uncertainty_in_sentences"]

import dataclasses
import math

from hedgerow import __version__
from hedgerow.report.data import ReportData
from hedgerow.run import Result
from hedgerow.tolerances import OPTIMALITY_GAP
from hedgerow.uncertainty import LocalBudget
from hedgerow.wording.budgets import lowering_in_words, uncertainty_in_words
from hedgerow.wording.numbers import amount, counted, joined, percentage, printable, reading, sentence
from hedgerow.wording.proofs import THRESHOLDS


def uncertainty_in_sentences(data: ReportData) -> str:
    """Return how wrong readings may be, and what was measured of it where the fit lowered the budget."""
    book = data.book
    words = sentence(uncertainty_in_words(book.uncertainty, book.reading_unit))
    if book.lowered_from is None or not isinstance(book.uncertainty, LocalBudget):
        return words
    measured = dataclasses.replace(book.uncertainty, budget=book.lowered_from)
    return f"{words} {lowering_in_words(measured, book.uncertainty, book.reading_unit)}"


def better_rules_in_words(data: ReportData) -> str:
    """Return whether other rules could do better, in sentences: the answer first, then what it is about."""
    book, result = data.book, data.book.result
    if result is None:
        return "The tree file doesn’t say how good the tree is."
    value, gap = result.objective, result.gap
    at_most, less = ("at least", "more") if book.sense == "max" else ("at most", "less")
    promise = f"These rules promise {at_most} {data.cost(value)} over all training samples in the worst case."
    others = f"rule books with {joined(_rule_books(result, book.depth))}" if book.depth else "single plans"
    about = f"This is about {others}."
    if math.isinf(gap):
        return f"Perhaps: nothing is proven, these are the best rules that were found. {promise} {about}"
    if gap <= OPTIMALITY_GAP:
        return f"No, that is proven. {promise} {about}"
    best = f"No other rules promise {less} than {data.cost(result.lower_bound)}."
    return f"Perhaps, by up to {percentage(gap)}: more is proven to be impossible. {promise} {best} {about}"


def _rule_books(result: Result, depth: int) -> list[str]:
    """Return the limits of the rule books that a proof is about."""
    where = THRESHOLDS[result.thresholds]
    thinning = result.thinning
    # A bound for a tree that was found on representatives is about all thresholds.
    if thinning is not None and thinning.of_thresholds and not thinning.of_samples:
        where = f"{thinning.n_thresholds:,} of {thinning.n_all_thresholds:,} {where}"
    return [f"at most {counted(depth, 'question')} in a row", *_limits_on_leaves(result, depth), where]


def _limits_on_leaves(result: Result, depth: int) -> tuple[str, ...]:
    return () if result.options is None else result.options.limits_on_leaves(depth)


def origin(data: ReportData) -> dict[str, str]:
    """Return what there is to know about the fit, by heading."""
    book, result = data.book, data.book.result
    kind = "a problem that only its owner can build again"
    goal = "gain, to be large" if book.sense == "max" else "cost, to be small"
    rows = {"Problem": f"{kind if book.problem is None else printable(repr(book.problem))}; {goal}"}
    if book.unit:
        rows["Problem"] += f", in {book.unit}"
    if book.training is not None:
        rows["Data"] = _data_in_words(data)
    fraction = getattr(book.uncertainty_as_given, "fraction", None)
    rows["Readings"] = uncertainty_in_sentences(data)
    if fraction is not None:
        rows["Readings"] += f" (Given as the fraction λ = {reading(fraction)} of the training data’s range.)"
    rows["Tree"] = _tree_in_words(data)
    if result is not None:
        rows["Method"] = f"{printable(result.method)}, {result.ending}"
        rows["Limits"] = _limits_in_words(result, book.depth)
        rows["Seed"] = "not kept" if book.call is None or book.call.seed is None else str(book.call.seed)
        rows["Worst case"] = data.cost(result.objective)
        rows["Proven bound"] = "none" if math.isinf(result.lower_bound) else data.cost(result.lower_bound)
        rows["Thresholds"] = result.thresholds
    if result is not None and result.refined is not None:
        rows["Refined"] = "The tree file also holds a tree with refined thresholds; this page shows the one before."
    if book.note:
        rows["Note"] = book.note
    rows["Version"] = f"this page was written by Hedgerow {__version__}"
    return rows


def _data_in_words(data: ReportData) -> str:
    summary = data.book.training
    assert summary is not None
    words = [
        f"{counted(summary.n_samples // summary.draws, 'sample')} for training, "
        f"{counted(len(summary.ranges), 'item')} observed, of which the tree asks about {len(data.asked)}."
    ]
    if summary.draws > 1:
        words.append(f"Each sample was shown {summary.draws} times, with readings drawn at random.")
    if data.book.is_weighted:
        words.append(f"Samples have weights, {amount(summary.total_weight)} in all.")
    if "costs" in data.file_names:
        words.append(f"From {printable(data.file_names['costs'])}.")
    if data.test is not None:
        words.append(f"{counted(data.test.n_samples, 'sample')} for testing.")
        if "test" in data.file_names:
            words.append(f"From {printable(data.file_names['test'])}.")
    return " ".join(words)


def _tree_in_words(data: ReportData) -> str:
    tree = data.book.tree
    if not tree.depth:
        return "one plan, no questions"
    return (
        f"{counted(tree.n_leaves, 'rule')}, at most {counted(tree.depth, 'question')} in a row, "
        f"{counted(len(data.book.plans), 'plan')}; a reading equal to a threshold counts as “at most”"
    )


def _limits_in_words(result: Result, depth: int) -> str:
    if result.options is None:
        return "not kept"
    limits = list(_limits_on_leaves(result, depth))
    for field in dataclasses.fields(result.options):
        value = getattr(result.options, field.name)
        if field.metadata["limits"] and value:
            limits.append(f"{field.name.replace('_', ' ')} {amount(value, 's' if field.name == 'time_limit' else '')}")
    words = joined(limits) or "none"
    thinning = result.thinning
    if thinning is None:
        return words
    return (
        f"{words}. Searched on {thinning.n_samples:,} of {thinning.n_all_samples:,} samples, "
        f"{thinning.n_thresholds:,} of {thinning.n_all_thresholds:,} thresholds."
    )
