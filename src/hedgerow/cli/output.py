"""What commands print for people, note on standard error, and write: tables, notes, files."""

import json
import logging
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hedgerow.data.files import csv_text, is_excel, is_parquet, options_of, parquet_bytes, workbook_bytes
from hedgerow.data.text_files import check_writable, finite_or_none, write_bytes
from hedgerow.wording.numbers import printable

if TYPE_CHECKING:
    import pandas as pd

# -- for people ------------------------------------------------------------------------------------------------------


def show(text: object = "") -> None:
    """Print lines for people as they are, but for characters that would garble a terminal."""
    print("\n".join(printable(line) for line in str(text).split("\n")), flush=True)


def show_json(fields: Mapping[str, Any]) -> None:
    """Print one JSON object; numbers that are not finite are null."""

    def plain(value: Any) -> Any:
        if isinstance(value, tuple | list):
            return [plain(each) for each in value]
        return finite_or_none(value) if isinstance(value, float) else value

    show(json.dumps({name: plain(value) for name, value in fields.items()}, allow_nan=False))


def tell(message: str) -> None:
    """Print a message on standard error; one that can't be written, such as to a full disk, is dropped."""
    with suppress(OSError):
        print(printable(message), file=sys.stderr, flush=True)


def note(message: str) -> None:
    """Hold a message back, unless it is empty, so that bad input is answered by one sentence and nothing else."""
    if message:
        options_of().notes.append(message)


def show_notes() -> None:
    """Print the notes that were held back, each once."""
    notes = options_of().notes
    for message in dict.fromkeys(notes):
        tell(message)
    notes.clear()


@contextmanager
def log_shown() -> Iterator[None]:
    """Print what Hedgerow logs, such as why "auto" picked a method: the input is good then, so notes come before it."""
    logger, handler = logging.getLogger("hedgerow"), _Handler()
    logger.addHandler(handler)
    logger.setLevel(logging.INFO)
    try:
        yield
    finally:
        logger.removeHandler(handler)


class _Handler(logging.Handler):
    def emit(self, record: logging.LogRecord) -> None:
        show_notes()
        tell(record.getMessage())


# -- files -----------------------------------------------------------------------------------------------------------


def check_output(*paths: Path | None) -> None:
    """Refuse places where no file can be written, before any work is done."""
    for path in paths:
        if path is not None:
            check_writable(path)


def show_result(output: Path | None, result: Any) -> None:
    """Print a study in words, and write its table to the file."""
    show(result)
    if output is not None:
        write_output(output, result.to_frame())
        note(f"saved to {output}")


def write_output(path: Path | None, frame: "pd.DataFrame") -> None:
    """Write a table in one step, or as CSV to standard output where there is no path.

    CSV is written as `--sep` and `--decimal` say, else like the first CSV file that was read.
    """
    if path is not None and is_parquet(path):
        put_out(path, parquet_bytes(frame))
    elif path is not None and is_excel(path):
        put_out(path, workbook_bytes(frame))
    else:
        put_out(path, csv_text(frame, options_of().to_write))


def put_out(path: Path | None, content: str | bytes) -> None:
    """Write text or bytes in one step, or text to standard output where there is no path or it is "-"."""
    if path is None or str(path) == "-":
        sys.stdout.write(str(content))
        sys.stdout.flush()
    else:
        write_bytes(path, content if isinstance(content, bytes) else content.encode())
