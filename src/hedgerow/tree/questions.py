"""What a tree may ask: named linear functions of the readings."""

__all__ = ["Question", "item_number", "item_questions", "question_from_dict", "values_of"]

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from hedgerow.data.arrays import FloatArray, frozen
from hedgerow.data.checks import finite_number, in_short, writable_text
from hedgerow.errors import InputError

_LARGEST_ITEM = np.iinfo(np.int32).max


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

    @classmethod
    def of_item(cls, item: int) -> Self:
        """Return the question about a single reading."""
        return cls((item,), (1.0,))

    @classmethod
    def of(cls, coefficients: Mapping[int, float], name: str) -> Self:
        """Return the question with these coefficients per item; coefficients of zero are left out.

        A single reading with the coefficient 1 is the question about that reading, and its item's name is used.
        """
        rule = "a question's coefficients must be finite numbers"
        terms = sorted((item_number(item), finite_number(value, rule)) for item, value in coefficients.items())
        items = tuple(item for item, value in terms if value)
        if not items:
            raise InputError(f"a question must depend on at least one reading; {in_short(name)} depends on none.")
        values = tuple(value for _, value in terms if value)
        if len(items) == 1 and values == (1.0,):
            return cls.of_item(items[0])
        if not str(name).strip():
            raise InputError(f"a question about several readings needs a name; got {in_short(name)}.")
        return cls(items, values, writable_text(str(name), "a question's name"))

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
        total: FloatArray = self.coefficients[0] * matrix[:, self.items[0]]
        for item, coefficient in zip(self.items[1:], self.coefficients[1:], strict=True):
            total += coefficient * matrix[:, item]
        return total

    def label(self, item_names: Sequence[str] | None = None) -> str:
        """Return what the question is called: its own name, or that of its item."""
        if self.name:
            return self.name
        return f"item {self.items[0]}" if item_names is None else item_names[self.items[0]]

    @property
    def compared(self) -> tuple[str, str] | None:
        """The two sides of a question called "A less B"; None for any other."""
        first, less, second = self.name.partition(" less ")
        return (first, second) if less and " less " not in second else None

    def to_dict(self) -> dict[str, Any]:
        """Return a JSON-ready description."""
        terms = zip(self.items, self.coefficients, strict=True)
        return {"name": self.name, "coefficients": {str(item): value for item, value in terms}}


def question_from_dict(description: Any, item_names: Sequence[str] | None = None) -> Question:
    """Return the question that `Question.to_dict` described; items may be given by index or by name.

    >>> question_from_dict({"name": "north less south", "coefficients": {"0": 1.0, "south": -1.0}}, ["north", "south"])
    Question(items=(0, 1), coefficients=(1.0, -1.0), name='north less south')
    """
    if not isinstance(description, Mapping) or set(description) != {"name", "coefficients"}:
        raise InputError(f'a question must have "name" and "coefficients"; got {in_short(description)}.')
    terms = description["coefficients"]
    if not isinstance(terms, Mapping):
        raise InputError(f"a question's coefficients must be given per item; got {in_short(terms)}.")
    place = {} if item_names is None else {name: index for index, name in enumerate(item_names)}
    coefficients: dict[int, float] = {}
    for key, value in terms.items():
        if isinstance(key, str) and key not in place and not (key.isascii() and key.isdigit() and len(key) < 12):
            raise InputError(f"a question reads the item {in_short(key)}, which isn't there.")
        item = place[key] if key in place else item_number(int(key) if isinstance(key, str) else key)
        if item in coefficients:
            raise InputError(f"a question must read each item once; item {item} occurs twice.")
        if item_names is not None and item >= len(item_names):
            raise InputError(f"a question reads item {item}, but there are only {len(item_names)}, counted from 0.")
        coefficients[item] = value
    name = description["name"]
    if not isinstance(name, str):
        raise InputError(f"a question's name must be text; got {in_short(name)}.")
    return Question.of(coefficients, name)


def item_questions(n_items: int) -> tuple[Question, ...]:
    """Return the questions about every single reading, in the order of the items: the paper's."""
    return tuple(map(Question.of_item, range(n_items)))


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


def item_number(item: Any) -> int:
    """Return the number of an item, counted from 0; raise `InputError` if it is none."""
    if isinstance(item, bool) or not isinstance(item, int | np.integer) or not 0 <= item <= _LARGEST_ITEM:
        raise InputError(f"an item must be a name, or an index of zero or more; got {in_short(item)}.")
    return int(item)
