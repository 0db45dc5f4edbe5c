"""Explanations of single rows: `explain`."""

__all__ = ["explain", "labelled_readings"]

import math
from collections.abc import Iterator, Sequence
from typing import Any, TypeAlias

import numpy as np

from hedgerow.adversary import move_costs
from hedgerow.adversary.move_cost import entry_points
from hedgerow.data.arrays import BoolArray, FloatArray
from hedgerow.data.checks import in_short
from hedgerow.errors import InputError
from hedgerow.explain.explanation import Condition, Explanation, Explanations, OtherAdvice
from hedgerow.explain.stability import LeafProgramme, per_item, stability
from hedgerow.instance import Instance
from hedgerow.rules import RuleBook
from hedgerow.tree.questions import values_of
from hedgerow.wording.numbers import printable

_Intervals: TypeAlias = dict[int, tuple[float, float]]
"""Per question an interval `lower < value <= upper`."""

_ENTRIES_PER_BLOCK = 1 << 20
"""Distances that are held at a time."""


def explain(source: Any, readings: Any, costs: Any = None, *, labels: Sequence[str] | None = None) -> Explanations:
    """Explain the advice for each row: why, how good, how stable, and what else might be advised.

    Parameters
    ----------
    source
        A fitted `RobustTree`, a `RuleBook`, or the path of a tree file.
    readings
        What is read, m × features: an array, or a DataFrame whose columns are matched by name. Missing readings
        (NaN, absent columns) are no error: the explanation then says what may be advised, and what decides.
    costs
        True costs, m × items; where a tree asks about the costs themselves, complete readings are taken as such.
    labels
        What people call the rows; a DataFrame's index or their numbers if left out.

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
      cost        13, the best possible
      stable      as long as readings are wrong by less than 2.5 in total
      one alone   e2 ≤ 6.5: up by at most 2.5
      otherwise   s → 2 → t if e2 > 6.5  (leaf 1; cost 13)
                  e2 read as 6.501 instead of 4
    """
    book = RuleBook.of(source)
    matrix, names = labelled_readings(book, readings, labels)
    leaf_costs, best_costs = _true_costs(book, matrix, costs)
    block = max(1, _ENTRIES_PER_BLOCK // max(1, book.tree.bounds.question.size))
    explanations: list[Explanation] = []
    for start in range(0, len(names), block):
        part = slice(start, start + block)
        explainer = _Explainer(book, matrix[part], names[part], leaf_costs[part], best_costs[part])
        explanations += map(explainer.row, range(len(names[part])))
    return Explanations(explanations)


def labelled_readings(
    book: RuleBook, readings: Any, labels: Sequence[str] | None, called: str = "row"
) -> tuple[FloatArray, tuple[str, ...]]:
    """Return readings as a matrix with a column for each, in which some may be missing, and the rows' labels."""
    values = book.reading_matrix(readings, gaps=True)
    if labels is None:
        index: Any = getattr(readings, "index", None)
        named = index is not None and not callable(index) and type(index).__name__ != "RangeIndex"
        labels = list(map(str, index)) if named else [f"{called} {row}" for row in range(len(values))]
    if isinstance(labels, str) or len(labels) != len(values):
        raise InputError(f"labels must name each of the {len(values)} rows; got {in_short(labels)}.")
    return values, tuple(printable(str(label)) for label in labels)


# -- costs ---------------------------------------------------------------------------------------------------------


def _true_costs(book: RuleBook, readings: FloatArray, costs: Any = None) -> tuple[FloatArray, FloatArray]:
    """Return per row what each leaf's solution truly costs, and the best of all; NaN where that is not known.

    That is under the given costs, else under the readings where these are costs and none of them is missing.
    """
    n_rows = len(readings)
    leaf, best = np.full((n_rows, book.tree.n_leaves), np.nan), np.full(n_rows, np.nan)
    if costs is not None:
        # A missing reading doesn't matter here: what counts is that tree, problem and costs fit together.
        data = Instance.create(book.needed_problem(), costs, context=np.nan_to_num(readings), depth=0)
        return _costs_under(book, data)
    complete = ~np.isnan(readings).any(axis=1)
    if book.problem is not None and book.observes_costs and complete.any():
        data = Instance.create(book.problem, readings[complete], depth=0)
        leaf[complete], best[complete] = _costs_under(book, data)
    return leaf, best


def _costs_under(book: RuleBook, data: Instance) -> tuple[FloatArray, FloatArray]:
    data.check_tree(book.tree)
    leaf = data.problem.costs(book.tree.solutions, data.costs)
    best = data.problem.best_costs(data.costs)
    # A solver that ran out of time may have found less than the tree knows; rounding may say so, too.
    return leaf, data.sign * np.minimum(data.sign * best, (data.sign * leaf).min(axis=1))


# -- rows ----------------------------------------------------------------------------------------------------------


class _Explainer:
    """What all rows of one call share, computed for all of them at once."""

    def __init__(
        self,
        book: RuleBook,
        readings: FloatArray,
        labels: Sequence[str],
        leaf_costs: FloatArray,
        best_costs: FloatArray,
    ) -> None:
        self._book, self._tree, self._plans = book, book.tree, book.plans
        self._readings, self._labels = readings, labels
        self._leaf_costs, self._best_costs = leaf_costs, best_costs
        # Item and name of each question; −1 stands for several items.
        self._asked = [
            (-1 if question.item is None else question.item, printable(book.label(question)))
            for question in book.tree.questions
        ]
        self._values = values_of(book.tree.questions, readings)
        self._outside = book.outside(readings)
        self._uncertainty = budget = book.uncertainty.for_any_sample()
        budget.check_fits(*readings.shape)
        self._prices, self._step = budget.prices, budget.epsilon
        self._gaps: BoolArray = np.isnan(readings[:, book.tree.asked_items])
        self._firm = stability(book, readings, self._prices, budget.limits)
        self._protected = self._protections()

    def _protections(self) -> list[bool | None]:
        """Return whether the budget leads nowhere else; None without a budget, or where asked readings are missing."""
        fitted = self._book.uncertainty
        # Budgets or limits of single samples of the fit are no other reading's.
        if not fitted.can_misread or fitted.belongs_to_samples:
            return [None] * len(self._labels)
        # What is missing beside the asked readings must not spoil the sums.
        price = move_costs(self._tree, np.nan_to_num(self._readings), self._uncertainty)
        plans = self._plans.of_leaf
        price[plans == plans[self._firm.possible.argmax(axis=1)][:, None]] = np.inf
        misled = (price.min(axis=1) <= fitted.reach(len(price))).tolist()
        return [None if gaps.any() else not is_misled for gaps, is_misled in zip(self._gaps, misled, strict=True)]

    def row(self, row: int) -> Explanation:
        """Return the explanation of one row."""
        book, firm, names = self._book, self._firm, self._book.names
        leaves = tuple(np.flatnonzero(firm.possible[row]).tolist())
        certain, leaf = bool(firm.certain[row]), leaves[0]
        return Explanation(
            label=self._labels[row],
            path=tuple(self._path(row)),
            missing=tuple(names[item] for item in self._tree.asked_items[self._gaps[row]]),
            leaves=leaves,
            advice=self._plans.in_words(leaf) if certain else None,
            possible=() if certain else tuple(self._possibilities(row)),
            cost=self._cost(row, leaf) if certain else None,
            best=_or_none(self._best_costs[row]),
            outside=self._outside[row],
            radius=_or_none(firm.radius[row]),
            items=tuple(self._ranges(row)),
            counterfactual=self._counterfactual(row),
            protected=self._protected[row],
            budget_is_shared=not self._uncertainty.is_separable,
            weighted=self._prices is not None,
            unit=book.unit,
            reading_unit=book.reading_unit,
            sense=book.sense,
        )

    def _condition(
        self, item: int, name: str, lower: float, upper: float, value: float = math.nan, new: float = math.nan
    ) -> Condition:
        training = self._book.training
        is_flag = training is not None and item in training.flags and (0.0 <= lower < 1.0 or 0.0 <= upper < 1.0)
        return Condition(item, name, lower, upper, value, new, is_flag)

    def _path(self, row: int) -> Iterator[Condition]:
        node = 0
        while self._tree.is_inner[node]:
            number, threshold = int(self._tree.question[node]), float(self._tree.threshold[node])
            value = float(self._values[row, number])
            if math.isnan(value):
                return
            goes_left = value <= threshold
            ends = (-math.inf, threshold) if goes_left else (threshold, math.inf)
            yield self._condition(*self._asked[number], *ends, value)
            node = int((self._tree.left if goes_left else self._tree.right)[node])

    def _ranges(self, row: int) -> Iterator[Condition]:
        lower, upper = self._firm.lower[row], self._firm.upper[row]
        for item in np.flatnonzero(np.isfinite(lower) | np.isfinite(upper)).tolist():
            value = float(self._readings[row, item])
            yield self._condition(item, self._book.names[item], float(lower[item]), float(upper[item]), value)

    def _possibilities(self, row: int) -> Iterator[OtherAdvice]:
        for intervals, leaves in self._cases(row, 0):
            yield OtherAdvice(
                leaves=leaves,
                advice=self._plans.in_words(leaves[0]),
                conditions=tuple(self._condition(*self._asked[number], *ends) for number, ends in intervals.items()),
                cost=self._cost(row, leaves[0]),
            )

    def _cases(self, row: int, node: int) -> list[tuple[_Intervals, tuple[int, ...]]]:
        """Return the possible leaves below a node, grouped by advice, with the answers to open questions.

        A question that makes no difference below the node is left out.
        """
        tree = self._tree
        if not tree.is_inner[node]:
            leaf = int(tree.leaf_number[node])
            return [({}, (leaf,))] if self._firm.possible[row, leaf] else []
        left, right = (self._cases(row, int(side[node])) for side in (tree.left, tree.right))
        if not left or not right:
            return left or right
        (first, leaves), (second, more) = left[0], right[0]
        if not first and not second and self._plans.of_leaf[leaves[0]] == self._plans.of_leaf[more[0]]:
            return [({}, leaves + more)]
        number, threshold = int(tree.question[node]), float(tree.threshold[node])
        sides = ((left, (-math.inf, threshold)), (right, (threshold, math.inf)))
        return [
            ({number: _both(ends, inner.get(number, ends)), **{k: inner[k] for k in inner if k != number}}, below)
            for cases, ends in sides
            for inner, below in cases
        ]

    def _counterfactual(self, row: int) -> OtherAdvice | None:
        other = int(self._firm.leaf[row])
        if other < 0:
            return None
        changes = self._changes if self._tree.asks_single_items else self._changes_of_sums
        conditions = tuple(changes(row, other))
        if not conditions:
            return None
        return OtherAdvice(
            leaves=(other,),
            advice=self._plans.in_words(other),
            conditions=conditions,
            cost=self._cost(row, other),
            distance=float(self._firm.distance[row]),
            within_limits=bool(self._firm.within_limits[row]),
        )

    def _changes(self, row: int, leaf: int) -> Iterator[Condition]:
        bounds = self._tree.item_bounds
        ends = zip(bounds.item[leaf].tolist(), bounds.lower[leaf].tolist(), bounds.upper[leaf].tolist(), strict=True)
        for item, lower, upper in ends:
            value = float(self._readings[row, item])
            if lower < value <= upper or (math.isinf(lower) and math.isinf(upper)):
                continue
            # Down to the upper side, or up to a step beyond the lower one, as long as that stays inside.
            beyond = min(max(lower + self._step, math.nextafter(lower, math.inf)), upper)
            new_value = upper if value > upper or math.isinf(lower) else beyond
            yield self._condition(item, self._book.names[item], lower, upper, value, new_value)

    def _changes_of_sums(self, row: int, leaf: int) -> Iterator[Condition]:
        """Yield the readings that differ where the least change lands, and missing ones that it needs."""
        uncertainty = self._uncertainty
        if not self._firm.within_limits[row]:
            uncertainty = uncertainty.replace(limits=None)
        reading, programme = self._readings[row], LeafProgramme(self._tree, leaf)
        prices, limits = per_item(uncertainty.prices, reading.size), per_item(uncertainty.limits, reading.size, np.inf)
        start = programme.landing(reading, prices, limits, self._step)
        if start is None:  # the leaf is narrower than the step
            start = programme.landing(reading, prices, limits)
        filled = np.nan_to_num(reading) if start is None else np.where(np.isnan(reading), start, reading)
        after = entry_points(self._tree, filled[None], np.array([leaf]), uncertainty)[0]
        for item in programme.items.tolist():
            old, new = float(reading[item]), float(after[item])
            ends = (new, new) if math.isnan(old) else (-math.inf, new) if new < old else (new, math.inf)
            if old != new:
                yield self._condition(item, self._book.names[item], *ends, old, new)

    def _cost(self, row: int, leaf: int) -> float | None:
        return _or_none(self._leaf_costs[row, leaf])


def _both(first: tuple[float, float], second: tuple[float, float]) -> tuple[float, float]:
    """Return the part that two intervals share."""
    return max(first[0], second[0]), min(first[1], second[1])


def _or_none(value: Any) -> float | None:
    return None if math.isnan(value) else float(value)
