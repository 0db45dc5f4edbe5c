"""What a tree may ask: numbers and categories of context, and named linear functions of the readings."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Self

import numpy as np

from hedgerow.data.arrays import FloatArray, frozen
from hedgerow.data.checks import checked_text, finite_number, in_short, list_some, number_array
from hedgerow.errors import InputError

IN_SET: Final = 0.5
"""The threshold of a question about a category: the feature is 0 for the values in the set, and 1 for others."""


@dataclass(frozen=True)
class ContextColumn:
    """A column of context as the fit saw it.

    Attributes
    ----------
    name
        What the column is called.
    values
        The values of a category that the fit saw; empty for a column of numbers.
    date
        The column of dates that this one is read off; empty for a column of its own.
    typical
        What stands in for a missing number: the median of the training rows.
    """

    name: str
    values: tuple[str, ...] = ()
    date: str = ""
    typical: float = 0.0


@dataclass(frozen=True)
class Feature:
    """A number that a tree asks about: that of a column, or 0 for a category that is one of some values, 1 otherwise.

    Attributes
    ----------
    column
        The column that is read.
    values
        The values of a category that lead to the left; empty for a column of numbers.

    Examples
    --------
    >>> Feature(ContextColumn("weekday", ("Fri", "Sat", "Sun")), ("Sat", "Sun")).name
    'weekday is Sat or Sun'
    """

    column: ContextColumn
    values: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """What the feature is called."""
        return f"{self.column.name} is {self.values_in_words}" if self.values else self.column.name

    @property
    def values_in_words(self) -> str:
        """The values that lead to the left, such as "Fri, Sat or Sun"."""
        first, last = self.values[:-1], self.values[-1:]
        return " or ".join(filter(None, (", ".join(first), *last)))

    def matches(self, node: Mapping[str, Any]) -> bool:
        """Return whether a node of a tree's description asks about this feature."""
        return node.get("column") == self.column.name and list(node.get("values", ())) == list(self.values)


_LARGEST_ITEM = np.iinfo(np.int32).max
_MOST_DIGITS = 12


@dataclass(frozen=True)
class Question:
    """A linear function of the readings that a node compares with its threshold: "is it at most θ?".

    Attributes
    ----------
    items
        Indices of the readings that count, in increasing order.
    coefficients
        What each of them is multiplied by; never zero.
    name
        What the value is called; empty for a single reading, which is called by its item's name.
    about
        The feature of context that the question is about; None for questions about readings.

    Examples
    --------
    >>> shortcut = Question.of({2: -1.0, 0: 1.0}, "motorway less bridge")
    >>> shortcut.items, shortcut.coefficients
    ((0, 2), (1.0, -1.0))
    >>> shortcut.values([[30.0, 5.0, 28.0]])
    array([2.])
    >>> Question.of_item(1).item, shortcut.item
    (1, None)
    """

    items: tuple[int, ...]
    coefficients: tuple[float, ...]
    name: str = ""
    about: Feature | None = None

    @classmethod
    def of_item(cls, item: int) -> Self:
        """Return the question about a single reading."""
        return cls((item,), (1.0,))

    @classmethod
    def of(cls, coefficients: Any, name: Any, item_names: Sequence[str] | None = None) -> Self:
        """Return the question with these coefficients per item, which is given by its index or its name.

        Coefficients of zero are left out. A single reading with the coefficient 1 is the question about that reading,
        and its item's name is used.

        >>> Question.of({"0": 1.0, "south": -1.0}, "north less south", ["north", "south"]).coefficients
        (1.0, -1.0)
        """
        total = cls.total(coefficients, item_names, f"the question {in_short(name)}")
        items, values = total.items, total.coefficients
        if not items:
            raise InputError(f"a question must depend on at least one reading; {in_short(name)} depends on none.")
        if values == (1.0,):
            return cls.of_item(items[0])
        if not isinstance(name, str) or not name.strip():
            raise InputError(f"a question about several readings needs a name; got {in_short(name)}.")
        return cls(items, values, checked_text(name, "a question's name"))

    @classmethod
    def total(cls, coefficients: Any, item_names: Sequence[str] | None = None, what: str = "a plan") -> Self:
        """Return the sum of items times their coefficients, which may have no terms at all and has no name.

        >>> Question.total({2: 1.0, 0: 0.5, 1: 0.0}).items
        (0, 2)
        """
        if not isinstance(coefficients, Mapping):
            raise InputError(f"the coefficients of {what} must be given per item; got {in_short(coefficients)}.")
        terms: dict[int, float] = {}
        for key, value in coefficients.items():
            item = item_number(key, item_names)
            if item in terms:
                raise InputError(f"{what} must read each item once; item {item} occurs twice.")
            terms[item] = finite_number(value, f"the coefficients of {what} must be finite numbers")
        items = tuple(sorted(item for item, value in terms.items() if value))
        return cls(items, tuple(terms[item] for item in items))

    @classmethod
    def from_dict(cls, description: Any, item_names: Sequence[str] | None = None) -> Self:
        """Return the question that `to_dict` described."""
        if not isinstance(description, Mapping) or set(description) != {"name", "coefficients"}:
            raise InputError(f'a question must have "name" and "coefficients"; got {in_short(description)}.')
        return cls.of(description["coefficients"], description["name"], item_names)

    @property
    def item(self) -> int | None:
        """The item of a question about a single reading as it is; None for any other question."""
        return self.items[0] if self.coefficients == (1.0,) else None

    def values(self, readings: Any) -> FloatArray:
        """Return the question's value for each row of readings.

        Terms are added from left to right, in the order of the items. Every reader of a tree adds in this order, so
        that all of them get the same float.
        """
        matrix = np.asarray(readings, dtype=np.float64)
        total = np.zeros(len(matrix))
        for item, coefficient in zip(self.items, self.coefficients, strict=True):
            total += coefficient * matrix[:, item]
        return total

    def label(self, item_names: Sequence[str] | None = None) -> str:
        """Return what the question is called: its own name, or that of its item."""
        if self.about is not None:
            return self.about.name
        if self.name:
            return self.name
        return f"item {self.items[0]}" if item_names is None else item_names[self.items[0]]

    @property
    def compared(self) -> tuple[str, str] | None:
        """The two sides of a question called "A less B"; None for any other."""
        first, less, second = self.name.partition(" less ")
        return (first, second) if less and " less " not in second else None

    def asked(self, threshold: float) -> dict[str, Any]:
        """Return what a node asks that compares the question with a threshold, as a tree's description has it."""
        if self.about is None:
            own = {"question": self.to_dict()} if self.item is None else {"item": self.item}
            return {**own, "threshold": threshold}
        values = self.about.values
        return {"column": self.about.column.name, **({"values": [*values]} if values else {"threshold": threshold})}

    def to_dict(self) -> dict[str, Any]:
        """Return a JSON-ready description."""
        terms = zip(self.items, self.coefficients, strict=True)
        return {"name": self.name, "coefficients": {str(item): value for item, value in terms}}


def item_questions(n_items: int) -> tuple[Question, ...]:
    """Return the questions about every single reading, in the order of the items: the paper's."""
    return tuple(map(Question.of_item, range(n_items)))


def context_questions(features: Sequence[Feature], first: int) -> tuple[Question, ...]:
    """Return the questions about features of context, which follow `first` columns of readings."""
    return tuple(Question((first + place,), (1.0,), about=feature) for place, feature in enumerate(features))


def values_of(questions: Sequence[Question], readings: FloatArray) -> FloatArray:
    """Return the questions' values, one column per question.

    Where the questions are the items themselves, in their order, this is the array of readings, not a copy.
    """
    if len(questions) == readings.shape[1] and all(question.item == place for place, question in enumerate(questions)):
        return readings
    values = np.empty((readings.shape[0], len(questions)))
    for place, question in enumerate(questions):
        values[:, place] = question.values(readings)
    return frozen(values)


def item_number(item: Any, item_names: Sequence[str] | None = None) -> int:
    """Return the number of an item, counted from 0, that is given by its name or its number; a text may hold either.

    >>> item_number("south", ["north", "south"]), item_number("0", ["north", "south"])
    (1, 0)
    """
    names = () if item_names is None else item_names
    if isinstance(item, str) and item in names:
        return list(names).index(item)
    if isinstance(item, str) and not (item.isascii() and item.isdigit() and len(item) < _MOST_DIGITS):
        known = f"there are {list_some(names)}" if names else "no names were given"
        raise InputError(f"a question reads the item {in_short(item)}, which isn't there; {known}.")
    number = int(item) if isinstance(item, str) else item
    if isinstance(number, bool) or not isinstance(number, int | np.integer) or not 0 <= number <= _LARGEST_ITEM:
        raise InputError(f"an item must be a name, or an index of zero or more; got {in_short(item)}.")
    if names and number >= len(names):
        raise InputError(f"a question reads item {number}, but there are only {len(names)}, counted from 0.")
    return int(number)


# -- several plans at one leaf -----------------------------------------------------------------------------------------


MOST_PLANS_PER_LEAF: Final = 100
"""Most plans that a card may list."""

_LARGEST: Final = "largest"
_PLAN_KEYS: Final = {"solution", "handicap", "coefficients"}


@dataclass(frozen=True)
class Card:
    """Several plans, of which the one with the best total is followed; of equally good ones the first.

    Attributes
    ----------
    solutions
        One row per plan.
    sums
        Per plan the sum over readings to which its handicap is added.
    handicap
        Per plan what makes its total worse: zero or more, the smallest zero. Gains are lowered by it.
    takes_largest
        Whether the largest total is the best one, as where plans bring gains.
    """

    solutions: FloatArray
    sums: tuple[Question, ...]
    handicap: FloatArray
    takes_largest: bool = False

    @classmethod
    def from_dict(cls, node: Mapping[str, Any], item_names: Sequence[str] | None = None) -> Self:
        """Return the card that `to_dict` described; a plan's coefficients are its solution's entries by default."""
        plans, take = node["plans"], node.get("take", _LARGEST)
        if set(node) - {"plans", "take"} or take != _LARGEST:
            raise InputError(f'a leaf with several plans must have "plans", and perhaps "take": "{_LARGEST}".')
        if not isinstance(plans, list) or not 1 <= len(plans) <= MOST_PLANS_PER_LEAF:
            raise InputError(f'"plans" must be a list of 1 to {MOST_PLANS_PER_LEAF} plans; got {in_short(plans)}.')
        solutions, sums, handicap = list[FloatArray](), list[Question](), list[float]()
        for plan in plans:
            if not isinstance(plan, Mapping) or not {"solution"} <= set(plan) <= _PLAN_KEYS:
                raise InputError(
                    f'a plan must have "solution", and perhaps "handicap" and "coefficients"; got {in_short(plan)}.'
                )
            solutions.append(solution_vector(plan["solution"]))
            handicap.append(finite_number(plan.get("handicap", 0.0), "a handicap must be a finite number"))
            given = plan.get("coefficients", dict(enumerate(solutions[-1].tolist())))
            sums.append(Question.total(given, item_names))
        if len({solution.size for solution in solutions}) > 1:
            raise InputError("the plans at a leaf must have equally many entries.")
        return cls(np.array(solutions), tuple(sums), np.array(handicap), "take" in node)

    def to_dict(self) -> dict[str, Any]:
        """Return a JSON-ready description."""
        plans = []
        for solution, total, handicap in zip(self.solutions.tolist(), self.sums, self.handicap.tolist(), strict=True):
            plan = {"solution": solution, "handicap": handicap}
            if total != Question.total(dict(enumerate(solution))):
                plan["coefficients"] = total.to_dict()["coefficients"]
            plans.append(plan)
        return {"plans": plans, **({"take": _LARGEST} if self.takes_largest else {})}


def difference(one: Question, other: Question) -> Question:
    """Return one sum less another; terms that cancel out are gone."""
    terms = dict(zip(one.items, one.coefficients, strict=True))
    for item, value in zip(other.items, other.coefficients, strict=True):
        terms[item] = terms.get(item, 0.0) - value
    return Question.total(terms)


def solution_vector(solution: Any) -> FloatArray:
    """Return a solution as a vector, or raise `InputError`."""
    vector = number_array(solution, "a leaf's solution")
    if vector.ndim != 1 or not vector.size or not np.isfinite(vector).all():
        raise InputError(f"a leaf's solution must be a list of finite numbers; got {in_short(solution)}.")
    return vector
