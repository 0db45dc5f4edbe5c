"""The explanation of the advice for one row: values that can be read, printed, and written as JSON."""

__all__ = ["Condition", "Explanation", "Explanations", "OtherAdvice", "json_values", "some"]

import dataclasses
import math
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, Any

from hedgerow.problem import Sense
from hedgerow.tolerances import VALUE
from hedgerow.wording.numbers import amount, change, listed, reading
from hedgerow.wording.questions import Phrase

if TYPE_CHECKING:
    import pandas as pd

_SHOWN = 12
"""Most lines of a list in the text; the values hold all of them."""

_FEW = 3
"""Most names in a sentence."""

_WIDTH = 12
"""Width of the column of headings in the text."""


@dataclass(frozen=True, slots=True)
class Condition:
    """What a reading is, or would have to be: `lower < reading <= upper`.

    Attributes
    ----------
    item, name
        The item's number, counted from 0, and its name; −1 stands for a question about several items.
    lower, upper
        The bounds, infinite where there is none.
    value
        What was read; NaN if nothing was.
    new_value
        Where the condition doesn't hold: the nearest value for which it does; where that must lie above a bound, a
        small step beyond it. NaN where it holds.
    is_flag
        Whether the reading is 0 for no and 1 for yes.

    Examples
    --------
    >>> from hedgerow.explain import Condition
    >>> bridge = Condition(0, "bridge", -float("inf"), 35.0, value=36.0, new_value=35.0)
    >>> str(bridge), bridge.change
    ('bridge ≤ 35', 'bridge read as 35 instead of 36')
    """

    item: int
    name: str
    lower: float
    upper: float
    value: float = math.nan
    new_value: float = math.nan
    is_flag: bool = False

    def __str__(self) -> str:
        """Return the condition; of two bounds only the one that the reading is beyond."""
        if self.lower == self.upper:
            return f"{self.name} = {reading(self.upper)}"
        lower = -math.inf if self.value > self.upper else self.lower
        upper = math.inf if self.value <= self.lower else self.upper
        return Phrase(self.name, is_flag=self.is_flag).between(lower, upper)

    @property
    def answer(self) -> str:
        """How the reading answers the question: "bridge 36 > 35"."""
        threshold = self.lower if math.isinf(self.upper) else self.upper
        return Phrase(self.name, is_flag=self.is_flag).answer(self.value, threshold)

    @property
    def room(self) -> str:
        """How far the reading may move while the condition holds: "bridge > 35: down by less than 1"."""
        if self.is_flag:
            return str(self)
        down = [] if math.isinf(self.lower) else [f"down by less than {change(self.value - self.lower)}"]
        up = [] if math.isinf(self.upper) else [f"up by at most {change(self.upper - self.value)}"]
        return f"{self}: {' or '.join([*down, *up])}"

    @property
    def change(self) -> str:
        """What would make the condition hold: "bridge read as 35 instead of 36"."""
        return Phrase(self.name, is_flag=self.is_flag).misreading(self.value, self.new_value)


@dataclass(frozen=True, slots=True)
class OtherAdvice:
    """What is advised if readings are others, or if missing ones have certain values.

    Attributes
    ----------
    leaves, advice
        The leaves that give it, and their solution in words: all of them hold the same.
    conditions
        The readings that would have to be others, or that are missing, and what they would have to be.
    cost
        What that solution truly costs; None where the costs are not known.
    distance
        How much readings would have to change in total: as `Explanation.radius`; 0 for missing ones.
    within_limits
        Whether the uncertainty set's limits on single readings allow it.

    Examples
    --------
    >>> from hedgerow.explain import Condition, OtherAdvice
    >>> str(OtherAdvice((1,), "plan B", (Condition(0, "bridge", 36.5, float("inf"), 36.0, 36.501),), cost=None))
    'plan B if bridge > 36.5'
    """

    leaves: tuple[int, ...]
    advice: str
    conditions: tuple[Condition, ...]
    cost: float | None
    distance: float = 0.0
    within_limits: bool = True

    @property
    def leaf(self) -> int:
        """The first of the leaves."""
        return self.leaves[0]

    def __str__(self) -> str:
        return f"{self.advice} if {' and '.join(map(str, self.conditions))}"


@dataclass(frozen=True, slots=True, repr=False)
class Explanation:
    """Why a row gets its advice, how good that is, and how wrong the readings may be before it changes.

    `print` shows it in words, `summary` is one sentence, `to_dict` returns plain JSON values.

    Attributes
    ----------
    label
        What people call the row.
    path
        The questions on the way through the tree, up to the first one whose reading is missing.
    missing
        Names of the items that the tree asks about and that have no reading.
    leaves
        The leaves that may be reached: one, unless readings are missing.
    advice
        The advised solution in words; None where it depends on missing readings.
    possible
        Where the advice depends on missing readings: what may be advised, and what decides.
    cost, best
        What the advised solution truly costs, and the best of all solutions; None where the costs are not known.
    outside
        Readings that lie beyond all of the training data, with what was seen of each.
    radius
        The stability radius: misreadings that total less than this never change the advice, and beyond it, by however
        little, some do. The total is Σ w_i · |change of reading i| with the prices w of the uncertainty set, 1 where it
        has none. Only misreadings within the set's limits count, if it has limits. Infinite if no such misreading leads
        to other advice, None where the advice depends on missing readings. Missing readings may be anything.
    items
        Per item that can change the advice alone the range in which it doesn't. Limits are not considered.
    counterfactual
        The nearest other advice; None if there is no other.
    protected
        Whether no misreading within the uncertainty set's budget leads to other advice; None if there is no budget, or
        none for this row. A budget that all samples share is then taken to go into this one alone.
    budget_is_shared
        Whether the budget is one for all samples together.
    weighted
        Whether totals weigh readings by the prices of the uncertainty set.
    unit, reading_unit
        Unit of the costs, and of what the tree asks about; empty where it is not known.
    sense
        Whether costs are to be small ("min") or gains large ("max").

    Examples
    --------
    >>> from hedgerow import RuleBook, Tree
    >>> from hedgerow.explain import explain
    >>> tree = Tree.full([0], [35.0], [[1, 0], [0, 1]])
    >>> (day,) = explain(RuleBook(tree, ("bridge", "tunnel")), [[36.0, 30.0]])
    >>> day.leaf, day.radius, day.counterfactual.leaf
    (1, 1.0, 0)
    >>> day
    Explanation('row 0', leaf=1, radius=1)
    """

    label: str
    path: tuple[Condition, ...]
    missing: tuple[str, ...]
    leaves: tuple[int, ...]
    advice: str | None
    possible: tuple[OtherAdvice, ...]
    cost: float | None
    best: float | None
    outside: tuple[str, ...]
    radius: float | None
    items: tuple[Condition, ...]
    counterfactual: OtherAdvice | None
    protected: bool | None
    budget_is_shared: bool
    weighted: bool
    unit: str
    reading_unit: str
    sense: Sense

    @property
    def leaf(self) -> int | None:
        """The leaf that is reached; None if missing readings leave several."""
        return self.leaves[0] if len(self.leaves) == 1 else None

    @property
    def regret(self) -> float | None:
        """How much worse than the best possible the advised solution is, zero or more; None if that is not known."""
        return None if self.cost is None or self.best is None else abs(self.cost - self.best)

    @property
    def advice_can_change(self) -> bool | None:
        """Whether some misreading leads to other advice; None where the advice depends on missing readings."""
        return None if self.radius is None else math.isfinite(self.radius)

    def to_dict(self) -> dict[str, Any]:
        """Return plain JSON values by name; null stands for what is infinite (no bound) or unknown."""
        more = {name: getattr(self, name) for name in ("leaf", "regret", "advice_can_change")}
        values: dict[str, Any] = json_values({**dataclasses.asdict(self), **more})
        return values

    def _repr_html_(self) -> str:
        return f"<pre>{escape(str(self))}</pre>"

    def __repr__(self) -> str:
        radius = "None" if self.radius is None else f"{self.radius:g}"
        return f"Explanation({self.label!r}, leaf={self.leaf}, radius={radius})"

    @property
    def summary(self) -> str:
        """The advice, and how stable it is, in one sentence."""
        if self.advice is None:
            return f"{self.label}: the advice depends on {listed(self.missing, _FEW)}."
        return f"{self.label}: {self.advice}; stable {self._radius_in_words()}."

    def __str__(self) -> str:
        """Return the explanation for a terminal: plain text, one fact per line."""
        gaps = [f"no reading of {listed(self.missing, _SHOWN)}"] if self.missing else []
        answers = [condition.answer for condition in self.path]
        parts = [("because", [", ".join([*answers, *gaps]) or "the tree asks nothing"])]
        if self.outside:
            parts.append(("outside", [f"experience: {listed(self.outside, _FEW)}"]))
        if self.advice is None:
            cases = [f"{case}  ({self._leaf_and_cost(case.leaves, case.cost)})" for case in self.possible]
            parts += [("advice", [f"depends on what is missing ({len(cases)} cases)", *some(cases, _SHOWN)])]
        else:
            always = ", whatever is missing" if len(self.leaves) > 1 else ""
            parts += [
                ("advice", [f"{self.advice}  ({self._leaf_and_cost(self.leaves, None)}{always})"]),
                (self._cost_is_called, self._cost_in_words()),
                ("stable", [self._radius_in_words(), *self._budget_in_words()]),
                ("one alone", some([condition.room for condition in self.items], _SHOWN)),
                ("otherwise", self._counterfactual_in_words()),
            ]
        lines = ((head if not place else "", line) for head, lines in parts for place, line in enumerate(lines))
        return "\n".join([self.label, *(f"  {head:<{_WIDTH}}{line}" for head, line in lines)])

    @property
    def _cost_is_called(self) -> str:
        return "gain" if self.sense == "max" else "cost"

    def _leaf_and_cost(self, leaves: Sequence[int], cost: float | None) -> str:
        which = f"leaf {leaves[0]}" if len(leaves) == 1 else f"leaves {listed([*map(str, leaves)], _SHOWN)}"
        return which if cost is None else f"{which}; {self._cost_is_called} {amount(cost, self.unit)}"

    def _cost_in_words(self) -> list[str]:
        if self.cost is None:
            return []
        text = amount(self.cost, self.unit)
        if self.best is None:
            return [text]
        if self.regret_in_words == "0":
            return [f"{text}, the best possible"]
        side = "less" if self.sense == "max" else "more"
        return [f"{text}, {self.regret_in_words} {side} than the best possible ({amount(self.best, self.unit)})"]

    @property
    def regret_in_words(self) -> str:
        """The regret with its unit, zero where it is mere rounding; "?" if it is not known."""
        if self.regret is None or self.best is None:
            return "?"
        return "0" if self.regret <= VALUE * max(1.0, abs(self.best)) else amount(self.regret, self.unit)

    @property
    def radius_in_words(self) -> str:
        """The radius with the unit of the readings, which it doesn't have where they are weighted by prices."""
        if self.radius is None:
            return "?"
        unit = "" if self.weighted else self.reading_unit
        return change(self.radius, unit) if self.advice_can_change else "any error"

    def _radius_in_words(self) -> str:
        if not self.advice_can_change and self.counterfactual is not None:
            return "always: no misreading within the limits on single readings leads to another solution"
        if not self.advice_can_change:
            return "always: every leaf that can be reached holds this solution"
        if self.radius == 0.0:
            return "not at all: a reading lies on a threshold, and the slightest error leads to another solution"
        weighted = ", each weighted by its price" if self.weighted else ""
        return f"as long as readings are wrong by less than {self.radius_in_words} in total{weighted}"

    def _budget_in_words(self) -> list[str]:
        if self.protected is None or self.counterfactual is None:
            return []
        if not self.budget_is_shared:
            return [f"the budget that the tree was fitted for is {'not ' if self.protected else ''}enough to change it"]
        if self.protected:
            return ["all of the budget that the samples share would not be enough to change it"]
        return ["the budget that the samples share would be enough to change it if all of it went into this one"]

    def _counterfactual_in_words(self) -> list[str]:
        other = self.counterfactual
        if other is None:
            return []
        changes = ", ".join(condition.change for condition in other.conditions)
        return [f"{other}  ({self._leaf_and_cost(other.leaves, other.cost)})", changes]


class Explanations(tuple[Explanation, ...]):
    """The explanations of several rows, in order: a tuple that prints itself and becomes a table.

    Examples
    --------
    >>> from hedgerow import RuleBook, Tree
    >>> from hedgerow.explain import explain
    >>> rules = RuleBook(Tree.full([0], [35.0], [[1, 0], [0, 1]]), ("bridge", "tunnel"))
    >>> explain(rules, [[36.0, 30.0], [30.0, 30.0]]).to_frame()[["leaf", "radius"]].to_numpy().tolist()
    [[1.0, 1.0], [0.0, 5.0]]
    """

    __slots__ = ()

    def __str__(self) -> str:
        return "\n\n".join(map(str, self))

    def __repr__(self) -> str:
        return f"Explanations({len(self)} rows)"

    @property
    def summary(self) -> str:
        """One sentence per row."""
        return "\n".join(explanation.summary for explanation in self)

    def to_frame(self) -> "pd.DataFrame":
        """Return a table with a row for each explanation."""
        import pandas as pd

        rows = [
            {
                "leaf": each.leaf,
                "advice": each.advice,
                "cost": each.cost,
                "regret": each.regret,
                "radius": each.radius,
                "otherwise": "" if each.counterfactual is None else str(each.counterfactual),
            }
            for each in self
        ]
        return pd.DataFrame(rows, index=[each.label for each in self])

    def _repr_html_(self) -> str:
        html: str = self.to_frame().to_html()
        return html


def json_values(value: Any) -> Any:
    """Return what `dataclasses.asdict` returned as plain JSON values; null stands for infinite and unknown numbers.

    >>> json_values({"path": (1.5, float("inf")), "advice": "plan A"})
    {'path': [1.5, None], 'advice': 'plan A'}
    """
    if isinstance(value, dict):
        return {name: json_values(entry) for name, entry in value.items()}
    if isinstance(value, tuple | list):
        return [json_values(entry) for entry in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def some(lines: Sequence[str], most: int) -> list[str]:
    """Return the first lines of a list, and how many follow.

    >>> some(["a", "b", "c"], 2)
    ['a', 'b', 'and 1 more']
    """
    return list(lines) if len(lines) <= most else [*lines[:most], f"and {len(lines) - most:,} more"]
