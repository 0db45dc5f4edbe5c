"""Export to SQL: a query that adds leaf and advice to each row of a table."""

__all__ = ["DIALECTS", "Dialect", "to_sql"]

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Final

from hedgerow.data.checks import in_short
from hedgerow.errors import InputError
from hedgerow.export.code import Frame, filled_template, nested
from hedgerow.export.inputs import Input, condition, gap_notes, inputs_of, value_in_code
from hedgerow.rules import RuleBook
from hedgerow.tree.questions import Question
from hedgerow.wording.numbers import written_number

_GAPS_STAY: Final = "A row that has none (NULL, NaN) where the tree asks for one gets neither leaf nor advice."
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
    as_text
        A column's text, given the column; equal only to the very same letters.
    """

    quote: str
    double: str
    is_text: str
    backslash: str
    as_text: str

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
        as_text="CAST({column} AS VARCHAR)",
    ),
    # MariaDB and MySQL cast any text to some number, too, and compare text with numbers only after such a cast.
    "mariadb": Dialect(
        quote="`",
        double="DOUBLE",
        is_text="{column} NOT REGEXP '^ *[-+]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][-+]?[0-9]+)? *$'",
        backslash="\\\\",
        as_text="CONVERT({column} USING utf8mb4) COLLATE utf8mb4_bin",
    ),
}
"""The dialects by name: "standard" is for SQLite, DuckDB and PostgreSQL, "mariadb" for MariaDB and MySQL."""


def to_sql(book: RuleBook, *, table: str = "readings", dialect: str = "standard") -> str:
    """Return a query that adds leaf and advice to each row of a table, whose columns have the items' names.

    Missing numbers and texts are filled in where the rule book says how; else such a row gets no advice.
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
        gaps=_GAPS_STAY if book.fill_ins is None else "One that is missing (NULL, NaN) is filled in.",
        notes="".join(f"-- {note}\n" for note in gap_notes(book, inputs_of(book))),
        leaf=_case(book, words, str),
        leaf_name=words.name("leaf"),
        advice=_case(book, words, lambda leaf: words.text(book.plans.text(leaf))),
        advice_name=words.name("advice"),
        table=words.name(table),
    )


def _case(book: RuleBook, dialect: Dialect, value: Callable[[int], str]) -> str:
    """Return the tree as nested CASE expressions; each leaf becomes its value."""
    inputs = inputs_of(book)
    numbers = {item: _filled(item, inputs, dialect, book) for item, given in inputs.items() if not given.is_category}

    def is_in(item: int, values: tuple[str, ...]) -> str:
        text = dialect.as_text.format(column=f"given.{dialect.name(inputs[item].name)}")
        listed = ", ".join(map(dialect.text, values))
        return f"COALESCE(NULLIF(TRIM({text}), ''), 'missing') IN ({listed})"

    def write(size: float) -> str:
        return _double(size, dialect)

    def frame(question: Question, threshold: float) -> Frame:
        left = f"  WHEN {condition(question, write(threshold), numbers.__getitem__, is_in, write)} THEN"
        if all(inputs[item].is_category or inputs[item].usual is not None for item in question.items):
            return ["CASE", left], ["  ELSE"], ["END"]
        texts = [_is_text(inputs[item], dialect) for item in question.items]
        number = value_in_code(question, numbers.__getitem__, write)
        # x > t, written so that NaN stays out, which some databases put above all numbers; −NaN isn't below any.
        between = f"  WHEN -({number}) < {write(-threshold)} THEN"
        # No ELSE: NULL fails all three tests and becomes NULL.
        return ["CASE", f"  WHEN {' OR '.join(texts)} THEN NULL", left], [between], ["END"]

    return nested(book, value, frame)


def _number(given: Input, dialect: Dialect) -> str:
    return f"CAST(given.{dialect.name(given.name)} AS {dialect.double})"


def _is_text(given: Input, dialect: Dialect) -> str:
    return dialect.is_text.format(column=f"given.{dialect.name(given.name)}", number=_number(given, dialect))


def _filled(item: int, inputs: Mapping[int, Input], dialect: Dialect, book: RuleBook) -> str:
    """Return a number as an expression in which a gap is filled in, if there is something to do so."""
    given = inputs[item]
    if given.usual is None:
        return _number(given, dialect)
    usual = _double(given.usual, dialect)
    if given.column is None and book.fill_ins is not None and book.fill_ins.shifted:
        readings = [each for each in inputs.values() if each.column is None]
        usual = f"({usual} + {_excess(readings, dialect)})"
    return _where_there(given, dialect, _number(given, dialect), usual)


def _excess(readings: Sequence[Input], dialect: Dialect) -> str:
    """Return the mean excess over typical of the readings that are there; added from left to right."""
    above = [f"{_number(each, dialect)} - {_double(each.usual or 0.0, dialect)}" for each in readings]
    terms = [_where_there(each, dialect, more, "0e0") for each, more in zip(readings, above, strict=True)]
    counts = [_where_there(each, dialect, "1e0", "0e0") for each in readings]
    return f"COALESCE(({' + '.join(terms)}) / NULLIF({' + '.join(counts)}, 0e0), 0e0)"


def _where_there(given: Input, dialect: Dialect, there: str, missing: str) -> str:
    """Return an expression that is one thing where a column holds a number, and another where it holds none or NaN."""
    number = _number(given, dialect)
    # NaN is above all numbers in some databases, and so is −NaN.
    is_there = f"NOT ({_is_text(given, dialect)}) AND ({number} <= 0e0 OR -{number} < 0e0)"
    return f"CASE WHEN {is_there} THEN {there} ELSE {missing} END"


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
    for name in (given.name for given in inputs_of(book).values()):
        other = seen.setdefault(name.lower(), name)
        if other != name:
            raise InputError(
                f"the tree asks about {in_short(other)} and {in_short(name)}, which are the same column in SQL; "
                "rename one and fit again."
            )
