"""Cells for files and for people."""

__all__ = ["Cell", "cell_ends", "cell_in_words", "cells_as_lists", "cells_from_lists"]

import math
from collections.abc import Iterable
from typing import Any

from hedgerow.thresholds.cells import Cell
from hedgerow.wording.numbers import number

_DIGITS_WITHIN = 2


def cells_as_lists(cells: Iterable[Cell]) -> list[list[float | None] | None]:
    """Return cells as JSON-ready lists, with null for "no end".

    >>> cells_as_lists([(2.5, float("inf")), None])
    [[2.5, None], None]
    """
    return [
        None if cell is None else [end if math.isfinite(end) else None for end in map(float, cell)] for cell in cells
    ]


def cells_from_lists(data: Any) -> tuple[Cell, ...] | None:
    """Return the cells that a file keeps; None if it keeps none, or what can't be cells.

    >>> cells_from_lists([[2.5, None], None]), cells_from_lists(["wide"])
    (((2.5, inf), None), None)
    """
    if not isinstance(data, list):
        return None
    cells: list[Cell] = []
    for cell in data:
        if cell is not None and not (isinstance(cell, list) and len(cell) == 2 and all(map(_is_end, cell))):
            return None
        cells.append(None if cell is None else (_end(cell[0], -math.inf), _end(cell[1], math.inf)))
    return tuple(cells)


def _is_end(end: Any) -> bool:
    return end is None or (isinstance(end, int | float) and not isinstance(end, bool) and math.isfinite(end))


def _end(end: float | None, infinite: float) -> float:
    return infinite if end is None else float(end)


def cell_ends(cell: Cell) -> Cell:
    """Return a cell with its ends rounded inwards; None if it has no width that a person could see, or isn't known.

    >>> cell_ends((8.3871, 9.6123)), cell_ends((5.0, 5.0))
    ((8.4, 9.6), None)
    """
    if cell is None:
        return None
    low, high = cell
    width = high - low
    if width == math.inf:
        width = max(1.0, *(abs(end) / 10.0 for end in cell if math.isfinite(end)), 0.0)
    if not width > 0.0:
        return None
    place = math.floor(math.log10(width)) - _DIGITS_WITHIN + 1
    low, high = (
        end if math.isinf(end) else float(f"{turn(_in_steps(end, place))}e{place}")
        for end, turn in ((low, math.ceil), (high, math.floor))
    )
    return (low, high) if low < high else None


def cell_in_words(cell: Cell, unit: str = "") -> str:
    """Return where a threshold may lie as a clause; empty if it may not move by anything that a person could see.

    >>> cell_in_words((8.3871, 9.6123), "min")
    'anything from 8.4 to 9.6 min is as good'
    >>> cell_in_words((8.3871, float("inf")))
    'anything from 8.39 on is as good'
    """
    if cell is None:
        return "no sample gets here, whatever is misread"
    ends = cell_ends(cell)
    if ends is None:
        return ""
    low, high = (number(end, 12) for end in ends)
    suffix = f" {unit}" if unit else ""
    if math.isinf(ends[0]) and math.isinf(ends[1]):
        return "any threshold is as good"
    if math.isinf(ends[0]):
        return f"anything up to {high}{suffix} is as good"
    return (
        f"anything from {low}{suffix} on is as good"
        if math.isinf(ends[1])
        else f"anything from {low} to {high}{suffix} is as good"
    )


def _in_steps(end: float, place: int) -> float:
    return end / 10.0**place if place >= 0 else end * 10.0**-place
