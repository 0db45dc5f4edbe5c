"""What a report is made of: the rule book, and how it does on training and test data, checked once."""

__all__ = ["ReportData", "gather"]

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from hedgerow.arrays import FloatArray, IntArray
from hedgerow.errors import FileFormatError, InputError
from hedgerow.evaluate import Evaluation
from hedgerow.report.language import Message, check_language, message
from hedgerow.rulebook import RuleBook
from hedgerow.uncertainty import Nominal, Uncertainty
from hedgerow.words import printable

_SAME = 1e-9
"""Ranges that differ by less than this, relative to their size, are those of the same data."""


@dataclass(frozen=True, eq=False)
class ReportData:
    """A rule book with the data that it is shown on.

    Attributes
    ----------
    book
        The rule book.
    training, test
        The tree on its training data and on held-out data, where these were given.
    test_is_nominal
        Whether the uncertainty set belongs to the training samples, so that the test figures are nominal only.
    include_samples
        Whether samples may be shown.
    title
        The page's title; empty for the usual one.
    file_names
        What the files are called in commands.
    language
        The page's language; None for that of the reader's browser.
    """

    book: RuleBook
    training: Evaluation | None
    test: Evaluation | None
    test_is_nominal: bool
    include_samples: bool
    title: str
    file_names: Mapping[str, str]
    language: str | None = None

    @property
    def leaf_samples(self) -> IntArray | None:
        """Per leaf how many training samples reach it; None if not known."""
        if self.training is not None:
            return np.bincount(self.training.attack.nominal_leaf, minlength=self.book.tree.n_leaves)
        return self.book.leaf_samples

    @property
    def heading(self) -> Message:
        """The page's title as a message."""
        source, target = (getattr(self.book.problem, end, None) for end in ("source", "target"))
        if self.title:
            return message("plain", value=self.title)
        if isinstance(source, str) and isinstance(target, str):
            return message("title.way", source=printable(source), target=printable(target))
        return message("title")

    @property
    def asked(self) -> IntArray:
        """The items that the tree asks about, the first questions first."""
        tree = self.book.tree
        inner = np.flatnonzero(tree.is_inner)
        in_order = inner[np.argsort(tree.node_depth[inner], kind="stable")]
        items = (item for number in tree.question[in_order] for item in tree.questions[number].items)
        return np.array(list(dict.fromkeys(items)), dtype=np.int64)


def gather(
    source: Any,
    costs: Any,
    *,
    test: Any,
    observations: Any,
    test_observations: Any,
    sample_weight: Any,
    include_samples: bool,
    title: str | None,
    file_names: Mapping[str, str],
    language: str | None,
) -> ReportData:
    """Return the report's data; raise `InputError` for data that doesn't belong to the tree."""
    book = RuleBook.of(source)
    if include_samples and costs is None:
        raise InputError("samples can only be included if they are given: pass the costs that the tree was fitted to.")
    if title is not None and not isinstance(title, str):
        raise InputError(f"title must be a text; got {type(title).__name__}.")
    check_language(language)
    training = held_out = None
    if costs is not None:
        training = _evaluated(book, costs, observations, None, "costs", sample_weight)
        _refuse_other_data(book, training)
    test_is_nominal = False
    if test is not None:
        held_out = _evaluated(book, test, test_observations, Nominal(), "test")
        data = held_out.attack.instance
        try:
            book.uncertainty.check_fits(data.n_samples, data.n_features)
        except InputError:
            test_is_nominal = True
        else:
            held_out = _evaluated(book, test, test_observations, None, "test")
    return ReportData(
        book,
        training,
        held_out,
        test_is_nominal,
        include_samples,
        printable(title) if title and title.strip() else "",
        file_names,
        language,
    )


def _evaluated(
    book: RuleBook, costs: Any, observations: Any, uncertainty: Uncertainty | None, what: str, weights: Any = None
) -> Evaluation:
    if observations is None and not book.observes_costs:
        named = "observations" if what == "costs" else f"{what}_observations"
        raise InputError(f"this tree asks about other features than the costs; pass {named} along with {what}.")
    try:
        return book.evaluate(costs, uncertainty, observations=observations, sample_weight=weights)
    except FileFormatError:
        raise
    except InputError as error:
        subject = "the costs don't" if what == "costs" else "the test data doesn't"
        raise InputError(f"{subject} match the tree: {error}") from None


def _refuse_other_data(book: RuleBook, training: Evaluation) -> None:
    """Refuse data that the tree was not fitted to: its figures would be taken for those of the training data."""
    known, instance = book.training, training.attack.instance
    if known is None:
        return
    n_samples = known.n_samples // known.draws
    if n_samples != training.n_samples:
        raise InputError(
            f"the costs are not those that the tree was fitted to: it had {n_samples} samples, these are "
            f"{training.n_samples}; give other data as test data."
        )
    if known.draws > 1:
        return  # it has seen other readings than these
    # Of other readings only those that the tree asks about need be there.
    which = slice(None) if instance.observes_costs else book.tree.asked_items
    observed = instance.observations[:, which]
    extremes: FloatArray = np.stack([observed.min(axis=0), observed.max(axis=0)], axis=1)
    if not np.allclose(extremes, known.ranges[which], rtol=_SAME, atol=_SAME):
        raise InputError(
            "the costs are not those that the tree was fitted to: their ranges differ from those that the tree file "
            "keeps; give other data as test data. If the tree learnt from readings, give these as observations."
        )
