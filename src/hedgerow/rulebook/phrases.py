"""Rules in words: what a node asks, what leads to a leaf, and what it is based on."""

__all__ = ["Phrases"]

import contextlib
import math
from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from hedgerow.errors import FileFormatError
from hedgerow.questions import Question
from hedgerow.words import joined, number, printable, written_number

if TYPE_CHECKING:
    from hedgerow.rulebook.book import RuleBook

T = TypeVar("T")


class Phrases:
    """The part of a rule book that puts its tree into words."""

    @property
    def rulebook_(self) -> "RuleBook":
        """The rule book."""
        raise NotImplementedError

    def asks(self, node: int) -> Question:
        """Return the question of an inner node."""
        return self.rulebook_.tree.questions[int(self.rulebook_.tree.question[node])]

    def label(self, question: Question) -> str:
        """Return the exact name of a question: its own, or that of the reading it is about."""
        return question.label(self.rulebook_.feature_names or None)

    def unit_of(self, question: Question) -> str:
        """Return the unit of a question's value: that of the readings, or of costs where it compares plans by them."""
        book = self.rulebook_
        sides = question.compared
        of_plans = sides is not None and book.observes_costs and not {*sides} & {*book.feature_names, *book.names}
        return book.unit if of_plans and "the mean" not in (sides or ()) else book.reading_unit

    def question(self, node: int) -> str:
        """Return what a node asks, in words and with the exact threshold: yes goes left."""
        return self._condition(self.asks(node), float(self.rulebook_.tree.threshold[node]))

    def cell(self, node: int) -> str:
        """Return where else a node's threshold may lie at no loss, in words; nothing if not known, or nowhere."""
        from hedgerow.thresholds.words import cell_in_words

        cells = self.rulebook_.proof.cells
        inner = np.flatnonzero(self.rulebook_.tree.is_inner).tolist()
        if cells is None or len(cells) != len(inner):
            return ""
        return cell_in_words(cells[inner.index(node)], self.unit_of(self.asks(node)))

    def conditions(self, leaf: int) -> list[str]:
        """Return what holds at a leaf, in words and with exact thresholds."""
        tree, found = self.rulebook_.tree, list[str]()
        bounds = (tree.bounds.question[leaf], tree.bounds.lower[leaf], tree.bounds.upper[leaf])
        for asked, low, high in zip(*(side.tolist() for side in bounds), strict=True):
            if low > -math.inf:
                found.append(self._condition(tree.questions[asked], low, yes=False))
            if high < math.inf:
                found.append(self._condition(tree.questions[asked], high))
        return found

    def _condition(self, question: Question, threshold: float, *, yes: bool = True) -> str:
        book = self.rulebook_
        return printable(question.condition(threshold, book.names, self.unit_of(question), written_number, yes=yes))

    @property
    def ranges(self) -> dict[str, list[float]]:
        """Least and largest training value of each reading that is asked about, by exact name; empty if not known."""
        book = self.rulebook_
        with contextlib.suppress(FileFormatError):  # what is damaged is not known
            if book.training is not None and book.feature_names:
                return {name: book.training.ranges[item].tolist() for item, name in book.asked.items()}
        return {}

    def seen(self, item: int) -> str:
        """Return what the training data held of a reading, such as "4 to 18 min"; nothing if not known."""
        book = self.rulebook_
        ends = book.ranges.get(book.asked[item], ())
        return f"{' to '.join(map(number, ends))} {book.reading_unit}".rstrip() if ends else ""

    @property
    def experience(self) -> str:
        """The note of an export: what was seen of the readings, and what advice beyond it is; nothing if not known."""
        book = self.rulebook_
        seen = [f"{book.name(item)} {book.seen(item)}" for item in book.asked if book.seen(item)]
        return f"Seen in training: {joined(seen)}. Advice beyond that is outside experience." if seen else ""

    def path_to(self, leaf: int) -> list[tuple[str, float, float]]:
        """Return what is asked on the way to a leaf: names of questions and intervals, `lower < value <= upper`."""
        bounds = self.rulebook_.tree.bounds
        names = [printable(self.label(question)) for question in self.rulebook_.tree.questions]
        sides = zip(
            bounds.question[leaf].tolist(), bounds.lower[leaf].tolist(), bounds.upper[leaf].tolist(), strict=True
        )
        return [(names[number], low, high) for number, low, high in sides if math.isfinite(low) or math.isfinite(high)]

    def basis(self, leaf: int) -> str:
        """Return how many samples a leaf is based on, such as "54 of 120 samples", or nothing if not known."""
        if self.rulebook_.training is None or self.rulebook_.leaf_samples is None:
            return ""
        return f"{self.rulebook_.leaf_samples[leaf]} of {self.rulebook_.training.n_samples} samples"

    def fold(self, at_leaf: Callable[[int], T], at_question: Callable[[int, T, T], T]) -> T:
        """Return what becomes of the tree; see `Tree.fold`."""
        return self.rulebook_.tree.fold(at_leaf, at_question)
