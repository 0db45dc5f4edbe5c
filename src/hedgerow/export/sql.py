"""Export to SQL: a query that adds leaf and advice to each row of a table."""

__all__ = ["DIALECTS", "Dialect", "to_sql"]

import math
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Final

from hedgerow.data.checks import in_short
from hedgerow.errors import InputError
from hedgerow.export.code import Frame, filled_template, nested, value_in_code
from hedgerow.rules import RuleBook
from hedgerow.tree.questions import Question
from hedgerow.wording.numbers import written_number

_EXACT_POWER_OF_TEN: Final = 22
"""The largest power of ten that is a double."""


@dataclass(frozen=True)
class Dialect:
    """What databases don't agree on.

    Attributes
    ----------
    quote
        The sign around names.
    double
        The type of numbers in double precision.
    is_text
        Whether a column holds text that is no number, given the column and its number; such readings are missing.
    backslash
        How a backslash is written in a text.
    """

    quote: str
    double: str
    is_text: str
    backslash: str

    def name(self, name: str) -> str:
        """Return the name of a column or a table."""
        if "\0" in name:
            raise InputError(f"SQL has no names with a null character; got {in_short(name)}.")
        return f"{self.quote}{name.replace(self.quote, 2 * self.quote)}{self.quote}"

    def text(self, text: str) -> str:
        """Return a text literal."""
        return "'" + text.replace("\\", self.backslash).replace("'", "''") + "'"


DIALECTS: Final = {
    # SQLite casts any text to some number; the two are equal only if the text was one. A whole number beyond 2^53 may
    # differ from its cast as well.
    "standard": Dialect(
        quote='"',
        double="DOUBLE PRECISION",
        is_text="{column} <> {number} AND {number} BETWEEN -9e15 AND 9e15",
        backslash="\\",
    ),
    # MariaDB and MySQL cast any text to some number, too, and compare text with numbers only after such a cast.
    "mariadb": Dialect(
        quote="`",
        double="DOUBLE",
        is_text="{column} NOT REGEXP '^ *[-+]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][-+]?[0-9]+)? *$'",
        backslash="\\\\",
    ),
}
"""The dialects by name: "standard" is for SQLite, DuckDB and PostgreSQL, "mariadb" for MariaDB and MySQL."""


def to_sql(book: RuleBook, *, table: str = "readings", dialect: str = "standard") -> str:
    """Return a query that adds leaf and advice to each row of a table, whose columns have the items' names.

    The dialect is "standard" for SQLite, DuckDB and PostgreSQL, "mariadb" for MariaDB and MySQL.
    """
    if not table.strip():
        raise InputError(f"table must be the name of a table; got {table!r}.")
    if dialect not in DIALECTS:
        raise InputError(f"dialect must be one of {', '.join(DIALECTS)}; got {dialect!r}.")
    words = DIALECTS[dialect]
    _check_columns(book)
    return filled_template(
        "sql",
        experience=f"-- {book.experience}\n" if book.experience else "",
        leaf=_case(book, words, str),
        leaf_name=words.name("leaf"),
        advice=_case(book, words, lambda leaf: words.text(book.plans.text(leaf))),
        advice_name=words.name("advice"),
        table=words.name(table),
    )


def _case(book: RuleBook, dialect: Dialect, value: Callable[[int], str]) -> str:
    """Return the tree as nested CASE expressions; each leaf becomes its value."""

    def frame(question: Question, threshold: float) -> Frame:
        columns = {item: f"given.{dialect.name(book.asked[item])}" for item in question.items}
        numbers = {item: f"CAST({column} AS {dialect.double})" for item, column in columns.items()}
        texts = [dialect.is_text.format(column=columns[item], number=numbers[item]) for item in columns]
        number = value_in_code(question, numbers.__getitem__, lambda size: _double(size, dialect))
        before = [f"  WHEN {' OR '.join(texts)} THEN NULL", f"  WHEN {number} <= {_double(threshold, dialect)} THEN"]
        # x > t, written so that NaN stays out, which some databases put above all numbers; −NaN isn't below any.
        between = f"  WHEN -({number}) < {_double(-threshold, dialect)} THEN"
        # No ELSE: NULL fails all three tests and becomes NULL.
        return ["CASE", *before], [between], ["END"]

    return nested(book, value, frame)


def _double(value: float, dialect: Dialect = DIALECTS["standard"]) -> str:
    """Return an expression that, compared with a double, is this very double in every database.

    A literal has an exponent, without which some databases take it for a decimal. Where a literal might not be read to
    its last digit, the number is put together from whole numbers and powers of two, which is exact.
    """
    written = written_number(value)
    if _is_read_exactly(written, value):
        return written if "e" in written else f"{written}e0"
    return f"({_by_powers_of_two(value, dialect)} /* {written} */)"


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


def _by_powers_of_two(value: float, dialect: Dialect) -> str:
    whole, below = value.as_integer_ratio()
    power = below.bit_length() - 1
    above = max(0, whole.bit_length() - 53)
    steps = [f" / {2 ** min(52, power - done)}e0" for done in range(0, power, 52)]
    steps += [f" * {2 ** min(52, above - done)}e0" for done in range(0, above, 52)]
    # Without a cast PostgreSQL would divide as decimals, to 16 digits.
    return f"CAST({whole >> above}e0 AS {dialect.double}){''.join(steps)}"


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
