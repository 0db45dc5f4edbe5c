"""Export to code: a Python module and a JavaScript function, neither of which needs Hedgerow."""

__all__ = ["filled_template", "nested", "to_javascript", "to_python", "value_in_code"]

from collections.abc import Callable, Mapping
from importlib.resources import files
from string import Template
from typing import Any, TypeAlias

from hedgerow.rules import RuleBook
from hedgerow.tree.questions import Question
from hedgerow.wording.numbers import WRITTEN_BY

Frame: TypeAlias = tuple[list[str], list[str], list[str]]
"""Lines before, between and after the two sides of a question."""


def to_python(book: RuleBook) -> str:
    """Return a Python module whose function `advise` takes readings by name."""

    def frame(question: Question, threshold: float) -> Frame:
        value = value_in_code(question, lambda item: f"_reading(readings, {book.asked[item]!r})")
        return [f"if {value} <= {threshold!r}:"], ["else:"], []

    return filled_template(
        "py",
        asked=repr(tuple(book.asked.values())),
        seen=repr({name: tuple(ends) for name, ends in book.ranges.items()}),
        unit=repr(book.reading_unit),
        advice="\n".join(
            f"    ({words!r}, {book.plans.entries(plan)!r})," for plan, words in enumerate(book.plans.words)
        ),
        advice_of_leaf=repr(tuple(book.plans.of_leaf.tolist())),
        rules=nested(book, lambda leaf: f"return {leaf}{_basis(book, leaf, '  #')}", frame),
    )


def to_javascript(book: RuleBook) -> str:
    """Return a script for web pages and Node.js that defines the function `advise`, which takes readings by name."""

    def frame(question: Question, threshold: float) -> Frame:
        value = value_in_code(question, lambda item: f"reading(readings, {_literal(book.asked[item])})")
        return [f"if ({value} <= {threshold!r}) {{"], ["} else {"], ["}"]

    return filled_template(
        "js",
        advice="\n".join(
            f"    {{ text: {_literal(words)}, solution: {_object(book.plans.entries(plan))} }},"
            for plan, words in enumerate(book.plans.words)
        ),
        advice_of_leaf=book.plans.of_leaf.tolist(),
        rules=nested(book, lambda leaf: f"return {leaf};{_basis(book, leaf, ' //')}", frame),
        asked=f"[{', '.join(map(_literal, book.asked.values()))}]",
        seen=_object(book.ranges),
        unit=_literal(book.reading_unit),
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


def _indented(lines: list[str]) -> list[str]:
    return [f"    {line}" for line in lines]


def _basis(book: RuleBook, leaf: int, comment: str) -> str:
    return f"{comment} based on {book.basis(leaf)}" if book.basis(leaf) else ""


# -- JavaScript ----------------------------------------------------------------------------------------------------


def _object(entries: Mapping[str, object]) -> str:
    # Names in brackets are keys like any other; without, "__proto__" would be none.
    inner = ", ".join(f"[{_literal(name)}]: {value!r}" for name, value in entries.items())
    return f"{{ {inner} }}" if inner else "{}"


def _literal(text: str) -> str:
    """Return a string literal that also ends no script element and opens no comment where it stands in a page."""
    letters = (sign if sign.isprintable() and sign not in '"\\<>&' else f"\\u{{{ord(sign):x}}}" for sign in text)
    return f'"{"".join(letters)}"'
