"""Trees whose leaves are cards, grown greedily; what `plans_per_leaf` asks for.

Plans and questions are chosen by what following the least total costs as read. The adversary decides among the trees
that come of it: shallower ones, and ones with smaller cards, may be better when readings are wrong.
"""

from dataclasses import dataclass
from typing import Any, Final, Self, TypeAlias

import numpy as np

from hedgerow.adversary import worst_case
from hedgerow.data.arrays import FloatArray, IntArray
from hedgerow.engine.bounds import listed_losses, raise_bound_by_plans, spread_out
from hedgerow.errors import InputError
from hedgerow.instance import Instance
from hedgerow.methods.card_choice import Choice, PlanTable, best_card, best_plans
from hedgerow.methods.parameters import SEARCH
from hedgerow.methods.search.growing_pool import first_pool
from hedgerow.methods.start import evenly_spread, may_split
from hedgerow.run import Options, Run
from hedgerow.run.wishes import keeps
from hedgerow.tree.question_kinds import best_for_each, cost_coefficients, good_plans
from hedgerow.tree.questions import Card, Question
from hedgerow.tree.splits import Splits
from hedgerow.tree.tree import Tree

METHODS_WITH_CARDS: Final = ("greedy", "local_search")

_MOST_ROWS: Final = 300
"""Rows whose own best plans are candidates."""
_MOST_ENTRIES: Final = 1_000_000
"""Entries of the table of candidates; of more samples some stand for all."""
_GOOD_PLANS: Final = 8
_THRESHOLDS: Final = 10
"""Thresholds that are tried for each question, evenly spread over the samples."""
_QUICK_PLANS, _SHORTLIST = 4, 12
"""Plans of the cards by which a question is judged, and the plans that they are chosen from."""
_SMALLEST_SIDE: Final = 0.05
"""Share of the samples that a side of a question must have."""
_SHARE_TO_GROW: Final = 0.5
"""Share of the samples, and of the splits, that a tree is grown from once greedy ones are known."""
_SMALLER_CARDS: Final = (1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64)
"""Numbers of plans that are tried, too, where readings may be wrong."""


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
    tried: IntArray  # splits that are tried when a tree grows
    # Per plan the card that holds it alone, with the constant part of its cost for a handicap; none without cards.
    cards: tuple[Card, ...]

    @classmethod
    def begin(cls, instance: Instance, run: Run, options: Options, more_plans: FloatArray | None = None) -> Self:
        """Return the candidates for questions, and for plans, with some more among them."""
        plans, cards = _candidates(instance, run, options, more_plans)
        most = max(1, _MOST_ENTRIES // len(plans))
        samples = np.unique(np.linspace(0, instance.n_samples - 1, min(most, instance.n_samples)).round().astype(int))
        losses = instance.losses(plans)[samples]
        totals = np.zeros_like(losses)
        for plan, card in enumerate(cards):
            totals[:, plan] = instance.sign * card.sums[0].values(instance.observations[samples]) + card.handicap[0]
        splits = instance.splits(options.thresholds) if may_split(instance, options) else None
        tried = np.empty(0, dtype=np.int64) if splits is None else evenly_spread(splits, _THRESHOLDS)
        values = instance.question_values[samples]
        return cls(instance, options, plans, PlanTable(losses, totals), values, splits, tried, cards)

    def grow(self, run: Run) -> None:
        """Offer greedy trees, each an iteration.

        Where readings may be wrong, there are shallower ones and ones with smaller cards among them.
        """
        depth, count, everyone = self.instance.depth, self.options.plans_per_leaf, np.arange(len(self.table.loss))
        some = [(depth, count)] if depth == 0 else [(depth, count), (0, count)]
        if self.instance.uncertainty.can_misread:
            sizes = [count, *(size for size in _SMALLER_CARDS if size < count)]
            some = [(levels, size) for size in sizes for levels in range(depth, -1, -1)]
        for levels, size in some:
            self.offer(self.grown(everyone, levels, self.tried, size), run)
            if not run.running:
                break

    def grow_more(self, run: Run) -> None:
        """Offer trees that are grown from some samples and splits, until the run ends."""
        everyone = np.arange(len(self.table.loss))
        while run.running:
            rows, tried = (some[run.rng.random(some.size) < _SHARE_TO_GROW] for some in (everyone, self.tried))
            size = int(run.rng.integers(self.options.plans_per_leaf)) + 1
            self.offer(self.grown(rows if rows.size else everyone, self.instance.depth, tried, size), run)

    def grown(self, rows: IntArray, depth: int, tried: IntArray, count: int) -> Tree:
        """Return a greedy tree for some samples that asks some of the splits, with cards of at most `count` plans."""
        most_leaves = min(1 << self.instance.depth, self.options.max_leaves or 1 << self.instance.depth)
        return Tree.grown(self._part(rows, depth, most_leaves, tried, count), self._look).simplified()

    def offer(self, tree: Tree, run: Run) -> float:
        """Offer a tree if it is allowed; return its value. That is an iteration."""
        value = self.value(tree)
        if np.isfinite(value):
            run.offer(tree, value, "tree with cards")
        run.count(1, "trees with cards")
        return value

    def value(self, tree: Tree) -> float:
        """Return the worst-case loss of a tree; ∞ if it breaks a wish or a leaf has too few samples."""
        leaf = tree.apply(self.instance.observations)
        enough = np.bincount(leaf, minlength=tree.n_leaves).min() >= self.options.min_samples_leaf
        if not enough or not keeps(tree, self.instance, self.options.wishes):
            return np.inf
        return self.instance.sign * float(worst_case(tree, self.instance).bound)

    # -- parts of trees ------------------------------------------------------------------------------------------

    def _goes_left(self, split: int, rows: IntArray) -> Any:
        assert self.splits is not None
        return self.values[rows, self.splits.question[split]] <= self.splits.threshold[split]

    def _part(self, rows: IntArray, depth: int, leaves: int, tried: IntArray, count: int) -> "_Part":
        """Return the part of a tree for some samples: the best question, or a card where none is better."""
        here = self.table.of_samples(rows)
        card = best_card(here, count)
        split = None if depth == 0 or leaves < 2 else self._best_split(rows, here, card.plans, tried)
        if split is None:
            return card
        goes_left, fewer = self._goes_left(split, rows), leaves // 2
        left = self._part(rows[goes_left], depth - 1, leaves - fewer, tried, count)
        return _Node(split, left, self._part(rows[~goes_left], depth - 1, fewer, tried, count))

    def _best_split(self, rows: IntArray, here: PlanTable, plans: list[int], tried: IntArray) -> int | None:
        """Return the split for which small cards on both sides cost least; None if one for all is as good."""
        count = min(_QUICK_PLANS, max(2, len(plans)))
        some = here.of_plans(sorted({*plans, *spread_out(here.loss, _SHORTLIST).tolist()}))
        fewest = max(1, self.options.min_samples_leaf, int(_SMALLEST_SIDE * len(self.table.loss)))
        best, value = None, best_plans(some, count)[1]
        for split in tried.tolist():
            left = self._goes_left(split, rows)
            if min(left.sum(), (~left).sum()) < fewest:
                continue
            both = sum(best_plans(some.of_samples(np.flatnonzero(side)), count)[1] for side in (left, ~left))
            if both < value:
                best, value = split, both
        return best

    def _look(self, part: "_Part") -> Any:
        if isinstance(part, _Node):
            assert self.splits is not None
            threshold = float(self.splits.threshold[part.split])
            return self.splits.question_of(part.split), threshold, part.left, part.right
        return self.leaf(part)

    # -- leaves --------------------------------------------------------------------------------------------------

    def place(self, solution: FloatArray) -> int:
        """Return the place of a plan among the candidates."""
        return int(np.abs(self.plans - solution).sum(axis=1).argmin())

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
        return np.array([self.cards[plan].handicap[0] if self.cards else 0.0 for plan in plans])


def grow_cards(instance: Instance, run: Run, options: Options) -> CardSearch:
    """Bound all trees with cards, and offer greedy ones; return what they were grown from."""
    search = CardSearch.begin(instance, run, options)
    raise_bound_by_plans(instance, run, options, listed_losses(instance), SEARCH.share_for_bound)
    search.grow(run)
    return search


def _candidates(
    instance: Instance, run: Run, options: Options, more: FloatArray | None
) -> tuple[FloatArray, tuple[Card, ...]]:
    """Return plans that may stand at leaves, and a card with each of them alone where leaves may be cards.

    For cards they are the best ones for all samples, for the truth of some, and for their readings, and some more.
    """
    problem, left = instance.problem, run.deadline.remaining
    others = [] if more is None else [more]
    if options.plans_per_leaf == 1:
        best = problem.best_solution(instance.costs, instance.weights, time_limit=left())
        return np.unique(np.concatenate([first_pool(instance, run, best.solution).solutions, *others]), axis=0), ()
    some = np.unique(np.linspace(0, instance.n_samples - 1, min(_MOST_ROWS, instance.n_samples)).round().astype(int))
    good = good_plans(problem, instance.costs, instance.weights, _GOOD_PLANS, instance.depth, left)
    tables = [instance.costs[some]]
    if instance.observations is not instance.costs:
        tables.append(instance.observations[some, : instance.n_readings])
    own = [best_for_each(problem, table, left) for table in tables]
    plans = np.unique(np.concatenate([good, *own, *others]) + 0.0, axis=0)
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
