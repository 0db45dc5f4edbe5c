"""Limits on what packed files may unpack to, checked before it is unpacked: a few kilobytes can hold gigabytes."""

__all__ = ["refuse_large_workbook", "rows_within_limit", "unpacked_parquet"]

import zipfile
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import IO, Any, Final
from xml.parsers import expat

from hedgerow.data.checks import in_short
from hedgerow.errors import FileFormatError

_MAX_CELLS: Final = 50_000_000
"""Most cells of a Parquet file, which take 8 bytes each."""
_MAX_SHEET_CELLS: Final = 10_000_000
"""Most cells of a sheet, which are Python objects."""
_MAX_BYTES: Final = 1 << 28
"""Most bytes of a workbook's XML, and of the texts in a Parquet file."""
_MAX_ROW_ELEMENTS: Final = 8 * 16_384
"""Most elements in a row of a sheet: there are at most 16,384 columns, and a cell has a few parts."""
_ALWAYS_ALLOWED: Final = 1 << 24
_MAX_RATIO: Final = 100
"""How many times larger than the file the XML of a workbook may be; it is 5 to 30 times larger as a rule."""


def refuse_large_workbook(path: Path, stream: IO[bytes]) -> None:
    """Raise `FileFormatError` if the parts of a workbook (a zip file) are too large, by the sizes that it declares.

    No more than the declared size of a part is ever unpacked.
    """
    packed = stream.seek(0, 2)
    with zipfile.ZipFile(stream) as archive:
        parts = archive.infolist()
        unpacked = sum(part.file_size for part in parts)
        if unpacked > min(_MAX_BYTES, max(_ALWAYS_ALLOWED, _MAX_RATIO * packed)):
            raise _too_large(path, f"it unpacks to {unpacked >> 20} MiB")
        for part in parts:
            with archive.open(part) as content:
                _refuse_long_rows(path, content)
    stream.seek(0)


def _refuse_long_rows(path: Path, content: IO[bytes]) -> None:
    """Raise `FileFormatError` if a part of a workbook has a row with too many elements: rows are read as a whole."""
    n_elements, in_row = 0, False

    def start(name: str, _: Any) -> None:
        nonlocal n_elements, in_row
        n_elements += in_row
        in_row = in_row or name.endswith("row")
        if n_elements > _MAX_ROW_ELEMENTS:
            raise _too_large(path, f"a row may have at most {_MAX_ROW_ELEMENTS:,} parts")

    def end(name: str) -> None:
        nonlocal n_elements, in_row
        if name.endswith("row"):
            n_elements, in_row = 0, False

    parser = expat.ParserCreate()
    parser.StartElementHandler, parser.EndElementHandler = start, end
    with suppress(expat.ExpatError):  # other parts, such as pictures, and damage that shows when the sheet is read
        parser.ParseFile(content)


def rows_within_limit(path: Path, rows: Iterable[tuple[Any, ...]]) -> Iterator[tuple[Any, ...]]:
    """Yield the rows of a sheet that are not empty, all as wide as the first; raise `FileFormatError` for too many.

    Empty rows count as well, since row numbers in a file may leave gaps of any size.
    """
    width = n_cells = 0
    for row in rows:
        n_cells += max(len(row), width, 1)
        if n_cells > _MAX_SHEET_CELLS:
            raise _too_large(path, f"a sheet may have at most {_MAX_SHEET_CELLS:,} cells")
        if any(cell is not None for cell in row):
            width = width or len(row)
            yield row[:width] + (None,) * (width - len(row))


def unpacked_parquet(path: Path, stream: IO[bytes]) -> Any:
    """Return a Parquet file's `pyarrow` table, with dictionaries written out; raise `FileFormatError` if too large.

    Columns of lists, records and bytes are refused: what they unpack to is not known before.
    """
    import pyarrow as pa
    from pyarrow import parquet

    file = parquet.ParquetFile(stream)
    for field in file.schema_arrow:
        if pa.types.is_nested(field.type) or "binary" in str(field.type):
            kind = str(field.type).partition("<")[0]
            raise FileFormatError(f"{path}: column {in_short(field.name)} holds {kind} values; leave it out.")
    # Texts that are equal are kept once, until it is known how long they are together.
    texts = _check_metadata(path, file.metadata)
    content = parquet.ParquetFile(stream, read_dictionary=texts).read(use_threads=False)  # threads without memory crash
    _check_texts(path, content)
    for place, column in enumerate(content.columns):
        if pa.types.is_dictionary(column.type):
            content = content.set_column(place, content.field(place).name, column.cast(column.type.value_type))
    return content


def _check_metadata(path: Path, metadata: Any) -> list[str]:
    """Refuse a file with too many cells or bytes, by what it says of itself; return its columns of text."""
    n_cells = metadata.num_rows * metadata.num_columns
    if n_cells > _MAX_CELLS:
        raise _too_large(path, f"it has {n_cells:,} cells, and {_MAX_CELLS:,} are allowed")
    columns = [metadata.schema.column(place) for place in range(metadata.num_columns)]
    texts = [place for place, column in enumerate(columns) if column.physical_type == "BYTE_ARRAY"]
    groups = [metadata.row_group(group) for group in range(metadata.num_row_groups)]
    n_bytes = sum(group.column(place).total_uncompressed_size for group in groups for place in texts)
    if n_bytes > _MAX_BYTES:
        raise _too_large(path, f"its texts may take {n_bytes >> 20} MiB")
    return [columns[place].path for place in texts]


def _check_texts(path: Path, content: Any) -> None:
    """Refuse a table whose texts are too long once each is written out where it occurs."""
    import pyarrow as pa
    from pyarrow import compute

    n_bytes = 0
    for chunk in (chunk for column in content.columns for chunk in column.chunks):
        kind = chunk.type
        if pa.types.is_dictionary(kind) and not pa.types.is_primitive(kind.value_type):
            lengths = compute.binary_length(chunk.dictionary).cast(pa.int64())
            n_bytes += compute.sum(lengths.take(chunk.indices)).as_py() or 0
    if n_bytes > _MAX_BYTES:
        raise _too_large(path, f"its texts take {n_bytes >> 20} MiB")


def _too_large(path: Path, reason: str) -> FileFormatError:
    return FileFormatError(f"{path} is too large to be read: {reason}. Split it, or leave out columns.")
