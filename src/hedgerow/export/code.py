"""Export to code: a Python module and a JavaScript function, neither of which needs Hedgerow."""

import json
from collections.abc import Callable, Mapping
from importlib.resources import files
from string import Template
from typing import Any, NamedTuple, TypeAlias

from hedgerow.data.gaps import FillIns
from hedgerow.data.json_files import IN_SCRIPTS
from hedgerow.export.inputs import condition, gap_notes, inputs_of, totals_in_code
from hedgerow.rules import RuleBook
from hedgerow.tree.questions import Question
from hedgerow.wording.numbers import WRITTEN_BY, printable

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
