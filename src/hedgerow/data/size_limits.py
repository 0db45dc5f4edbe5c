"""Limits on what packed files may unpack to, checked before it is unpacked: a few kilobytes can hold gigabytes."""

__all__ = ["refuse_large_workbook", "unpacked_parquet"]

import zipfile
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
_MAX_ROW_PARTS: Final = 8 * 16_384
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
                _refuse_large_sheet(path, content)
    stream.seek(0)


def _refuse_large_sheet(path: Path, content: IO[bytes]) -> None:
    """Raise `FileFormatError` if a part of a workbook is a sheet whose last row and column span too many cells.

    Rows and columns may be left out in a file, which leaves gaps of any size, so their numbers are what counts.
    """
    row = column = n_rows = n_columns = n_parts = 0

    def start(name: str, attributes: dict[str, str]) -> None:
        nonlocal row, column, n_rows, n_columns, n_parts
        name = name.rpartition(":")[2]
        if name == "row":
            row, column, n_parts = _number(attributes, row + 1), 0, 0
            n_rows = max(n_rows, row)
        elif row:
            n_parts += 1
        if name == "c":
            column = _column_number(attributes.get("r", "")) or column + 1
            n_columns = max(n_columns, column)
        if n_parts > _MAX_ROW_PARTS:  # a row is read as a whole
            raise _too_large(path, f"a row may have at most {_MAX_ROW_PARTS:,} parts")
        if n_rows * n_columns > _MAX_SHEET_CELLS:
            raise _too_large(path, f"a sheet may have at most {_MAX_SHEET_CELLS:,} cells")

    parser = expat.ParserCreate()
    parser.StartElementHandler = start
    with suppress(expat.ExpatError):  # other parts, such as pictures, and damage that shows when the sheet is read
        parser.ParseFile(content)


def _number(row: dict[str, str], otherwise: int) -> int:
    """Return the number that a row has in the file."""
    number = row.get("r", "")
    return int(number) if number.isdecimal() else otherwise


def _column_number(cell: str) -> int:
    """Return the number of the column in the name of a cell: 28 for AB7."""
    number = 0
    for letter in cell.rstrip("0123456789").upper():
        number = 26 * number + ord(letter) - ord("A") + 1
    return number


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
    texts = _text_columns(path, file.metadata)
    # Texts that are equal are kept once, until it is known how long they are together. Threads without memory crash.
    content = parquet.ParquetFile(stream, read_dictionary=texts).read(use_threads=False)
    coded = [place for place, column in enumerate(content.columns) if pa.types.is_dictionary(column.type)]
    n_bytes = sum(_written_bytes(chunk) for place in coded for chunk in content.column(place).chunks)
    if n_bytes > _MAX_BYTES:
        raise _too_large(path, f"its texts take {n_bytes >> 20} MiB")
    for place in coded:
        column = content.column(place)
        content = content.set_column(place, content.field(place).name, column.cast(column.type.value_type))
    return content


def _text_columns(path: Path, metadata: Any) -> list[str]:
    """Return a file's columns of text; refuse a file with too many cells or bytes, by what it says of itself."""
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


def _written_bytes(chunk: Any) -> int:
    """Return how many bytes the texts of a dictionary take where each is written out as often as it occurs."""
    import pyarrow as pa
    from pyarrow import compute

    if pa.types.is_primitive(chunk.type.value_type):
        return 0
    lengths = compute.binary_length(chunk.dictionary).cast(pa.int64())
    return compute.sum(lengths.take(chunk.indices)).as_py() or 0


def _too_large(path: Path, reason: str) -> FileFormatError:
    return FileFormatError(f"{path} is too large to be read: {reason}. Split it, or leave out columns.")
