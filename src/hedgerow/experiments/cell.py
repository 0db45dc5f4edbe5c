"""A cell: one instance, one method, one uncertainty set, one λ; the unit of work and of resuming."""

__all__ = ["KEY_COLUMNS", "Cell", "Row"]

import zlib
from collections.abc import Mapping
from dataclasses import astuple, dataclass, fields
from typing import Self, TypeAlias

Row: TypeAlias = dict[str, object]
"""One row of the results, by column."""


@dataclass(frozen=True)
class Cell:
    """An instance and how it is solved.

    Attributes
    ----------
    family
        The family of instances, a name in `hedgerow.experiments.families.FAMILIES`.
    seed_id
        Which instance of the family, from 0.
    size
        How large its problem is: on grids, the nodes on each side.
    n_samples
        N, the number of training samples.
    method
        The method.
    trained_on
        The uncertainty set that the tree is fitted for: "local", "global", or "none".
    fraction
        λ.

    Examples
    --------
    >>> from hedgerow.experiments.cell import Cell
    >>> cell = Cell("shortest-path", 0, 4, 5, "exact", "local", 0.05)
    >>> Cell.from_row(cell.row()) == cell
    True
    """

    family: str
    seed_id: int
    size: int
    n_samples: int
    method: str
    trained_on: str
    fraction: float

    @property
    def seed(self) -> int:
        """The seed of its random draws, always the same for the same cell."""
        return zlib.crc32("|".join(map(str, astuple(self))).encode())

    def row(self) -> Row:
        """Return the cell as the first columns of a row."""
        return {field.name: getattr(self, field.name) for field in fields(self)}

    @classmethod
    def from_row(cls, row: Mapping[str, object]) -> Self:
        """Return the cell that a row belongs to; its values may be text."""
        return cls(
            family=str(row["family"]),
            seed_id=int(str(row["seed_id"])),
            size=int(str(row["size"])),
            n_samples=int(str(row["n_samples"])),
            method=str(row["method"]),
            trained_on=str(row["trained_on"]),
            fraction=float(str(row["fraction"])),
        )


KEY_COLUMNS = tuple(field.name for field in fields(Cell))
"""The columns that identify a cell."""
