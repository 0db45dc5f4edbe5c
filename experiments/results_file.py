"""The folder of a run, locked for one run at a time, and its results file.

Every finished cell is on disk at once; a kill loses at most the line being written.
"""

__all__ = ["ResultsFile", "claim", "csv_of", "one_line"]

import csv
import io
import json
import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TextIO

from experiments.experiment import Row
from experiments.plan import Plan
from hedgerow.data.text_files import write_text
from hedgerow.errors import FileFormatError, InputError
from hedgerow.wording.numbers import printable

_LONGEST_TEXT = 300


class ResultsFile:
    """A CSV file that grows by whole lines; it is created if missing, and an incomplete last line is dropped."""

    def __init__(self, path: Path, columns: Sequence[str]) -> None:
        self._path, self._columns = path, tuple(columns)
        if path.exists():
            content = path.read_bytes()
            os.truncate(path, content.rfind(b"\n") + 1)
        if not path.exists() or not path.stat().st_size:
            self.replace([])
        self.rows()  # fail now, not after hours of work, if it can't be read

    def append(self, rows: Iterable[Row]) -> None:
        """Add lines; once this returns they are on disk."""
        text = csv_of([[_written(row.get(column, "")) for column in self._columns] for row in rows])
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
        lines = [[row[column] for column in self._columns] for row in rows]
        write_text(self._path, csv_of([self._columns, *lines]))


def csv_of(rows: Iterable[Iterable[Any]]) -> str:
    """Return rows as CSV; texts with separators or quotes are quoted."""
    text = io.StringIO(newline="")
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue()


def one_line(text: str) -> str:
    """Return a text in one line of bounded length, so that a line of the file is a line."""
    return printable(" ".join(text.split()))[:_LONGEST_TEXT]


def _written(value: object) -> str:
    # Twelve digits are more than any comparison needs, and hide rounding noise.
    return format(value, ".12g") if isinstance(value, float) else one_line(str(value))


_MANIFEST = "run.json"
_FORMAT = "hedgerow experiment"


@contextmanager
def claim(folder: Path, number: int, plan: Plan) -> Iterator[Path]:
    """Create the folder, or check that it belongs to this experiment, and lock it while it is used."""
    manifest = {
        "format": _FORMAT,
        "format_version": 1,
        "experiment": number,
        "scale": plan.scale,
        "family": plan.family,
        "heuristic_time_limit": plan.heuristic_time_limit,
        "exact_time_limit": plan.exact_time_limit,
    }
    path = folder / _MANIFEST
    if folder.exists() and not folder.is_dir():
        raise InputError(f"{folder} is a file; name a folder for the results.")
    if path.exists():
        _check_same(path, manifest)
    elif folder.exists() and any(folder.iterdir()):
        raise InputError(f"{folder} holds other files; name a new folder, or one of an experiment to resume.")
    folder.mkdir(parents=True, exist_ok=True)
    if not os.access(folder, os.W_OK):
        raise InputError(f"{folder} can't be written to.")
    if not path.exists():
        write_text(path, json.dumps(manifest, indent=2) + "\n")
    with path.open(encoding="utf-8") as stream:
        if not _locked(stream):
            raise InputError(f"another run is writing to {folder}; wait for it, or name another folder.")
        yield folder


def _check_same(path: Path, manifest: dict[str, Any]) -> None:
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except ValueError:
        found = None
    if not isinstance(found, dict) or found.get("format") != _FORMAT:
        raise InputError(f"{path} is not the description of an experiment; name a new folder.")
    for name, value in manifest.items():
        if found.get(name) != value:
            raise InputError(
                f"{path.parent} holds a run with {name.replace('_', ' ')} {found.get(name)!r}, not {value!r}; "
                "use the same settings, or name a new folder."
            )


def _locked(stream: TextIO) -> bool:
    """Return whether the file could be locked until it is closed; without support for locks nothing is locked."""
    try:
        import fcntl
    except ImportError:  # Windows
        return True
    try:
        fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:  # a file system without locks
        return True
    return True
