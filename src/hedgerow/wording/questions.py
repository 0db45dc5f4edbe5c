"""Questions in words: what a node asks, and how a reading answers."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Self

from hedgerow.tree.questions import Question
from hedgerow.wording.numbers import apart, printable, reading

_COMPARATIVES = {
    **dict.fromkeys(("s", "sec", "min", "h", "d", "seconds", "minutes", "hours", "days"), ("quicker", "slower")),
    **dict.fromkeys(("EUR", "USD", "GBP", "CHF", "€", "$", "£", "ct", "kEUR"), ("cheaper", "more expensive")),
}


@dataclass(frozen=True)
class Phrase:
    """A question as people read it: the one place where questions, answers and misreadings are worded.

    Attributes
    ----------
    name
        What the question's value is called; of a comparison the first side.
    unit
        Unit of the value.
    compared_with
        The second side of a comparison, such as the plan B in "A less B". How it is put depends on the unit: times are
        quicker or slower, money is cheaper or more expensive, anything else is less or more.
    is_flag
        Whether the value is 0 for no and 1 for yes, so that no number has to be named.
    digits
        How numbers are written.
    values
        Of a question about a category the values that lead to the left, such as "Sat or Sun".

    Examples
    --------
    >>> street = Phrase.of(Question.of_item(1), ["bridge", "Market Street"], "min")
    >>> street.asks(9.0), street.between(9.0, math.inf), street.between(9.0, 12.0)
    ('Market Street ≤ 9 min', 'Market Street > 9 min', '9 < Market Street ≤ 12 min')
    >>> Phrase.of(Question.of({0: 1.0, 2: -1.0}, "motorway less bridge"), unit="min").asks(-2.0)
    'motorway at least 2 min quicker than bridge'
    >>> Phrase("weekday", values="Sat or Sun").between(0.5, math.inf)
    'weekday is not Sat or Sun'
    >>> night = Phrase("Ann worked at night", is_flag=True)
    >>> night.asks(0.5), night.answers(0.5), night.between(0.5, math.inf)
    ('Ann worked at night', ('no', 'yes'), 'Ann worked at night: yes')
    """

    name: str
    unit: str = ""
    compared_with: str = ""
    is_flag: bool = False
    digits: Callable[[float], str] = reading
    values: str = ""

    @classmethod
    def of(
        cls,
        question: Question,
        item_names: Sequence[str] | None = None,
        unit: str = "",
        *,
        is_flag: bool = False,
        digits: Callable[[float], str] = reading,
        name: Callable[[str], str] = printable,
    ) -> Self:
        """Return the phrase for a question; `name` writes names, and items without names are called "item 3"."""
        about = question.about
        if about is not None and about.values:
            return cls(name(about.column.name), values=name(about.values_in_words))
        first, second = question.compared or (question.label(item_names), "")
        return cls(name(first), unit, second and name(second), is_flag, digits)

    def asks(self, threshold: float) -> str:
        """Return what a node asks, without its question mark."""
        return self.name if self._is_yes_or_no(threshold) else self.between(-math.inf, threshold)

    def answers(self, threshold: float) -> tuple[str, str]:
        """Return the answers to a node's question that lead to the left and to the right."""
        return ("no", "yes") if self._is_yes_or_no(threshold) else ("yes", "no")

    def between(self, lower: float, upper: float) -> str:
        """Return `lower < value <= upper` as a statement."""
        if self.values:
            return f"{self.name} is {self.values if upper < 1.0 else f'not {self.values}'}"
        if self._is_yes_or_no(lower) or self._is_yes_or_no(upper):
            return f"{self.name}: {'no' if upper < 1.0 else 'yes'}"
        if self.compared_with:
            sides = ((lower, False), (upper, True))
            return " and ".join(self._comparison(end, at_most) for end, at_most in sides if math.isfinite(end))
        if math.isinf(lower):
            return f"any {self.name}" if math.isinf(upper) else f"{self.name} ≤ {self._amount(upper)}"
        if math.isinf(upper):
            return f"{self.name} > {self._amount(lower)}"
        low, high = apart(lower, upper, self.digits)
        return f"{low} < {self.name} ≤ {high} {self.unit}".rstrip()

    def answer(self, value: float, threshold: float) -> str:
        """Return how a value answers the question whether it is at most the threshold.

        >>> Phrase("bridge").answer(36.0, 35.0), Phrase("night shift", is_flag=True).answer(1.0, 0.5)
        ('bridge 36 > 35', 'night shift: yes')
        """
        if self.values:
            return self.between(*((-math.inf, threshold) if value <= threshold else (threshold, math.inf)))
        if self._is_yes_or_no(threshold):
            return f"{self.name}: {'no' if value <= threshold else 'yes'}"
        shown, limit = apart(value, threshold, self.digits)
        return f"{self.name} {shown} {'≤' if value <= threshold else '>'} {limit}"

    def _is_yes_or_no(self, threshold: float) -> bool:
        return self.is_flag and 0.0 <= threshold < 1.0

    def _amount(self, value: float) -> str:
        return f"{self.digits(value)} {self.unit}".rstrip()

    def _comparison(self, threshold: float, at_most: bool) -> str:
        size, other = self._amount(abs(threshold)), self.compared_with
        lower, higher = _COMPARATIVES.get(self.unit.partition("/")[0].strip(), ("less", "more"))
        if threshold == 0.0:
            return f"{self.name} {'no ' if at_most else ''}{higher} than {other}"
        if threshold < 0.0:
            return f"{self.name} {'at least' if at_most else 'less than'} {size} {lower} than {other}"
        return f"{self.name} {'at most' if at_most else 'more than'} {size} {higher} than {other}"
