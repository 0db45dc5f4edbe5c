"""The results file: whole lines, whatever happens."""

import pytest

from experiments.results_file import ResultsFile

COLUMNS = ("name", "value")
LINES = [{"name": 'a, "b"', "value": 1.5}, {"name": "ü", "value": 0.1 + 0.2}]


@pytest.fixture
def path(tmp_path):
    return tmp_path / "results.csv"


def test_wherever_a_kill_tears_the_file_only_whole_lines_are_left(path):
    ResultsFile(path, COLUMNS).append(LINES)
    content = path.read_bytes()
    for length in range(len(content) + 1):
        path.write_bytes(content[:length])
        rows = ResultsFile(path, COLUMNS).rows()
        assert len(rows) == max(0, content[:length].count(b"\n") - 1)
        assert path.read_bytes().endswith(b"\n")
