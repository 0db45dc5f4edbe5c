"""What users call: a fitted tree in, one HTML page out."""

from pathlib import Path
from typing import Any

import numpy as np

from hedgerow.data.gaps import USUAL_SHARE
from hedgerow.data.text_files import check_writable, write_text
from hedgerow.errors import InputError
from hedgerow.evaluation import Evaluation
from hedgerow.report.facts import ReportData, facts_for_script, sections
from hedgerow.report.rendering import render
from hedgerow.rules import RuleBook
from hedgerow.uncertainty import Nominal, Uncertainty
from hedgerow.wording.numbers import printable

_SCRIPTS = (
    "dom.js", "rules.js", "form.js", "advice.js", "map.js", "network.js", "plans.js", "main.js",
)  # fmt: skip
_SAME = 1e-9
"""Ranges that differ by less than this, relative to their size, are those of the same data."""


def report_html(
    source: Any,
    costs: Any = None,
    *,
    test: Any = None,
    readings: Any = None,
    context: Any = None,
    test_readings: Any = None,
    test_context: Any = None,
    sample_weight: Any = None,
    title: str | None = None,
    refit: Any = None,
) -> str:
    """Return the report of a tree as the text of one HTML page that needs nothing else, not even a network.

    Parameters
    ----------
    source
        A fitted `RobustTree`, a `RuleBook`, or the path of a tree file.
    costs
        The training data, N × items: with it the page shows the worst misreading. A DataFrame's columns are
        matched to the items by name.
    test
        Held-out data, for figures on samples that the tree was not fitted to.
    readings, test_readings
        What was read in place of the costs.
    context, test_context
        What the tree asks about, if that is context.
    sample_weight
        One non-negative number per row of `costs`.
    title
        The page's title.
    refit
        What `hedgerow.refit` returned, to show the old rules beside the new ones.

    Raises
    ------
    InputError
        If the data doesn't belong to the tree, or the page would be too large.

    Examples
    --------
    >>> from hedgerow import RobustTree
    >>> from hedgerow.problems import Selection
    >>> from hedgerow.report import report_html
    >>> model = RobustTree(Selection(2, 1), method="one_solution").fit([[1.0, 3.0], [4.0, 2.0]])
    >>> page = report_html(model, title="Two tasks")
    >>> "<title>Two tasks</title>" in page, "://" in page
    (True, False)
    """
    book = RuleBook.of(source)
    if title is not None and not isinstance(title, str):
        raise InputError(f"title must be a text; got {type(title).__name__}.")
    training = held_out = None
    if costs is not None:
        training = _as_fitted(book, costs, readings, context, sample_weight)
    if test is not None:
        budget = Nominal() if book.uncertainty.belongs_to_samples else None
        held_out = _evaluated(book, test, (test_readings, test_context), budget, "the test data doesn't")
    seen = (costs, readings, context) if test is None else (test, test_readings, test_context)
    with_gaps = None
    if seen[0] is not None and book.fill_ins is not None and book.asked_readings:
        with_gaps = book.evaluate(seen[0], Nominal(), readings=seen[1], context=seen[2], missing=USUAL_SHARE)
    data = ReportData(book, training, held_out, with_gaps, printable(title or "Rule book"), refit)
    return render("report.html", _SCRIPTS, sections(data), facts_for_script(data))


def write_report(source: Any, path: str | Path, costs: Any = None, **options: Any) -> None:
    """Write the report of a tree to a file, in one step.

    Parameters
    ----------
    source
        A fitted `RobustTree`, a `RuleBook`, or the path of a tree file.
    path
        Where the page goes, such as "report.html".
    costs
        The training data, N × items.
    options
        Those of `report_html`.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from hedgerow import RobustTree
    >>> from hedgerow.problems import Selection
    >>> from hedgerow.report import write_report
    >>> model = RobustTree(Selection(2, 1), method="one_solution").fit([[1.0, 3.0], [4.0, 2.0]])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_report(model, Path(folder) / "report.html")
    ...     Path(folder, "report.html").read_text(encoding="utf-8")[:15]
    '<!doctype html>'
    """
    check_writable(path)  # before the work, not after it
    write_text(path, report_html(source, costs, **options))


def _evaluated(
    book: RuleBook, costs: Any, shown: tuple[Any, Any], uncertainty: Uncertainty | None, what: str, weights: Any = None
) -> Evaluation:
    readings, context = shown
    try:
        return book.evaluate(costs, uncertainty, readings=readings, context=context, sample_weight=weights)
    except InputError as error:
        raise InputError(f"{what} match the tree: {error}") from None


def _as_fitted(book: RuleBook, costs: Any, readings: Any, context: Any, weights: Any) -> Evaluation:
    """Return what the rules cost on their training data, as the fit saw it.

    A fit that learns from the truth reads the costs as they are, whatever readings it was given. Other data is refused:
    its figures would be taken for those of the training data.
    """
    for seen in [readings] if readings is None else [readings, None]:
        training = _evaluated(book, costs, (seen, context), None, "the costs don't", weights)
        difference = _difference(book, training)
        if not difference:
            return training
    hint = " If the tree learnt from readings, give these as readings." if readings is None else ""
    raise InputError(
        f"the costs are not those that the tree was fitted to: {difference}; give other data as test data.{hint}"
    )


def _difference(book: RuleBook, training: Evaluation) -> str:
    """Return how some data differs from that of the fit; nothing if no difference is known."""
    known = book.training
    if known is None:
        return ""
    n_samples = known.n_samples // known.draws
    if n_samples != training.n_samples:
        return f"it had {n_samples} samples, these are {training.n_samples}"
    asked = book.tree.asked_items
    observed = training.attack.instance.observations[:, asked]
    extremes = np.stack([observed.min(axis=0), observed.max(axis=0)], axis=1)
    # A fit that drew readings has seen others than these.
    same = known.draws > 1 or np.allclose(extremes, known.ranges[asked], rtol=_SAME, atol=_SAME)
    return "" if same else "their ranges differ from those that the tree file keeps"
