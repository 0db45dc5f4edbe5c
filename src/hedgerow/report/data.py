"""What a report is made of: the rule book, and how it does on training and test data."""

__all__ = ["ReportData"]

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from hedgerow.data.arrays import IntArray
from hedgerow.evaluation import Evaluation
from hedgerow.report.language import Message, message, plain
from hedgerow.rules import RuleBook
from hedgerow.wording.numbers import printable


@dataclass(frozen=True, eq=False)
class ReportData:
    """A rule book with its evaluations on training and test data, where these were given, and options of the page.

    `test_is_nominal` says that the uncertainty set belongs to the training samples, so that the test figures are
    nominal only. An empty title stands for the usual one, and no language for that of the reader's browser.
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
            return plain(self.title)
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
