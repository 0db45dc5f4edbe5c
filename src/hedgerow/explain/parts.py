"""What an explanation is made of: answers, ranges of readings, other advice and what leads to it, ready for JSON."""

__all__ = ["Answer", "Change", "Condition", "Counterfactual", "Encoded", "ItemRange", "Possibility", "encoded", "some"]

import dataclasses
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

from hedgerow.wording.numbers import apart, change, reading
from hedgerow.wording.questions import answer, interval


class Encoded:
    """A part of an explanation that can be written as JSON: its fields, and some of its properties."""

    __slots__ = ()
    also: ClassVar[tuple[str, ...]] = ()
    """Properties that are written beside the fields."""

    def to_dict(self) -> dict[str, Any]:
        """Return plain JSON values by name; null stands for what is infinite (no bound) or unknown."""
        names = [field.name for field in dataclasses.fields(self)]  # type: ignore[arg-type]  # every part is a dataclass
        return {name: encoded(getattr(self, name)) for name in (*names, *self.also)}


def encoded(value: Any) -> Any:
    """Return a value as plain JSON values.

    >>> from hedgerow import LocalBudget
    >>> encoded((1.5, float("inf"), "plan A", None))
    [1.5, None, 'plan A', None]
    """
    if hasattr(value, "to_dict"):
        return value.to_dict()
    if hasattr(value, "_asdict"):
        return encoded(value._asdict())
    if isinstance(value, dict):
        return {name: encoded(entry) for name, entry in value.items()}
    if isinstance(value, tuple | list):
        return [encoded(entry) for entry in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def some(lines: Sequence[Any], most: int) -> list[str]:
    """Return the first lines of a list as text, and how many follow.

    >>> some([1, 2, 3], 2)
    ['1', '2', 'and 1 more']
    """
    shown = [str(line) for line in lines[:most]]
    return shown if len(lines) <= most else [*shown, f"and {len(lines) - most:,} more"]


@dataclass(frozen=True, slots=True)
class Answer(Encoded):
    """One step on the path: a question and how the reading answers it.

    Attributes
    ----------
    item
        The item's number, counted from 0.
    name
        Its name.
    value
        What was read.
    threshold
        What it is compared with: at most this large goes left.

    Examples
    --------
    >>> from hedgerow.explain import Answer
    >>> str(Answer(0, "bridge", 36.0, 35.0))
    'bridge 36 > 35'
    """

    also: ClassVar = ("goes_left",)
    item: int
    name: str
    value: float
    threshold: float

    @property
    def goes_left(self) -> bool:
        """Whether the reading is at most the threshold."""
        return self.value <= self.threshold

    def __str__(self) -> str:
        return answer(self.name, self.value, self.threshold)


@dataclass(frozen=True, slots=True)
class ItemRange(Encoded):
    """How far one reading alone may be off: the advice stays as long as `lower < reading <= upper`.

    Attributes
    ----------
    item, name, value
        The item and what was read.
    lower, upper
        The bounds, infinite where there is none: at `lower`, and just above `upper`, other advice is given.
    leaf_below, leaf_above
        The leaves that are reached there; None where there is no bound.

    Examples
    --------
    >>> from hedgerow.explain import ItemRange
    >>> bridge = ItemRange(0, "bridge", 36.0, lower=35.0, upper=float("inf"), leaf_below=0, leaf_above=None)
    >>> str(bridge), bridge.down
    ('bridge > 35: down by less than 1', 1.0)
    """

    item: int
    name: str
    value: float
    lower: float
    upper: float
    leaf_below: int | None
    leaf_above: int | None

    @property
    def down(self) -> float:
        """How far the reading may go down: by less than this."""
        return self.value - self.lower

    @property
    def up(self) -> float:
        """How far the reading may go up: by no more than this."""
        return self.upper - self.value

    def __str__(self) -> str:
        moves = [
            *([] if math.isinf(self.lower) else [f"down by less than {change(self.down)}"]),
            *([] if math.isinf(self.upper) else [f"up by at most {change(self.up)}"]),
        ]
        return f"{interval(self.name, self.lower, self.upper)}: {' or '.join(moves)}"


@dataclass(frozen=True, slots=True)
class Change(Encoded):
    """A reading that would have to be another one.

    Attributes
    ----------
    item, name, value
        The item and what was read; NaN if nothing was.
    new_value
        The nearest value that leads elsewhere; where that must lie above a bound, a small step beyond it.
    lower, upper
        All values that do: `lower < value <= upper`.

    Examples
    --------
    >>> from hedgerow.explain import Change
    >>> change = Change(0, "bridge", 36.0, new_value=35.0, lower=-float("inf"), upper=35.0)
    >>> change.condition, str(change)
    ('bridge ≤ 35', 'bridge read as 35 instead of 36')
    """

    item: int
    name: str
    value: float
    new_value: float
    lower: float
    upper: float

    @property
    def condition(self) -> str:
        """What the reading would have to be, on the side that it is off: "bridge > 36.5"."""
        if math.isnan(self.value):
            return interval(self.name, self.lower, self.upper)
        if self.value > self.upper:
            return interval(self.name, -math.inf, self.upper)
        return interval(self.name, self.lower, math.inf)

    def __str__(self) -> str:
        if math.isnan(self.value):
            return f"{self.name} (missing) being {reading(self.new_value)}"
        new, old = apart(self.new_value, self.value)
        return f"{self.name} read as {new} instead of {old}"


@dataclass(frozen=True, slots=True)
class Counterfactual(Encoded):
    """The nearest other advice.

    Attributes
    ----------
    leaf, advice
        The leaf that gives it, and its solution in words.
    difference
        How that solution differs from the one that is advised.
    changes
        The readings that would have to be others; with their new values the tree gives this advice.
    distance
        How much that is in total: as `Explanation.radius`.
    within_limits
        Whether the uncertainty set's limits on single readings allow it.
    cost
        What that solution truly costs; None where the costs are not known.

    Examples
    --------
    >>> from hedgerow.explain import Change, Counterfactual
    >>> change = Change(0, "bridge", 36.0, new_value=36.501, lower=36.5, upper=float("inf"))
    >>> str(Counterfactual(1, "plan B", "without x1, with x2", (change,), 0.5, within_limits=True, cost=None))
    'plan B if bridge > 36.5'
    """

    leaf: int
    advice: str
    difference: str
    changes: tuple[Change, ...]
    distance: float
    within_limits: bool
    cost: float | None

    def __str__(self) -> str:
        return f"{self.advice} if {' and '.join(change.condition for change in self.changes)}"


class Condition(NamedTuple):
    """An interval that a missing reading would have to lie in: `lower < value <= upper`.

    Examples
    --------
    >>> from hedgerow.explain import Condition
    >>> Condition(0, "bridge", -float("inf"), 36.5).upper
    36.5
    """

    item: int
    name: str
    lower: float
    upper: float


@dataclass(frozen=True, slots=True)
class Possibility(Encoded):
    """What would be advised if missing readings had certain values.

    Attributes
    ----------
    leaves, advice
        The leaves that may be reached, and their solution in words: all of them hold the same.
    conditions
        The missing readings that decide, and the interval of each.
    cost
        What that solution truly costs; None where the costs are not known.

    Examples
    --------
    >>> from hedgerow.explain import Condition, Possibility
    >>> str(Possibility((0,), "plan A", (Condition(0, "bridge", -float("inf"), 36.5),), cost=None))
    'plan A if bridge ≤ 36.5'
    """

    leaves: tuple[int, ...]
    advice: str
    conditions: tuple[Condition, ...]
    cost: float | None

    def __str__(self) -> str:
        return f"{self.advice} if {' and '.join(interval(*condition[1:]) for condition in self.conditions)}"
