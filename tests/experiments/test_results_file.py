"""The results file: whole lines, whatever happens."""

import pytest

from experiments.results_file import ResultsFile
from hedgerow import FileFormatError

COLUMNS = ("name", "value")
LINES = [{"name": 'a, "b"', "value": 1.5}, {"name": "ü", "value": 0.1 + 0.2}]


@pytest.fixture
def path(tmp_path):
    return tmp_path / "results.csv"


def test_what_is_appended_is_read_back(path):
    file = ResultsFile(path, COLUMNS)
    file.append(LINES[:1])
    file.append(LINES[1:])
    assert ResultsFile(path, COLUMNS).rows() == [
        {"name": 'a, "b"', "value": "1.5"},
        {"name": "ü", "value": "0.3"},
    ]


def test_wherever_a_kill_tears_the_file_only_whole_lines_are_left(path):
    ResultsFile(path, COLUMNS).append(LINES)
    content = path.read_bytes()
    for length in range(len(content) + 1):
        path.write_bytes(content[:length])
        rows = ResultsFile(path, COLUMNS).rows()
        assert len(rows) == max(0, content[:length].count(b"\n") - 1)
        assert path.read_bytes().endswith(b"\n")


def test_a_text_with_line_breaks_stays_on_its_line(path):
    file = ResultsFile(path, COLUMNS)
    file.append([{"name": "first\nsecond\r\nthird\x00", "value": 1}])
    assert path.read_text().count("\n") == 2
    assert file.rows()[0]["name"] == "first second third�"


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        ("x,y\n", "other columns"),
        ("name,value\na\n", "line 2 has 1 values instead of 2"),
        ('name,value\n"a\n', "can't be read"),
        (b"name,value\n\xff\xfe,1\n", "can't be read"),
    ],
)
def test_a_damaged_or_foreign_file_is_refused(path, content, complaint):
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(FileFormatError, match=complaint):
        ResultsFile(path, COLUMNS)
