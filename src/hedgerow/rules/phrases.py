"""Rules in words: what a node asks, what leads to a leaf, and what it is based on."""

__all__ = ["Phrases"]

import math
from typing import Any

import numpy as np

from hedgerow.rules.verbs import Verbs
from hedgerow.tree.questions import Question
from hedgerow.wording.budgets import lowering_in_words, uncertainty_in_words
from hedgerow.wording.numbers import amount, counted, joined, number, percentage, printable, sentence, written_number
from hedgerow.wording.questions import cell_in_words, condition


class Phrases(Verbs):
    """The part of a rule book that puts its tree into words."""

    def asks(self, node: int) -> Question:
        """Return the question of an inner node."""
        return self.rulebook_.tree.questions[int(self.rulebook_.tree.question[node])]

    def label(self, question: Question) -> str:
        """Return the exact name of a question: its own, or that of the reading it is about."""
        return question.label(self.rulebook_.feature_names or None)

    def unit_of(self, question: Question) -> str:
        """Return the unit of a question's value: that of costs where it adds these up or compares plans by them.

        Sums of prices in EUR/MWh are EUR, if that is the unit of the costs; the difference of two prices is a price.
        """
        book = self.rulebook_
        sides = question.compared
        is_sum = len(question.items) > 1 and all(abs(each) == 1.0 for each in question.coefficients)
        of_readings = sides is not None and {*sides} & {*book.feature_names, *book.names}
        return book.unit if book.observes_costs and is_sum and not of_readings else book.reading_unit

    def question(self, node: int, **style: Any) -> str:
        """Return what a node asks, in words; `style` is that of `hedgerow.wording.questions.condition`."""
        name = style.get("name", printable)
        if self._asks_yes_or_no(node):
            return str(name(self.label(self.asks(node))))
        return self.condition(self.asks(node), float(self.rulebook_.tree.threshold[node]), **style)

    def answers(self, node: int) -> tuple[str, str]:
        """Return the answers to a node's question that lead to the left and to the right."""
        return ("no", "yes") if self._asks_yes_or_no(node) else ("yes", "no")

    def _asks_yes_or_no(self, node: int) -> bool:
        return self._is_flag(self.asks(node)) and 0.0 <= self.rulebook_.tree.threshold[node] < 1.0

    def _is_flag(self, question: Question) -> bool:
        """Return whether a question is about one reading that was 0 or 1 in all training samples."""
        training = self.rulebook_.training
        return training is not None and question.item in training.flags

    def cell(self, node: int) -> str:
        """Return where else a node's threshold may lie at no loss, in words; nothing if not known, or nowhere."""
        result, tree = self.rulebook_.result, self.rulebook_.tree
        if result is None or not result.cells:
            return ""
        place = np.flatnonzero(tree.is_inner).tolist().index(node)
        return cell_in_words(result.cells[place], self.unit_of(self.asks(node)))

    def conditions(self, leaf: int) -> list[str]:
        """Return what holds at a leaf, in words and with exact thresholds."""
        found = list[str]()
        for question, low, high in self.intervals_at(leaf):
            if low > -math.inf:
                found.append(self.condition(question, low, yes=False))
            if high < math.inf:
                found.append(self.condition(question, high))
        return found

    def intervals_at(self, leaf: int) -> list[tuple[Question, float, float]]:
        """Return what is asked on the way to a leaf: questions with intervals `lower < value <= upper`."""
        tree = self.rulebook_.tree
        sides = zip(*(side[leaf].tolist() for side in tree.bounds), strict=True)
        return [(tree.questions[asked], low, high) for asked, low, high in sides if low > -math.inf or high < math.inf]

    def condition(self, question: Question, threshold: float, *, yes: bool = True, **style: Any) -> str:
        """Return that a question's value is at most the threshold, or above it, in words; see `condition`."""
        book = self.rulebook_
        style = {"digits": written_number, "is_flag": self._is_flag(question), **style}
        return condition(question, threshold, book.names, self.unit_of(question), yes=yes, **style)

    @property
    def ranges(self) -> dict[str, list[float]]:
        """Least and largest training value of each reading that is asked about, by exact name; empty if not known."""
        book = self.rulebook_
        if book.training is None or not book.feature_names:
            return {}
        return {name: book.training.ranges[item].tolist() for item, name in book.asked.items()}

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

    def basis(self, leaf: int) -> str:
        """Return how many samples a leaf is based on, such as "54 of 120 samples", or nothing if not known."""
        if self.rulebook_.training is None or self.rulebook_.leaf_samples is None:
            return ""
        return f"{self.rulebook_.leaf_samples[leaf]} of {self.rulebook_.training.n_samples} samples"

    @property
    def misreading(self) -> str:
        """How wrong readings may be, and what was measured of it where the fit lowered the budget, in sentences."""
        book = self.rulebook_
        words = [sentence(uncertainty_in_words(book.uncertainty, book.reading_unit))]
        fraction = None if book.uncertainty_as_given is None else book.uncertainty_as_given.fraction
        if fraction is not None:
            words.append(f"The budget was given as λ = {percentage(fraction)}.")
        if book.lowered_from is not None:
            measured = book.uncertainty.replace(budget=book.lowered_from)
            words.append(lowering_in_words(measured, book.uncertainty, book.reading_unit))
        return " ".join(words)

    @property
    def origin(self) -> dict[str, str]:
        """What is known about how the rules were made, in sentences by heading; the same for all readers."""
        book, result = self.rulebook_, self.rulebook_.result
        kind = "a problem that is not kept in the file" if book.problem is None else printable(repr(book.problem))
        goal = "gains, to be large" if book.sense == "max" else "costs, to be small"
        origin = {"Problem": f"{kind}; {goal}{f', in {book.unit}' if book.unit else ''}."}
        origin["Data"] = self._data_in_words()
        origin["Misreading"] = self.misreading
        if result is not None:
            origin["Proof"] = result.summary
        if book.call is not None:
            origin["Made by"] = printable(str(book.call))
        if book.note:
            origin["Note"] = book.note
        return origin

    def _data_in_words(self) -> str:
        training = self.rulebook_.training
        if training is None:
            return "The file keeps nothing about the training data."
        n_asked, n_readings = len(self.rulebook_.asked), counted(len(training.minima), "reading")
        samples = counted(training.n_samples // training.draws, "training sample")
        words = [f"{samples} of {n_readings}, of which the rules ask about {n_asked}; the samples are not kept."]
        if training.draws > 1:
            words.append(f"Each sample was shown {training.draws} times, with readings drawn at random.")
        if training.weighted:
            words.append(f"Samples have weights, {amount(training.total_weight)} in all.")
        return " ".join(words)
