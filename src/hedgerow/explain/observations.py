"""Explanations of single observations: `explain`."""

__all__ = ["explain"]

import dataclasses
import math
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from hedgerow.adversary import move_costs
from hedgerow.adversary.move_cost import entry_points
from hedgerow.data.arrays import BoolArray, FloatArray
from hedgerow.explain.explanation import Explanation
from hedgerow.explain.given import TrueCosts, labelled_readings, regions, true_costs
from hedgerow.explain.parts import Answer, Change, Condition, Counterfactual, ItemRange, Possibility
from hedgerow.explain.stability import stability
from hedgerow.geometry import affordable
from hedgerow.rules import RuleBook
from hedgerow.tree.questions import values_of
from hedgerow.uncertainty import GlobalBudget, LocalBudget, Nominal, Uncertainty
from hedgerow.wording.numbers import printable

_STEP = 0.001
"""How far beyond a bound a reading is set where no uncertainty set says so: the default ε of those that do."""


def explain(source: Any, readings: Any, costs: Any = None, *, labels: Sequence[str] | None = None) -> list[Explanation]:
    """Explain the advice for each observation: why, how good, how stable, and what else might be advised.

    Parameters
    ----------
    source
        A fitted `RobustTree`, a `RuleBook`, or the path of a tree file.
    readings
        What is observed, m × features: an array, or a DataFrame whose columns are matched by name. Missing readings
        (NaN, absent columns) are no error: the explanation then says what may be advised, and what decides.
    costs
        True costs, m × items; where a tree asks about the costs themselves, complete observations are taken as such.
    labels
        What people call the observations; a DataFrame's index or their numbers if left out.

    Returns
    -------
    One explanation per observation, in order.

    Examples
    --------
    >>> from hedgerow import RuleBook, Tree
    >>> from hedgerow.datasets import motivating_example
    >>> from hedgerow.explain import explain
    >>> problem, costs = motivating_example()
    >>> tree = Tree.full([1], [6.5], [[1, 1, 0, 0], [0, 0, 1, 1]])
    >>> rules = RuleBook(tree, problem.item_names, known_problem=problem)
    >>> print(explain(rules, costs[[2]])[0].to_text())
    observation 0
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
    explainer = _Explainer(book, matrix, names, true_costs(book, matrix, costs))
    return [explainer.one(row) for row in range(len(names))]


class _Explainer:
    """What all observations of one call share, computed for all of them at once."""

    def __init__(self, book: RuleBook, readings: FloatArray, labels: Sequence[str], known: TrueCosts) -> None:
        self._book = book
        self._tree = book.tree
        # Question, threshold and children of each node as plain numbers, which are quick to walk along.
        columns = (book.tree.question, book.tree.threshold, book.tree.left, book.tree.right)
        self._nodes: list[tuple[int, float, int, int]] = list(
            zip(*(column.tolist() for column in columns), strict=True)
        )
        self._names = book.names
        # Item and name of each question; −1 stands for several items.
        self._asked = [
            (-1 if question.item is None else question.item, printable(book.label(question)))
            for question in book.tree.questions
        ]
        self._values = values_of(book.tree.questions, readings)
        self._plans = book.plans
        self._readings, self._labels = readings, labels
        self._outside = book.outside(readings)
        self._known = known
        self._uncertainty = _for_any_reading(book.uncertainty, readings.shape)
        budget = self._uncertainty
        prices, limits = (None, None) if isinstance(budget, Nominal) else (budget.prices, budget.limits)
        self._step = _STEP if isinstance(budget, Nominal) else budget.epsilon
        self._gaps: BoolArray = np.isnan(self._readings[:, self._tree.asked_items])
        self._has_gaps: list[bool] = np.logical_or.reduce(self._gaps, axis=1).tolist()
        self._stability = stability(self._tree, self._plans.same_as, self._readings, prices, limits)
        self._ranges = self._item_ranges()
        self._protected = self._protections()

    # -- for all observations ------------------------------------------------------------------------------------

    def _protections(self) -> list[bool | None]:
        """Return whether the budget leads nowhere else; None without a budget, or where asked readings are missing."""
        given = self._book.uncertainty
        # Budgets or limits of single samples of the fit are no other reading's.
        if isinstance(given, Nominal) or np.ndim(given.budget) == 1 or np.ndim(given.limits) == 2:
            return [None] * len(self._labels)
        # What is missing beside the asked readings must not spoil the sums; complete observations keep their values.
        readings = np.nan_to_num(self._readings) if np.isnan(self._readings).any() else self._readings
        price = move_costs(self._tree, readings, self._uncertainty)
        own = self._plans.same_as[self._stability.possible.argmax(axis=1)]
        price[self._plans.same_as == own[:, None]] = np.inf
        misled = affordable(price.min(axis=1), given.budget).tolist()
        return [None if missing else not reached for missing, reached in zip(self._has_gaps, misled, strict=True)]

    def _item_ranges(self) -> dict[int, list[ItemRange]]:
        found = self._stability.items
        columns = (found.row, found.item, found.lower, found.upper, found.leaf_below, found.leaf_above)
        ranges = defaultdict(list)
        for row, item, lower, upper, below, above in zip(*(column.tolist() for column in columns), strict=True):
            value = float(self._readings[row, item])
            leaves = (None if leaf < 0 else leaf for leaf in (below, above))
            ranges[row].append(ItemRange(item, self._names[item], value, lower, upper, *leaves))
        return ranges

    # -- for one -------------------------------------------------------------------------------------------------

    def one(self, row: int) -> Explanation:
        """Return the explanation of one observation."""
        leaves = tuple(np.flatnonzero(self._stability.possible[row]).tolist())
        certain = bool(self._stability.certain[row])
        leaf = leaves[0]
        return Explanation(
            observation=row,
            label=self._labels[row],
            path=tuple(self._path(row)),
            missing=tuple(self._names[item] for item in self._tree.asked_items[self._gaps[row]]),
            leaves=leaves,
            advice=self._plans.in_words(leaf) if certain else None,
            comparison=self._plans.comparison(leaf) if certain else "",
            possible=() if certain else tuple(self._possibilities(row)),
            cost=self._cost(row, leaf) if certain else None,
            best=_or_none(self._known.best[row]),
            unread=tuple(self._names[item] for item in np.flatnonzero(self._known.unread[row]).tolist()),
            outside=self._outside[row],
            radius=_or_none(self._stability.radius[row]),
            items=tuple(self._ranges.get(row, ())),
            counterfactual=self._counterfactual(row, leaf),
            protected=self._protected[row],
            budget_is_shared=isinstance(self._uncertainty, GlobalBudget),
            weighted=not isinstance(self._uncertainty, Nominal) and self._uncertainty.prices is not None,
            unit=self._book.unit,
            maximises=self._book.sense == "max",
            reading_unit=self._book.reading_unit,
        )

    def _path(self, row: int) -> Iterator[Answer]:
        number, threshold, left, right = self._nodes[0]
        while number >= 0 and not math.isnan(value := float(self._values[row, number])):
            yield Answer(*self._asked[number], value, threshold)
            number, threshold, left, right = self._nodes[left if value <= threshold else right]

    def _possibilities(self, row: int) -> Iterator[Possibility]:
        for region in regions(self._tree, self._plans.same_as, self._readings[row]):
            yield Possibility(
                leaves=region.leaves,
                advice=self._plans.in_words(region.leaves[0]),
                conditions=tuple(Condition(*self._asked[number], *ends) for number, ends in region.intervals.items()),
                cost=self._cost(row, region.leaves[0]),
            )

    def _counterfactual(self, row: int, leaf: int) -> Counterfactual | None:
        other = int(self._stability.leaf[row])
        if other < 0:
            return None
        return Counterfactual(
            leaf=other,
            advice=self._plans.in_words(other),
            difference=self._plans.difference(leaf, other),
            changes=tuple(self._changes(row, other)),
            distance=float(self._stability.distance[row]),
            within_limits=bool(self._stability.within_limits[row]),
            cost=self._cost(row, other),
        )

    def _changes(self, row: int, leaf: int) -> Iterator[Change]:
        if not self._tree.asks_single_items:
            yield from self._changes_of_sums(row, leaf)
            return
        bounds = self._tree.item_bounds
        ends = zip(bounds.item[leaf].tolist(), bounds.lower[leaf].tolist(), bounds.upper[leaf].tolist(), strict=True)
        for item, lower, upper in ends:
            value = float(self._readings[row, item])
            if lower < value <= upper or (math.isinf(lower) and math.isinf(upper)):
                continue
            # Down to the upper side, or up to a step beyond the lower one, as long as that stays inside.
            beyond = min(max(lower + self._step, math.nextafter(lower, math.inf)), upper)
            new_value = upper if value > upper or math.isinf(lower) else beyond
            yield Change(item, self._names[item], value, new_value, lower, upper)

    def _changes_of_sums(self, row: int, leaf: int) -> Iterator[Change]:
        """Yield the readings that differ where the least change lands; none where readings are missing."""
        if self._has_gaps[row]:
            return
        uncertainty = self._uncertainty
        if isinstance(uncertainty, Nominal) or not self._stability.within_limits[row]:
            uncertainty = LocalBudget(0.0, prices=getattr(uncertainty, "prices", None), epsilon=self._step)
        before = np.nan_to_num(self._readings[row])
        after = entry_points(self._tree, before[None], np.array([leaf]), uncertainty)[0]
        for item in np.flatnonzero(after != before).tolist():
            old, new = float(before[item]), float(after[item])
            ends = (-math.inf, new) if new < old else (new, math.inf)
            yield Change(item, self._names[item], old, new, *ends)

    def _cost(self, row: int, leaf: int) -> float | None:
        return _or_none(self._known.leaf[row, leaf])


def _for_any_reading(uncertainty: Uncertainty, shape: tuple[int, ...]) -> Uncertainty:
    """Return the set without what belongs to single samples of the fit, checked against the readings' shape."""
    if isinstance(uncertainty, Nominal):
        return uncertainty
    limits = None if np.ndim(uncertainty.limits) == 2 else uncertainty.limits
    budget = 0.0 if np.ndim(uncertainty.budget) == 1 else uncertainty.budget
    general = dataclasses.replace(uncertainty, limits=limits, budget=budget)
    general.check_fits(*shape)
    return general


def _or_none(value: Any) -> float | None:
    return None if math.isnan(value) else float(value)
