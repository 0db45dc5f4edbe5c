"""What a report is made of: the rule book, and how it does on training and test data."""

__all__ = ["ReportData"]

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from hedgerow.arrays import IntArray
from hedgerow.evaluate import Evaluation
from hedgerow.report.language import Message, message
from hedgerow.rulebook import RuleBook
from hedgerow.words import printable


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
