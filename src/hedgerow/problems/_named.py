"""What all built-in problems share: names, unit, sense and equality."""

import copy
from collections.abc import Iterable, Sequence
from typing import Any, Final, Self, TypedDict

import numpy as np

from hedgerow.data.arrays import FloatArray
from hedgerow.data.checks import finite_matrix, in_short, integer_between, unique_names, writable_text
from hedgerow.data.columns import no_column
from hedgerow.errors import InputError
from hedgerow.problem import Sense
from hedgerow.tolerances import FEASIBILITY

CUSTOM: Final = "custom"
"""The kind of a problem that can't be rebuilt from its description."""


class Units(TypedDict, total=False):
    """The units that every built-in problem takes: of its costs, and of the readings where that is another one."""

    unit: str
    reading_unit: str | None


class NamedProblem:
    """A problem with named items, a unit and a sense; its variables are the items unless a subclass says otherwise.

    Without `item_names` the items are called as `default` says, which also says how many there must be.
    """

    def __init__(
        self,
        item_names: Iterable[Any] | None,
        *,
        default: tuple[str, ...] | None = None,
        sense: Sense = "min",
        unit: str = "",
        reading_unit: str | None = None,
    ) -> None:
        self._unnamed = item_names is None
        length = None if default is None else len(default)
        self._item_names = unique_names(
            (default or ()) if item_names is None else item_names, "item_names", length=length
        )
        if not self._item_names:
            raise InputError("item_names must name at least one item; got none.")
        if not isinstance(unit, str):
            raise InputError(f'unit must be a text such as "min" or "EUR"; got {in_short(unit)}.')
        if not isinstance(reading_unit, str | None):
            raise InputError(f'reading_unit must be a text such as "EUR/MWh"; got {in_short(reading_unit)}.')
        if sense not in ("min", "max"):
            raise InputError(f'sense must be "min" or "max"; got {in_short(sense)}.')
        for text, what in ((unit, "unit"), (reading_unit or "", "reading_unit")):
            writable_text(text, what)
        self._units: Units = {"unit": unit}
        if reading_unit is not None and reading_unit != unit:
            self._units["reading_unit"] = reading_unit
        self._sense: Sense = sense

    @property
    def item_names(self) -> tuple[str, ...]:
        """Names of the uncertain items."""
        return self._item_names

    def named_after(self, columns: Sequence[str]) -> Self:
        """Return the problem with these columns of costs as names of its items, if these have no names yet.

        Examples
        --------
        >>> from hedgerow.problems import Selection
        >>> Selection(3, 1).named_after(["oak", "ash", "elm"]).item_names
        ('oak', 'ash', 'elm')
        """
        if not self._unnamed or not columns or not set(columns).isdisjoint(self._item_names):
            return self
        if len(columns) != self.n_items:
            raise InputError(
                f"{no_column('costs', self._item_names, columns)} The {self.n_items} items have no names of their own, "
                f"and {len(columns)} columns hold numbers: name the items (item_names), or leave out the other columns."
            )
        named = copy.copy(self)
        named._unnamed, named._item_names = False, unique_names(columns, "item_names")
        return named

    @property
    def variable_names(self) -> tuple[str, ...]:
        """Names of a solution's entries."""
        return self._item_names

    @property
    def sense(self) -> Sense:
        """Whether smaller ("min") or larger ("max") costs are better."""
        return self._sense

    @property
    def unit(self) -> str:
        """Unit of the costs; empty if there is none."""
        return self._units["unit"]

    @property
    def reading_unit(self) -> str:
        """Unit of what is read, such as "EUR/MWh" where costs are in EUR; that of the costs if no other was given."""
        return self._units.get("reading_unit") or self.unit

    @property
    def n_items(self) -> int:
        """Number of items."""
        return len(self._item_names)

    def check_samples(self, samples: FloatArray) -> None:
        """Raise `InputError` if the samples are not a finite matrix with one column per item."""
        finite_matrix(samples, "costs", n_columns=self.n_items, column_names=self.item_names)

    def describe(self, solution: FloatArray) -> str:
        """Return what the solution uses, such as "a, 2 × b"."""
        return ", ".join(amounts(self.variable_names, solution)) or "nothing"

    def to_dict(self) -> dict[str, Any]:
        """Return a JSON-ready description.

        This one has names, unit and sense only; a subclass that can be rebuilt adds its data under its own kind.
        """
        return self._described(CUSTOM, **{"class": type(self).__name__}, items=list(self.item_names))

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if type(self) is not type(other):
            return NotImplemented
        assert isinstance(other, NamedProblem)
        description = self.to_dict()
        # The custom description leaves out what makes the problem, so it can't prove two problems equal.
        return description["kind"] != CUSTOM and description == other.to_dict()

    def __hash__(self) -> int:
        return hash((type(self), self.item_names, self.unit, self.sense))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.n_items} items{self._options_in_words()})"

    # Helpers for subclasses.

    def _described(self, kind: str, **fields: Any) -> dict[str, Any]:
        """Return a description of this kind: the fields that are not None, then unit and sense."""
        given = {name: value for name, value in fields.items() if value is not None}
        return {"kind": kind, **given, **self._units, "sense": self.sense}

    def _options_in_words(self, default: Sense = "min") -> str:
        """Return unit and sense as they are typed, where they differ from the default."""
        unit = "".join(f", {name}={unit!r}" for name, unit in self._units.items() if unit)
        return unit if self.sense == default else f"{unit}, sense={self.sense!r}"

    def _misshapen(self, solution: FloatArray) -> str | None:
        """Return in words why `solution` is no vector of finite numbers, one per variable, or None if it is."""
        names = self.variable_names
        if np.shape(solution) != (len(names),):
            what = "items" if names == self.item_names else "variables"
            shape = np.shape(solution)
            return f"a solution has one value for each of the {len(names)} {what}; this one has shape {shape}"
        if not np.isfinite(solution).all():
            variable = int(np.argmin(np.isfinite(solution)))
            return f"the value of '{names[variable]}' is {solution[variable]}; values are finite numbers"
        return None

    def _signed(self, costs: FloatArray) -> FloatArray:
        return costs if self.sense == "min" else -costs


class AllOrNothing(NamedProblem):
    """A problem over zeros and ones: a subclass says what else is wrong with a solution, and may name a feasible one.

    `_used` and `_thing` are the words for a variable that is 1.
    """

    _used, _thing = "used", "an item"

    def _fault(self, chosen: FloatArray) -> str | None:
        """Return why a vector of zeros and ones is not feasible, in words, or None if it is."""
        raise NotImplementedError

    def _in_words(self, chosen: FloatArray) -> str:
        """Return a feasible solution in words."""
        return super().describe(chosen)

    def infeasibility(self, solution: FloatArray) -> str | None:
        """Return why the solution is not feasible, in words, or None if it is."""
        misshapen = self._misshapen(solution)
        if misshapen is not None:
            return misshapen
        whole = np.rint(solution)
        wrong = (np.abs(solution - whole) > FEASIBILITY) | (whole < 0.0) | (whole > 1.0)
        if not wrong.any():
            return self._fault(whole)
        place = int(np.argmax(wrong))
        times = f"'{self.variable_names[place]}' is {self._used} {solution[place]:g} times"
        return f"{times}; {self._thing} is {self._used} once or not at all"

    def describe(self, solution: FloatArray) -> str:
        """Return the solution in words."""
        feasible = self.infeasibility(solution) is None
        return self._in_words(np.rint(solution)) if feasible else super().describe(solution)


def numbered(n_items: int, letter: str = "x") -> tuple[str, ...]:
    """Return the names x1, x2, … for items without names."""
    return tuple(f"{letter}{number}" for number in range(1, n_items + 1))


def named_or_numbered(things: int | Iterable[Any], what: str, letter: str, most: int | None = None) -> tuple[str, ...]:
    """Return the names of things that are given by their names, or by how many there are."""
    if isinstance(things, Iterable):
        return unique_names(things, what)
    return numbered(integer_between(things, f"the number of {what}", 1, most), letter)


def amounts(names: Sequence[str], values: FloatArray) -> list[str]:
    """Return what is used, and how much of it where that is not 1: "a", "2 × b"."""
    return [
        name if _amount(value) == "1" else f"{_amount(value)} × {name}"
        for name, value in zip(names, values.tolist(), strict=True)
        if abs(value) > FEASIBILITY
    ]


def _amount(value: float) -> str:
    whole = round(value)
    return str(whole) if abs(value - whole) <= FEASIBILITY else f"{value:.6g}"
