"""Explanations of single rows: `explain`."""

import math
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np

from hedgerow.data.arrays import BoolArray, FloatArray
from hedgerow.explain.explanation import Condition, Explanation, Explanations, OtherAdvice
from hedgerow.explain.stability import conditions_of, nearest_reading, stability
from hedgerow.rules import RuleBook
from hedgerow.rules.verbs import row_names
from hedgerow.tree.questions import Question, values_of
from hedgerow.wording.numbers import printable, reading


def explain(source: Any, readings: Any) -> Explanations:
    """Explain the advice for each row: why, how stable, and what else might be advised.

    Parameters
    ----------
    source
        A fitted `RobustTree`, a `RuleBook`, or the path of a tree file.
    readings
        What is read, m × features: an array, or a DataFrame whose columns are matched by name. Missing readings
        (NaN, absent columns) are no error: the explanation then says what may be advised, and what decides. Rows are
        called by a DataFrame's index, else by their numbers.

    Returns
    -------
    One explanation per row, in order.

    Examples
    --------
    >>> from hedgerow import RuleBook, Tree
    >>> from hedgerow.datasets import motivating_example
    >>> from hedgerow.explain import explain
    >>> problem, costs = motivating_example()
    >>> tree = Tree.full([1], [6.5], [[1, 1, 0, 0], [0, 0, 1, 1]])
    >>> print(explain(RuleBook(tree, problem.item_names, problem=problem), costs[[2]]))
    row 0
      because     e2 4 ≤ 6.5
      advice      s → 1 → t  (leaf 0)
      stable      as long as readings are wrong by less than 2.5 in total
      otherwise   s → 2 → t if e2 > 6.5  (leaf 1)
    """
    book = RuleBook.of(source)
    matrix = book.reading_matrix(readings, gaps=True)
    explainer = _Explainer(book, matrix, _labels(readings, len(matrix)))
    return Explanations(map(explainer.row, range(len(matrix))))


def _labels(readings: Any, n_rows: int) -> list[str]:
    """Return what people call the rows: a DataFrame's index, else their numbers."""
    index = row_names(readings)
    if index is None or type(index).__name__ == "RangeIndex":
        return [f"row {row}" for row in range(n_rows)]
    return [printable(str(name)) for name in index]


def _changed_reading(
    book: RuleBook, item: int, value: float, new_value: float, ends: tuple[float, float] | None = None
) -> Condition:
    """Return a reading that is another one; `ends` is where it has to lie, just there if left out."""
    question = next((each for each in book.tree.questions if each.item == item), Question.of_item(item))
    phrase = book.phrase(question, reading)
    lower, upper = ends or (new_value, new_value)
    if ends is not None or phrase.is_flag or phrase.values:
        # Of two bounds the words name only the one that the reading is beyond.
        lower, upper = -math.inf if new_value < value else lower, math.inf if new_value > value else upper
    words = f"{phrase.name} = {reading(new_value, phrase.unit)}" if lower == upper else phrase.between(lower, upper)
    return Condition(item, book.names[item], lower, upper, words, value, new_value)


class _Explainer:
    """What all rows of one call share, computed for all of them at once."""

    def __init__(self, book: RuleBook, readings: FloatArray, labels: Sequence[str]) -> None:
        self._book, self._tree, self._plans = book, book.tree, book.plans
        self._readings, self._labels = readings, labels
        self._values = values_of(book.tree.questions, readings)
        # Budgets or limits of single samples of the fit are no other reading's.
        self._errors = book.errors_of_any_sample
        self._errors.check_fits(*readings.shape)
        self._gaps: BoolArray = np.isnan(readings[:, book.tree.asked_items])
        self._firm = stability(book, readings, self._errors)

    def row(self, row: int) -> Explanation:
        """Return the explanation of one row."""
        firm, names = self._firm, self._book.names
        possible = np.flatnonzero(firm.possible[row]).tolist()
        certain, advised = bool(firm.certain[row]), possible[0]
        leaves = tuple(np.unique(self._tree.leaf_of[possible]).tolist())
        return Explanation(
            rules=self._book,
            label=self._labels[row],
            path=tuple(self._path(row)),
            missing=tuple(names[item] for item in self._tree.asked_items[self._gaps[row]]),
            leaves=leaves,
            advice=self._plans.in_words(advised) if certain else None,
            possible=() if certain else tuple(self._possibility(row, each) for each in possible),
            radius=float(firm.radius[row]) if certain else None,
            counterfactual=self._counterfactual(row),
            protected=self._is_protected(row) if certain else None,
            totals=self._totals(row, leaves[0]) if len(leaves) == 1 else (),
            filled_in=None if certain else self._filled_in(row),
        )

    def _filled_in(self, row: int) -> OtherAdvice | None:
        """Return what is advised where missing readings are filled in; None where the rule book doesn't say how."""
        book, filled = self._book, self._readings[row].copy()
        missing = self._tree.asked_items[self._gaps[row]].tolist()
        if book.fill_ins is None or max(missing) >= book.n_readings:
            return None
        filled[book.items_read] = book.fill_ins.filled(filled[None, book.items_read])[0]
        conditions = tuple(_changed_reading(book, item, math.nan, float(filled[item])) for item in missing)
        return self._advice(int(self._tree.choose(np.nan_to_num(filled[None]))[0]), conditions)

    def _advice(self, advised: int, conditions: Iterable[Condition]) -> OtherAdvice:
        """Return what a row of solutions advises, under some conditions."""
        return OtherAdvice(int(self._tree.leaf_of[advised]), self._plans.in_words(advised), tuple(conditions))

    def _totals(self, row: int, leaf: int) -> tuple[tuple[str, float], ...]:
        """Return a leaf's plans and their totals by the readings, the best first; none if it has only one plan."""
        tree, rows = self._tree, self._tree.rows_at(leaf)
        readings = self._readings[row]
        if tree.card(leaf) is None or any(np.isnan(readings[list(each.items)]).any() for each in tree.sums[rows]):
            return ()
        totals = tree.totals(leaf, np.nan_to_num(readings[None]))[0]
        best_first = np.argsort(-totals if tree.takes_largest else totals, kind="stable")
        return tuple((self._plans.in_words(rows.start + place), float(totals[place])) for place in best_first.tolist())

    def _answer(self, row: int, question: Question, lower: float, upper: float) -> Condition:
        """Return `lower < value <= upper` for the value of a question: the one place where questions are judged."""
        book, value = self._book, float(self._values[row, self._tree.questions.index(question)])
        phrase = book.phrase(question, reading)
        words = phrase.between(lower, upper)
        if not math.isnan(value):
            threshold = lower if math.isinf(upper) else upper
            words = (
                f"{words} (difference {reading(value, digits=6)})"
                if question.compared
                else phrase.answer(value, threshold)
            )
        item, name = (-1 if question.item is None else question.item), printable(question.label(book.names))
        return Condition(item, name, lower, upper, words, value)

    def _path(self, row: int) -> Iterator[Condition]:
        node, tree = 0, self._tree
        while tree.is_inner[node]:
            question, threshold = self._book.asks(node), float(tree.threshold[node])
            value = self._values[row, int(tree.question[node])]
            if math.isnan(value):
                return
            goes_left = value <= threshold
            yield self._answer(row, question, *((-math.inf, threshold) if goes_left else (threshold, math.inf)))
            node = int((tree.left if goes_left else tree.right)[node])

    def _is_protected(self, row: int) -> bool | None:
        """Return whether no expected error leads to other advice; None if none is expected, or none of other rows."""
        errors = self._book.expected_errors
        if not errors.can_misread or errors.belongs_to_samples:
            return None
        return bool(self._firm.radius[row] > errors.reach(1)[0])

    def _possibility(self, row: int, advised: int) -> OtherAdvice:
        """Return what a row of solutions advises, and what of the questions on its path is not known."""
        leaf = int(self._tree.leaf_of[advised])
        answers = (self._answer(row, *interval) for interval in self._tree.intervals_at(leaf))
        unknown = tuple(answer for answer in answers if math.isnan(answer.value))
        if self._tree.card(leaf) is not None:
            best = f"it is the {self._book.best} there"
            unknown += (Condition(-1, best, -math.inf, math.inf, best),)
        return self._advice(advised, unknown)

    def _counterfactual(self, row: int) -> OtherAdvice | None:
        other = int(self._firm.other[row])
        return None if other < 0 else self._advice(other, self._changes(row, other))

    def _changes(self, row: int, other: int) -> Iterator[Condition]:
        """Yield the readings that the least change to another row alters, and missing ones that it needs."""
        errors = self._errors if math.isfinite(self._firm.radius[row]) else self._errors.replace(limits=None)
        moved = nearest_reading(self._tree, self._readings[row], other, errors)
        boxes = {question.item: (low, high) for question, low, high in conditions_of(self._tree, other)}
        boxes = {} if None in boxes else boxes
        for item in self._tree.asked_items.tolist():
            old, new = float(self._readings[row, item]), float(moved[item])
            if not math.isnan(new) and old != new:
                yield _changed_reading(self._book, item, old, new, boxes.get(item))
