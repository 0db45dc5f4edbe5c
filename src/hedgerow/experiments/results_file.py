"""The results file. Every finished cell is on disk at once; a kill loses at most the line being written."""

__all__ = ["ResultsFile", "one_line"]

import csv
import io
import os
from collections.abc import Iterable, Sequence
from pathlib import Path

from hedgerow.errors import FileFormatError
from hedgerow.experiments.cell import Row
from hedgerow.words import printable
from hedgerow.writing import write_text

_LONGEST_TEXT = 300


class ResultsFile:
    """A CSV file that grows by whole lines; it is created if it doesn't exist, and an incomplete last line is cut off.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from hedgerow.experiments.results_file import ResultsFile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "results.csv"
    ...     ResultsFile(path, ["seed_id", "value"]).append([{"seed_id": 0, "value": 0.1 + 0.2}])
    ...     with path.open("a") as stream:
    ...         _ = stream.write("1,0.")  # killed while it wrote
    ...     ResultsFile(path, ["seed_id", "value"]).rows()
    [{'seed_id': '0', 'value': '0.3'}]
    """

    def __init__(self, path: Path, columns: Sequence[str]) -> None:
        self._path, self._columns = path, tuple(columns)
        if path.exists():
            _cut_torn_line(path)
        if not path.exists() or not path.stat().st_size:
            write_text(path, self._line(self._columns))
        self.rows()  # fail now, not after hours of work, if it can't be read

    def append(self, rows: Iterable[Row]) -> None:
        """Add lines; once this returns they are on disk."""
        text = "".join(self._line([_written(row.get(column, "")) for column in self._columns]) for row in rows)
        with self._path.open("ab") as stream:
            stream.write(text.encode())
            stream.flush()
            os.fsync(stream.fileno())

    def rows(self) -> list[dict[str, str]]:
        """Return all lines as text by column."""
        with self._path.open(encoding="utf-8", newline="") as stream:
            reader = csv.reader(stream, strict=True)
            try:
                header, *lines = reader
            except (csv.Error, UnicodeDecodeError, ValueError) as error:
                raise FileFormatError(f"{self._path} can't be read as results: {error}.") from None
        if tuple(header) != self._columns:
            raise FileFormatError(f"{self._path} has other columns than the results of this experiment.")
        for number, line in enumerate(lines, start=2):
            if len(line) != len(header):
                raise FileFormatError(
                    f"{self._path} is damaged: line {number} has {len(line)} values instead of {len(header)}."
                )
        return [dict(zip(header, line, strict=True)) for line in lines]

    def replace(self, rows: Iterable[dict[str, str]]) -> None:
        """Replace all lines, in one step."""
        lines = [self._line([row[column] for column in self._columns]) for row in rows]
        write_text(self._path, self._line(self._columns) + "".join(lines))

    @staticmethod
    def _line(values: Sequence[str]) -> str:
        buffer = io.StringIO()
        csv.writer(buffer, lineterminator="\n").writerow(values)
        return buffer.getvalue()


def one_line(text: str) -> str:
    """Return a text in one line of bounded length, so that a line of the file is a line."""
    return printable(" ".join(text.split()))[:_LONGEST_TEXT]


def _written(value: object) -> str:
    # Twelve digits are more than any comparison needs, and hide rounding noise.
    return format(value, ".12g") if isinstance(value, float) else one_line(str(value))


def _cut_torn_line(path: Path) -> None:
    content = path.read_bytes()
    whole = content.rfind(b"\n") + 1
    if whole < len(content):
        os.truncate(path, whole)
