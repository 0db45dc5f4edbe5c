"""Rows of CSV files: blank lines, cells on several lines, and the lines that errors name."""

import pytest

from hedgerow import InputError
from hedgerow.data.files import read_table
from hedgerow.errors import FileFormatError


def table(tmp_path, text):
    (tmp_path / "t.csv").write_bytes(text.encode())
    return read_table(tmp_path / "t.csv")


@pytest.mark.parametrize(
    ("text", "columns", "cells"),
    [
        ("a,b\n1,\n\n2,3\n", ("a", "b"), [["1", "2"], ["", "3"]]),
        ('a\n""\n\n \n1\n', ("a",), [["", "1"]]),
        ('""\n\n1\n', ("",), [["1"]]),
        ('"a",b\r\n007,"x\r\ny"\r\n', ("a", "b"), [["007"], ["x\r\ny"]]),
        ("a,a\nNA,null\n", ("a", "a"), [["NA"], ["null"]]),
    ],
)
def test_cells_stay_as_they_are_and_blank_lines_are_no_rows(tmp_path, text, columns, cells):
    found = table(tmp_path, text)
    assert found.columns == columns
    assert [found.frame.iloc[:, place].tolist() for place in range(len(columns))] == cells


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("a,b\n1,2\n3,x\n", "row 2 (line 3)"),
        ("a,b\n\n1,2\n\n\n3,x\n", "row 2 (line 6)"),
        ('"a\nb",b\n"1\n ",2\n3,x\n', "row 2 (line 5)"),
        ("b\n1\n \nx\n", "row 2 (line 4)"),
        ('b\n""\n', "row 1 (line 2)"),
    ],
)
def test_errors_name_row_and_line(tmp_path, text, place):
    with pytest.raises(InputError, match="column 'b' must be a finite number") as caught:
        table(tmp_path, text).numbers(["b"], "costs")
    assert f"t.csv: {place}" in str(caught.value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a,b\n\n1,2\n3\n", r"row 2 \(line 4\) must have 2 columns like the header; got 1"),
        ("a,b\n1,2\n\n3,4,5\n", r"row 2 \(line 4\) must have 2 columns like the header; got 3"),
        ('a,b\n1,"x\ny"\n3,"4\n', "line 4 can't be read as CSV"),
        ('a,b\n1,"2\n3,4\n5,"6\n', "line 4 can't be read as CSV"),
    ],
)
def test_rows_that_do_not_fit_the_header_are_named_with_their_line(tmp_path, text, message):
    with pytest.raises(FileFormatError, match=message):
        table(tmp_path, text)
