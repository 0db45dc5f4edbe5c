"""Tables from files: columns by name, their types, and rows of two tables that must belong together."""

import numpy as np
import pandas as pd
import pytest

from hedgerow import FileFormatError, InputError
from hedgerow.data.files import read_table
from hedgerow.data.table import check_beside, number_matrix, typed, with_dates

DAYS = ["Mon", "Tue", "Wed"]


def table(name, *columns):
    """Return a table of columns, each a name with cells."""
    frame = pd.concat([typed(pd.Series(cells, name=title, dtype=object)) for title, cells in columns], axis=1)
    frame.attrs = {"file": name, "decimal": ".", "guess": ""}
    return frame


def numbers(name, *values):
    return name, [str(value) for value in values]


def test_rows_that_belong_together_are_read_side_by_side():
    costs = table("costs.csv", ("day", DAYS), numbers("a", 1, 2, 3))
    seen = table("seen.csv", numbers("b", 4, 5, 6), ("day", DAYS))
    check_beside(seen, costs)
    assert number_matrix(seen, ["b"], "features").tolist() == [[4.0], [5.0], [6.0]]


@pytest.mark.parametrize("row", [0, 1, 2])
def test_a_row_that_is_another_is_named(row):
    """The first one that differs, with what stands in both files."""
    other = [*DAYS[:row], "Sun", *DAYS[row + 1 :]]
    costs = table("costs.csv", ("day", DAYS), numbers("a", 1, 2, 3))
    seen = table("seen.csv", ("day", other), numbers("b", 4, 5, 6))
    message = f"seen.csv: row {row + 1}, column 'day' is 'Sun', but '{DAYS[row]}' in costs.csv"
    with pytest.raises(InputError, match=message):
        check_beside(seen, costs)


@pytest.mark.parametrize(
    "column",
    [
        ("note", ["x", "y", "z"]),  # the other table has no such column
        ("day", ["Mon", "Mon", "Wed"]),  # doesn't tell rows apart
        ("day", ["Mon", "", "Wed"]),  # not filled
        numbers("day", 7, 8, 9),  # numbers may be anything
    ],
    ids=["unknown", "twice", "empty", "numbers"],
)
def test_columns_that_do_not_name_rows_are_no_reason_to_refuse(column):
    costs = table("costs.csv", ("day", DAYS), numbers("a", 1, 2, 3))
    check_beside(table("seen.csv", column, numbers("b", 4, 5, 6)), costs)


def test_another_number_of_rows_is_refused():
    costs = table("costs.csv", numbers("a", 1, 2, 3))
    with pytest.raises(InputError, match="one row for each of the 3 samples; got 2"):
        check_beside(table("seen.csv", numbers("b", 4, 5)), costs)


def test_gaps_are_numbers_that_are_missing():
    seen = table("seen.csv", ("a", ["1", "", "n/a"]), ("b", ["2", "x", "3"]))
    found = number_matrix(seen, ["a", "c"], "features", gaps=True)
    assert np.isnan(found).tolist() == [[False, True], [True, True], [True, True]]
    with pytest.raises(InputError, match="row 2, column 'a' must be a finite number; it is empty"):
        number_matrix(seen, ["a"], "features")
    with pytest.raises(InputError, match="row 2, column 'b' must be a finite number; got 'x'"):
        number_matrix(seen, ["b"], "features", gaps=True)


def test_columns_that_are_wanted_and_there_twice_are_refused():
    seen = table("seen.csv", numbers("a", 1), numbers("b", 2), numbers("a", 3))
    assert number_matrix(seen, ["b"], "items").tolist() == [[2.0]]
    with pytest.raises(InputError, match="more than once: 'a'"):
        number_matrix(seen, ["a", "b"], "items")


DATES = "datetime64[us]"


@pytest.mark.parametrize(
    ("cells", "decimal", "dtype", "values"),
    [
        (["1,5", "", "2"], ",", "float64", [1.5, None, 2.0]),
        (["1.5", "calm", "2"], ".", "object", ["1.5", "calm", "2"]),
        (["007", "8"], ".", "object", ["007", "8"]),
        (["yes", "No", "TRUE"], ".", "bool", [True, False, True]),
        (["yes", "", "no"], ".", "object", [True, None, False]),
        (["2024-03-01", "", "2024-03-02T06:30"], ".", DATES, ["2024-03-01", None, "2024-03-02T06:30"]),
        (["2024-03-31T01:00+01:00", "2024-03-31T03:00+02:00"], ".", DATES, ["2024-03-31T01", "2024-03-31T03"]),
        ([" wet", "", "na"], ".", "object", [" wet", None, "na"]),
        (["", "", ""], ".", "object", [None, None, None]),
    ],
)
def test_columns_get_the_type_that_all_filled_cells_have(cells, decimal, dtype, values):
    column = typed(pd.Series(cells, name="a", dtype=object), decimal)
    found = with_dates(pd.concat([column, column], axis=1))
    expected = pd.Series(values, name="a", dtype=dtype)
    for place in range(2):
        pd.testing.assert_series_equal(found.iloc[:, place], expected)


def test_parquet_text_that_is_not_utf8_is_refused_when_it_is_read(tmp_path):
    path = tmp_path / "days.parquet"
    pd.DataFrame({"day": ["2024-01-01", "2024-01-06"], "bridge": [4.0, 9.0]}).to_parquet(path)
    assert read_table(path)["bridge"].tolist() == [4.0, 9.0]
    path.write_bytes(path.read_bytes().replace(b"2024-01-01", b"2024-\xa31-01"))
    with pytest.raises(FileFormatError, match="can't be read as Parquet"):
        read_table(path)
