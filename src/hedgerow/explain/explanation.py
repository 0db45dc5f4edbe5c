"""The explanation of one observation: values that can be read, printed, and written as JSON."""

__all__ = ["Explanation"]

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from hedgerow.explain.parts import Answer, Counterfactual, Encoded, ItemRange, Possibility, some
from hedgerow.tolerances import VALUE
from hedgerow.wording.numbers import amount, change, listed

_SHOWN = 12
"""Most lines of a list in the text; the values hold all of them."""

_FEW = 3
"""Most names in a sentence."""

_WIDTH = 12
"""Width of the column of headings in the text."""


@dataclass(frozen=True, slots=True)
class Explanation(Encoded):
    """Why an observation gets its advice, how good that is, and how wrong the readings may be before it changes.

    Attributes
    ----------
    observation
        The observation's number, counted from 0.
    label
        What people call it.
    path
        The questions on the way through the tree, up to the first one whose reading is missing.
    missing
        Names of the items that the tree asks about and that have no reading.
    leaves
        The leaves that may be reached: one, unless readings are missing.
    advice
        The advised solution in words; None where it depends on missing readings.
    comparison
        For a solution that is too long to be shown: how it differs from the most similar other one. Else empty.
    possible
        Where the advice depends on missing readings: what may be advised, and what decides.
    cost, best
        What the advised solution truly costs, and the best of all solutions; None where the costs are not known.
    unread
        Names of the items without which `cost` and `best` aren't known, where the readings are the costs; else empty.
    outside
        Readings that lie beyond all of the training data, with what was seen of each.
    radius
        The stability radius: misreadings that total less than this never change the advice, and beyond it, by however
        little, some do. The total is Σ w_i · |change of reading i| with the prices w of the uncertainty set, 1 where it
        has none. Only misreadings within the set's limits count, if it has limits. Infinite if no such misreading leads
        to other advice, None where the advice depends on missing readings. Missing readings may be anything.
    items
        Per item that can change the advice alone the range in which it doesn't; of any other the reading may be
        anything. Limits are not considered.
    counterfactual
        The nearest other advice; None if there is no other.
    protected
        Whether no misreading within the uncertainty set's budget leads to other advice; None if there is no budget, or
        none for this observation. A budget that all samples share is then taken to go into this one alone.
    budget_is_shared
        Whether the budget is one for all samples together.
    weighted
        Whether totals weigh readings by the prices of the uncertainty set.
    unit, maximises
        Unit of the costs, and whether they are gains.
    reading_unit
        Unit of what the tree asks about; empty where it is not known.

    Examples
    --------
    >>> from hedgerow import RuleBook, Tree
    >>> from hedgerow.explain import explain
    >>> tree = Tree.full([0], [35.0], [[1, 0], [0, 1]])
    >>> (found,) = explain(RuleBook(tree, ("bridge", "tunnel")), [[36.0, 30.0]])
    >>> found.leaf, found.radius, found.counterfactual.leaf
    (1, 1.0, 0)
    """

    also: ClassVar = ("leaf", "regret", "sense", "advice_can_change")
    observation: int
    label: str
    path: tuple[Answer, ...]
    missing: tuple[str, ...]
    leaves: tuple[int, ...]
    advice: str | None
    comparison: str
    possible: tuple[Possibility, ...]
    cost: float | None
    best: float | None
    unread: tuple[str, ...]
    outside: tuple[str, ...]
    radius: float | None
    items: tuple[ItemRange, ...]
    counterfactual: Counterfactual | None
    protected: bool | None
    budget_is_shared: bool
    weighted: bool
    unit: str
    maximises: bool
    reading_unit: str

    @property
    def leaf(self) -> int | None:
        """The leaf that is reached; None if missing readings leave several."""
        return self.leaves[0] if len(self.leaves) == 1 else None

    @property
    def regret(self) -> float | None:
        """How much worse than the best possible the advised solution is, zero or more; None if that is not known."""
        return None if self.cost is None or self.best is None else abs(self.cost - self.best)

    @property
    def sense(self) -> str:
        """Whether costs are to be small ("min") or gains large ("max")."""
        return "max" if self.maximises else "min"

    @property
    def advice_can_change(self) -> bool | None:
        """Whether some misreading leads to other advice; None where the advice depends on missing readings."""
        return None if self.radius is None else math.isfinite(self.radius)

    @property
    def regret_in_words(self) -> str:
        """The regret with its unit, zero where it is mere rounding; "?" if it is not known."""
        if self.regret is None or self.best is None:
            return "?"
        return "0" if self.regret <= VALUE * max(1.0, abs(self.best)) else amount(self.regret, self.unit)

    def to_text(self) -> str:
        """Return the explanation for a terminal: plain text, one fact per line."""
        gaps = [f"no reading of {listed(self.missing, _SHOWN)}"] if self.missing else []
        parts = [("because", [", ".join([*map(str, self.path), *gaps]) or "the tree asks nothing"])]
        if self.outside:
            parts.append(("outside", [f"experience: {listed(self.outside, _FEW)}"]))
        if self.advice is None:
            cases = [f"{case}  ({self._leaf_and_cost(case.leaves, case.cost)})" for case in self.possible]
            parts += [("advice", [f"depends on what is missing ({len(cases)} cases)", *some(cases, _SHOWN)])]
        else:
            whatever = ", whatever is missing" if len(self.leaves) > 1 else ""
            parts += [
                ("advice", [f"{self.advice}  ({self._leaf_and_cost(self.leaves, None)}{whatever})"]),
                ("compared", [self.comparison] if self.comparison else []),
                (self._cost_is_called, self._cost_in_words()),
                ("stable", [self._radius_in_words(), *self._budget_in_words()]),
                ("one alone", some(self.items, _SHOWN)),
                ("otherwise", self._counterfactual_in_words()),
            ]
        lines = ((head if not place else "", line) for head, lines in parts for place, line in enumerate(lines))
        return "\n".join([self.label, *(f"  {head:<{_WIDTH}}{line}" for head, line in lines)])

    @property
    def _cost_is_called(self) -> str:
        return "gain" if self.maximises else "cost"

    def _leaf_and_cost(self, leaves: Sequence[int], cost: float | None) -> str:
        which = f"leaf {leaves[0]}" if len(leaves) == 1 else f"leaves {listed([*map(str, leaves)], _SHOWN)}"
        return which if cost is None else f"{which}; {self._cost_is_called} {amount(cost, self.unit)}"

    def _cost_in_words(self) -> list[str]:
        if self.cost is None:
            return [f"not known without a reading of {listed(self.unread, _FEW)}"] if self.unread else []
        text = amount(self.cost, self.unit)
        if self.best is None:
            return [text]
        if self.regret_in_words == "0":
            return [f"{text}, the best possible"]
        side = "less" if self.maximises else "more"
        return [f"{text}, {self.regret_in_words} {side} than the best possible ({amount(self.best, self.unit)})"]

    def shift_in_words(self, total: float) -> str:
        """Return how far readings move in total, with their unit; with prices it is no longer the readings'."""
        return change(total, "" if self.weighted else self.reading_unit)

    def _radius_in_words(self) -> str:
        other = self.counterfactual
        if other is None:
            return "always: every leaf that can be reached holds this solution"
        if not other.within_limits:
            return "always: no misreading within the limits on single readings leads to another solution"
        if other.distance == 0.0:
            return "not at all: a reading lies on a threshold, and the slightest error leads to another solution"
        distance = self.shift_in_words(other.distance)
        weighted = ", each weighted by its price" if self.weighted else ""
        return f"as long as readings are wrong by less than {distance} in total{weighted}"

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
        lines = [f"{other}  ({self._leaf_and_cost((other.leaf,), other.cost)})", ", ".join(map(str, other.changes))]
        return [*lines, f"that is {other.difference}"] if self.comparison else lines
