"""Rules fitted anew with few changes: what keeping the old ones costs, what a few changes win, and a free fit."""

import dataclasses
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from statistics import mode
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from hedgerow.adversary import worst_case
from hedgerow.data.checks import integer_between, number_at_least
from hedgerow.data.display import Tabular
from hedgerow.errors import InputError
from hedgerow.instance import Instance
from hedgerow.methods.cards import CardSearch
from hedgerow.methods.few_changes import FewChanges
from hedgerow.methods.solve import solve
from hedgerow.methods.warm_up import prepare
from hedgerow.rules import RuleBook
from hedgerow.run import Deadline, Options, Result, Run, Statistics
from hedgerow.run.options import generator
from hedgerow.run.result import relative_gap
from hedgerow.run.wishes import restricted
from hedgerow.thresholds import rounded
from hedgerow.tolerances import OPTIMALITY_GAP
from hedgerow.tree.questions import Feature
from hedgerow.tree.tree import Tree
from hedgerow.uncertainty import Uncertainty
from hedgerow.wording.numbers import amount, counted, percentage

if TYPE_CHECKING:
    import pandas as pd

_DIGITS: Final = 9
"""Handicaps that differ less are the same."""

_SHARE_OF_CHANGES: Final = 0.5
"""Share of the time limit for the search of changes, if it takes that long; the free fit gets what is left."""


@dataclass(frozen=True, eq=False, repr=False)
class Refit(Tabular):
    """Rules with few changes, beside the old ones and a free fit; costs are sums over the new rows in the worst case.

    Attributes
    ----------
    rules
        The new rules: the best that were found within `max_changes` of the old ones.
    old
        The old rules.
    max_changes
        How many places might change.
    cost_of_old, cost
        What the old and the new rules cost.
    free
        The result of the free fit: rules with the same kind of questions, depth and budget.
    shares_changed
        The share of the new rows on which the advice of the new rules, and of the free fit, differs from the old one.
    n_rows, total_weight
        How many new rows there are, and what costs per row divide by.

    Examples
    --------
    >>> from hedgerow import RobustTree, refit
    >>> from hedgerow.problems import Selection
    >>> model = RobustTree(Selection(2, 1), depth=1).fit([[1.0, 3.0], [4.0, 2.0]])
    >>> found = refit(model, [[1.0, 3.0], [4.0, 9.0], [8.0, 5.0]])
    >>> found.to_frame()[["before", "after"]].values.tolist()
    [['x1 ≤ 2', 'x1 ≤ 6']]
    >>> found.cost_of_old, found.cost
    (15.0, 10.0)
    """

    rules: RuleBook
    old: RuleBook
    max_changes: int
    cost_of_old: float
    cost: float
    free: Result
    shares_changed: tuple[float, float]
    n_rows: int
    total_weight: float

    def __repr__(self) -> str:
        return f"Refit({counted(len(self.changes), 'change')}, cost_of_staying={self.cost_of_staying:.4g})"

    @property
    def cost_of_staying(self) -> float:
        """What the old rules cost more than the bound that no rules of this kind beat, relative to that bound.

        Without a bound, more than the free fit.
        """
        least = self.free.lower_bound if np.isfinite(self.free.lower_bound) else self.free.objective
        return relative_gap(least, self.cost_of_old)

    @property
    def changes(self) -> tuple[str, ...]:
        """The changes, each in a line."""
        rows = self.to_frame().itertuples(index=False)
        return tuple(f"{place}: {before} → {after}" for place, before, after in rows)

    def to_frame(self) -> "pd.DataFrame":
        """Return one row per change: the place, and what stood there before and after."""
        every = self.side_by_side()
        return every[every["before"] != every["after"]].reset_index(drop=True)

    def side_by_side(self) -> "pd.DataFrame":
        """Return one row per question and plan of both rules, changed or not; "–" stands for no plan."""
        import pandas as pd

        old, new, rows = self.old, self.rules, []
        for node in range(old.tree.n_nodes):
            leaf = int(old.tree.leaf_number[node])
            if leaf < 0:
                number = int(old.tree.is_inner[:node].sum()) + 1
                rows.append((f"question {number}", old.question(node), new.question(node)))
            else:
                rows += [(f"leaf {leaf}", *pair) for pair in _paired(old, new, leaf)]
        return pd.DataFrame(rows, columns=["place", "before", "after"])

    @property
    def summary(self) -> str:
        """What staying costs, what the changes and a free fit win, and how often the advice differs."""
        unit, n_rows = self.rules.unit, self.n_rows
        bounded = np.isfinite(self.free.lower_bound)
        more = "win" if self.rules.sense == "max" else "cost"
        least = "no rules of this kind can be better by more" if bounded else "nothing is proven"
        changed, changed_by_free = map(percentage, self.shares_changed)
        each = amount(self.cost_of_old / self.total_weight, unit, 4)
        staying = f"On {counted(n_rows, 'row')} the old rules {more} {each} per row"
        won, won_by_free = (
            percentage(relative_gap(self.cost_of_old, cost)) for cost in (self.cost, self.free.objective)
        )
        few = f"nothing better was found within {counted(self.max_changes, 'change')}"
        if self.changes:
            several = "" if len(self.changes) > 1 else "s"
            does = f"win{several} {won} of that and alter{several} the advice on {changed} of the rows"
            few = f"{counted(len(self.changes), 'change')} {does}"
        free = f"a free fit wins {won_by_free} and alters it on {changed_by_free}"
        return f"{staying}; {few}; {free}. Staying costs at most {percentage(self.cost_of_staying)}: {least}."


def refit(
    rules: Any,
    costs: Any,
    *,
    readings: Any = None,
    context: Any = None,
    sample_weight: Any = None,
    max_changes: int = 1,
    time_limit: float | None = 60.0,
    iteration_limit: int | None = None,
    random_state: int | np.random.Generator | None = 0,
) -> Refit:
    """Return the best rules on new rows that differ from the old ones in a few places.

    A change is another question or threshold at one node, or another plan at one leaf. At a leaf with several plans it
    is one plan more, less or instead of another one, or one handicap. The shape stays. What counts is what rules cost
    on the new rows under the old rules' budget; a global one is scaled with the number of rows.
    Changes are found by a search: of those that are best as read, the worst case decides.

    Parameters
    ----------
    rules
        A fitted model, a rule book, or the path of a tree file.
    costs, readings, context, sample_weight
        The new rows, as for `RobustTree.fit`. With readings, rules are judged by them. Context that the old rules don't
        ask about counts as exact.
    max_changes
        How many places may change. 0 evaluates the old rules, and says what staying costs.
    time_limit
        Seconds for the whole call.
    iteration_limit, random_state
        Of the free fit, as for `RobustTree`.

    Examples
    --------
    >>> from hedgerow import RobustTree, refit
    >>> from hedgerow.problems import Selection
    >>> model = RobustTree(Selection(2, 1), depth=1).fit([[1.0, 3.0], [4.0, 2.0]])
    >>> refit(model, [[1.0, 3.0], [4.0, 9.0], [8.0, 5.0]]).changes
    ('question 1: x1 ≤ 2 → x1 ≤ 6',)
    """
    old = RuleBook.of(rules)
    most = integer_between(max_changes, "max_changes", 0)
    seconds = None if time_limit is None else number_at_least(time_limit, "time_limit", strict=True)
    data, tree = _new_rows(old, costs, readings, context, sample_weight)
    options = _options(old).replace(iteration_limit=iteration_limit)
    prepare(data, options.replace(method="local_search"), None)
    whole = Deadline(seconds)
    data = data.asking(_kinds(old, tree), whole.remaining)
    if options.wishes is not None:
        data = restricted(data, options.wishes)
    rng = generator(random_state)
    new = _changed(data, tree, options, most, Deadline(_SHARE_OF_CHANGES * whole.remaining()), rng)
    attack, before = worst_case(new, data), worst_case(tree, data)
    if data.sign * attack.bound >= data.sign * before.bound:  # a search goes by estimates, the adversary doesn't
        new, attack = tree, before
    left = None if seconds is None else max(0.01, whole.remaining())
    free = solve(data.under(data.uncertainty, _depth(old)), options.replace(time_limit=left), random_state=rng)
    free = _at_least_as_good(free, new, attack.bound, data.sign)
    result = Result(
        tree=new,
        objective=attack.bound,
        nominal=float(attack.nominal_cost.sum()),
        lower_bound=free.lower_bound,
        status="optimal" if relative_gap(attack.bound, free.lower_bound) <= OPTIMALITY_GAP else "feasible",
        runtime=whole.elapsed(),
        method="refit",
        thresholds=free.thresholds,
        iterations=0,
        statistics=Statistics(),
        options=options,
        questions=data.asks,
        depth=_depth(old),
    )
    tables = {"costs": costs, "readings": readings, "context": context, "sample_weight": sample_weight}
    names = [name for name, table in tables.items() if table is not None]
    passed = ", ".join(name if name == "costs" else f"{name}={name}" for name in names)
    made_by = f"refit(rules, {passed}, max_changes={most})"
    book = RuleBook.of_fit(result, data, as_given=data.uncertainty, made_by=made_by, tables=tuple(names))
    advice = [each.predict(data.observations) for each in (tree, new, free.tree)]
    shares = tuple(float((advice[0] != each).any(axis=1).mean()) for each in advice[1:])
    return Refit(
        book, old, most, before.bound, attack.bound, free, (shares[0], shares[1]), data.n_samples, data.total_weight
    )


def _paired(old: RuleBook, new: RuleBook, leaf: int) -> Iterator[tuple[str, str]]:
    """Yield the plans at a leaf before and after: those that stay, then those that go beside those that come.

    The smallest handicap of a leaf is zero. If all of them are shifted alike, none has changed.
    """
    (before, words), (after, new_words) = (_handicaps(book, leaf) for book in (old, new))
    shift = {plan: round(after[plan] - before[plan], _DIGITS) for plan in before if plan in after}
    usual = mode(shift.values() or [0.0])
    for plan, each in shift.items():
        yield (new_words if each == usual else words)[plan], new_words[plan]
    gone, come = ([text for plan, text in each.items() if plan not in shift] for each in (words, new_words))
    yield from zip_longest(gone, come, fillvalue="–")


def _handicaps(book: RuleBook, leaf: int) -> tuple[dict[str, float], dict[str, str]]:
    """Return the handicaps of a leaf's plans, and the plans with their handicaps in words, by plan."""
    rows = book.tree.rows_at(leaf)
    plans = [book.plans.text(row) for row in range(rows.start, rows.stop)]
    handicaps = dict(zip(plans, book.tree.handicap[rows].tolist(), strict=True))
    return handicaps, dict(zip(plans, book.choices(leaf), strict=True))


def _new_rows(old: RuleBook, costs: Any, readings: Any, context: Any, sample_weight: Any) -> tuple[Instance, Tree]:
    """Return the new rows under the old rules' budget, and the old tree in their columns."""
    problem = old.needed_problem()
    old.shown(costs, readings, context)  # says what is missing
    shown: dict[str, Any] = {}
    if context is not None:
        readings = costs if readings is None and old.n_readings else readings
        shown["context"] = context
    if readings is not None:
        shown |= {"readings": readings, "learn_from": "readings"}
    data = Instance.create(problem, costs, **shown, weights=sample_weight, depth=old.tree.depth)
    if context is not None:
        features = _features(old.context, data.context)
        data = Instance.create(problem, costs, **shown, weights=sample_weight, depth=old.tree.depth, features=features)
    place = {feature.name: data.n_readings + number for number, feature in enumerate(data.context)}
    moved = {old.n_readings + number: place[feature.name] for number, feature in enumerate(old.context)}
    own = {question.items: question for question in data.questions if question.about is not None}
    questions = [each if each.about is None else own[(moved[each.items[0]],)] for each in old.tree.questions]
    tree = old.tree.replace(questions=tuple(questions))
    return data.under(_budget(old, data, moved)), tree


def _features(old: Sequence[Feature], new: Sequence[Feature]) -> tuple[Feature, ...]:
    """Return the features that rules asked about and those of the new rows; the columns know the values of both."""
    columns = {feature.column.name: feature.column for feature in old}
    for feature in new:
        known, seen = columns.get(feature.column.name), feature.column
        more = () if known is None else tuple(value for value in seen.values if value not in known.values)
        columns[seen.name] = seen if known is None else dataclasses.replace(known, values=(*known.values, *more))
    joined = [dataclasses.replace(feature, column=columns[feature.column.name]) for feature in (*old, *new)]
    return tuple({feature.name: feature for feature in reversed(joined)}.values())[::-1]


def _budget(old: RuleBook, data: Instance, moved: dict[int, int]) -> Uncertainty:
    """Return the old rules' uncertainty set for the new rows; context that they don't ask about is exact."""
    budget = old.uncertainty
    if budget.belongs_to_samples:
        raise InputError("a budget per sample belongs to its samples; refitting needs one budget.")
    if old.training is not None:
        share = budget.n_sharing(data.n_samples) / budget.n_sharing(old.training.n_samples)
        budget = budget.replace(budget=share * budget.budget)
    if not data.context:
        return budget
    places = [*range(old.n_readings), *moved.values()]
    prices, limits = np.ones(data.n_features), np.zeros(data.n_features)
    limits[: old.n_readings] = np.inf
    prices[places] = 1.0 if budget.prices is None else budget.prices
    if budget.limits is not None:
        limits[places] = budget.limits
    return budget.replace(prices=prices, limits=limits)


def _options(old: RuleBook) -> Options:
    """Return how a free fit is made: as the old rules were, but with any number of rows at a leaf."""
    known = None if old.result is None else old.result.options
    options = Options() if known is None else known
    most_plans = int(np.bincount(old.tree.leaf_of).max())
    options = options.replace(plans_per_leaf=max(options.plans_per_leaf, most_plans))
    return options.replace(method="auto", min_samples_leaf=0, thresholds=None, threshold_margin=None, refine=False)


def _kinds(old: RuleBook, tree: Tree) -> Any:
    """Return what nodes may ask: questions of the kinds that the old rules were made with, and the old ones."""
    kinds = ("items" if old.n_readings else "context") if old.result is None else old.result.questions
    return [*filter(None, kinds.split(",")), *tree.questions]


def _depth(old: RuleBook) -> int:
    return old.tree.depth if old.result is None else max(old.tree.depth, old.result.depth)


def _changed(
    data: Instance, tree: Tree, options: Options, most: int, deadline: Deadline, rng: np.random.Generator
) -> Tree:
    """Return the best tree within some changes, with round thresholds where they are new."""
    if not most:
        return tree
    run = Run(data, deadline=deadline, rng=rng)
    asked = dataclasses.replace(data, questions=tuple(dict.fromkeys([*data.questions, *tree.questions])))
    new = FewChanges(CardSearch.begin(asked, run, options, tree.solutions), tree, run).best(most)
    if not options.round_thresholds:
        return new
    nodes = [node for node in range(tree.n_nodes) if tree.is_inner[node] and tree.split(node) != new.split(node)]
    return rounded(new, data, nodes=nodes)


def _at_least_as_good(free: Result, tree: Tree, cost: float, sign: float) -> Result:
    """Return the free fit, or the tree with few changes where that is better; the bound is then no better than it."""
    if sign * cost < sign * free.objective:
        free = dataclasses.replace(free, tree=tree, objective=cost)
    bound = sign * min(sign * free.lower_bound, sign * free.objective)
    return dataclasses.replace(free, lower_bound=bound)
