"""Trees whose leaves are cards: grown greedily, and improved part by part; what `plans_per_leaf` asks for.

Plans and questions are chosen by what following the least total costs as read. The adversary decides among the trees
that come of it: shallower ones, and ones with smaller cards, may be better when readings are wrong.
"""

__all__ = ["CardSearch", "check_cards"]

from dataclasses import dataclass, replace
from typing import Any, Final, Self, TypeAlias

import numpy as np

from hedgerow.data.arrays import FloatArray, IntArray
from hedgerow.engine.bounds import bound_without_tree, listed_losses, most_plans
from hedgerow.errors import InputError
from hedgerow.instance import Instance
from hedgerow.methods.card_choice import Choice, PlanTable, best_card, quick_card, shortlist
from hedgerow.methods.start import may_split, offer_tree
from hedgerow.run import Deadline, Options, Run
from hedgerow.run.wishes import keeps
from hedgerow.tree.card import Card
from hedgerow.tree.good_plans import best_for_each, cost_coefficients, good_plans
from hedgerow.tree.questions import Question
from hedgerow.tree.splits import Splits
from hedgerow.tree.tree import Tree

METHODS_WITH_CARDS: Final = ("greedy", "local_search")

_MOST_ROWS: Final = 300
"""Rows whose own best plans are candidates."""
_MOST_ENTRIES: Final = 1_000_000
"""Entries of the table of candidates; of more samples some stand for all."""
_GOOD_PLANS: Final = 8
_THRESHOLDS: Final = 8
"""Thresholds that are tried for each question, evenly spread over the samples."""
_QUICK_PLANS, _SHORTLIST = 4, 12
"""Plans of the cards by which a question is judged, and the plans that they are chosen from."""
_SMALLEST_SIDE: Final = 0.05
"""Share of the samples that a side of a question must have."""
_SMALLER_CARDS: Final = (1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64)
"""Numbers of plans that are tried, too, where readings may be wrong."""
_SHARE_FOR_BOUND: Final = 0.1
_SHARE_BELOW: Final = 0.5
"""How often a change is made below a question, and not by growing the part anew from there."""
_SHARE_OF_SPLITS: Final = 0.5
"""Share of the splits, drawn at random, with which a part of a tree is grown again."""


def check_cards(instance: Instance, options: Options) -> None:
    """Raise `InputError` if leaves can't have several plans here."""
    asked = f"plans_per_leaf={options.plans_per_leaf}"
    if options.plans_per_leaf == 1:
        return
    if options.method not in ("auto", *METHODS_WITH_CARDS):
        raise InputError(f"{asked} works with the methods auto, greedy and local_search; got {options.method!r}.")
    if not instance.observes_costs:
        raise InputError(f"{asked} compares plans by readings of the costs; pass readings=…, as in fit(costs, …).")
    one = instance.problem.best_solution(instance.costs[:1], instance.weights[:1]).solution
    cost_coefficients(instance.problem, one[None], asked)


@dataclass(frozen=True)
class _Node:
    """A question and what follows its answers."""

    split: int
    left: "_Part"
    right: "_Part"


_Part: TypeAlias = "_Node | Choice"


@dataclass(frozen=True)
class CardSearch:
    """Everything that is needed to grow trees with cards."""

    instance: Instance
    options: Options
    plans: FloatArray
    table: PlanTable
    values: FloatArray  # of the questions, per sample of the table
    splits: Splits | None
    tried: IntArray  # splits that are tried
    cards: tuple[Card, ...]  # per plan the card that holds it alone, with the constant part of its cost for a handicap

    @classmethod
    def begin(cls, instance: Instance, run: Run, options: Options, more_plans: FloatArray | None = None) -> Self:
        """Return the candidates for questions, and for plans, with some more among them."""
        plans, cards = _candidates(instance, run, options, more_plans)
        most = max(1, _MOST_ENTRIES // len(plans))
        samples = np.unique(np.linspace(0, instance.n_samples - 1, min(most, instance.n_samples)).round().astype(int))
        totals = np.stack([card.sums[0].values(instance.observations[samples]) for card in cards], axis=1)
        totals = instance.sign * totals + np.array([card.handicap[0] for card in cards])
        splits = instance.splits(options.thresholds) if may_split(instance, options) else None
        table = PlanTable(instance.losses(plans)[samples], totals)
        tried = np.empty(0, dtype=np.int64) if splits is None or not len(splits) else _some_of_each(splits)
        return cls(instance, options, plans, table, instance.question_values[samples], splits, tried, cards)

    def raise_bound(self, run: Run) -> None:
        """Bound the cost of all trees with cards by what as many plans cost without a tree."""
        deadline = Deadline(_SHARE_FOR_BOUND * run.deadline.remaining())
        loss, count = listed_losses(self.instance), most_plans(self.instance, self.options)
        run.raise_bound(bound_without_tree(loss, self.instance, count, deadline), "bound without a tree")

    def grow(self, run: Run) -> "_Part":
        """Offer greedy trees, each an iteration; return the best one.

        Where readings may be wrong, there are shallower ones and ones with smaller cards among them.
        """
        depth, count = self.instance.depth, self.options.plans_per_leaf
        some = [(depth, count)] if depth == 0 else [(depth, count), (0, count)]
        if self.instance.uncertainty.can_misread:
            sizes = [count, *(size for size in _SMALLER_CARDS if size < count)]
            some = [(levels, size) for size in sizes for levels in range(depth, -1, -1)]
        best: _Part | None = None
        for levels, size in some:
            part = self._grown(self._everyone, levels, self._most_leaves, self.tried, size)
            if self._offer(part, run) or best is None:
                best = part
            if not run.running:
                break
        assert best is not None
        return best

    def improve(self, part: "_Part", run: Run) -> None:
        """Change parts of the tree until the run ends; each attempt is an iteration."""
        while run.running:
            some = self.tried[run.rng.random(self.tried.size) < _SHARE_OF_SPLITS]
            changed = self._changed(part, self._everyone, self.instance.depth, self._most_leaves, some, run)
            if self._offer(changed, run):
                part = changed

    def place(self, solution: FloatArray) -> int:
        """Return the place of a plan among the candidates."""
        return int(np.abs(self.plans - solution).sum(axis=1).argmin())

    # -- parts of trees ------------------------------------------------------------------------------------------

    @property
    def _everyone(self) -> IntArray:
        return np.arange(len(self.table.loss))

    @property
    def _most_leaves(self) -> int:
        return min(1 << self.instance.depth, self.options.max_leaves or 1 << self.instance.depth)

    def _goes_left(self, split: int, rows: IntArray) -> Any:
        assert self.splits is not None
        return self.values[rows, self.splits.question[split]] <= self.splits.threshold[split]

    def _grown(self, rows: IntArray, depth: int, leaves: int, tried: IntArray, count: int) -> "_Part":
        """Return the part of a tree for some samples: the best question, or a card where none is better."""
        here = self.table.of_samples(rows)
        card = best_card(here, count)
        split = None if depth == 0 or leaves < 2 else self._best_split(rows, here, card.plans, tried)
        if split is None:
            return card
        goes_left, fewer = self._goes_left(split, rows), leaves // 2
        left = self._grown(rows[goes_left], depth - 1, leaves - fewer, tried, count)
        return _Node(split, left, self._grown(rows[~goes_left], depth - 1, fewer, tried, count))

    def _best_split(self, rows: IntArray, here: PlanTable, plans: list[int], tried: IntArray) -> int | None:
        """Return the split for which small cards on both sides cost least; None if one for all is as good."""
        count = min(_QUICK_PLANS, max(2, len(plans)))
        some = here.of_plans(shortlist(here, plans, max(_SHORTLIST, len(plans))))
        fewest = max(1, self.options.min_samples_leaf, int(_SMALLEST_SIDE * len(self.table.loss)))
        best, value = None, quick_card(some, count)
        for split in tried.tolist():
            left = self._goes_left(split, rows)
            if min(left.sum(), (~left).sum()) < fewest:
                continue
            both = sum(quick_card(some.of_samples(np.flatnonzero(side)), count) for side in (left, ~left))
            if both < value:
                best, value = split, both
        return best

    def _changed(self, part: "_Part", rows: IntArray, depth: int, leaves: int, tried: IntArray, run: Run) -> "_Part":
        """Return the part with one change at a random place: grown again, or another plan on a card."""
        if isinstance(part, _Node) and run.rng.random() < _SHARE_BELOW:
            left, fewer = self._goes_left(part.split, rows), leaves // 2
            if run.rng.random() < _SHARE_BELOW:
                return replace(part, left=self._changed(part.left, rows[left], depth - 1, leaves - fewer, tried, run))
            return replace(part, right=self._changed(part.right, rows[~left], depth - 1, fewer, tried, run))
        if isinstance(part, _Node) or (depth > 0 and run.rng.random() < _SHARE_BELOW):
            return self._grown(rows, depth, leaves, tried, int(run.rng.integers(self.options.plans_per_leaf)) + 1)
        return self._with_another_plan(part, run)

    def _with_another_plan(self, card: Choice, run: Run) -> Choice:
        """Return a card with a plan added, removed, or exchanged for another one."""
        kept = list(zip(card.plans, card.handicap.tolist(), strict=True))
        is_full = len(kept) == self.options.plans_per_leaf
        change = run.rng.integers(1 if is_full else 0, 3 if len(kept) > 1 else 2)  # 0 adds, 1 exchanges, 2 removes
        if change > 0:
            kept.pop(int(run.rng.integers(len(kept))))
        others = [plan for plan in range(len(self.plans)) if plan not in card.plans]
        if change < 2 and others:
            kept.append((others[int(run.rng.integers(len(others)))], 0.0))
        return Choice([plan for plan, _ in kept], np.array([handicap for _, handicap in kept])) if kept else card

    # -- trees ---------------------------------------------------------------------------------------------------

    def _offer(self, part: "_Part", run: Run) -> bool:
        """Offer the tree if it keeps the wishes; return whether it is the best one."""
        tree, before = Tree.grown(part, self._look).simplified(), run.value
        if keeps(tree, self.instance, self.options.wishes):
            offer_tree(tree, self.instance, run, "tree with cards")
        run.count(1, "trees with cards")
        return run.value < before

    def _look(self, part: "_Part") -> Any:
        if isinstance(part, _Node):
            assert self.splits is not None
            threshold = float(self.splits.threshold[part.split])
            return self.splits.question_of(part.split), threshold, part.left, part.right
        return self.leaf(part)

    def leaf(self, choice: Choice) -> FloatArray | Card:
        """Return a leaf as a tree holds it: one plan, or a card."""
        if len(choice.plans) == 1:
            solution: FloatArray = self.plans[choice.plans[0]]
            return solution
        sums = tuple(self.cards[plan].sums[0] for plan in choice.plans)
        return Card(self.plans[choice.plans], sums, self.handicaps(choice), takes_largest=self.instance.sign < 0.0)

    def handicaps(self, choice: Choice) -> FloatArray:
        """Return the handicaps as a tree holds them: with the constant parts of costs, and the smallest is zero."""
        handicap: FloatArray = choice.handicap + self.constants(choice.plans)
        handicap -= handicap.min()
        return handicap

    def constants(self, plans: list[int]) -> FloatArray:
        """Return what plans cost whatever the readings are."""
        return np.array([self.cards[plan].handicap[0] for plan in plans])


def _some_of_each(splits: Splits) -> IntArray:
    """Return a few splits of each question, evenly spread."""
    parts = np.split(np.arange(len(splits)), splits.first[1:])
    some = [
        part[np.unique(np.linspace(0, part.size - 1, min(part.size, _THRESHOLDS + 2)).round().astype(int))]
        for part in parts
    ]
    return np.concatenate([each[1:-1] if each.size > _THRESHOLDS else each for each in some])


def _candidates(
    instance: Instance, run: Run, options: Options, more: FloatArray | None
) -> tuple[FloatArray, tuple[Card, ...]]:
    """Return plans that may stand on cards, and a card with each of them alone.

    They are the best ones for all samples, for the truth of some, and for their readings, and some more.
    """
    problem, left = instance.problem, run.deadline.remaining
    some = np.unique(np.linspace(0, instance.n_samples - 1, min(_MOST_ROWS, instance.n_samples)).round().astype(int))
    good = good_plans(problem, instance.costs, instance.weights, _GOOD_PLANS, instance.depth, left)
    tables = [instance.costs[some]]
    if instance.observations is not instance.costs:
        tables.append(instance.observations[some, : instance.n_readings])
    own = [best_for_each(problem, table, left) for table in tables] + ([] if more is None else [more])
    plans = np.unique(np.concatenate([good, *own]) + 0.0, axis=0)
    coefficients, constants = cost_coefficients(problem, plans, f"plans_per_leaf={options.plans_per_leaf}")
    cards = tuple(
        Card(plan[None], (Question.total(dict(enumerate(row))),), np.array([instance.sign * constant]))
        for plan, row, constant in zip(plans, coefficients.tolist(), constants.tolist(), strict=True)
    )
    if options.wishes is None:
        return plans, cards
    names = instance.feature_names
    allowed = [place for place, card in enumerate(cards) if options.wishes.allows(card.sums[0], names)]
    if not allowed:
        raise InputError("no plan can be compared without the readings that the wishes leave out.")
    return plans[allowed], tuple(cards[place] for place in allowed)
