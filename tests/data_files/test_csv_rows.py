"""Rows of CSV files: blank lines, cells on several lines, and the places that errors name."""

import pytest

from hedgerow import InputError
from hedgerow.data.files import read_table
from hedgerow.data.table import number_matrix
from hedgerow.errors import FileFormatError


def table(tmp_path, text):
    (tmp_path / "t.csv").write_bytes(text.encode())
    return read_table(tmp_path / "t.csv")


@pytest.mark.parametrize(
    ("text", "columns", "cells"),
    [
        ("a,b\nx,\n\ny,z\n", ["a", "b"], [["x", "y"], [None, "z"]]),
        ('a\n""\n\n \nx\n', ["a"], [[None, "x"]]),
        ('""\n\nx\n', [""], [["x"]]),
        ('"a",b\r\n007,"x\r\ny"\r\n', ["a", "b"], [["007"], ["x\r\ny"]]),
        ("a,a\nNA,null\n", ["a", "a"], [["NA"], ["null"]]),
    ],
)
def test_texts_stay_as_they_are_and_blank_lines_are_no_rows(tmp_path, text, columns, cells):
    found = table(tmp_path, text)
    assert found.columns.tolist() == columns
    assert [found.iloc[:, place].tolist() for place in range(len(columns))] == cells


@pytest.mark.parametrize("text", ["a,b\n1,2\n3,x\n", "a,b\n\n1,2\n\n\n3,x\n", 'b\n1\n""\n'])
def test_errors_name_file_row_and_column(tmp_path, text):
    with pytest.raises(InputError, match=r"t\.csv: row 2, column 'b' must be a finite number"):
        number_matrix(table(tmp_path, text), ["b"], "costs")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a,b\n\n1,2\n3\n", r"row 2 \(line 4\) must have 2 columns like the header; got 1"),
        ("a,b\n1,2\n\n3,4,5\n", r"row 2 \(line 4\) must have 2 columns like the header; got 3"),
        ('a,b\n1,"x\ny"\n3,"4\n', "line 4 can't be read as CSV"),
    ],
)
def test_rows_that_do_not_fit_the_header_are_named_with_their_line(tmp_path, text, message):
    with pytest.raises(FileFormatError, match=message):
        table(tmp_path, text)
