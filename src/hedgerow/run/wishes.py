"""Wishes: what people want of a tree besides a low worst case, and whether a tree keeps them."""

__all__ = ["WishCost", "Wishes", "keeps", "question_number", "restricted"]

import dataclasses
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Self, TypeAlias

import numpy as np

from hedgerow.data.arrays import FloatArray
from hedgerow.data.checks import finite_vector, in_short, integer_between, list_some
from hedgerow.errors import InputError
from hedgerow.instance import Instance
from hedgerow.problem import Problem
from hedgerow.tolerances import FEASIBILITY, OPTIMALITY_GAP
from hedgerow.tree.questions import Question
from hedgerow.tree.tree import Tree
from hedgerow.wording.numbers import amount, percentage

Plan: TypeAlias = str | tuple[float, ...]
"""A solution: in the problem's words, or its entries."""

MOST_LISTED: Final = 100_000
"""Most solutions that are listed to find those that are named."""

_LEAST_VALUE: Final = 1e-300
"""What a worst case of zero counts as where a cost is given as a share of it."""


@dataclass(frozen=True)
class Wishes:
    """What a tree should be like; every field that is left out is no wish.

    Attributes
    ----------
    ask_first
        The name of the question that the tree asks first.
    may_ask, must_not_ask
        Names of the questions or items that alone may be asked about, and of those that must not.
    max_items
        Most different items over all questions.
    must_not_use
        Plans that no leaf may hold: in the problem's words, or as lists of numbers.

    Examples
    --------
    >>> from hedgerow import Wishes
    >>> Wishes(must_not_ask=["Old Bridge"], max_items=2).in_words()
    ('no question about Old Bridge', 'at most 2 different items')
    """

    ask_first: str | None = None
    may_ask: Sequence[str] | None = None
    must_not_ask: Sequence[str] = ()
    max_items: int | None = None
    must_not_use: Sequence[Plan] = ()

    def __post_init__(self) -> None:
        for name, check in _CHECKS.items():
            value = getattr(self, name)
            object.__setattr__(self, name, None if value is None else check(value, name))
        if self.ask_first is not None and self.ask_first in self.must_not_ask:
            raise InputError(f"ask_first and must_not_ask contradict each other: both name {self.ask_first!r}.")
        if self.ask_first is not None and self.max_items == 0:
            raise InputError("ask_first and max_items contradict each other: with no items nothing can be asked.")

    @property
    def given(self) -> tuple[str, ...]:
        """Names of the fields that hold a wish."""
        return tuple(each.name for each in dataclasses.fields(self) if getattr(self, each.name) not in (None, ()))

    @property
    def shape_trees(self) -> bool:
        """Whether there are wishes about trees as a whole, beyond questions and plans that are left out."""
        return bool(set(self.given) - {"may_ask", "must_not_ask", "must_not_use"})

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
            "must_not_use": "{} not in use",
        }
        names = list_some([str(each) for each in value]).replace("'", "") if isinstance(value, tuple) else str(value)
        return words[name].format(names)

    def to_dict(self) -> dict[str, Any]:
        """Return the wishes for a file."""
        values = {name: getattr(self, name) for name in self.given}
        return {name: list(value) if isinstance(value, tuple) else value for name, value in values.items()}

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
            unknown = [str(name) for name in value if name not in _CHECKS]
            if unknown:
                raise InputError(f"there is no wish {list_some(unknown)}; there are {', '.join(sorted(_CHECKS))}.")
            value = cls(**value)
        if value is not None and not isinstance(value, cls):
            raise InputError(
                f"wishes must be a hedgerow.Wishes, a dictionary of its fields or None; got {in_short(value)}."
            )
        return value if value is not None and value.given else None

    def allows(self, question: Question, names: Sequence[str]) -> bool:
        """Return whether a question may be asked; `names` are those of the items."""
        label, items = question.label(names), {names[item] for item in question.items}
        if not {label, *items}.isdisjoint(self.must_not_ask):
            return False
        return self.may_ask is None or label in self.may_ask or items.issubset(self.may_ask)


def _name(value: Any, what: str) -> str:
    if not isinstance(value, str):
        raise InputError(f"{what} must be given by name; got {in_short(value)}.")
    return value


def _listed(value: Any, what: str) -> list[Any]:
    if isinstance(value, str) or not isinstance(value, Iterable):
        raise InputError(f"{what} must be a list; got {in_short(value)}.")
    return list(value)


def _names(value: Any, what: str) -> tuple[str, ...]:
    return tuple(_name(each, what) for each in _listed(value, what))


def _plans(value: Any, what: str) -> tuple[Plan, ...]:
    try:
        return tuple(
            plan if isinstance(plan, str) else tuple(float(entry) + 0.0 for entry in plan)
            for plan in _listed(value, what)
        )
    except (TypeError, ValueError):
        raise InputError(f"{what} must hold plans, in words or as lists of numbers; got {in_short(value)}.") from None


_CHECKS: Final[Mapping[str, Any]] = {
    "ask_first": _name,
    "may_ask": _names,
    "must_not_ask": _names,
    "max_items": lambda value, what: integer_between(value, what, 0),
    "must_not_use": _plans,
}
"""Per field what takes a value and the field's name, and returns the value or raises `InputError`."""


@dataclass(frozen=True)
class WishCost:
    """What wishes cost all together: the worst case that was found with them, and without.

    What they cost lies between `low` and `extra_cost`, zero or more; these are equal where both worst cases are proven.

    Examples
    --------
    >>> from hedgerow.run.wishes import WishCost
    >>> print(WishCost("no question about Old Bridge", 1087.0, 1076.0, 11.0, 11.0, "min"))
    The wish for no question about Old Bridge costs 11 min (1.02 %): 1,087 min with it, 1,076 min without.
    """

    wish: str
    value: float
    value_without: float
    low: float
    extra_cost: float
    unit: str = ""

    def __str__(self) -> str:
        values = f"{self._amount(self.value)} with it, {self._amount(self.value_without)} without"
        if not np.isfinite(self.extra_cost):
            return f"What the wish for {self.wish} costs is not known, since nothing is proven: {values}."
        exact = self.extra_cost - self.low <= OPTIMALITY_GAP * max(abs(self.value), abs(self.value_without))
        share = percentage(self.extra_cost / max(abs(self.value_without), _LEAST_VALUE))
        cost = f"{self._amount(self.extra_cost)} ({share})"
        if not exact:
            cost = f"between {self._amount(self.low)} and {self._amount(self.extra_cost)} (at most {share})"
        return f"The wish for {self.wish} costs {cost}: {values}."

    def _amount(self, value: float) -> str:
        return amount(value, self.unit, digits=6)


# -- wishes on an instance -------------------------------------------------------------------------------------------


def restricted(instance: Instance, wishes: Wishes) -> Instance:
    """Return the instance with the questions and solutions that the wishes leave."""
    names, changes = instance.feature_names, dict[str, Any]()
    known = {*names, *(question.label(names) for question in instance.questions)}
    for name in (*(wishes.may_ask or ()), *wishes.must_not_ask):
        if name not in known:
            raise InputError(f"there is no question or item {name!r}; there are {list_some(list(names))}.")
    if wishes.ask_first is not None:
        first = instance.questions[question_number(instance, wishes.ask_first)]
        if not wishes.allows(first, names):
            others = " and ".join(name for name in ("may_ask", "must_not_ask") if name in wishes.given)
            raise InputError(f"ask_first and {others} contradict each other over {wishes.ask_first!r}.")
    allowed = tuple(question for question in instance.questions if wishes.allows(question, names))
    if len(allowed) < len(instance.questions):
        changes = {"questions": allowed} if allowed else {"depth": 0}
    if wishes.must_not_use:
        from hedgerow.problems.explicit import ListedProblem

        rows, forbidden = _solutions(instance.problem), _plan_rows(instance.problem, wishes.must_not_use)
        left = rows[[not _among(row, forbidden) for row in rows]]
        if not len(left):
            raise InputError("must_not_use names every solution that there is, so that no tree is left.")
        changes["problem"] = ListedProblem(instance.problem, left)
    return dataclasses.replace(instance, **changes) if changes else instance


def keeps(tree: Tree, instance: Instance, wishes: Wishes | None) -> bool:
    """Return whether a tree keeps all wishes.

    >>> from hedgerow.problems import Selection
    >>> instance = Instance.create(Selection(2, 1), [[1.0, 3.0], [4.0, 2.0]])
    >>> tree = Tree.single([1.0, 0.0])
    >>> keeps(tree, instance, Wishes(max_items=0)), keeps(tree, instance, Wishes(ask_first="x1"))
    (True, False)
    """
    if wishes is None:
        return True
    names = instance.feature_names
    if wishes.ask_first is not None:
        first = instance.questions[question_number(instance, wishes.ask_first)]
        if not tree.is_inner[0] or tree.questions[tree.question[0]] != first:
            return False
    forbidden = _plan_rows(instance.problem, wishes.must_not_use)
    return (
        all(wishes.allows(question, names) for question in tree.questions)
        and (wishes.max_items is None or tree.asked_items.size <= wishes.max_items)
        and not any(_among(row, tree.solutions) for row in forbidden)
    )


def question_number(instance: Instance, name: str) -> int:
    """Return the number of a question that is given by its name or its item's name."""
    labels = [question.label(instance.feature_names) for question in instance.questions]
    if name not in labels:
        raise InputError(f"there is no question {name!r}; there are {list_some(labels)}.")
    return labels.index(name)


def _solutions(problem: Problem) -> FloatArray:
    rows = problem.all_solutions(MOST_LISTED)
    if rows is None:
        raise InputError("must_not_use needs a problem whose solutions can be listed; this one has too many.")
    return rows


def _plan_rows(problem: Problem, plans: Sequence[Plan]) -> FloatArray:
    """Return the solutions that are given in the problem's words or as numbers, one per row."""
    whole: Problem = getattr(problem, "whole", problem)
    rows = np.empty((len(plans), len(whole.variable_names)))
    named = {whole.describe(row): row for row in _solutions(whole)} if any(isinstance(p, str) for p in plans) else {}
    for number, plan in enumerate(plans):
        if isinstance(plan, str):
            if plan not in named:
                raise InputError(f"there is no plan {plan!r}; there are {list_some(list(named))}.")
            rows[number] = named[plan]
            continue
        rows[number] = finite_vector(plan, "a plan", length=rows.shape[1], per="variables")
        reason = whole.infeasibility(rows[number])
        if reason is not None:
            raise InputError(f"a plan in the wishes is not feasible: {reason}.")
    return rows


def _among(row: FloatArray, rows: FloatArray) -> bool:
    return bool(len(rows)) and bool((np.abs(rows - row).max(axis=1) <= FEASIBILITY).any())
