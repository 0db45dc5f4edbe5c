"""What an export reads: raw columns, numbers or text, and what stands in where one is missing."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from hedgerow.data.gaps import FillIns, Substitute
from hedgerow.rules import RuleBook
from hedgerow.tree.features import ContextColumn
from hedgerow.tree.questions import Question
from hedgerow.wording.numbers import amount, listed, printable

_MOST_VALUES = 12


@dataclass(frozen=True)
class Input:
    """A column of the table that an export is given.

    Attributes
    ----------
    name
        The exact name of the column.
    column
        The column of context; None for a reading.
    usual
        What stands in for a missing number if no substitute is known; None where it may not be missing.
    substitutes
        The readings that stand in for a missing one, the first that is known.
    """

    name: str
    column: ContextColumn | None = None
    usual: float | None = None
    substitutes: tuple[Substitute, ...] = ()

    @property
    def is_category(self) -> bool:
        """Whether the column holds text."""
        return self.column is not None and bool(self.column.values)


def inputs_of(book: RuleBook) -> dict[int, Input]:
    """Return the column that each reading and each feature of context that the tree asks about is read from."""
    fill_ins = book.fill_ins or FillIns({})
    inputs = {}
    for item, name in book.asked.items():
        if item < book.n_readings:
            substitutes = fill_ins.substitutes.get(name, ())
            inputs[item] = Input(name, usual=fill_ins.typical.get(name), substitutes=substitutes)
        else:
            column = book.context[item - book.n_readings].column
            inputs[item] = Input(column.name, column, None if column.values else column.typical)
    return inputs


def condition(
    question: Question,
    threshold: str,
    read: Callable[[int], str],
    is_in: Callable[[int, tuple[str, ...]], str],
    number: Callable[[float], str] = repr,
) -> str:
    """Return what leads to the left as code: the one place where a question becomes code.

    `read` returns the expression that reads a number, `is_in` the one that finds a category's text in a set, and
    `number` writes a positive number.
    """
    if question.about is not None and question.about.values:
        return is_in(question.items[0], question.about.values)
    return f"{value_in_code(question, read, number)} <= {threshold}"


def value_in_code(question: Question, read: Callable[[int], str], number: Callable[[float], str] = repr) -> str:
    """Return a question's value as an expression in a language that adds from left to right, as most do.

    `read` returns the expression that reads an item, and `number` writes a positive number. A coefficient of 1 or −1 is
    not written: x − y and x + (−1 · y) are the same float.

    >>> value_in_code(Question((0, 1, 2), (1.0, -1.0, 2.5), "a less b and c"), lambda item: "abc"[item])
    'a - b + 2.5 * c'
    """
    parts: list[str] = []
    for item, coefficient in zip(question.items, question.coefficients, strict=True):
        size = abs(coefficient)
        term = read(item) if size == 1.0 else f"{number(size)} * {read(item)}"
        sign = "-" if coefficient < 0.0 else "+"
        parts.append(f"{sign} {term}" if parts else f"{sign if coefficient < 0.0 else ''}{term}")
    return " ".join(parts)


def totals_in_code(
    book: RuleBook, leaf: int, read: Callable[[int], str], number: Callable[[float], str] = repr
) -> list[str]:
    """Return the totals of a leaf's plans, of which the first of the least is taken; none if the leaf has one plan.

    Totals of gains, of which the largest is taken, are negated: that changes nothing but the sign of a float.
    """
    card = book.tree.card(leaf)
    if card is None:
        return []
    sign, totals = (-1.0 if card.takes_largest else 1.0), list[str]()
    for read_sum, handicap in zip(card.sums, card.handicap.tolist(), strict=True):
        signed = replace(read_sum, coefficients=tuple(sign * each for each in read_sum.coefficients))
        more = [number(handicap)] if handicap or not signed.items else []
        totals.append(" + ".join([*filter(None, [value_in_code(signed, read, number)]), *more]))
    return totals


def gap_notes(book: RuleBook, inputs: Mapping[int, Input]) -> list[str]:
    """Return what columns of context hold, and what stands in for what is missing, in sentences."""
    columns = {each.column: None for each in inputs.values() if each.column is not None}
    notes = [column_in_words(column) for column in columns]
    return [*notes, *filter(None, [book.fill_ins_in_words])]


def column_in_words(column: ContextColumn) -> str:
    """Return what a column of context holds, and what stands in where it is not known."""
    name, source = printable(column.name), f", of the column {printable(column.date)}" if column.date else ""
    if column.values:
        values = listed([*map(printable, column.values)], _MOST_VALUES)
        return f'{name}: one of {values}{source}; where it is not known, "missing".'
    return f"{name}: a number{source}; if it is not known, {amount(column.typical)}."
