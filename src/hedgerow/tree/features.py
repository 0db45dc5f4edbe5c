"""What a tree can ask about context: a column's number, or whether its category is one of some values."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

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
