"""Wishes: what people want of a tree besides a low worst case, and which of them a tree keeps."""

__all__ = ["WishPrice", "Wishes", "asking_price", "broken", "plan_rows", "question_number", "restricted"]

import dataclasses
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Self, TypeAlias

import numpy as np

from hedgerow.data.arrays import BoolArray, FloatArray
from hedgerow.data.checks import finite_vector, in_short, integer_between, list_some, number_at_least
from hedgerow.errors import InputError
from hedgerow.instance import Instance
from hedgerow.tolerances import FEASIBILITY
from hedgerow.tree.questions import Question, question_from_dict
from hedgerow.tree.tree import Tree
from hedgerow.wording.numbers import percentage

Name: TypeAlias = str | int
"""The name of a question or an item, or its number, counted from 0."""

Plan: TypeAlias = str | tuple[float, ...]
"""A solution: in the problem's words, or its entries."""

MOST_LISTED: Final = 100_000
"""Most solutions that are listed to find those that are named."""


@dataclass(frozen=True)
class Wishes:
    """What a tree should be like; every field that is left out is no wish.

    Attributes
    ----------
    ask_first
        The question that the tree asks first, by name or number.
    may_ask, must_not_ask
        Names of the questions or items that alone may be asked about, and of those that must not.
    max_items
        Most different items over all questions.
    item_prices
        Per item what is added to the objective if the tree asks about it; with `per_sample` once for each unit of
        weight.
    complete
        The top of a tree that is to be completed: a nested dictionary with open ends (`None` or `{}`), or a tree or
        rule book whose questions stay and whose leaves are open.
    must_not_use
        Plans that no leaf may hold: in the problem's words, or as lists of numbers.
    max_plans
        Most different plans over all leaves.

    Examples
    --------
    >>> from hedgerow import Wishes
    >>> Wishes(must_not_ask=["Old Bridge"], max_items=2).in_words()
    ('no question about Old Bridge', 'at most 2 different items')
    """

    ask_first: Name | None = None
    may_ask: tuple[Name, ...] | None = None
    must_not_ask: tuple[Name, ...] = ()
    max_items: int | None = None
    item_prices: Mapping[Name, float] = field(default_factory=dict)
    per_sample: bool = False
    complete: Any = None
    must_not_use: tuple[Plan, ...] = ()
    max_plans: int | None = None

    def __post_init__(self) -> None:
        def put(name: str, value: Any) -> None:
            object.__setattr__(self, name, value)

        if self.ask_first is not None:
            put("ask_first", _name(self.ask_first, "ask_first"))
        for name in ("may_ask", "must_not_ask"):
            if getattr(self, name) is not None:
                put(name, tuple(_name(each, name) for each in _listed(getattr(self, name), name)))
        put("must_not_use", tuple(_plan(each, "must_not_use") for each in _listed(self.must_not_use, "must_not_use")))
        for name, least in (("max_items", 0), ("max_plans", 1)):
            if getattr(self, name) is not None:
                put(name, integer_between(getattr(self, name), name, least))
        if not isinstance(self.item_prices, Mapping):
            raise InputError(f"item_prices must be a dictionary by name; got {in_short(self.item_prices)}.")
        prices = {_name(k, "item_prices"): number_at_least(v, "item_prices") for k, v in self.item_prices.items()}
        put("item_prices", prices)
        put("complete", _top(self.complete))
        self._check()

    def _check(self) -> None:
        """Raise `InputError` if some of the wishes contradict each other."""
        if self.ask_first is not None and self.ask_first in self.must_not_ask:
            raise InputError(f"ask_first and must_not_ask contradict each other: both name {self.ask_first!r}.")
        if self.ask_first is not None and self.max_items == 0:
            raise InputError("ask_first and max_items contradict each other: with no items nothing can be asked.")

    def scaled(self, losses: float, readings: float) -> "Wishes":
        """Return the wishes for an instance whose losses and readings are multiplied by these units.

        Losses are multiplied by the weights of samples, and so are prices for each sample already.
        """
        unit = 1.0 if self.per_sample else losses
        prices = {name: unit * price for name, price in self.item_prices.items()}
        return dataclasses.replace(self, item_prices=prices, complete=_scaled_top(self.complete, readings))

    @property
    def given(self) -> tuple[str, ...]:
        """Names of the fields that hold a wish."""
        return tuple(
            each.name
            for each in dataclasses.fields(self)
            if each.name != "per_sample" and getattr(self, each.name) not in (None, (), {})
        )

    @property
    def shape_trees(self) -> bool:
        """Whether there are wishes about trees as a whole, beyond questions and plans that are left out."""
        return bool(set(self.given) - {"may_ask", "must_not_ask", "must_not_use"})

    def without(self, name: str) -> Self:
        """Return the other wishes."""
        own = next(each for each in dataclasses.fields(self) if each.name == name)
        changes: dict[str, Any] = {name: own.default if own.default is not dataclasses.MISSING else {}}
        return dataclasses.replace(self, **changes)

    def in_words(self) -> tuple[str, ...]:
        """Return the wishes in words, in the order of the fields."""
        return tuple(map(self.word, self.given))

    def word(self, name: str) -> str:
        """Return one wish in words."""
        value = getattr(self, name)
        words = {
            "ask_first": "{} asked first",
            "may_ask": "questions about {} only",
            "must_not_ask": "no question about {}",
            "max_items": "at most {} different item" + ("" if value == 1 else "s"),
            "item_prices": "a price for each item asked",
            "complete": "the given top",
            "must_not_use": "{} not in use",
            "max_plans": "at most {} different plan" + ("" if value == 1 else "s"),
        }
        return words[name].format(self.named(name))

    def named(self, name: str) -> str:
        """Return the value of a wish as text: names of questions or plans, or a number."""
        value = getattr(self, name)
        return list_some([str(each) for each in value]).replace("'", "") if isinstance(value, tuple) else str(value)

    def to_dict(self) -> dict[str, Any]:
        """Return the wishes for a file."""
        return {
            name: list(value) if isinstance(value := getattr(self, name), tuple) else value
            for name in (*self.given, *(("per_sample",) if self.per_sample else ()))
        }

    @classmethod
    def of(cls, value: Any) -> Self | None:
        """Return wishes as they are, those of a dictionary, or None for none.

        Examples
        --------
        >>> from hedgerow import Wishes
        >>> Wishes.of({"max_items": 2}) == Wishes(max_items=2), Wishes.of(Wishes())
        (True, None)
        """
        if isinstance(value, Mapping):
            known = {each.name for each in dataclasses.fields(cls)}
            unknown = [str(name) for name in value if name not in known]
            if unknown:
                raise InputError(f"there is no wish {list_some(unknown)}; there are {', '.join(sorted(known))}.")
            value = cls(**value)
        if value is not None and not isinstance(value, cls):
            raise InputError(
                f"wishes must be a hedgerow.Wishes, a dictionary of its fields or None; got {in_short(value)}."
            )
        return value if value is not None and value.given else None


@dataclass(frozen=True)
class WishPrice:
    """What a wish costs: the best worst case found and its bound, with the wish and without it, all others kept.

    The price lies between `low` and `high`, zero or more; they are equal where both values are proven.
    """

    wish: str
    value: float
    bound: float
    value_without: float
    bound_without: float
    low: float
    high: float

    def in_words(self) -> str:
        """Return the price in a sentence."""
        values = f"{self.value:.6g} with it, {self.value_without:.6g} without"
        if not np.isfinite(self.high):
            return f"What the wish for {self.wish} costs is not known, since nothing is proven: {values}."
        exact = self.high - self.low <= 1e-6 * max(abs(self.value), abs(self.value_without))
        share = percentage(self.high / max(abs(self.value_without), 1e-300))
        price = f"{self.high:.6g} ({share})"
        if not exact:
            price = f"between {self.low:.6g} and {self.high:.6g} (at most {share})"
        return f"The wish for {self.wish} costs {price}: {values}."


def restricted(instance: Instance, wishes: Wishes) -> tuple[Instance, Wishes]:
    """Return the instance with the questions and solutions that the wishes leave, and the wishes that are about it.

    In these, the first question is given by name.
    """
    changes: dict[str, Any] = {}
    first = wishes.ask_first
    if first is not None:
        first = instance.questions[question_number(instance, first)].label(instance.feature_names)
    if wishes.may_ask is not None or wishes.must_not_ask:
        allowed = np.ones(len(instance.questions), dtype=bool)
        if wishes.may_ask is not None:
            allowed = _asks_only(instance, wishes.may_ask)
        for name in wishes.must_not_ask:
            allowed &= ~_asks(instance, name)
        for question in _top_questions(wishes.complete or {}, instance):
            alone = dataclasses.replace(instance, questions=(question,))
            if any(_asks(alone, name)[0] for name in wishes.must_not_ask) or (
                wishes.may_ask is not None and not _asks_only(alone, wishes.may_ask)[0]
            ):
                others = [name for name in ("may_ask", "must_not_ask") if name in wishes.given]
                raise InputError(f"complete and {' and '.join(others)} contradict each other.")
        changes["questions"] = tuple(each for each, kept in zip(instance.questions, allowed, strict=True) if kept)
        if not allowed.any():
            changes |= {"questions": instance.questions, "depth": 0}
        if wishes.ask_first is not None and not allowed[question_number(instance, wishes.ask_first)]:
            others = [name for name in ("may_ask", "must_not_ask") if name in wishes.given]
            raise InputError(f"ask_first and {' and '.join(others)} contradict each other over {wishes.ask_first!r}.")
    if wishes.must_not_use:
        rows = instance.problem.all_solutions(MOST_LISTED)
        if rows is None:
            raise InputError("must_not_use needs a problem whose solutions can be listed; this one has too many.")
        forbidden = plan_rows(instance, wishes.must_not_use)
        kept = rows[~np.array([_among(row, forbidden) for row in rows], dtype=bool)]
        if not len(kept):
            raise InputError("must_not_use names every solution that there is, so that no tree is left.")
        from hedgerow.problems.explicit import ListedProblem

        changes["problem"] = ListedProblem(instance.problem, kept)
    left = dataclasses.replace(instance, **changes) if changes else instance
    return left, dataclasses.replace(wishes, ask_first=first)


def question_number(instance: Instance, name: Name) -> int:
    """Return the number of a question that is given by its name, its item's name or its number."""
    if isinstance(name, int):
        if name < len(instance.questions):
            return name
        raise InputError(f"there is no question {name}; there are {len(instance.questions)}, counted from 0.")
    labels = [question.label(instance.feature_names) for question in instance.questions]
    if name not in labels:
        raise InputError(f"there is no question {name!r}; there are {list_some(labels)}.")
    return labels.index(name)


def _asks(instance: Instance, name: Name) -> BoolArray:
    """Return which questions have this name, or read the item of this name."""
    by_name = [question.label(instance.feature_names) == name for question in instance.questions]
    item = instance.feature_names.index(name) if name in instance.feature_names else name
    reads = [isinstance(item, int) and item in question.items for question in instance.questions]
    if not any(by_name) and not any(reads) and name not in instance.feature_names:
        raise InputError(f"there is no question or item {name!r}; there are {list_some(list(instance.feature_names))}.")
    return np.logical_or(by_name, reads)


def _asks_only(instance: Instance, names: Sequence[Name]) -> BoolArray:
    """Return which questions have one of the names, or read no other items than these."""
    for name in names:
        _asks(instance, name)
    numbers = {instance.feature_names.index(name) if name in instance.feature_names else name for name in names}
    return np.array(
        [
            question.label(instance.feature_names) in names or numbers.issuperset(question.items)
            for question in instance.questions
        ]
    )


def plan_rows(instance: Instance, plans: Iterable[Plan]) -> FloatArray:
    """Return the solutions that are given in the problem's words or as numbers, one per row."""
    problem, wanted = getattr(instance.problem, "whole", instance.problem), list(plans)
    n_variables = len(problem.variable_names)
    named: dict[str, FloatArray] = {}
    if any(isinstance(plan, str) for plan in wanted):
        listed = problem.all_solutions(MOST_LISTED)
        if listed is None:
            raise InputError("this problem has too many solutions to find one by its words; give its entries instead.")
        named = {problem.describe(row): row for row in listed}
    rows = np.empty((len(wanted), n_variables))
    for number, plan in enumerate(wanted):
        if isinstance(plan, str):
            if plan not in named:
                raise InputError(f"there is no plan {plan!r}; there are {list_some(list(named))}.")
            rows[number] = named[plan]
            continue
        rows[number] = finite_vector(plan, "a plan", length=n_variables, per="variables")
        reason = problem.infeasibility(rows[number])
        if reason is not None:
            raise InputError(f"a plan in the wishes is not feasible: {reason}.")
    return rows


def asking_price(tree: Tree, instance: Instance, wishes: Wishes | None) -> float:
    """Return what `item_prices` add to the loss of a tree."""
    if wishes is None or not wishes.item_prices:
        return 0.0
    return float(item_prices(instance, wishes)[tree.asked_items].sum())


def item_prices(instance: Instance, wishes: Wishes) -> FloatArray:
    """Return per item what is added to the loss if it is asked about."""
    prices = np.zeros(instance.n_features)
    for name, price in wishes.item_prices.items():
        item = instance.feature_names.index(name) if name in instance.feature_names else name
        if not isinstance(item, int) or item >= instance.n_features:
            raise InputError(f"item_prices names {name!r}; the items are {list_some(list(instance.feature_names))}.")
        prices[item] = price
    return prices * (instance.total_weight if wishes.per_sample else 1.0)


def broken(tree: Tree, instance: Instance, wishes: Wishes) -> tuple[str, ...]:
    """Return the names of the wishes that a tree does not keep.

    >>> from hedgerow.problems import Selection
    >>> instance = Instance.create(Selection(2, 1), [[1.0, 3.0], [4.0, 2.0]])
    >>> broken(Tree.single([1.0, 0.0]), instance, Wishes(ask_first="x1", max_plans=1))
    ('ask_first',)
    """
    labels = [question.label(instance.feature_names) for question in tree.questions]
    asked = {instance.feature_names[item] for item in tree.asked_items} | set(labels)
    asked_too: set[Name] = asked | set(map(int, tree.asked_items))
    bad = []
    if wishes.ask_first is not None:
        first = instance.questions[question_number(instance, wishes.ask_first)]
        if not tree.is_inner[0] or tree.questions[tree.question[0]] != first:
            bad.append("ask_first")
    if wishes.may_ask is not None:
        allowed = {
            each for each, ok in zip(instance.questions, _asks_only(instance, wishes.may_ask), strict=True) if ok
        }
        if not allowed.issuperset(tree.questions):
            bad.append("may_ask")
    if asked_too & set(wishes.must_not_ask):
        bad.append("must_not_ask")
    if wishes.max_items is not None and tree.asked_items.size > wishes.max_items:
        bad.append("max_items")
    if wishes.complete is not None and not _has_top(tree, 0, wishes.complete, instance):
        bad.append("complete")
    if any(_among(row, tree.solutions) for row in plan_rows(instance, wishes.must_not_use)):
        bad.append("must_not_use")
    real = (tree.boxes.lower < tree.boxes.upper).all(axis=1)
    if wishes.max_plans is not None and len(np.unique(tree.solutions[real], axis=0)) > wishes.max_plans:
        bad.append("max_plans")
    return tuple(bad)


def top_question(node: Mapping[str, Any], instance: Instance) -> Question:
    """Return the question of a node of `Wishes.complete`."""
    given = node.get("question", node.get("item"))
    if isinstance(given, Mapping):
        return question_from_dict(given, instance.feature_names)
    if isinstance(given, str) and given in instance.feature_names:
        return Question.of_item(instance.feature_names.index(given))
    if isinstance(given, int) and "item" in node and 0 <= given < instance.n_features:
        return Question.of_item(given)
    return instance.questions[question_number(instance, _name(given, "complete"))]


def _top_questions(node: Mapping[str, Any], instance: Instance) -> list[Question]:
    if not node or "solution" in node:
        return []
    below = (each for side in ("left", "right") for each in _top_questions(node[side], instance))
    return [top_question(node, instance), *below]


def _has_top(tree: Tree, node: int, top: Mapping[str, Any], instance: Instance) -> bool:
    if not top:
        return True
    if "solution" in top:
        leaf = tree.leaf_number[node]
        return leaf >= 0 and _among(np.asarray(top["solution"], dtype=float), tree.solutions[[leaf]])
    if not tree.is_inner[node] or tree.questions[tree.question[node]] != top_question(top, instance):
        return False
    return bool(tree.threshold[node] == top["threshold"]) and all(
        _has_top(tree, int(child[node]), top[side], instance)
        for side, child in (("left", tree.left), ("right", tree.right))
    )


def _among(row: FloatArray, rows: FloatArray) -> bool:
    return bool(len(rows)) and bool((np.abs(rows - row).max(axis=1) <= FEASIBILITY).any())


def _listed(value: Any, what: str) -> list[Any]:
    if isinstance(value, str) or not isinstance(value, Iterable):
        raise InputError(f"{what} must be a list; got {in_short(value)}.")
    return list(value)


def _name(value: Any, what: str) -> Name:
    if isinstance(value, bool) or not isinstance(value, str | int | np.integer):
        raise InputError(f"{what} must be given by name or number; got {in_short(value)}.")
    return value if isinstance(value, str) else integer_between(value, what, 0)


def _plan(value: Any, what: str) -> Plan:
    if isinstance(value, str):
        return value
    try:
        return tuple(float(entry) + 0.0 for entry in value)
    except (TypeError, ValueError):
        raise InputError(f"{what} must hold plans, in words or as lists of numbers; got {in_short(value)}.") from None


def _top(value: Any) -> dict[str, Any] | None:
    """Return the top of a tree as a nested dictionary with `{}` for open ends, whatever form it has."""
    tree = getattr(value, "tree_", getattr(value, "tree", value))
    if isinstance(tree, Tree):
        return _opened(tree.to_dict())
    if value is not None and not isinstance(value, Mapping):
        raise InputError(f"complete must be a nested dictionary, a tree or a rule book; got {in_short(value)}.")
    return None if value is None else _checked_top(value)


def _scaled_top(node: Mapping[str, Any] | None, unit: float) -> dict[str, Any] | None:
    """Return the top of a tree with its thresholds multiplied by a unit."""
    if not node or "threshold" not in node:
        return None if node is None else dict(node)
    sides = {side: _scaled_top(node[side], unit) for side in ("left", "right")}
    return {**node, "threshold": unit * node["threshold"], **sides}


def _opened(node: dict[str, Any]) -> dict[str, Any]:
    if "solution" in node:
        return {}
    return {**node, "left": _opened(node["left"]), "right": _opened(node["right"])}


def _checked_top(node: Any) -> dict[str, Any]:
    if node is None or node == {}:
        return {}
    if not isinstance(node, Mapping) or not ("solution" in node or {"item", "question"} & set(node)):
        raise InputError(
            f'a node of complete has an "item" or "question", a "solution", or is open; got {in_short(node)}.'
        )
    if "solution" in node:
        return {"solution": list(_plan(node["solution"], "complete"))}
    threshold = node.get("threshold")
    if isinstance(threshold, bool) or not isinstance(threshold, int | float | np.number) or not np.isfinite(threshold):
        raise InputError(f"a node of complete needs a finite threshold; got {in_short(threshold)}.")
    asked = {key: node[key] for key in ("item", "question") if key in node}
    sides = {side: _checked_top(node.get(side)) for side in ("left", "right")}
    return {**asked, "threshold": float(threshold), **sides}
