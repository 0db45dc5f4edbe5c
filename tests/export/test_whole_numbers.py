"""Whole numbers beyond 2^53 in a database: the same advice as for the nearest double."""

import sqlite3

import pytest

from hedgerow import RuleBook, Tree
from hedgerow.export import export


@pytest.mark.parametrize("declared", ["INTEGER", "BIGINT", "REAL", "NUMERIC", ""])
def test_integers_that_no_double_is_get_advice(declared):
    threshold = float(2**53)
    tree = Tree.full([0], [threshold], [[1.0], [0.0]])
    readings = [2**53 - 1, 2**53, 2**53 + 1, 2**53 + 3, -(2**60) - 1, 2**62 + 1]
    database = sqlite3.connect(":memory:")
    database.execute(f"CREATE TABLE readings (a {declared})")
    database.executemany("INSERT INTO readings VALUES (?)", [(reading,) for reading in readings])
    leaves = [row[1] for row in database.execute(export(RuleBook(tree, ("a",)), "sql"))]
    database.close()
    assert leaves == tree.apply([[float(reading)] for reading in readings]).tolist()


def test_text_that_is_no_number_still_gets_none():
    tree = Tree.full([0], [5.0], [[1.0], [0.0]])
    for declared in ("TEXT", ""):
        database = sqlite3.connect(":memory:")
        database.execute(f"CREATE TABLE readings (a {declared})")
        database.executemany("INSERT INTO readings VALUES (?)", [("12abc",), ("abc",), ("",), ("7.5",), (None,)])
        leaves = [row[1] for row in database.execute(export(RuleBook(tree, ("a",)), "sql"))]
        database.close()
        assert leaves == [None, None, None, 1, None]
