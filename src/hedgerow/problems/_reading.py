"""Reads descriptions of problems from untrusted files: every field is checked, and sizes are limited."""

import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import numpy as np

from hedgerow.data.arrays import FloatArray
from hedgerow.data.checks import in_short, list_some, writable_text
from hedgerow.errors import FileFormatError, InputError
from hedgerow.problem import Sense

MAX_ITEMS: Final = 200_000
"""No problem file describes more items (or nodes) than this."""

MAX_ENTRIES: Final = 20_000_000
"""No matrix in a problem file has more entries than this."""

_MAX_TEXT: Final = 1_000
_MISSING: Final = object()


def only_fields(data: Mapping[str, Any], *fields: str) -> None:
    """Refuse fields other than these: they are misspelt, or from a newer version. Where a unit is allowed, two are."""
    allowed = {"kind", *fields, *(("reading_unit",) if "unit" in fields else ())}
    unknown = sorted(str(key) for key in data if key not in allowed)
    if unknown:
        raise FileFormatError(
            f"a problem of kind {in_short(data.get('kind'))} has no field {list_some(unknown)}; "
            f"its fields are {', '.join(sorted(allowed))}."
        )


def whole(data: Mapping[str, Any], field: str, low: int, high: int) -> int:
    """Return an integer field within its bounds."""
    return _whole(_get(data, field), field, low, high)


def text(data: Mapping[str, Any], field: str, default: str | None = None) -> str:
    """Return a text field; without a default it is required."""
    return _text(_get(data, field) if default is None else data.get(field, default), field)


def file_beside(data: Mapping[str, Any], field: str, folder: Path) -> Path:
    """Return the path, free of links, of the file that a field names.

    It must be a regular file in the problem file's folder or below, so that a problem file from elsewhere reaches no
    other file, and no device or pipe that never ends. What lies outside is refused whether it exists or not.
    """
    name = text(data, field)
    home = folder.resolve()
    try:
        real = (home / name).resolve()
    except (OSError, RuntimeError, ValueError):  # a circle of links, or a NUL byte
        raise InputError(f"{field} must name a file; got {in_short(name)}.") from None
    if not real.is_relative_to(home):
        raise InputError(f"{field} must name a file in the problem file's folder or below; got {in_short(name)}.")
    path = folder / real.relative_to(home)
    if not path.exists():
        raise InputError(f"{path}: there is no such file.")
    if not path.is_file():
        raise InputError(f"{field} must name a regular file; {path} is none.")
    return path


def texts(data: Mapping[str, Any], field: str, *, length: int | None = None) -> list[str]:
    """Return a field that lists texts, as many as `length` says."""
    values = _list(_get(data, field), field, MAX_ITEMS)
    if length is not None and len(values) != length:
        raise FileFormatError(f"{field} must list {length} texts; got {len(values)}.")
    return [_text(value, f"{field}[{number}]") for number, value in enumerate(values)]


def texts_if_any(data: Mapping[str, Any], field: str, *, length: int) -> list[str] | None:
    """Return a field that lists texts, or None where it is left out."""
    return texts(data, field, length=length) if field in data else None


def units(data: Mapping[str, Any]) -> dict[str, Any]:
    """Return the unit of the costs, and that of the readings if it is another one, as constructors take them."""
    other = {"reading_unit": text(data, "reading_unit")} if "reading_unit" in data else {}
    return {"unit": text(data, "unit", ""), **other}


def options(data: Mapping[str, Any], *fields: str, default: Sense = "min") -> dict[str, Any]:
    """Return units and sense as constructors take them, from a description with these other fields."""
    only_fields(data, "unit", "sense", *fields)
    return {**units(data), "sense": sense(data, default)}


def named_ends(data: Mapping[str, Any], links: str) -> dict[str, Any]:
    """Return nodes, links, their names and coordinates as constructors of problems on graphs take them."""
    nodes, tails, heads = texts(data, "nodes"), [], []
    for number, row in enumerate(_list(_get(data, links), links, MAX_ITEMS)):
        what = f"{links}[{number}]"
        ends = [_whole(value, what, 0, len(nodes) - 1) for value in _list(row, what, 2)]
        if len(ends) != 2:
            raise FileFormatError(f"{what} must hold 2 integers; got {len(ends)}.")
        tails.append(nodes[ends[0]])
        heads.append(nodes[ends[1]])
    places = matrix(data, "positions", width=2) if "positions" in data else None
    if places is not None and len(places) != len(nodes):
        raise FileFormatError(f"positions must hold one row for each of the {len(nodes)} nodes; got {len(places)}.")
    return {
        "tails": tails,
        "heads": heads,
        "nodes": nodes,
        "item_names": texts_if_any(data, "items", length=len(tails)),
        "positions": None if places is None else dict(zip(nodes, places, strict=True)),
    }


def sense(data: Mapping[str, Any], default: Sense = "min") -> Sense:
    """Return the sense, or the default where nothing is said."""
    value = data.get("sense", default)
    if value == "min":
        return "min"
    if value == "max":
        return "max"
    raise FileFormatError(f'sense must be "min" or "max"; got {in_short(value)}.')


def number(data: Mapping[str, Any], field: str, default: float | None = None) -> float:
    """Return a field that holds one finite number."""
    return _number(_get(data, field) if default is None else data.get(field, default), field)


def numbers(
    data: Mapping[str, Any], field: str, *, length: int | None = None, missing: float | None = None
) -> FloatArray:
    """Return a field that lists finite numbers; where `missing` is given, null stands for it."""
    values = _list(_get(data, field), field, MAX_ENTRIES)
    if length is not None and len(values) != length:
        raise FileFormatError(f"{field} must list {length} numbers; got {len(values)}.")
    return np.array(
        [
            missing if value is None and missing is not None else _number(value, f"{field}[{place}]")
            for place, value in enumerate(values)
        ],
        dtype=np.float64,
    )


def places(data: Mapping[str, Any], field: str, last: int) -> list[int]:
    """Return a field that lists whole numbers from 0 to `last`."""
    return [_whole(value, field, 0, last) for value in _list(_get(data, field), field, MAX_ENTRIES)]


def at_most(count: int, what: str, most: int | None = None) -> None:
    """Refuse a description that would grow into too many of something."""
    most = MAX_ITEMS if most is None else most
    if count > most:
        raise FileFormatError(f"a problem file may have at most {most} {what}; got {count}.")


def matrix(data: Mapping[str, Any], field: str, *, width: int | None = None) -> FloatArray:
    """Return a field that lists rows of finite numbers as a matrix with at least one row and column."""
    rows = _list(_get(data, field), field, MAX_ENTRIES)
    first = len(_list(rows[0], f"{field}[0]", MAX_ITEMS)) if rows else 0
    columns = first if width is None else width
    if not rows or not columns or len(rows) * columns > MAX_ENTRIES:
        raise FileFormatError(f"{field} must have 1 to {MAX_ENTRIES} entries; got {len(rows)} rows of {columns}.")
    result = np.empty((len(rows), columns))
    for number, row in enumerate(rows):
        values = _list(row, f"{field}[{number}]", MAX_ITEMS)
        if len(values) != columns:
            raise FileFormatError(f"{field}[{number}] must hold {columns} numbers; got {len(values)}.")
        result[number] = [_number(value, f"{field}[{number}]") for value in values]
    return result


def _get(data: Mapping[str, Any], field: str) -> Any:
    value = data.get(field, _MISSING)
    if value is _MISSING:
        raise FileFormatError(
            f"a problem of kind {in_short(data.get('kind'))} needs the field '{field}'; it is missing."
        )
    return value


def _list(value: Any, what: str, longest: int) -> list[Any]:
    if not isinstance(value, list | tuple):
        raise FileFormatError(f"{what} must be a list; got {in_short(value)}.")
    if len(value) > longest:
        raise FileFormatError(f"{what} must have at most {longest} entries; got {len(value)}.")
    return list(value)


def _whole(value: Any, what: str, low: int, high: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        raise FileFormatError(f"{what} must be an integer from {low} to {high}; got {in_short(value)}.")
    return value


def _number(value: Any, what: str) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise FileFormatError(f"{what} must hold numbers; got {in_short(value)}.")
    try:
        number = float(value)
    except OverflowError:
        number = math.inf
    if not math.isfinite(number):
        raise FileFormatError(f"{what} must hold finite numbers; got {in_short(value)}.")
    return number


def _text(value: Any, what: str) -> str:
    if not isinstance(value, str):
        raise FileFormatError(f"{what} must be a text; got {in_short(value)}.")
    if len(value) > _MAX_TEXT:
        raise FileFormatError(f"{what} must have at most {_MAX_TEXT} characters; got {len(value)}.")
    try:
        return writable_text(value, what)
    except InputError as error:
        raise FileFormatError(str(error)) from None
