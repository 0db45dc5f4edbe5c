"""Where the tree comes from and what is proven about it: data, method, seed, limits, bound and version."""

__all__ = ["proof_in_words", "provenance"]

import dataclasses
from typing import Any

from hedgerow import __version__
from hedgerow.report.data import ReportData
from hedgerow.report.figures import uncertainty_in_words
from hedgerow.report.language import Message, figure, listed, message, plain, reading, share
from hedgerow.rules.proof import is_number
from hedgerow.run.result import relative_gap
from hedgerow.run.wishes import Wishes
from hedgerow.tolerances import OPTIMALITY_GAP
from hedgerow.wording.numbers import printable
from hedgerow.wording.proofs import ENDINGS


def proof_in_words(data: ReportData) -> list[Message]:
    """Return whether other rules could do better, in sentences: the answer first, then what it is about."""
    book, proof = data.book, data.book.proof
    value, bound = proof.objective, proof.lower_bound
    if value is None:
        return [message("proof.unknown")]
    promise = message(f"proof.promise_{book.sense}", value=figure(value, book.unit))
    others = message("proof.among", limits=listed(_rule_books(data))) if book.depth else message("proof.single")
    if bound is None:
        return [message("proof.none"), promise, others]
    gap = relative_gap(value, bound)
    if gap <= OPTIMALITY_GAP:
        return [message("proof.no"), promise, others]
    best = message(f"proof.bound_{book.sense}", bound=figure(bound, book.unit))
    return [message("proof.perhaps", gap=share(gap)), promise, best, others]


def _rule_books(data: ReportData) -> list[Message]:
    """Return the limits of the rule books that a proof is about."""
    proof, depth = data.book.proof, data.book.depth
    limits = [message("limit.depth", n=depth), *_limits_on_leaves(data)]
    known = proof.thresholds in ("midpoints", "grid", "continuous")
    where = message(f"thresholds.{proof.thresholds if known else 'other'}")
    thinning = proof.thinning
    # A bound for a tree that was found on representatives is about all thresholds.
    if thinning is not None and thinning.of_thresholds and not thinning.of_samples:
        where = message("thresholds.some", kept=thinning.n_thresholds, total=thinning.n_all_thresholds, where=where)
    return [*limits, where]


def _limits_on_leaves(data: ReportData) -> list[Message]:
    options, depth = data.book.proof.options, data.book.depth
    if options is None or not depth:
        return []
    few = options.max_leaves is not None and options.max_leaves < 2**depth
    return [
        *([message("limit.max_leaves", n=options.max_leaves)] if few else []),
        *([message("limit.min_samples_leaf", n=options.min_samples_leaf)] if options.min_samples_leaf else []),
        *([_wish_in_words(options.wishes, name) for name in options.wishes.given] if options.wishes else []),
    ]


def _wish_in_words(wishes: Wishes, name: str) -> Message:
    if name in ("max_items", "max_plans"):
        return message(f"wish.{name}", n=getattr(wishes, name))
    return message(f"wish.{name}", names=wishes.named(name))


def provenance(data: ReportData) -> list[tuple[Message, list[Message]]]:
    """Return what there is to know as pairs of a heading and sentences."""
    book, proof = data.book, data.book.proof
    kind = plain(printable(repr(book.problem))) if book.problem is not None else message("origin.own_problem")
    goal = f"origin.goal_{book.sense}{'_in' if book.unit else ''}"
    rows = [("problem", [message(goal, kind=kind, unit=book.unit)])]
    if book.training is not None:
        rows.append(("data", _data_in_words(data)))
    fraction = book.uncertainty_as_given.get("fraction")
    share_of = [message("misread.fraction", fraction=reading(fraction))] if is_number(fraction) else []
    rows += [("readings", [*uncertainty_in_words(data), *share_of]), ("tree", [_tree_in_words(data)])]
    if "result" in book.details:
        ending = message(f"ending.{proof.status}" if proof.status in ENDINGS else "ending.other")
        if proof.runtime is not None:
            ending = message("origin.after", ending=ending, seconds=figure(proof.runtime, "s"))
        rows += [
            ("method", [message("origin.how", method=_kept(proof.method), ending=ending)]),
            ("limits", _limits_in_words(data)),
            ("seed", [_kept(proof.seed)]),
            ("worst_case", [_value(proof.objective, book.unit)]),
            ("bound", [_value(proof.lower_bound, book.unit)]),
            ("thresholds", [_kept(proof.thresholds)]),
        ]
    if proof.refined is not None:
        rows.append(("refined", [message("origin.refined_note")]))
    note = book.details.get("note")
    if isinstance(note, str):
        rows.append(("note", [plain(printable(note))]))
    rows.append(("version", [message("origin.written", version=__version__)]))
    return [(message(f"origin.{heading}"), messages) for heading, messages in rows]


def _data_in_words(data: ReportData) -> list[Message]:
    summary = data.book.training
    assert summary is not None
    messages = [
        message(
            "origin.samples",
            samples=message("count.samples", n=summary.n_samples // summary.draws),
            items=message("count.items", n=len(summary.ranges)),
            asked=data.asked.size,
        )
    ]
    if summary.draws > 1:
        messages.append(message("origin.drawn", n=summary.draws))
    if data.book.is_weighted:
        messages.append(message("origin.weights", total=figure(summary.total_weight)))
    if "costs" in data.file_names:
        messages.append(message("origin.file", name=printable(data.file_names["costs"])))
    if data.test is not None:
        messages.append(message("origin.test", samples=message("count.samples", n=data.test.n_samples)))
        if "test" in data.file_names:
            messages.append(message("origin.test_file", name=printable(data.file_names["test"])))
    return messages


def _tree_in_words(data: ReportData) -> Message:
    tree = data.book.tree
    if not tree.depth:
        return message("origin.no_questions")
    return message(
        "origin.shape",
        rules=message("count.rules", n=tree.n_leaves),
        questions=message("limit.depth", n=tree.depth),
        plans=message("count.plans", n=len(data.book.plans)),
    )


def _limits_in_words(data: ReportData) -> list[Message]:
    proof = data.book.proof
    if proof.options is None:
        return [message("origin.not_kept")]
    limits: list[Any] = _limits_on_leaves(data)
    for field in dataclasses.fields(proof.options):
        value = getattr(proof.options, field.name)
        if field.metadata["limits"] and value:
            limits.append(message(f"limit.{field.name}", n=value))
    messages = [plain(listed(limits)) if limits else message("origin.none")]
    thinning = proof.thinning
    if thinning is not None:
        counts = ("n_samples", "n_all_samples", "n_thresholds", "n_all_thresholds")
        messages.append(message("limit.thinning", **{name: getattr(thinning, name) for name in counts}))
    return messages


def _value(value: float | None, unit: str) -> Message:
    return message("origin.none") if value is None else plain(figure(value, unit))


def _kept(value: str | int | None) -> Message:
    return message("origin.not_kept") if value is None else plain(printable(str(value)))
