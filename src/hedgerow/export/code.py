"""Export to code: a Python module and a JavaScript function, neither of which needs Hedgerow."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from importlib.resources import files
from string import Template
from typing import Any, NamedTuple, TypeAlias

from hedgerow.data.gaps import FillIns, Substitute
from hedgerow.data.text_files import IN_SCRIPTS
from hedgerow.rules import RuleBook
from hedgerow.tree.questions import ContextColumn, Question
from hedgerow.wording.numbers import WRITTEN_BY, amount, listed, printable

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


Frame: TypeAlias = tuple[list[str], list[str], list[str]]
"""Lines before, between and after the two sides of a question."""


class _Language(NamedTuple):
    """How a language is written: its constants, the calls that read a row, and what stands around code."""

    suffix: str
    comment: str
    constant: Callable[[Any], str]
    reading: str
    known: str
    is_in: str
    before: str
    between: list[str]
    after: list[str]
    leaf: str


def to_python(book: RuleBook) -> str:
    """Return a Python module whose function `advise` takes readings by name."""
    return _written(book, _PYTHON)


def to_javascript(book: RuleBook) -> str:
    """Return a script for web pages and Node.js that defines the function `advise`, which takes readings by name."""
    return _written(book, _JAVASCRIPT)


def _written(book: RuleBook, language: _Language) -> str:
    inputs, constant = inputs_of(book), language.constant
    names = {item: constant(given.name) for item, given in inputs.items()}

    def read(item: int) -> str:
        call = language.reading if inputs[item].column is None else language.known
        return call.format(name=names[item], usual=inputs[item].usual)

    def is_in(item: int, values: tuple[str, ...]) -> str:
        return language.is_in.format(name=names[item], values=constant(values))

    def frame(question: Question, threshold: float) -> Frame:
        asked = condition(question, repr(threshold), read, is_in)
        return [language.before.format(asked)], language.between, language.after

    def at_leaf(leaf: int) -> str:
        totals = ", ".join(totals_in_code(book, leaf, read))
        basis = f"{language.comment} based on {book.basis(leaf)}" if book.basis(leaf) else ""
        return f"{language.leaf.format(f'{book.tree.first_row[leaf]}, [{totals}]')}{basis}"

    fill_ins, plans = book.fill_ins, book.plans
    constants = {
        "asked": tuple(dict.fromkeys(given.name for given in inputs.values())),
        "usual": {} if fill_ins is None else dict(fill_ins.typical),
        "substitutes": {} if fill_ins is None else _pairs(fill_ins),
        "sign": -1.0 if book.tree.takes_largest else 1.0,
        "seen": {name: tuple(ends) for name, ends in book.ranges.items()},
        "unit": book.reading_unit,
        "advice_of_row": tuple(plans.of_leaf.tolist()),
        "leaf_of_row": tuple(book.tree.leaf_of.tolist()),
    }
    advice = [f"    {constant((words, tuple(plans.entries(plan).items())))}," for plan, words in enumerate(plans.words)]
    return filled_template(
        language.suffix,
        notes="".join(f"{language.comment.strip()} {_letters(note)}\n" for note in gap_notes(book, inputs)),
        advice="\n".join(advice),
        rules=nested(book, at_leaf, frame),
        **{name: constant(value) for name, value in constants.items()},
    )


def filled_template(language: str, **parts: Any) -> str:
    """Return the template of a language with its parts filled in."""
    template = files("hedgerow.export").joinpath("templates", f"advise.{language}.template")
    return Template(template.read_text(encoding="utf-8")).substitute(written_by=WRITTEN_BY, **parts)


def nested(book: RuleBook, leaf: Callable[[int], str], frame: Callable[[Question, float], Frame]) -> str:
    """Return the tree as nested conditions: the one walk of all languages.

    `leaf` returns the line of a leaf, and `frame` the lines around the two sides of a question and its threshold.
    """

    def at_question(node: int, yes: list[str], no: list[str]) -> list[str]:
        before, between, after = frame(*book.tree.split(node)[:2])
        return [*before, *_indented(yes), *between, *_indented(no), *after]

    return "\n".join(_indented(book.tree.fold(lambda number: [leaf(number)], at_question)))


def _pairs(fill_ins: FillIns) -> dict[str, tuple[tuple[str, float], ...]]:
    return {name: tuple((other.name, other.added) for other in others) for name, others in fill_ins.substitutes.items()}


def _indented(lines: list[str]) -> list[str]:
    return [f"    {line}" for line in lines]


def _in_javascript(value: Any) -> str:
    """Return a text, a number, a list, or the entries of a mapping as JavaScript writes it."""
    entries = [*value.items()] if isinstance(value, Mapping) else value
    return json.dumps(entries, ensure_ascii=False).translate(IN_SCRIPTS)


def _letters(text: str) -> str:
    """Return letters that end no line, no script element and no comment."""
    return printable(text).translate(IN_SCRIPTS)


_PYTHON = _Language(
    suffix="py",
    comment="  #",
    constant=repr,
    reading="_reading(readings, {name})",
    known="_known(readings, {name}, {usual!r})",
    is_in="_text(readings, {name}) in {values}",
    before="if {}:",
    between=["else:"],
    after=[],
    leaf="return {}",
)
_JAVASCRIPT = _Language(
    suffix="js",
    comment=" //",
    constant=_in_javascript,
    reading="reading(readings, {name})",
    known="known(readings, {name}, {usual!r})",
    is_in="{values}.includes(text(readings, {name}))",
    before="if ({}) {{",
    between=["} else {"],
    after=["}"],
    leaf="return [{}];",
)
