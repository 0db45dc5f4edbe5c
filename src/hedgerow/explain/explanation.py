"""The explanation of the advice for one row: values that can be read, printed, and written as JSON."""

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from hedgerow.rules import RuleBook
from hedgerow.wording.numbers import amount, listed, reading

if TYPE_CHECKING:
    import pandas as pd

_SHOWN = 12
"""Most names in a line of the text; the values hold all of them."""

_FEW = 3
"""Most names in a sentence."""

_WIDTH = 12
"""Width of the column of headings in the text."""


@dataclass(frozen=True)
class Condition:
    """What a reading is, or would have to be: `lower < reading <= upper`.

    Attributes
    ----------
    item, name
        The item's number, counted from 0, and its name; −1 stands for a question about several items.
    lower, upper
        The bounds, infinite where there is none.
    words
        The condition in words.
    value
        What was read; NaN if nothing was.
    new_value
        Where the condition doesn't hold: the nearest value for which it does, where that must lie above a bound, a
        small step beyond it. NaN where it holds.

    Examples
    --------
    >>> from hedgerow.explain import Condition
    >>> inf = float("inf")
    >>> print(Condition(0, "bridge", -inf, 35.0, "bridge ≤ 35", 36.0, 35.0))
    bridge ≤ 35
    """

    item: int
    name: str
    lower: float
    upper: float
    words: str
    value: float = math.nan
    new_value: float = math.nan

    def __str__(self) -> str:
        return self.words


@dataclass(frozen=True)
class OtherAdvice:
    """What is advised if readings are others, or if missing ones have certain values.

    Attributes
    ----------
    leaf, advice
        The leaf that gives it, and its solution in words.
    conditions
        The readings that would have to be others, or that are missing, and what they would have to be.

    Examples
    --------
    >>> from hedgerow.explain import Condition, OtherAdvice
    >>> str(OtherAdvice(1, "plan B", (Condition(0, "bridge", 36.5, float("inf"), "bridge > 36.5"),)))
    'plan B if bridge > 36.5'
    """

    leaf: int
    advice: str
    conditions: tuple[Condition, ...]

    def __str__(self) -> str:
        return f"{self.advice} if {' and '.join(map(str, self.conditions))}"


@dataclass(frozen=True, repr=False)
class Explanation:
    """Why a row gets its advice, and how wrong the readings may be before it changes.

    `print` shows it in words, `summary` is one sentence, `to_dict` returns plain JSON values.

    Attributes
    ----------
    rules
        The rule book that gives the advice.
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
        Where the advice depends on missing readings: what each leaf advises that may be reached, and what leads there.
    radius
        The stability radius: misreadings that total less than this never change the advice, and beyond it, by however
        little, some do. The total is Σ w_i · |change of reading i| with the prices w of the uncertainty set, 1 where it
        has none. Only misreadings within the set's limits count, if it has limits. Infinite if no such misreading leads
        to other advice, None where the advice depends on missing readings. Missing readings may be anything.
    counterfactual
        The nearest other advice that the limits allow; where they allow none, the nearest without limits; None if all
        leaves hold the same.
    protected
        Whether the radius is larger than the budget: that of the errors that were measured, if the fit lowered it.
        None if there is no budget, or none for this row. A budget that all samples share is taken to go into this one
        alone.
    totals
        Where the leaf has several plans to choose from: the plans, and what they add up to by the readings with their
        handicaps, the best first. Empty where a reading that they need is missing.
    filled_in
        Where the advice depends on missing readings: what is advised with what the rule book puts in their place.

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

    rules: RuleBook
    label: str
    path: tuple[Condition, ...]
    missing: tuple[str, ...]
    leaves: tuple[int, ...]
    advice: str | None
    possible: tuple[OtherAdvice, ...]
    radius: float | None
    counterfactual: OtherAdvice | None
    protected: bool | None
    totals: tuple[tuple[str, float], ...] = ()
    filled_in: OtherAdvice | None = None

    @property
    def leaf(self) -> int | None:
        """The leaf that is reached; None if missing readings leave several."""
        return self.leaves[0] if len(self.leaves) == 1 else None

    def to_dict(self) -> dict[str, Any]:
        """Return plain JSON values by name; null stands for what is infinite (no bound) or unknown."""
        about = {"unit": self.rules.unit, "reading_unit": self.rules.reading_unit}
        values = {name: _json_values(value) for name, value in vars(self).items() if name != "rules"}
        return {**values, "leaf": self.leaf, **about}

    def __repr__(self) -> str:
        radius = "None" if self.radius is None else f"{self.radius:g}"
        return f"Explanation({self.label!r}, leaf={self.leaf}, radius={radius})"

    @property
    def summary(self) -> str:
        """The advice, and how stable it is, in one sentence."""
        if self.advice is None:
            filled_in = "" if self.filled_in is None else f"; filled in, it is {self.filled_in.advice}"
            return f"{self.label}: the advice depends on {listed(self.missing, _FEW)}{filled_in}."
        return f"{self.label}: {self.advice}; stable {self._stability()}."

    def __str__(self) -> str:
        """Return the explanation for a terminal: plain text, one fact per line."""
        gaps = [f"no reading of {listed(self.missing, _SHOWN)}"] if self.missing else []
        parts = [("because", [", ".join([*map(str, self.path), *gaps]) or "the tree asks nothing"])]
        if self.advice is None:
            cases = [f"{case}  (leaf {case.leaf})" for case in self.possible]
            parts.append(("advice", [f"depends on what is missing ({len(cases)} cases)", *cases]))
            if self.filled_in is not None:
                parts.append(("filled in", [f"{self.filled_in}  (leaf {self.filled_in.leaf})"]))
        else:
            where = f"leaf {self.leaf}"
            if self.leaf is None:
                where = f"leaves {listed([*map(str, self.leaves)], _SHOWN)}, whatever is missing"
            parts += [
                ("advice", [f"{self.advice}  ({where})"]),
                ("totals", self._totals()),
                ("stable", [self._stability(), *self._protection()]),
                ("otherwise", self._counterfactual()),
            ]
        lines = ((head if not place else "", line) for head, lines in parts for place, line in enumerate(lines))
        return "\n".join([self.label, *(f"  {head:<{_WIDTH}}{line}" for head, line in lines)])

    def _totals(self) -> list[str]:
        """Return the totals of the leaf's plans, and by how much the best one leads."""
        if not self.totals:
            return []
        unit, worse = self.rules.unit, "less" if self.rules.tree.takes_largest else "more"
        (plan, best), *others = self.totals
        behind = [abs(total - best) for _, total in others]
        lines = [f"{plan}: {amount(best, unit)} ({self.rules.best} by {amount(behind[0], unit)})"]
        for (other, total), more in zip(others, behind, strict=True):
            lines.append(f"{other}: {amount(total, unit)} ({amount(more, unit)} {worse})")
        return lines

    def _stability(self) -> str:
        assert self.radius is not None
        if self.radius == math.inf:
            return "always: no misreading that these rules reckon with leads to another solution"
        if self.radius == 0.0:
            return "not at all: it is on the edge, and the slightest error leads to another solution"
        is_priced = self.rules.uncertainty.prices is not None
        radius = reading(self.radius, "" if is_priced else self.rules.reading_unit, 6)
        weighted = ", each weighted by its price" if is_priced else ""
        return f"as long as readings are wrong by less than {radius} in total{weighted}"

    def _protection(self) -> list[str]:
        if self.protected is None or self.counterfactual is None:
            return []
        errors = self.rules.expected_errors_in_words
        if errors:
            return [f"{errors}: {'none of these can' if self.protected else 'such an error may'} change it"]
        enough = "would not be enough" if self.protected else "would be enough"
        return [f"if all of the budget that the samples share went into this one, it {enough} to change it"]

    def _counterfactual(self) -> list[str]:
        other = self.counterfactual
        return [] if other is None else [f"{other}  (leaf {other.leaf})"]


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

        shown = ("leaf", "advice", "radius")
        rows = [
            {**{name: getattr(each, name) for name in shown}, "otherwise": str(each.counterfactual or "")}
            for each in self
        ]
        return pd.DataFrame(rows, index=[each.label for each in self])

    def _repr_html_(self) -> str:
        html: str = self.to_frame().to_html()
        return html


def _json_values(value: Any) -> Any:
    """Return a field's value as plain JSON values; null stands for infinite and unknown numbers."""
    if isinstance(value, Condition | OtherAdvice):
        return {name: _json_values(entry) for name, entry in vars(value).items()}
    if isinstance(value, tuple):
        return [_json_values(entry) for entry in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value
