"""The rows of a run: a sequence that round-trips through CSV."""

import dataclasses
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hedgerow import FileFormatError
from hedgerow.run import Row, Statistics

ROWS = (
    Row(0.5, 1, math.inf, -math.inf),
    Row(1.0, 2, 43.0, 36.0, 'first "tree", found'),
    Row(1.5, 9, 43.0, 43.0, "proof"),
)

numbers = st.floats(allow_nan=False)
details = st.text(st.characters(exclude_categories=["Cc", "Cs"]), max_size=12)


@given(st.lists(st.builds(Row, numbers, st.integers(0, 10**9), numbers, numbers, details), max_size=4))
def test_rows_round_trip_through_csv(rows):
    statistics = Statistics(tuple(rows))
    assert Statistics.from_csv(statistics.to_csv()) == statistics


def test_a_line_break_in_a_detail_does_no_harm():
    statistics = Statistics((Row(0.0, 0, 1.0, 1.0, "two\nlines"),))
    assert Statistics.from_csv(statistics.to_csv()) == statistics


def test_the_columns_are_the_fields_of_a_row():
    header = Statistics(ROWS).to_csv().splitlines()[0]
    assert header.split(",") == [field.name for field in dataclasses.fields(Row)]


def test_statistics_are_a_sequence():
    statistics = Statistics(ROWS)
    assert len(statistics) == 3
    assert statistics[-1].detail == "proof"
    assert list(statistics[1:]) == list(ROWS[1:])
    assert list(statistics) == list(ROWS)
    assert ROWS[1] in statistics
    assert list(Statistics()) == []


@pytest.mark.parametrize(
    "text",
    [
        "",
        "time,value\n",
        "runtime,iteration,value,bound,detail\n1,2,3\n",
        "runtime,iteration,value,bound,detail\n1,2,3,4,5,6\n",
        "runtime,iteration,value,bound,detail\nsoon,2,3,4,\n",
        "runtime,iteration,value,bound,detail\n1,2.5,3,4,\n",
    ],
)
def test_what_are_no_statistics_is_refused(text):
    with pytest.raises(FileFormatError, match="statistics"):
        Statistics.from_csv(text)
