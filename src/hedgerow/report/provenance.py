"""Where the tree comes from: data, method, seed, limits, bound and version."""

__all__ = ["provenance"]

from hedgerow._version import __version__
from hedgerow.report.data import ReportData
from hedgerow.rulebook.proof import is_number
from hedgerow.words import amount, printable, sentence, spelt, typeset, uncertainty_in_words


def provenance(data: ReportData) -> list[tuple[str, str]]:
    """Return what there is to know as pairs of a heading and a text."""
    book, proof = data.book, data.book.proof
    rows = [("Problem", _problem_in_words(data))]
    if book.training is not None:
        rows.append(("Data", _data_in_words(data)))
    misread = sentence(uncertainty_in_words(book.uncertainty, book.reading_unit))
    rows += [("Readings", misread + _fraction_in_words(data)), ("Tree", _tree_in_words(data))]
    if "result" in book.details:
        rows += [
            ("Method", f"{_kept(proof.method)}, {proof.ending}"),
            ("Limits", _limits_in_words(data)),
            ("Seed", _kept(proof.seed)),
            ("Worst case", _value(proof.objective, book.unit)),
            ("Proven bound", _value(proof.lower_bound, book.unit)),
            ("Thresholds", _kept(proof.thresholds)),
        ]
    if proof.refined is not None:
        refined = "the tree file also holds a tree with refined thresholds; this page shows the one before."
        rows.append(("Refined", refined))
    note = book.details.get("note")
    if isinstance(note, str):
        rows.append(("Note", printable(note)))
    rows.append(("Version", f"this page was written by Hedgerow {__version__}"))
    return rows


def _problem_in_words(data: ReportData) -> str:
    book = data.book
    goal = "gain, to be large" if book.sense == "max" else "cost, to be small"
    unit = f" in {book.unit}" if book.unit else ""
    kind = repr(book.problem) if book.problem is not None else "a problem that only its owner can build again"
    return printable(f"{kind}; {goal}{unit}")


def _data_in_words(data: ReportData) -> str:
    summary = data.book.training
    assert summary is not None
    words = (
        f"{spelt(summary.n_samples, 'training sample')}, {spelt(len(summary.ranges), 'item')} observed, "
        f"of which the tree asks about {data.asked.size or 'none'}"
    )
    if data.book.is_weighted:
        words += f"; samples have weights, {summary.total_weight:g} in all"
    if "costs" in data.file_names:
        words += f"; from {data.file_names['costs']}"
    if data.test is not None:
        words += f"; {spelt(data.test.n_samples, 'test sample')}"
        words += f" from {data.file_names['test']}" if "test" in data.file_names else ""
    return printable(words)


def _fraction_in_words(data: ReportData) -> str:
    fraction = data.book.uncertainty_as_given.get("fraction")
    return f" (Given as the fraction λ = {fraction:g} of the training data’s range.)" if is_number(fraction) else ""


def _tree_in_words(data: ReportData) -> str:
    tree = data.book.tree
    if not tree.depth:
        return "one plan, no questions"
    return (
        f"{spelt(tree.n_leaves, 'rule')} with at most {spelt(tree.depth, 'question')} each, "
        f"{spelt(len(data.book.plans), 'plan')}; a reading equal to a threshold counts as “at most”"
    )


def _limits_in_words(data: ReportData) -> str:
    proof = data.book.proof
    if proof.options is None:
        return "not kept"
    words = [limits for limits in (proof.options.in_words(data.book.depth),) if limits]
    if proof.thinning is not None:
        words.append(f"searched on {proof.thinning.kept}")
    return "; ".join(words) or "none"


def _value(value: float | None, unit: str) -> str:
    return "none" if value is None else typeset(amount(value, unit))


def _kept(value: str | int | None) -> str:
    return "not kept" if value is None else printable(str(value))
