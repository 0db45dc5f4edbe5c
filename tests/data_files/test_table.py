"""Tables: columns by name, and rows of two tables that must belong together."""

import numpy as np
import pandas as pd
import pytest

from hedgerow import InputError
from hedgerow.data.table import Table

DAYS = ["Mon", "Tue", "Wed"]


def table(tmp_path, name, *columns, lines=None):
    """Return a table of columns, each a name with cells."""
    frame = pd.concat([pd.Series(cells, name=title, dtype=object) for title, cells in columns], axis=1)
    return Table(tmp_path / name, frame, lines=lines)


def numbers(name, *values):
    return name, [str(value) for value in values]


def test_rows_that_belong_together_are_read_side_by_side(tmp_path):
    costs = table(tmp_path, "costs.csv", ("day", DAYS), numbers("a", 1, 2, 3))
    seen = table(tmp_path, "seen.csv", numbers("b", 4, 5, 6), ("day", DAYS))
    seen.check_beside(costs)
    assert seen.numbers(["b"], "features").tolist() == [[4.0], [5.0], [6.0]]


@pytest.mark.parametrize("row", [0, 1, 2])
def test_a_row_that_is_another_is_named(tmp_path, row):
    """The first one that differs, with what stands in both files."""
    other = [*DAYS[:row], "Sun", *DAYS[row + 1 :]]
    costs = table(tmp_path, "costs.csv", ("day", DAYS), numbers("a", 1, 2, 3))
    seen = table(tmp_path, "seen.csv", ("day", other), numbers("b", 4, 5, 6), lines=[2, 3, 4])
    message = rf"row {row + 1} \(line {row + 2}\), column 'day' is 'Sun', but '{DAYS[row]}' in"
    with pytest.raises(InputError, match=message):
        seen.check_beside(costs)


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
def test_columns_that_do_not_name_rows_are_no_reason_to_refuse(tmp_path, column):
    costs = table(tmp_path, "costs.csv", ("day", DAYS), numbers("a", 1, 2, 3))
    seen = table(tmp_path, "seen.csv", column, numbers("b", 4, 5, 6))
    seen.check_beside(costs)


def test_another_number_of_rows_is_refused(tmp_path):
    costs = table(tmp_path, "costs.csv", numbers("a", 1, 2, 3))
    with pytest.raises(InputError, match="one row for each of the 3 samples; got 2"):
        table(tmp_path, "seen.csv", numbers("b", 4, 5)).check_beside(costs)


def test_gaps_are_numbers_that_are_missing(tmp_path):
    seen = table(tmp_path, "seen.csv", ("a", ["1", "", "n/a"]), ("b", ["2", "x", "3"]))
    found = seen.numbers(["a", "c"], "features", gaps=True)
    assert np.isnan(found).tolist() == [[False, True], [True, True], [True, True]]
    with pytest.raises(InputError, match="row 2, column 'a' must be a finite number; it is empty"):
        seen.numbers(["a"], "features")
    with pytest.raises(InputError, match="row 2, column 'b' must be a finite number; got 'x'"):
        seen.numbers(["b"], "features", gaps=True)


def test_columns_that_are_wanted_and_there_twice_are_refused(tmp_path):
    seen = table(tmp_path, "seen.csv", numbers("a", 1), numbers("b", 2), numbers("a", 3))
    assert seen.numbers(["b"], "items").tolist() == [[2.0]]
    with pytest.raises(InputError, match="more than once: 'a'"):
        seen.numbers(["a", "b"], "items")


DATES = "datetime64[us]"


@pytest.mark.parametrize(
    ("cells", "decimal", "dtype", "values"),
    [
        (["1,5", "", "2"], ",", "float64", [1.5, None, 2.0]),
        (["1.5", "calm", "2"], ".", "object", ["1.5", "calm", "2"]),
        (["yes", "No", "TRUE"], ".", "bool", [True, False, True]),
        (["yes", "", "no"], ".", "object", [True, None, False]),
        (["2024-03-01", "", "2024-03-02T06:30"], ".", DATES, ["2024-03-01", None, "2024-03-02T06:30"]),
        (["2024-03-31T01:00+01:00", "2024-03-31T03:00+02:00"], ".", DATES, ["2024-03-31T01", "2024-03-31T03"]),
        ([" wet", "", "na"], ".", "object", ["wet", None, "na"]),
        (["", "", ""], ".", "object", [None, None, None]),
    ],
)
def test_columns_get_the_type_that_all_filled_cells_have(tmp_path, cells, decimal, dtype, values):
    column = pd.Series(cells, dtype=object)
    frame = pd.concat([column, column.rename("other")], axis=1, keys=["a", "a"])
    typed = Table(tmp_path / "t", frame, decimal).typed_frame()
    assert list(typed.columns) == ["a", "a"]
    expected = pd.Series(values, dtype=dtype)
    for place in range(2):
        pd.testing.assert_series_equal(typed.iloc[:, place], expected, check_names=False)
    assert dtype != "object" or typed.iloc[:, 0].tolist() == values  # None, and no other kind of missing
