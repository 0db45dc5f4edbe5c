"""Four databases behind one function each: make a table, fill it, and run a query over it.

PostgreSQL and MariaDB are asked where `HEDGEROW_DATABASES` names the folder that `.ci/databases start` was called with,
as `.ci/run` does.
"""

import csv
import io
import os
import re
import sqlite3
import subprocess
from contextlib import closing
from pathlib import Path

import duckdb
import pandas as pd
import pytest

from hedgerow.export.sql import DIALECTS

FOLDER = os.environ.get("HEDGEROW_DATABASES")


def on_sqlite(query, table, columns, rows):
    with closing(sqlite3.connect(":memory:")) as database:
        database.execute(_creation(table, columns))
        database.executemany(f"INSERT INTO {_quoted(table)} VALUES ({', '.join('?' * len(columns))})", rows)
        return database.execute(query).fetchall()


def on_duckdb(query, table, columns, rows):
    with duckdb.connect() as database:
        database.execute(_creation(table, columns))
        database.register("rows of the test", pd.DataFrame(rows, columns=list(columns)))
        database.execute(f'INSERT INTO {_quoted(table)} SELECT * FROM "rows of the test"')
        return database.execute(query).fetchall()


def on_postgresql(query, table, columns, rows):
    lines = "".join("\t".join("\\N" if value is None else str(value) for value in row) + "\n" for row in rows)
    script = f"{_creation(table, columns)};\nCOPY {_quoted(table)} FROM STDIN;\n{lines}\\.\n{query}"
    command = ["psql", "--host", f"{FOLDER}/sockets", "--username", "postgres", "--no-psqlrc", "--quiet", "--csv"]
    answer = _client([*command, "--tuples-only", "--pset", "null=\\N", "--set", "ON_ERROR_STOP=1"], script)
    return [[None if value == "\\N" else value for value in row] for row in csv.reader(io.StringIO(answer))]


def on_mariadb(query, table, columns, rows):
    values = ",\n".join(f"({', '.join(_literal(value) for value in row)})" for row in rows)
    script = f"{_creation(table, columns, '`')};\nINSERT INTO {_quoted(table, '`')} VALUES {values};\n{query}"
    command = ["mariadb", "--no-defaults", f"--socket={FOLDER}/sockets/mariadb", "--default-character-set=utf8mb4"]
    answer = _client([*command, "--batch", "--skip-column-names", "hedgerow"], script)
    return [[_unescaped(value) for value in line.split("\t")] for line in answer.split("\n")[:-1]]


def _creation(table, columns, quote='"'):
    kinds = ", ".join(f"{_quoted(name, quote)} {kind}" for name, kind in columns.items())
    return f"CREATE TEMPORARY TABLE {_quoted(table, quote)} ({kinds})"


def _quoted(name, quote='"'):
    return f"{quote}{name.replace(quote, 2 * quote)}{quote}"


def _literal(value):
    if value is None:
        return "NULL"
    # Without an exponent MariaDB would read a decimal.
    return repr(value) if isinstance(value, str) or "e" in repr(value) else f"{value!r}e0"


def _client(command, script):
    done = subprocess.run(command, input=script, capture_output=True, encoding="utf-8", check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def _unescaped(value):
    signs = {"n": "\n", "t": "\t", "0": "\0"}
    return None if value == "NULL" else re.sub(r"\\(.)", lambda match: signs.get(match[1], match[1]), value)


def column_name(database, name):
    """Return the name, or one like it where MariaDB has none of its length or with such characters."""
    if database != "mariadb":
        return name
    return "".join(letter for letter in name if letter <= "\uffff")[:64].strip()


_RUNS = {"sqlite": on_sqlite, "duckdb": on_duckdb, "postgresql": on_postgresql, "mariadb": on_mariadb}
_NEEDS_SERVER = pytest.mark.skipif(FOLDER is None, reason="no database server; .ci/databases starts them")
DATABASES = [pytest.param(name, marks=[_NEEDS_SERVER] if name in ("postgresql", "mariadb") else []) for name in _RUNS]


def dialect_of(database):
    assert FOLDER is None or Path(FOLDER).is_dir(), "HEDGEROW_DATABASES is not a folder"
    return database if database in DIALECTS else "standard"


def answers(database, query, table, columns, rows):
    """Return leaf and advice of each row, in the order of the rows; totals of plans may stand before these.

    Parameters
    ----------
    columns
        The type of each column, by name.
    rows
        Floats, texts, or None for a gap; the last column is added.
    """
    numbered = [[*row, float(number)] for number, row in enumerate(rows)]
    found = _RUNS[database](query, table, {**columns, "row id": "DOUBLE PRECISION"}, numbered)
    by_row = {int(float(row[len(columns)])): (None if row[-2] is None else int(row[-2]), row[-1]) for row in found}
    assert len(found) == len(rows)
    return [by_row[number] for number in range(len(rows))]
