"""Parquet in and out, where columns keep their types."""

__all__ = ["ArrowColumn", "parquet_bytes", "read_parquet"]

import io
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from hedgerow.data.arrays import FloatArray
from hedgerow.data.checks import in_short, list_some
from hedgerow.data.file_columns import Column, text_of
from hedgerow.data.table import Table
from hedgerow.errors import FileFormatError, InputError, needed

_LONGEST = 40

_BEYOND_PYTHON = (ValueError, OverflowError, KeyError)
"""What Python raises for years beyond 9999 and unknown time zones."""


class ArrowColumn(Column):
    """A column of a Parquet file, whose cells are a `pyarrow` array."""

    @property
    def numbers(self) -> FloatArray:
        """The cells as numbers; NaN where they are missing, or everywhere if the column has another type.

        Not cached: a table is often much larger than the part that is used.
        """
        if not self._is_numeric:
            return np.full(len(self), np.nan)
        import pyarrow as pa

        # Not "safe": whole numbers beyond 2^53 become the nearest float, as they do anywhere else.
        values = self.cells.cast(pa.float64(), safe=False).to_numpy(zero_copy_only=False)
        finite = np.isfinite(values)
        return values if finite.all() else np.where(finite, values, np.nan)

    def is_gap(self, row: int) -> bool:
        """Return whether a cell is empty, or NaN."""
        value = self.cells[row]
        return not value.is_valid or (self._is_numeric and value.as_py() != value.as_py())

    def described(self, row: int) -> str:
        """Describe a cell, for a message."""
        if not self.cells[row].is_valid:
            return "it is empty"
        if self._is_numeric:
            return f"got {self.cells[row].as_py()}"
        try:
            return f"got {in_short(str(self.cells[row]))} of type {self._type_in_words}"
        except _BEYOND_PYTHON:
            return f"got a {self._type_in_words}"

    def texts(self, decimal: str = ".") -> list[str]:
        """Return the cells as text: dates in ISO form, nothing where they are missing."""
        if not self.is_plain:
            raise InputError(
                f"column {in_short(self.name)} holds {self._type_in_words}, which CSV can't hold; drop it, or write "
                "to a file that ends in .parquet."
            )
        try:
            return [text_of(value, decimal) for value in self.cells.to_pylist()]
        except _BEYOND_PYTHON:
            raise InputError(
                f"column {in_short(self.name)} holds {self._type_in_words} that can't be written as text; "
                "drop it first."
            ) from None

    def cells_to_write(self) -> list[Any]:
        """Return numbers as numbers and all else as text."""
        pairs = zip(self.texts(), self.numbers.tolist(), strict=True)
        return [text if np.isnan(number) else number for text, number in pairs]

    def arrow(self) -> Any:
        """Return the cells with their type."""
        return self.cells

    @property
    def is_plain(self) -> bool:
        """Whether the cells can be written as text: lists, records and bytes can't."""
        from pyarrow import types

        kind = self.cells.type
        return not (types.is_nested(kind) or "binary" in str(kind))

    @property
    def _is_numeric(self) -> bool:
        from pyarrow import types

        kind = self.cells.type
        return bool(types.is_integer(kind) or types.is_floating(kind) or types.is_decimal(kind))

    @property
    def _type_in_words(self) -> str:
        text = str(self.cells.type)  # nested types can be as long as a page
        return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"


def read_parquet(path: Path) -> Table:
    """Read a Parquet file with at least one column and one row."""
    pa, parquet = _pyarrow()
    if path.is_file() and path.stat().st_size == 0:
        raise FileFormatError(f"{path} is empty; it must be a Parquet file with one row per sample.")
    try:
        with path.open("rb") as stream:
            content = parquet.ParquetFile(stream).read(use_threads=False)  # threads without memory end the program
        content.validate(full=True)  # text in a file may be invalid
        names, arrays = content.column_names, [_plain(column.combine_chunks()) for column in content.columns]
    except MemoryError:
        raise
    except (pa.ArrowException, OSError, ValueError) as error:
        reason = (str(error).strip().splitlines() or [type(error).__name__])[0][:100].rstrip(". ")
        raise FileFormatError(f"{path} can't be read as Parquet: {reason}.") from None
    if not arrays or content.num_rows == 0:
        raise FileFormatError(f"{path} has no rows; at least one is needed.")
    return Table(path, tuple(ArrowColumn(name, array) for name, array in zip(names, arrays, strict=True)))


def parquet_bytes(columns: Sequence[Column]) -> bytes:
    """Return columns as a Parquet file."""
    pa, parquet = _pyarrow()
    names = [column.name for column in columns]
    twice = [name for name, count in Counter(names).items() if count > 1]
    if twice:
        raise InputError(
            f"Parquet can't hold these columns more than once: {list_some(twice)}. Rename them, or write to CSV."
        )
    target = io.BytesIO()
    parquet.write_table(pa.Table.from_arrays([column.arrow() for column in columns], names=names), target)
    return target.getvalue()


def _pyarrow() -> tuple[Any, Any]:
    with needed("Parquet files, unlike CSV files, need pyarrow", "parquet"):
        import pyarrow
        from pyarrow import parquet
    return pyarrow, parquet


def _plain(array: Any) -> Any:
    """Return the array with dictionaries, which only save space, written out."""
    from pyarrow import types

    return array.dictionary_decode() if types.is_dictionary(array.type) else array
