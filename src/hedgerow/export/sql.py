"""Export to SQL: a query that advises for each row of a table."""

__all__ = ["to_sql"]

import math
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from typing import Any, Final

from hedgerow._version import WRITTEN_BY
from hedgerow.checks import in_short
from hedgerow.errors import InputError
from hedgerow.export.sums import summed
from hedgerow.rulebook import RuleBook
from hedgerow.words import written_number

_EXACT_POWER_OF_TEN: Final = 22
"""The largest power of ten that is a double."""

_TEMPLATE = """\
-- A decision tree as a query, {written_by}.
-- Columns hold numbers. A row that has none (NULL, NaN) where the tree asks for one gets neither leaf nor advice.
{experience}SELECT
  given.*,
{leaf} AS "leaf",
{advice} AS "advice"
FROM {table} AS given;
"""


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
    _check_names(book)
    return _TEMPLATE.format(
        written_by=WRITTEN_BY,
        experience=f"-- {book.experience}\n" if book.experience else "",
        leaf=_case(book, str),
        advice=_case(book, lambda leaf: _text(book.plans.text(leaf))),
        table=_identifier(table),
    )


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
    doubled = name.replace('"', '""')
    return f'"{doubled}"'


def _text(text: str) -> str:
    doubled = text.replace("'", "''")
    return f"'{doubled}'"


def _check_names(book: RuleBook) -> None:
    """Refuse names that a database would take for one and the same column."""
    seen: dict[str, str] = {}
    for name in book.asked.values():
        other = seen.setdefault(name.lower(), name)
        if other != name:
            raise InputError(
                f"the tree asks about {in_short(other)} and {in_short(name)}, which are the same column in SQL; "
                "rename one and fit again."
            )
