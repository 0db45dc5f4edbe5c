"""Export to code: a Python module and a JavaScript function, neither of which needs Hedgerow."""

__all__ = ["filled_template", "nested", "to_javascript", "to_python"]

from collections.abc import Callable, Iterable, Mapping
from importlib.resources import files
from string import Template
from typing import Any, TypeAlias

from hedgerow.export.inputs import Input, condition, gap_notes, inputs_of, totals_in_code
from hedgerow.rules import RuleBook
from hedgerow.tree.questions import Question
from hedgerow.wording.numbers import WRITTEN_BY

Frame: TypeAlias = tuple[list[str], list[str], list[str]]
"""Lines before, between and after the two sides of a question."""


def to_python(book: RuleBook) -> str:
    """Return a Python module whose function `advise` takes readings by name."""
    inputs = inputs_of(book)

    def read(item: int) -> str:
        given = inputs[item]
        if given.column is None:
            return f"_reading(readings, {given.name!r})"
        return f"_known(readings, {given.name!r}, {given.usual!r})"

    def is_in(item: int, values: tuple[str, ...]) -> str:
        return f"_text(readings, {inputs[item].name!r}) in {values!r}"

    def frame(question: Question, threshold: float) -> Frame:
        return [f"if {condition(question, repr(threshold), read, is_in)}:"], ["else:"], []

    def at_leaf(leaf: int) -> str:
        return f"return {_rule(book, leaf, read)}{_basis(book, leaf, '  #')}"

    return filled_template(
        "py",
        notes="".join(f"# {note}\n" for note in gap_notes(book, inputs)),
        asked=repr(tuple(_columns(inputs))),
        usual=repr({} if book.fill_ins is None else dict(book.fill_ins.typical)),
        shifted=book.fill_ins is not None and book.fill_ins.shifted,
        sign=_sign(book),
        seen=repr({name: tuple(ends) for name, ends in book.ranges.items()}),
        unit=repr(book.reading_unit),
        advice="\n".join(
            f"    ({words!r}, {book.plans.entries(plan)!r})," for plan, words in enumerate(book.plans.words)
        ),
        advice_of_row=repr(tuple(book.plans.of_leaf.tolist())),
        leaf_of_row=repr(tuple(book.tree.leaf_of.tolist())),
        rules=nested(book, at_leaf, frame),
    )


def to_javascript(book: RuleBook) -> str:
    """Return a script for web pages and Node.js that defines the function `advise`, which takes readings by name."""
    inputs = inputs_of(book)

    def read(item: int) -> str:
        given = inputs[item]
        if given.column is None:
            return f"reading(readings, {_literal(given.name)})"
        return f"known(readings, {_literal(given.name)}, {given.usual!r})"

    def is_in(item: int, values: tuple[str, ...]) -> str:
        return f"{_list(values)}.includes(text(readings, {_literal(inputs[item].name)}))"

    def frame(question: Question, threshold: float) -> Frame:
        return [f"if ({condition(question, repr(threshold), read, is_in)}) {{"], ["} else {"], ["}"]

    def at_leaf(leaf: int) -> str:
        return f"return [{_rule(book, leaf, read)}];{_basis(book, leaf, ' //')}"

    return filled_template(
        "js",
        notes="".join(f"// {_letters(note)}\n" for note in gap_notes(book, inputs)),
        advice="\n".join(
            f"    {{ text: {_literal(words)}, solution: {_object(book.plans.entries(plan))} }},"
            for plan, words in enumerate(book.plans.words)
        ),
        advice_of_row=book.plans.of_leaf.tolist(),
        leaf_of_row=book.tree.leaf_of.tolist(),
        rules=nested(book, at_leaf, frame),
        asked=_list(_columns(inputs)),
        usual=_list(() if book.fill_ins is None else book.fill_ins.typical),
        typical=[] if book.fill_ins is None else [*book.fill_ins.typical.values()],
        shifted="true" if book.fill_ins is not None and book.fill_ins.shifted else "false",
        sign=_sign(book),
        seen=_object(book.ranges),
        unit=_literal(book.reading_unit),
    )


def _columns(inputs: Mapping[int, Input]) -> dict[str, None]:
    return dict.fromkeys(given.name for given in inputs.values())


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


def _rule(book: RuleBook, leaf: int, read: Callable[[int], str]) -> str:
    """Return a leaf's first row of solutions and the totals of its plans, as Python and JavaScript both write it."""
    return f"{book.tree.first_row[leaf]}, [{', '.join(totals_in_code(book, leaf, read))}]"


def _sign(book: RuleBook) -> str:
    return "-1.0" if book.tree.takes_largest else "1.0"


def _indented(lines: list[str]) -> list[str]:
    return [f"    {line}" for line in lines]


def _basis(book: RuleBook, leaf: int, comment: str) -> str:
    return f"{comment} based on {book.basis(leaf)}" if book.basis(leaf) else ""


# -- JavaScript ----------------------------------------------------------------------------------------------------


def _object(entries: Mapping[str, object]) -> str:
    # Names in brackets are keys like any other; without, "__proto__" would be none.
    inner = ", ".join(f"[{_literal(name)}]: {value!r}" for name, value in entries.items())
    return f"{{ {inner} }}" if inner else "{}"


def _list(texts: Iterable[str]) -> str:
    return f"[{', '.join(map(_literal, texts))}]"


def _literal(text: str) -> str:
    """Return a string literal that also ends no script element and opens no comment where it stands in a page."""
    return f'"{_letters(text, quote=True)}"'


def _letters(text: str, *, quote: bool = False) -> str:
    special = "\\<>&" + ('"' if quote else "")
    return "".join(sign if sign.isprintable() and sign not in special else f"\\u{{{ord(sign):x}}}" for sign in text)
