"""The door: numbers of every origin come in, everything else is refused with the reason."""

from decimal import Decimal
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest

from hedgerow import InputError
from hedgerow.data.checks import (
    in_short,
    integer_between,
    number_array,
    unique_names,
)
from hedgerow.data.table import number_matrix


@pytest.mark.parametrize(
    "value",
    [
        [[1, 2], [3, 4]],
        ((1.0, 2.0), (3.0, 4.0)),
        np.array([[1, 2], [3, 4]], dtype=np.int8),
        np.array([[1, 2], [3, 4]], dtype=np.float32),
        np.asfortranarray([[1.0, 2.0], [3.0, 4.0]]),
        pd.DataFrame([[1, 2], [3, 4]]),
        pd.DataFrame([[1, 2], [3, 4]], dtype="Int64"),
        [[Decimal(1), Fraction(2)], [3, 4.0]],
        np.array([[1, 2], [3, 4]], dtype=object),
    ],
)
def test_numbers_of_every_origin_become_one_kind_of_matrix(value):
    matrix = number_matrix(value, None, "costs")
    assert matrix.dtype == np.float64
    assert matrix.flags.c_contiguous
    assert matrix.tolist() == [[1.0, 2.0], [3.0, 4.0]]


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (None, "costs must be a matrix with one row per sample; got a single number"),
        (3.0, "got a single number"),
        ([1.0, 2.0], "got 2 values. Reshape your data"),
        ([[[1.0]]], "got 1 × 1 × 1 value"),
        ([], "got 0 values"),
        ([[]], "at least one column; got none"),
        (np.empty((0, 2)), "at least one row; got none"),
        ([[1.0, 2.0], [3.0]], "rows of equal length; got \\[\\[1.0, 2.0\\], \\[3.0\\]\\]"),
        ([["1", "2"]], "numbers only; got text, such as '1'"),
        ([[1.0, 2j]], "Complex data not supported"),
        (np.array([["2026-01-01"]], dtype="datetime64[D]"), "numbers only; got dates"),
        (pd.DataFrame({"a": [1.0], "b": ["x"]}), "column 'b' holds text such as 'x'"),
        ("a,b", "numbers only; got text"),
        ([[1.0, np.nan]], "got NaN at row 0, column 1 \\(1 such value in all\\). Fill or drop them first"),
        ([[np.inf, -np.inf]], "got inf at row 0, column 0 \\(2 such values in all\\)"),
        ([[1.0, None]], "got NaN at row 0, column 1"),
        (pd.DataFrame({"a": [1, pd.NA]}, dtype="Int64"), "got NaN at row 1, column 'a'"),
        ([[10**400]], "got inf at row 0"),
    ],
)
def test_what_is_no_matrix_of_finite_numbers_is_refused(value, message):
    with pytest.raises(InputError, match=message):
        number_matrix(value, None, "costs")


@pytest.mark.parametrize("table", [pd.DataFrame({"a": [1.0, 2.0]}), pd.DataFrame(np.arange(2.0).reshape(2, 1))])
def test_what_pandas_hands_out_does_not_change_with_the_table(table):
    """pandas hands out read-only views of data that can still change."""
    seen = number_array(table, "costs")
    before = seen.tolist()
    table.iloc[0, 0] = 99.0
    assert seen.tolist() == before


@pytest.mark.parametrize(
    "value", [2.0, 2.5, "2", True, None, np.nan, np.bool_(True), [2], 7, -1, pytest.param(10**5000, id="huge")]
)
def test_what_is_no_integer_in_range_is_refused(value):
    with pytest.raises(InputError, match="depth must be an integer from 0 to 6; got"):
        integer_between(value, "depth", 0, 6)


@pytest.mark.parametrize(
    ("names", "message"),
    [
        (["a", "b", "a", "b"], "must differ from each other; these occur more than once: 'a', 'b'"),
        ([1, "1"], "more than once: '1'"),
        (["a", " "], "must not be empty; the one at place 1"),
        ("abc", "must be a list of names; got 'abc'"),
        (5, "must be a list of names; got 5"),
        (None, "must be a list of names; got None"),
    ],
)
def test_names_that_do_not_serve_are_refused(names, message):
    with pytest.raises(InputError, match=message):
        unique_names(names, "feature names")


def test_values_in_messages_are_short_and_in_one_line():
    deep = []
    deep.append(deep)
    for value in (np.ones((50, 50)), "x\ny" * 100, deep, list(range(1000)), 10**5000, {"a": deep}):
        assert len(in_short(value)) <= 60
        assert "\n" not in in_short(value)
    assert in_short([1, "a"]) == "[1, 'a']"
