"""A cell: one instance, one method, one uncertainty set, one λ; the unit of work and of resuming."""

__all__ = ["KEY_COLUMNS", "Cell", "Row"]

import zlib
from collections.abc import Mapping
from dataclasses import asdict, astuple, dataclass, fields
from typing import Any, Self, TypeAlias

Row: TypeAlias = dict[str, object]
"""One row of the results, by column."""


@dataclass(frozen=True)
class Cell:
    """An instance and how it is solved.

    Examples
    --------
    >>> from hedgerow.experiments.cell import Cell
    >>> cell = Cell("shortest-path", 0, 4, 5, "exact", "local", 0.05)
    >>> Cell.from_row(cell.row()) == cell
    True
    """

    family: str  # a name in `hedgerow.experiments.plan.FAMILIES`
    seed_id: int  # which instance of the family, from 0
    size: int  # how large its problem is: on grids, the nodes on each side
    n_samples: int  # N, the number of training samples
    method: str
    trained_on: str  # the uncertainty set that the tree is fitted for: "local", "global", or "none"
    fraction: float  # λ

    @property
    def seed(self) -> int:
        """The seed of its random draws, always the same for the same cell."""
        return zlib.crc32("|".join(map(str, astuple(self))).encode())

    def row(self) -> Row:
        """Return the cell as the first columns of a row."""
        return asdict(self)

    @classmethod
    def from_row(cls, row: Mapping[str, object]) -> Self:
        """Return the cell that a row belongs to; its values may be text."""
        kinds: dict[str, Any] = {field.name: field.type for field in fields(cls)}
        return cls(**{name: kind(str(row[name])) for name, kind in kinds.items()})


KEY_COLUMNS = tuple(field.name for field in fields(Cell))
"""The columns that identify a cell."""
