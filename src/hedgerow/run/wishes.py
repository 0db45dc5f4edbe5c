"""Wishes: what people want of a tree besides a low worst case, and whether a tree keeps them."""

__all__ = ["WishCost", "Wishes", "keeps", "question_number", "restricted"]

import dataclasses
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Self

import numpy as np

from hedgerow.data.checks import checked_text, in_short, integer_between, list_some
from hedgerow.errors import InputError
from hedgerow.instance import Instance
from hedgerow.tolerances import OPTIMALITY_GAP
from hedgerow.tree.questions import Question
from hedgerow.tree.tree import Tree
from hedgerow.wording.numbers import amount, counted, percentage

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

    def __post_init__(self) -> None:
        if self.ask_first is not None:
            checked_text(self.ask_first, "ask_first")
        if self.max_items is not None:
            object.__setattr__(self, "max_items", integer_between(self.max_items, "max_items", 0))
        if self.may_ask is not None:
            object.__setattr__(self, "may_ask", _names(self.may_ask, "may_ask"))
        object.__setattr__(self, "must_not_ask", _names(self.must_not_ask, "must_not_ask"))
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
        """Whether there are wishes about trees as a whole, beyond questions that are left out."""
        return self.ask_first is not None or self.max_items is not None

    def in_words(self) -> tuple[str, ...]:
        """Return the wishes in words, in the order of the fields."""
        words = {
            "ask_first": f"{self.ask_first} asked first",
            "may_ask": f"questions about {_listed(self.may_ask or ())} only",
            "must_not_ask": f"no question about {_listed(self.must_not_ask)}",
            "max_items": f"at most {counted(self.max_items or 0, 'different item')}",
        }
        return tuple(words[name] for name in self.given)

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
            known = [each.name for each in dataclasses.fields(cls)]
            unknown = [str(name) for name in value if name not in known]
            if unknown:
                raise InputError(f"there is no wish {list_some(unknown)}; there are {', '.join(sorted(known))}.")
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


def _names(value: Any, what: str) -> tuple[str, ...]:
    if isinstance(value, str) or not isinstance(value, Iterable):
        raise InputError(f"{what} must be a list; got {in_short(value)}.")
    return tuple(checked_text(name, what) for name in value)


def _listed(names: Sequence[str]) -> str:
    return list_some(names).replace("'", "")


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
    """Return the instance with the questions that the wishes leave."""
    names = instance.feature_names
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
    if len(allowed) == len(instance.questions):
        return instance
    return dataclasses.replace(instance, **({"questions": allowed} if allowed else {"depth": 0}))


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
    few_items = wishes.max_items is None or tree.asked_items.size <= wishes.max_items
    return few_items and all(wishes.allows(question, names) for question in tree.questions)


def question_number(instance: Instance, name: str) -> int:
    """Return the number of a question that is given by its name or its item's name."""
    labels = [question.label(instance.feature_names) for question in instance.questions]
    if name not in labels:
        raise InputError(f"there is no question {name!r}; there are {list_some(labels)}.")
    return labels.index(name)
