"""Export to code: a Python module and a JavaScript function, neither of which needs Hedgerow."""

__all__ = ["filled_template", "summed", "to_javascript", "to_python"]

from collections.abc import Callable, Mapping
from importlib.resources import files
from string import Template
from typing import Any

from hedgerow.rules import RuleBook
from hedgerow.tree.questions import Question
from hedgerow.wording.numbers import WRITTEN_BY


def to_python(source: Any) -> str:
    """Return a Python module whose function `advise` takes readings by name.

    Examples
    --------
    >>> from hedgerow import RuleBook, Tree
    >>> from hedgerow.export import to_python
    >>> from hedgerow.rules import Labels
    >>> tree = Tree.full([0], [35.0], [[1.0, 0.0], [0.0, 1.0]])
    >>> module = {}
    >>> exec(to_python(RuleBook(tree, ("bridge", "tunnel"), labels=Labels(advice=("by bridge", "by tunnel")))), module)
    >>> module["advise"]({"bridge": 35.0})
    {'leaf': 0, 'advice': 'by bridge', 'solution': {'x1': 1.0}, 'outside': []}
    """
    book = RuleBook.of(source)
    shape = ("if {} <= {!r}:", "else:", "", "return {}", "  # ")
    return filled_template(
        "py",
        asked=repr(tuple(book.asked.values())),
        seen=repr({name: tuple(ends) for name, ends in book.ranges.items()}),
        unit=repr(book.reading_unit),
        advice="\n".join(
            f"    ({words!r}, {book.plans.entries(plan)!r})," for plan, words in enumerate(book.plans.words)
        ),
        advice_of_leaf=repr(tuple(book.plans.of_leaf.tolist())),
        rules=_branches(book, shape, lambda item: f"_reading(readings, {book.asked[item]!r})"),
    )


def to_javascript(source: Any) -> str:
    """Return a script for web pages and Node.js that defines the function `advise`, which takes readings by name.

    Examples
    --------
    >>> from hedgerow import RuleBook, Tree
    >>> from hedgerow.export import to_javascript
    >>> from hedgerow.rules import Labels
    >>> tree = Tree.full([0], [35.0], [[1.0, 0.0], [0.0, 1.0]])
    >>> script = to_javascript(RuleBook(tree, ("bridge", "tunnel"), labels=Labels(advice=("by bridge", "by tunnel"))))
    >>> 'if (reading(readings, "bridge") <= 35.0) {' in script
    True
    """
    book = RuleBook.of(source)
    shape = ("if ({} <= {!r}) {{", "}} else {{", "}}", "return {};", " // ")
    return filled_template(
        "js",
        advice="\n".join(
            f"    {{ text: {_literal(words)}, solution: {_object(book.plans.entries(plan))} }},"
            for plan, words in enumerate(book.plans.words)
        ),
        advice_of_leaf=book.plans.of_leaf.tolist(),
        rules=_branches(book, shape, lambda item: f"reading(readings, {_literal(book.asked[item])})"),
        asked=f"[{', '.join(map(_literal, book.asked.values()))}]",
        seen=_object(book.ranges),
        unit=_literal(book.reading_unit),
    )


def filled_template(language: str, **parts: Any) -> str:
    """Return the template of a language with its parts filled in."""
    template = files("hedgerow.export").joinpath("templates", f"advise.{language}.template")
    return Template(template.read_text(encoding="utf-8")).substitute(written_by=WRITTEN_BY, **parts)


def _branches(book: RuleBook, shape: tuple[str, ...], read: Callable[[int], str]) -> str:
    """Return the tree as nested conditions; the shape is their lines: if, else, end, return, and a comment's sign."""
    head, otherwise, end, at_end, comment = shape
    indent = "    " if not end else "  "

    def at_leaf(leaf: int) -> list[str]:
        basis = book.basis(leaf)
        return [at_end.format(leaf) + (f"{comment}based on {basis}" if basis else "")]

    def at_question(node: int, yes: list[str], no: list[str]) -> list[str]:
        asked = head.format(summed(book.asks(node), read), float(book.tree.threshold[node]))
        below = ([f"{indent}{line}" for line in lines] for lines in (yes, no))
        return [asked, *next(below), otherwise.format(), *next(below), *([end.format()] if end else [])]

    return "\n".join(f"    {line}" for line in book.tree.fold(at_leaf, at_question))


def summed(question: Question, read: Callable[[int], str], number: Callable[[float], str] = repr) -> str:
    """Return a question's value as an expression in a language that adds from left to right, as most do.

    `read` returns the expression that reads an item, and `number` writes a positive number. A coefficient of 1 or −1 is
    not written: x − y and x + (−1 · y) are the same float.

    >>> summed(Question((0, 1, 2), (1.0, -1.0, 2.5), "a less b and c"), lambda item: "abc"[item])
    'a - b + 2.5 * c'
    """
    parts: list[str] = []
    for item, coefficient in zip(question.items, question.coefficients, strict=True):
        size = abs(coefficient)
        term = read(item) if size == 1.0 else f"{number(size)} * {read(item)}"
        sign = "-" if coefficient < 0.0 else "+"
        parts.append(f"{sign} {term}" if parts else f"{sign if coefficient < 0.0 else ''}{term}")
    return " ".join(parts)


# -- JavaScript ----------------------------------------------------------------------------------------------------


def _object(entries: Mapping[str, object]) -> str:
    # Names in brackets are keys like any other; without, "__proto__" would be none.
    inner = ", ".join(f"[{_literal(name)}]: {value!r}" for name, value in entries.items())
    return f"{{ {inner} }}" if inner else "{}"


def _literal(text: str) -> str:
    """Return a string literal that also ends no script element and opens no comment where it stands in a page."""
    letters = (sign if sign.isprintable() and sign not in '"\\<>&' else f"\\u{{{ord(sign):x}}}" for sign in text)
    return f'"{"".join(letters)}"'
