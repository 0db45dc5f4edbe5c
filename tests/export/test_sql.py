"""The query: missing readings, text columns, names in quotes, and loud errors in place of wrong advice."""

import sqlite3
from contextlib import closing

import duckdb
import numpy as np
import pytest

from hedgerow import InputError, RuleBook, Tree
from hedgerow.export import export, sql
from hedgerow.export.sql import DIALECTS
from hedgerow.rules import Labels
from tests.export.databases import DATABASES, answers, dialect_of

NAMES = ("bridge", "tunnel")
TREE = Tree.from_dict(
    {
        "item": 0,
        "threshold": 35.0,
        "left": {"solution": [1.0, 0.0]},
        "right": {"item": 1, "threshold": -2.5, "left": {"solution": [0.0, 1.0]}, "right": {"solution": [1.0, 1.0]}},
    }
)
SOURCE = RuleBook(TREE, NAMES, labels=Labels(advice=("A", "it's B", "C")))


def on_sqlite(query, *statements):
    with closing(sqlite3.connect(":memory:")) as database:
        for statement in statements:
            database.execute(statement)
        return [row[-2:] for row in database.execute(query).fetchall()]


def on_duckdb(query, *statements):
    with duckdb.connect() as database:
        for statement in statements:
            database.execute(statement)
        return [row[-2:] for row in database.execute(query).fetchall()]


def test_the_query_needs_no_function_of_one_database_and_writes_names_in_the_dialect_s_quotes():
    assert "typeof" not in export(SOURCE, "sql")
    book = RuleBook(
        Tree.full([0], [0.1 + 0.2], [[1.0], [2.0]]), ("a`b",), labels=Labels(advice=("back\\slash", "it's"))
    )
    query = export(book, "sql", table="to day", dialect="mariadb")
    for words in ("given.`a``b`", "'back\\\\slash'", "'it''s'", "FROM `to day` AS given", "AS DOUBLE) /"):
        assert words in query
    assert "'back\\slash'" in export(book, "sql")


def leaves(database, rows, kind="DOUBLE PRECISION"):
    query = export(SOURCE, "sql", dialect=dialect_of(database))
    return [leaf for leaf, _ in answers(database, query, "readings", dict.fromkeys(NAMES, kind), rows)]


@pytest.mark.parametrize("database", DATABASES)
def test_a_row_with_a_missing_reading_gets_nothing(database):
    rows = [(35.0, None), (36.0, None), (None, 1.0), (None, None), (36.0, -2.5), (36.0, -2.4), (-36.0, 1.0)]
    assert leaves(database, rows) == [None, None, None, None, 1, 2, 0]


@pytest.mark.parametrize("database", [name for name in DATABASES if name.values[0] in ("duckdb", "postgresql")])
def test_nan_is_missing_and_infinity_is_large(database):
    nan, inf = float("nan"), float("inf")
    rows = [(nan, 1.0), (1.0, nan), (36.0, nan), (inf, inf), (inf, -inf), (-inf, 1.0)]
    assert leaves(database, rows) == [None, None, None, 2, 1, 0]


@pytest.mark.parametrize("kind", ["DOUBLE", "DECIMAL(12, 4)", "BIGINT", "FLOAT", "UTINYINT", "VARCHAR"])
def test_every_kind_of_column_is_compared_as_doubles(kind):
    rows = "(4, 0), (35, 0), (36, 0), (100, 0)"
    statements = f"CREATE TABLE readings (bridge {kind}, tunnel {kind})", f"INSERT INTO readings VALUES {rows}"
    assert [leaf for leaf, _ in on_duckdb(export(SOURCE, "sql"), *statements)] == [0, 0, 2, 2]


@pytest.mark.parametrize("database", [name for name in DATABASES if name.values[0] in ("sqlite", "mariadb")])
def test_text_is_read_as_numbers_and_other_text_is_missing(database):
    texts = ["4", "35.00", "100", " 36 ", "", "n/a", "36 min", "1e1", "12abc", None]
    rows = [(text, "0") for text in texts]
    assert leaves(database, rows, "TEXT") == [0, 0, 2, 2, None, None, None, 0, None, None]


@pytest.mark.parametrize("declared", ["INTEGER", "BIGINT", "REAL", "NUMERIC", ""])
def test_whole_numbers_that_no_double_is_get_the_advice_of_the_nearest_double(declared):
    tree = Tree.full([0], [float(2**53)], [[1.0], [0.0]])
    readings = [2**53 - 1, 2**53, 2**53 + 1, 2**53 + 3, -(2**60) - 1, 2**62 + 1]
    values = ", ".join(f"({reading})" for reading in readings)
    statements = f"CREATE TABLE readings (a {declared})", f"INSERT INTO readings VALUES {values}"
    leaves = [leaf for leaf, _ in on_sqlite(export(RuleBook(tree, ("a",)), "sql"), *statements)]
    assert leaves == tree.apply([[float(reading)] for reading in readings]).tolist()


@pytest.mark.parametrize("run", [on_sqlite, on_duckdb])
def test_own_columns_called_leaf_and_advice_do_no_harm(run):
    tree = Tree.full([0], [1.0], [[1.0], [2.0]])
    answers = run(
        export(RuleBook(tree, ("leaf",), labels=Labels(advice=("A", "B"))), "sql"),
        "CREATE TABLE readings (advice DOUBLE, leaf DOUBLE)",
        "INSERT INTO readings VALUES (7, 0), (7, 2)",
    )
    assert answers == [(0, "A"), (1, "B")]


@pytest.mark.parametrize(
    ("names", "options", "message"),
    [
        (NAMES, {"table": " "}, "table must be the name of a table; got ' '"),
        (NAMES, {"dialect": "oracle"}, "dialect must be one of standard, mariadb; got 'oracle'"),
    ],
)
def test_what_no_query_can_say_is_refused(names, options, message):
    with pytest.raises(InputError, match=message):
        export(RuleBook(TREE, names), "sql", **options)


def hard_numbers():
    """Numbers of every length and size, and some that SQLite is known to read wrongly."""
    rng = np.random.default_rng(0)
    rounded = [round(value, digits) for digits in range(16) for value in rng.uniform(-1000, 1000, 200).tolist()]
    any_size = (rng.normal(size=2000) * 10.0 ** rng.uniform(-290, 290, 2000)).tolist()
    wrong = [672.139837, 48.839893, 908.139837, 601.90153368, 88.6654665756]
    return [*rounded, *any_size, *wrong, 0.0, 5e-324, 2.0**53 + 2.0, 2.0**-30, 1e22, 1e23, 1.7976931348623157e308]


@pytest.mark.parametrize("database", DATABASES)
def test_thresholds_are_read_as_the_same_doubles(database):
    numbers = hard_numbers()
    dialect = DIALECTS[dialect_of(database)]
    cases = "\n".join(
        f"WHEN {index} THEN CASE WHEN given.value = {sql._double(number, dialect)} THEN 1 END"
        for index, number in enumerate(numbers)
    )
    row_id = dialect.name("row id")
    query = f"SELECT given.*, CASE {row_id} {cases} END, 'read' FROM numbers AS given;"
    rows = [[number] for number in numbers]
    assert set(answers(database, query, "numbers", {"value": "DOUBLE PRECISION"}, rows)) == {(1, "read")}
