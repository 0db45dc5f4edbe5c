"""Export to code: a Python module, a JavaScript function, and an SQL query, none of which needs Hedgerow."""

__all__ = ["to_javascript", "to_python", "to_sql"]

import math
from collections.abc import Callable, Mapping
from decimal import Decimal
from fractions import Fraction
from importlib.resources import files
from string import Template
from typing import Any, Final

from hedgerow.data.checks import in_short
from hedgerow.errors import InputError
from hedgerow.rules import RuleBook
from hedgerow.tree.questions import Question
from hedgerow.wording.numbers import WRITTEN_BY, written_number

_EXACT_POWER_OF_TEN: Final = 22
"""The largest power of ten that is a double."""


def to_python(source: Any) -> str:
    """Return a Python module whose function `advise` takes readings by name.

    Examples
    --------
    >>> from hedgerow import RuleBook, Tree
    >>> from hedgerow.export import to_python
    >>> tree = Tree.full([0], [35.0], [[1.0, 0.0], [0.0, 1.0]])
    >>> module = {}
    >>> exec(to_python(RuleBook(tree, ("bridge", "tunnel"), {"advice": ["by bridge", "by tunnel"]})), module)
    >>> module["advise"]({"bridge": 35.0})
    {'leaf': 0, 'advice': 'by bridge', 'solution': {'x1': 1.0}, 'outside': []}
    """
    book = RuleBook.of(source)
    shape = ("if {} <= {!r}:", "else:", "", "return {}", "  # ")
    return _filled(
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
    >>> tree = Tree.full([0], [35.0], [[1.0, 0.0], [0.0, 1.0]])
    >>> script = to_javascript(RuleBook(tree, ("bridge", "tunnel"), {"advice": ["by bridge", "by tunnel"]}))
    >>> 'if (reading(readings, "bridge") <= 35.0) {' in script
    True
    """
    book = RuleBook.of(source)
    shape = ("if ({} <= {!r}) {{", "}} else {{", "}}", "return {};", " // ")
    return _filled(
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


def to_sql(source: Any, *, table: str = "readings") -> str:
    """Return a query that adds leaf and advice to each row of a table, whose columns have the items' names.

    Parameters
    ----------
    source
        A fitted `RobustTree`, a `RuleBook`, or the path of a tree file.
    table
        The table with the readings.

    Examples
    --------
    >>> import sqlite3
    >>> from hedgerow import RuleBook, Tree
    >>> from hedgerow.export import to_sql
    >>> tree = Tree.full([0], [35.0], [[1.0, 0.0], [0.0, 1.0]])
    >>> query = to_sql(RuleBook(tree, ("bridge", "tunnel"), {"advice": ["by bridge", "by tunnel"]}))
    >>> database = sqlite3.connect(":memory:")
    >>> _ = database.execute("CREATE TABLE readings (day TEXT, bridge REAL)")
    >>> _ = database.execute("INSERT INTO readings VALUES ('Monday', 35.0), ('Tuesday', 36.5), ('Sunday', NULL)")
    >>> database.execute(query).fetchall()
    [('Monday', 35.0, 0, 'by bridge'), ('Tuesday', 36.5, 1, 'by tunnel'), ('Sunday', None, None, None)]
    >>> database.close()
    """
    if not table.strip():
        raise InputError(f"table must be the name of a table; got {table!r}.")
    book = RuleBook.of(source)
    _check_columns(book)
    return _filled(
        "sql",
        experience=f"-- {book.experience}\n" if book.experience else "",
        leaf=_case(book, str),
        advice=_case(book, lambda leaf: _quoted(book.plans.text(leaf), "'")),
        table=_identifier(table),
    )


def _filled(language: str, **parts: Any) -> str:
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

    return "\n".join(f"    {line}" for line in book.fold(at_leaf, at_question))


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


# -- SQL -----------------------------------------------------------------------------------------------------------


def _case(book: RuleBook, value: Callable[[int], str]) -> str:
    """Return the tree as nested CASE expressions; each leaf becomes its value."""

    def at_question(node: int, yes: list[str], no: list[str]) -> list[str]:
        question = book.asks(node)
        columns = {item: f"given.{_identifier(book.asked[item])}" for item in question.items}
        numbers = {item: f"CAST({column} AS DOUBLE PRECISION)" for item, column in columns.items()}
        number = summed(question, numbers.__getitem__, _double)
        negated = f"-{number}" if question.item is not None else f"-({number})"
        threshold = float(book.tree.threshold[node])
        not_a_number = " OR ".join(
            f"{column} <> {numbers[item]} AND typeof({column}) <> 'integer'" for item, column in columns.items()
        )
        return [
            "CASE",
            # SQLite casts any text to some number; only if the two are equal the text was one. A whole number beyond
            # 2^53 may differ from its cast as well, and is one all the same.
            f"  WHEN {not_a_number} THEN NULL",
            f"  WHEN {number} <= {_double(threshold)} THEN",
            *(f"    {line}" for line in yes),
            # x > t, written so that NaN stays out, which some databases put above all numbers; −NaN isn't below any.
            f"  WHEN {negated} < {_double(-threshold)} THEN",
            *(f"    {line}" for line in no),
            # No ELSE: NULL fails all three tests and becomes NULL.
            "END",
        ]

    return "\n".join(f"  {line}" for line in book.fold(lambda leaf: [value(leaf)], at_question))


def _double(value: float) -> str:
    """Return an expression that is this very double in every database.

    A literal has an exponent, without which some databases take it for a decimal. Where a literal might not be read to
    its last digit, the number is put together from whole numbers and powers of two, which is exact.
    """
    written = written_number(value)
    if _is_read_exactly(written, value):
        return written if "e" in written else f"{written}e0"
    return f"({_by_powers_of_two(value)} /* {written} */)"


def _is_read_exactly(written: str, value: float) -> bool:
    """Return whether one operation on exact numbers makes the value of its digits, with rounding to spare.

    SQLite rounds twice where it computes with 80 bits, and gets 672.139837 wrong: it is close to the middle between two
    doubles.
    """
    _, digits, exponent = Decimal(written).as_tuple()
    whole = int("".join(map(str, digits)))
    gap = math.ulp(math.nextafter(abs(value), 0.0))
    off = abs(Fraction(written) - Fraction(value))
    return whole <= 2**53 and abs(int(exponent)) <= _EXACT_POWER_OF_TEN and off <= Fraction(gap) * Fraction(9, 20)


def _by_powers_of_two(value: float) -> str:
    whole, below = value.as_integer_ratio()
    power = below.bit_length() - 1
    above = max(0, whole.bit_length() - 53)
    steps = [f" / {2 ** min(52, power - done)}e0" for done in range(0, power, 52)]
    steps += [f" * {2 ** min(52, above - done)}e0" for done in range(0, above, 52)]
    return f"{whole >> above}e0{''.join(steps)}"


def _identifier(name: str) -> str:
    if "\0" in name:
        raise InputError(f"SQL has no names with a null character; got {in_short(name)}.")
    return _quoted(name, '"')


def _quoted(text: str, quote: str) -> str:
    return f"{quote}{text.replace(quote, 2 * quote)}{quote}"


def _check_columns(book: RuleBook) -> None:
    """Refuse names that a database would take for one and the same column."""
    seen: dict[str, str] = {}
    for name in book.asked.values():
        other = seen.setdefault(name.lower(), name)
        if other != name:
            raise InputError(
                f"the tree asks about {in_short(other)} and {in_short(name)}, which are the same column in SQL; "
                "rename one and fit again."
            )
