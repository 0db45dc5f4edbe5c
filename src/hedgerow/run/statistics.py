"""The trajectory of a run as rows, which plots and progress displays read."""

__all__ = ["Row", "Statistics"]

import csv
import dataclasses
import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Self, overload

from hedgerow.errors import FileFormatError


@dataclass(frozen=True)
class Row:
    """The state of a run at one moment, in the problem's own sign.

    Attributes
    ----------
    runtime
        Seconds since the start.
    iteration
        What the method counts: scenarios, structures tried, restarts.
    value
        Worst-case cost of the best tree so far.
    bound
        Proven bound on the optimum so far.
    detail
        What happened, in a few words.
    """

    runtime: float
    iteration: int
    value: float
    bound: float
    detail: str = ""


@dataclass(frozen=True)
class Statistics(Sequence[Row]):
    """The rows of a run in order of time; they round-trip through CSV.

    Examples
    --------
    >>> from hedgerow.run import Row, Statistics
    >>> rows = Statistics((Row(0.5, 1, 43.0, 36.0, "first tree"),))
    >>> Statistics.from_csv(rows.to_csv()) == rows
    True
    """

    rows: tuple[Row, ...] = ()

    @overload
    def __getitem__(self, index: int) -> Row: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Row]: ...
    def __getitem__(self, index: int | slice) -> Row | Sequence[Row]:
        return self.rows[index]

    def __len__(self) -> int:
        return len(self.rows)

    def __iter__(self) -> Iterator[Row]:
        return iter(self.rows)

    def to_csv(self) -> str:
        """Return the rows as CSV text with a header."""
        text = io.StringIO(newline="")
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(_COLUMNS)
        writer.writerows(dataclasses.astuple(row) for row in self.rows)
        return text.getvalue()

    @classmethod
    def from_csv(cls, text: str) -> Self:
        """Return the rows that `to_csv` wrote."""
        lines = list(csv.reader(io.StringIO(text, newline="")))
        if not lines or tuple(lines[0]) != _COLUMNS:
            raise FileFormatError(f"statistics must start with the columns {', '.join(_COLUMNS)}.")
        try:
            return cls(tuple(Row(float(a), int(b), float(c), float(d), e) for a, b, c, d, e in lines[1:]))
        except ValueError as error:
            raise FileFormatError(f"the statistics can't be read: {error}.") from None


_COLUMNS = tuple(field.name for field in dataclasses.fields(Row))
