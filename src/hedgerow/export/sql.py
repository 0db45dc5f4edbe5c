"""Export to SQL: a query that adds leaf and advice to each row of a table."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Final

from hedgerow.errors import InputError
from hedgerow.export.code import Frame, Input, condition, filled_template, gap_notes, inputs_of, nested, totals_in_code
from hedgerow.rules import RuleBook
from hedgerow.tree.questions import Question
from hedgerow.wording.numbers import written_number

_GAPS_STAY: Final = "A row in which one is missing (NULL, NaN) gets neither leaf nor advice."
_NO_LIMIT: Final = 2**62
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

    Missing numbers and texts are filled in where the rule book says how; else such a row gets no advice. Where leaves
    have several plans to choose from, a column before leaf and advice holds the total of each.
    The dialect is "standard" for SQLite, DuckDB and PostgreSQL, "mariadb" for MariaDB and MySQL.
    """
    if not table.strip():
        raise InputError(f"table must be the name of a table; got {table!r}.")
    if dialect not in DIALECTS:
        raise InputError(f"dialect must be one of {', '.join(DIALECTS)}; got {dialect!r}.")
    query = _Query(book, DIALECTS[dialect])
    return filled_template(
        "sql",
        experience=f"-- {book.experience}\n" if book.experience else "",
        gaps=_GAPS_STAY if book.fill_ins is None else "One that is missing (NULL, NaN) is filled in.",
        notes="".join(f"-- {note}\n" for note in gap_notes(book, inputs_of(book))),
        leaf=query.case(lambda row: str(book.tree.leaf_of[row])),
        leaf_name=query.dialect.name("leaf"),
        advice=query.case(lambda row: query.dialect.text(book.plans.text(row))),
        advice_name=query.dialect.name("advice"),
        table=query.table_with_totals(query.dialect.name(table)),
    )


class _Query:
    """The expressions of the query for a rule book in a dialect."""

    def __init__(self, book: RuleBook, dialect: Dialect) -> None:
        self._book, self.dialect, self._inputs = book, dialect, inputs_of(book)
        self._reading = {given.name: given for given in self._inputs.values() if given.column is None}
        numbers = {item: given for item, given in self._inputs.items() if not given.is_category}
        self._number = {item: self._filled(given) for item, given in numbers.items()}

    def case(self, value: Callable[[int], str]) -> str:
        """Return the tree as nested CASE expressions, in which a row of the tree's solutions becomes its value.

        A row in which a number is missing, and nothing fills it in, has none.
        """

        def frame(question: Question, threshold: float) -> Frame:
            is_left = condition(question, self._write(threshold), self._number.__getitem__, self._is_in, self._write)
            return ["CASE", f"  WHEN {is_left} THEN"], ["  ELSE"], ["END"]

        tree = nested(self._book, lambda leaf: self._best(leaf, value), frame)
        needed = [each for each in self._inputs.values() if each.usual is None and not each.is_category]
        return f"CASE WHEN {' AND '.join(map(self._is_there, needed))} THEN\n{tree}\nEND" if needed else tree

    def _best(self, leaf: int, value: Callable[[int], str]) -> str:
        """Return the value of the plan that a leaf takes: the first whose total no later one is below."""
        rows = self._book.tree.rows_at(leaf)
        *others, last = range(rows.start, rows.stop)
        if not others:
            return value(last)
        cases, total = [], {row: f"given.{self._total_name(row)}" for row in (*others, last)}
        for row in others:
            no_less = [f"{total[row]} <= {total[other]}" for other in range(row + 1, rows.stop)]
            cases.append(f"WHEN {' AND '.join(no_less)} THEN {value(row)}")
        return f"CASE {' '.join(cases)} ELSE {value(last)} END"

    def table_with_totals(self, table: str) -> str:
        """Return the table, with a column for the total of each plan that a leaf has to choose from."""
        tree, columns = self._book.tree, list[str]()
        for leaf in range(tree.n_leaves):
            totals = totals_in_code(self._book, leaf, self._number.__getitem__, self._write)
            for row, total in enumerate(totals, tree.rows_at(leaf).start):
                columns.append(f"  {total} AS {self._total_name(row)}")
        if not columns:
            return table
        # With a limit, which no table reaches, a database adds each total up once; else it may put the sums in the
        # place of their names, as often as these occur.
        return "(SELECT given.*,\n" + ",\n".join(columns) + f"\n  FROM {table} AS given LIMIT {_NO_LIMIT})"

    def _total_name(self, row: int) -> str:
        plans, leaf = self._book.plans, self._book.tree.leaf_of[row]
        return self.dialect.name(f"total {row} (plan {plans.letters[plans.of_leaf[row]]} at leaf {leaf})")

    def _write(self, size: float) -> str:
        return _double(size, self.dialect)

    def _is_in(self, item: int, values: tuple[str, ...]) -> str:
        text = self.dialect.as_text.format(column=self._column(self._inputs[item]))
        listed = ", ".join(map(self.dialect.text, values))
        return f"COALESCE(NULLIF(TRIM({text}), ''), 'missing') IN ({listed})"

    def _column(self, given: Input) -> str:
        return f"given.{self.dialect.name(given.name)}"

    def _as_number(self, given: Input) -> str:
        return f"CAST({self._column(given)} AS {self.dialect.double})"

    def _is_there(self, given: Input) -> str:
        number = self._as_number(given)
        # NaN is above all numbers in some databases, and so is −NaN.
        is_text = self.dialect.is_text.format(column=self._column(given), number=number)
        return f"NOT ({is_text}) AND ({number} <= 0e0 OR -{number} < 0e0)"

    def _filled(self, given: Input) -> str:
        """Return a number as an expression in which a gap is filled in, if there is something to do so."""
        if given.usual is None:
            return self._as_number(given)
        ways = [(given, self._as_number(given))]
        for each in given.substitutes:
            other = self._reading[each.name]
            ways.append((other, f"{self._as_number(other)} + {self._write(each.added)}"))
        known = " ".join(f"WHEN {self._is_there(column)} THEN {value}" for column, value in ways)
        return f"CASE {known} ELSE {self._write(given.usual)} END"


def _double(value: float, dialect: Dialect) -> str:
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
