"""Explanations of single rows: `explain`, and what it returns, which can be read, printed, and written as JSON."""

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from hedgerow.data.arrays import BoolArray, FloatArray
from hedgerow.explain.stability import conditions_of, nearest_reading, stability
from hedgerow.rules import RuleBook
from hedgerow.rules.verbs import row_names
from hedgerow.tree.questions import Question, values_of
from hedgerow.wording.numbers import amount, listed, printable, reading

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


# -- explaining rows ---------------------------------------------------------------------------------------------------


def explain(source: Any, readings: Any) -> Explanations:
    """Explain the advice for each row: why, how stable, and what else might be advised.

    Parameters
    ----------
    source
        A fitted `RobustTree`, a `RuleBook`, or the path of a tree file.
    readings
        What is read, m × features: an array, or a DataFrame whose columns are matched by name. Missing readings
        (NaN, absent columns) are no error: the explanation then says what may be advised, and what decides. Rows are
        called by a DataFrame's index, else by their numbers.

    Returns
    -------
    One explanation per row, in order.

    Examples
    --------
    >>> from hedgerow import RuleBook, Tree
    >>> from hedgerow.datasets import motivating_example
    >>> from hedgerow.explain import explain
    >>> problem, costs = motivating_example()
    >>> tree = Tree.full([1], [6.5], [[1, 1, 0, 0], [0, 0, 1, 1]])
    >>> print(explain(RuleBook(tree, problem.item_names, problem=problem), costs[[2]]))
    row 0
      because     e2 4 ≤ 6.5
      advice      s → 1 → t  (leaf 0)
      stable      as long as readings are wrong by less than 2.5 in total
      otherwise   s → 2 → t if e2 > 6.5  (leaf 1)
    """
    book = RuleBook.of(source)
    matrix = book.reading_matrix(readings, gaps=True)
    explainer = _Explainer(book, matrix, _labels(readings, len(matrix)))
    return Explanations(map(explainer.row, range(len(matrix))))


def _labels(readings: Any, n_rows: int) -> list[str]:
    """Return what people call the rows: a DataFrame's index, else their numbers."""
    index = row_names(readings)
    if index is None or type(index).__name__ == "RangeIndex":
        return [f"row {row}" for row in range(n_rows)]
    return [printable(str(name)) for name in index]


def _changed_reading(
    book: RuleBook, item: int, value: float, new_value: float, ends: tuple[float, float] | None = None
) -> Condition:
    """Return a reading that is another one; `ends` is where it has to lie, just there if left out."""
    question = next((each for each in book.tree.questions if each.item == item), Question.of_item(item))
    phrase = book.phrase(question, reading)
    lower, upper = ends or (new_value, new_value)
    if ends is not None or phrase.is_flag or phrase.values:
        # Of two bounds the words name only the one that the reading is beyond.
        lower, upper = -math.inf if new_value < value else lower, math.inf if new_value > value else upper
    words = f"{phrase.name} = {reading(new_value, phrase.unit)}" if lower == upper else phrase.between(lower, upper)
    return Condition(item, book.names[item], lower, upper, words, value, new_value)


class _Explainer:
    """What all rows of one call share, computed for all of them at once."""

    def __init__(self, book: RuleBook, readings: FloatArray, labels: Sequence[str]) -> None:
        self._book, self._tree, self._plans = book, book.tree, book.plans
        self._readings, self._labels = readings, labels
        self._values = values_of(book.tree.questions, readings)
        # Budgets or limits of single samples of the fit are no other reading's.
        self._errors = book.errors_of_any_sample
        self._errors.check_fits(*readings.shape)
        self._gaps: BoolArray = np.isnan(readings[:, book.tree.asked_items])
        self._firm = stability(book, readings, self._errors)

    def row(self, row: int) -> Explanation:
        """Return the explanation of one row."""
        firm, names = self._firm, self._book.names
        possible = np.flatnonzero(firm.possible[row]).tolist()
        certain, advised = bool(firm.certain[row]), possible[0]
        leaves = tuple(np.unique(self._tree.leaf_of[possible]).tolist())
        return Explanation(
            rules=self._book,
            label=self._labels[row],
            path=tuple(self._path(row)),
            missing=tuple(names[item] for item in self._tree.asked_items[self._gaps[row]]),
            leaves=leaves,
            advice=self._plans.in_words(advised) if certain else None,
            possible=() if certain else tuple(self._possibility(row, each) for each in possible),
            radius=float(firm.radius[row]) if certain else None,
            counterfactual=self._counterfactual(row),
            protected=self._is_protected(row) if certain else None,
            totals=self._totals(row, leaves[0]) if len(leaves) == 1 else (),
            filled_in=None if certain else self._filled_in(row),
        )

    def _filled_in(self, row: int) -> OtherAdvice | None:
        """Return what is advised where missing readings are filled in; None where the rule book doesn't say how."""
        book, filled = self._book, self._readings[row].copy()
        missing = self._tree.asked_items[self._gaps[row]].tolist()
        if book.fill_ins is None or max(missing) >= book.n_readings:
            return None
        filled[book.items_read] = book.fill_ins.filled(filled[None, book.items_read])[0]
        conditions = tuple(_changed_reading(book, item, math.nan, float(filled[item])) for item in missing)
        return self._advice(int(self._tree.choose(np.nan_to_num(filled[None]))[0]), conditions)

    def _advice(self, advised: int, conditions: Iterable[Condition]) -> OtherAdvice:
        """Return what a row of solutions advises, under some conditions."""
        return OtherAdvice(int(self._tree.leaf_of[advised]), self._plans.in_words(advised), tuple(conditions))

    def _totals(self, row: int, leaf: int) -> tuple[tuple[str, float], ...]:
        """Return a leaf's plans and their totals by the readings, the best first; none if it has only one plan."""
        tree, rows = self._tree, self._tree.rows_at(leaf)
        readings = self._readings[row]
        if tree.card(leaf) is None or any(np.isnan(readings[list(each.items)]).any() for each in tree.sums[rows]):
            return ()
        totals = tree.totals(leaf, np.nan_to_num(readings[None]))[0]
        best_first = np.argsort(-totals if tree.takes_largest else totals, kind="stable")
        return tuple((self._plans.in_words(rows.start + place), float(totals[place])) for place in best_first.tolist())

    def _answer(self, row: int, question: Question, lower: float, upper: float) -> Condition:
        """Return `lower < value <= upper` for the value of a question: the one place where questions are judged."""
        book, value = self._book, float(self._values[row, self._tree.questions.index(question)])
        phrase = book.phrase(question, reading)
        words = phrase.between(lower, upper)
        if not math.isnan(value):
            threshold = lower if math.isinf(upper) else upper
            words = (
                f"{words} (difference {reading(value, digits=6)})"
                if question.compared
                else phrase.answer(value, threshold)
            )
        item, name = (-1 if question.item is None else question.item), printable(question.label(book.names))
        return Condition(item, name, lower, upper, words, value)

    def _path(self, row: int) -> Iterator[Condition]:
        node, tree = 0, self._tree
        while tree.is_inner[node]:
            question, threshold = self._book.asks(node), float(tree.threshold[node])
            value = self._values[row, int(tree.question[node])]
            if math.isnan(value):
                return
            goes_left = value <= threshold
            yield self._answer(row, question, *((-math.inf, threshold) if goes_left else (threshold, math.inf)))
            node = int((tree.left if goes_left else tree.right)[node])

    def _is_protected(self, row: int) -> bool | None:
        """Return whether no expected error leads to other advice; None if none is expected, or none of other rows."""
        errors = self._book.expected_errors
        if not errors.can_misread or errors.belongs_to_samples:
            return None
        return bool(self._firm.radius[row] > errors.reach(1)[0])

    def _possibility(self, row: int, advised: int) -> OtherAdvice:
        """Return what a row of solutions advises, and what of the questions on its path is not known."""
        leaf = int(self._tree.leaf_of[advised])
        answers = (self._answer(row, *interval) for interval in self._tree.intervals_at(leaf))
        unknown = tuple(answer for answer in answers if math.isnan(answer.value))
        if self._tree.card(leaf) is not None:
            best = f"it is the {self._book.best} there"
            unknown += (Condition(-1, best, -math.inf, math.inf, best),)
        return self._advice(advised, unknown)

    def _counterfactual(self, row: int) -> OtherAdvice | None:
        other = int(self._firm.other[row])
        return None if other < 0 else self._advice(other, self._changes(row, other))

    def _changes(self, row: int, other: int) -> Iterator[Condition]:
        """Yield the readings that the least change to another row alters, and missing ones that it needs."""
        errors = self._errors if math.isfinite(self._firm.radius[row]) else self._errors.replace(limits=None)
        moved = nearest_reading(self._tree, self._readings[row], other, errors)
        boxes = {question.item: (low, high) for question, low, high in conditions_of(self._tree, other)}
        boxes = {} if None in boxes else boxes
        for item in self._tree.asked_items.tolist():
            old, new = float(self._readings[row, item]), float(moved[item])
            if not math.isnan(new) and old != new:
                yield _changed_reading(self._book, item, old, new, boxes.get(item))
