"""Trees that differ from a given one in a few places: another split, plan or handicap; the shape stays."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np

from hedgerow.data.arrays import BoolArray, FloatArray
from hedgerow.engine.structures.space import cutoff_below
from hedgerow.methods.card_choice import Choice, PlanTable, best_handicap, followed, with_each_plan
from hedgerow.methods.cards import CardSearch
from hedgerow.run import Run
from hedgerow.tree.tree import Tree

_THRESHOLDS, _PLANS = 12, 4
"""Thresholds of each question, and new plans for a place of a leaf, that are ranked: those that are best as read."""

_EVALUATED: Final = 12
_ROWS_EVALUATED: Final = 10_000
"""Where readings may be wrong, the adversary judges the trees that are best as read: in each round at least the first
number of them, and with few rows as many as have the second number of rows together."""


@dataclass(frozen=True)
class _Places:
    """What stands at a tree's places, by node number: a question's number and threshold, or plans and handicaps."""

    splits: dict[int, tuple[int, float]]
    cards: dict[int, Choice]


class FewChanges:
    """Trees that differ from a first one in a few places.

    They are ranked by what they cost as read. Where readings may be wrong, the adversary decides among the first.

    Parameters
    ----------
    search
        The candidates for splits and plans; those of the first tree are among them.
    tree
        The first tree.
    run
        Once it must stop, what was looked at so far counts.
    """

    def __init__(self, search: CardSearch, tree: Tree, run: Run) -> None:
        self._instance, self._shape, self._run, self._search = search.instance, tree, run, search
        most_plans = max(search.options.plans_per_leaf, int(np.bincount(tree.leaf_of).max()))
        self._table, self._most_plans = search.table, min(most_plans, len(search.plans))
        splits, cards = dict[int, tuple[int, float]](), dict[int, Choice]()
        for node in range(tree.n_nodes):
            if tree.is_inner[node]:
                question, threshold, *_ = tree.split(node)
                splits[node] = self._instance.questions.index(question), threshold
            else:
                rows = tree.rows_at(int(tree.leaf_number[node]))
                plans = [search.place(solution) for solution in tree.solutions[rows.start : rows.stop]]
                handicap = tree.handicap[rows.start : rows.stop] - search.constants(plans)
                cards[node] = Choice(plans, handicap - handicap.min())
        self._first = _Places(splits, cards)

    def best(self, most_changes: int) -> Tree:
        """Return the best tree found with at most `most_changes` changes.

        They are made one after the other; then each of them is exchanged for another one as long as that helps.
        """
        best, tree, value = self._first, self._shape, self._search.value(self._shape)
        n_rows, misread = self._instance.n_samples, self._instance.uncertainty.can_misread
        count = max(_EVALUATED, _ROWS_EVALUATED // n_rows) if misread else 1
        found = most_changes > 0
        while found and not self._run.must_stop():
            found = False
            for places in self._ranked(best, most_changes)[:count]:
                if self._run.must_stop():
                    break
                other = self._tree(places)
                other_value = self._search.value(other)
                if other_value < cutoff_below(value):
                    best, tree, value, found = places, other, other_value, True
        return tree

    def _ranked(self, best: _Places, most_changes: int) -> list[_Places]:
        bases = [best] if self._n_changes(best) < most_changes else []
        bases += self._with_one_change_less(best) if most_changes > 1 else []
        tried = [
            (value, place, other)
            for base in bases
            for place, (value, other) in enumerate(self._changed_once(base))
            if 0 < self._n_changes(other) <= most_changes
        ]
        return [other for *_, other in sorted(tried, key=lambda each: each[:2])]

    def _n_changes(self, places: _Places) -> int:
        first = self._first
        splits = sum(places.splits[node] != first.splits[node] for node in first.splits)
        return splits + sum(_changes(first.cards[node], places.cards[node]) for node in first.cards)

    def _with_one_change_less(self, places: _Places) -> Iterator[_Places]:
        """Yield the places with one of those that differ as it was first."""
        for node, split in self._first.splits.items():
            if places.splits[node] != split:
                yield replace(places, splits={**places.splits, node: split})
        for node, card in self._first.cards.items():
            if _changes(card, places.cards[node]):
                yield replace(places, cards={**places.cards, node: card})

    # -- single changes ------------------------------------------------------------------------------------------

    def _changed_once(self, places: _Places) -> Iterator[tuple[float, _Places]]:
        here, below = self._rows_at(places), self._loss_below(places)
        for node in places.splits:
            rows, (left, right) = here[node], self._shape.split(node)[2:]
            elsewhere = below[0][~rows].sum()
            for sums, split in self._other_splits(rows, below[left][rows], below[right][rows]):
                yield elsewhere + sums, replace(places, splits={**places.splits, node: split})
        for node, card in places.cards.items():
            elsewhere = below[0][~here[node]].sum()
            for other in self._other_cards(here[node], card):
                sums = followed(self._table, other)[0][here[node]].sum()
                yield float(elsewhere + sums), replace(places, cards={**places.cards, node: other})

    def _other_splits(
        self, rows: BoolArray, left: FloatArray, right: FloatArray
    ) -> Iterator[tuple[float, tuple[int, float]]]:
        """Yield each question with its best thresholds and what the rows cost, given what they cost on both sides."""
        splits = self._search.splits
        if splits is None:
            return
        for some in np.split(np.arange(len(splits)), splits.first[1:]):
            question = int(splits.question[some[0]])
            values = self._search.values[rows, question]
            order = np.argsort(values, kind="stable")
            saved = np.concatenate([[0.0], np.cumsum((left - right)[order])])
            sums = right.sum() + saved[np.searchsorted(values[order], splits.threshold[some], side="right")]
            for best in np.argsort(sums, kind="stable")[:_THRESHOLDS]:
                yield float(sums[best]), (question, float(splits.threshold[some[best]]))

    def _other_cards(self, rows: BoolArray, card: Choice) -> Iterator[Choice]:
        """Yield the card with a good plan more, with each one less or replaced by a good one, or a new handicap."""
        table, numbers = self._table.of_samples(np.flatnonzero(rows)), range(len(card.plans))
        if len(card.plans) < self._most_plans:
            yield from _with_good_plans(table, card)
        for number in numbers:
            rest = Choice([*card.plans[:number], *card.plans[number + 1 :]], np.delete(card.handicap, number))
            if rest.plans:
                yield rest
            yield from _with_good_plans(table, rest)
        for number in numbers if len(card.plans) > 1 and rows.any() else ():
            handicap = card.handicap.copy()
            best = best_handicap(table.of_plans(card.plans), number, handicap)
            # A handicap below all others would shift what a reader sees of those, since the smallest is shown as zero.
            handicap[number] = max(best, handicap[number] - self._search.handicaps(card)[number])
            yield Choice(card.plans, handicap)

    # -- trees ---------------------------------------------------------------------------------------------------

    def _goes_left(self, places: _Places, node: int) -> BoolArray:
        question, threshold = places.splits[node]
        goes_left: BoolArray = self._search.values[:, question] <= threshold
        return goes_left

    def _rows_at(self, places: _Places) -> list[BoolArray]:
        rows = [np.ones(len(self._table.loss), dtype=bool)] * self._shape.n_nodes
        for node in places.splits:  # parents have smaller numbers
            left, right = self._shape.split(node)[2:]
            goes_left = self._goes_left(places, node)
            rows[left], rows[right] = rows[node] & goes_left, rows[node] & ~goes_left
        return rows

    def _loss_below(self, places: _Places) -> dict[int, FloatArray]:
        """Return for each node what every row would cost if it came by."""
        below = {node: followed(self._table, card)[0] for node, card in places.cards.items()}
        for node in reversed(places.splits):
            left, right = self._shape.split(node)[2:]
            below[node] = np.where(self._goes_left(places, node), below[left], below[right])
        return below

    def _tree(self, places: _Places) -> Tree:
        def look(node: int) -> Any:
            if node in places.cards:
                return self._search.leaf(places.cards[node])
            question, threshold = places.splits[node]
            return self._instance.questions[question], threshold, *self._shape.split(node)[2:]

        return Tree.grown(0, look)


def _changes(first: Choice, other: Choice) -> int:
    """Return how many plans are more, less or others, and how many handicaps of plans that stay differ."""
    before, after = (dict(zip(card.plans, card.handicap.tolist(), strict=True)) for card in (first, other))
    both = before.keys() & after.keys()
    n_plans = max(len(before), len(after)) - len(both)
    return n_plans + sum(bool(before[plan] != after[plan]) for plan in both)


def _with_good_plans(table: PlanTable, card: Choice) -> Iterator[Choice]:
    """Yield the card with each of the plans at its end that lower most what the rows cost."""
    sums = with_each_plan(table, card)
    sums[card.plans] = np.inf
    for plan in np.argsort(sums, kind="stable")[: min(_PLANS, sums.size - len(card.plans))].tolist():
        yield Choice([*card.plans, plan], np.append(card.handicap, 0.0))
