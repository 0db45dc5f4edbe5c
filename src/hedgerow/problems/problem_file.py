"""From descriptions and files back to problems: one table of kinds, open to new ones.

A problem file is a few lines of TOML that say what is to be decided; model files are read as they are.
"""

import tomllib
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, TypeAlias

from hedgerow.data.checks import checked_text, in_short
from hedgerow.data.files import read_table
from hedgerow.data.table import texts_of
from hedgerow.errors import FileFormatError, HedgerowError, InfeasibleProblemError, InputError
from hedgerow.mip.model_file import MODEL_FILES
from hedgerow.problems.base import Problem, Units, checked_fields, registry
from hedgerow.problems.mixed_integer import MixedIntegerProblem
from hedgerow.problems.shortest_path import ShortestPath

FileReader: TypeAlias = Callable[[Mapping[str, Any], Path], Problem]
"""Turns the fields of a problem file, and the folder that its paths start from, into a problem."""


def read_problem(path: str | Path) -> Problem:
    """Return the problem in a problem file (.toml) or a model file (.mps, .lp, also gzipped).

    Files that a problem file names lie in its own folder or below.

    Raises
    ------
    FileFormatError, InputError
        With the file and the field that is wrong.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from hedgerow.problems import read_problem
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = Path(folder) / "crates.toml"
    ...     _ = file.write_text('kind = "selection"; n = 5; p = 2; unit = "EUR"'.replace("; ", chr(10)))
    ...     read_problem(file)
    Selection(5 items, unit='EUR')
    """
    source = Path(path)
    if source.name.lower().endswith(MODEL_FILES):
        return MixedIntegerProblem.from_file(source)
    if not source.name.lower().endswith(".toml"):
        raise InputError(f"a problem file's name must end in .toml, {', '.join(MODEL_FILES)}; got {source.name!r}.")
    fields = _fields(source)
    kind = fields.get("kind")
    try:
        _check_kind(kind, [*FILE_KINDS, *registry])
        return FILE_KINDS[kind](fields, source.parent) if kind in FILE_KINDS else problem_from_dict(fields)
    except HedgerowError as error:
        raise type(error)(f"{source}: {error}") from error


def _fields(source: Path) -> dict[str, Any]:
    if not source.is_file():
        raise InputError(f"{source}: there is no such problem file.")
    try:
        return tomllib.loads(source.read_text(encoding="utf-8-sig"))
    except (ValueError, RecursionError) as error:  # also for integers of thousands of digits
        raise FileFormatError(f"{source} can't be read as a problem file (TOML): {error}.") from None


def _graph(data: Mapping[str, Any], folder: Path) -> Problem:
    """Return the shortest paths in a graph whose edges a CSV file lists."""
    required = ["edges", "source", "target"]
    optional = ["tail", "head", "name", "unit", "reading_unit"]
    fields = checked_fields(data, required, [*required, *optional])
    table = read_table(_file_beside(fields, "edges", folder))
    tails = texts_of(table, _text(fields, "tail", "tail"), "the node that an edge leaves (field 'tail')")
    heads = texts_of(table, _text(fields, "head", "head"), "the node that an edge enters (field 'head')")
    names = texts_of(table, _text(fields, "name"), "the edges' names (field 'name')") if "name" in fields else None
    units: Units = {"unit": fields.get("unit", ""), "reading_unit": fields.get("reading_unit")}
    ends = fields["source"], fields["target"]
    return ShortestPath(tails, heads, *ends, item_names=names, **units)


def _model(data: Mapping[str, Any], folder: Path) -> Problem:
    """Return a model file's problem with the items that are listed, if any are."""
    fields = checked_fields(data, ["file"], ["file", "items", "unit", "reading_unit", "sense"])
    path = _file_beside(fields, "file", folder)
    del fields["file"]
    return MixedIntegerProblem.from_file(path, **fields)


def _text(fields: Mapping[str, Any], field: str, default: str | None = None) -> str:
    return checked_text(fields.get(field, default), field)


def _file_beside(data: Mapping[str, Any], field: str, folder: Path) -> Path:
    """Return the path of the regular file that a field names.

    It must be in the problem file's folder or below, so that a problem file from elsewhere reaches no other file.
    """
    name, home = _text(data, field), folder.resolve()
    try:
        path = (home / name).resolve()
        is_file = path.is_file()
    except (OSError, RuntimeError, ValueError):  # a circle of links, a NUL byte, or a name that is too long
        is_file, path = False, home
    if not path.is_relative_to(home):
        raise InputError(f"{field} must name a file in the problem file's folder or below; got {in_short(name)}.")
    if not is_file:
        raise InputError(f"{field} must name a regular file; {in_short(name)} is none.")
    return folder / path.relative_to(home)


FILE_KINDS: dict[str, FileReader] = {"graph": _graph, "model": _model}
"""Kinds of problem that point to further files; all those in `registry` need no entry here."""


def problem_from_dict(data: Any) -> Problem:
    """Return the problem that `to_dict` described, with every field checked.

    Raises
    ------
    FileFormatError
        If the description is not one, is damaged, too large, or of an unknown kind.

    Examples
    --------
    >>> from hedgerow.problems import problem_from_dict
    >>> problem_from_dict({"kind": "grid", "size": 4})
    ShortestPath(24 items)
    """
    if not isinstance(data, Mapping):
        raise FileFormatError(f"a problem's description must be a table of fields; got a {type(data).__name__}.")
    kind: Any = data.get("kind")
    _check_kind(kind, registry)
    try:
        return registry[kind].from_dict(data)
    except (InputError, InfeasibleProblemError) as error:
        raise FileFormatError(
            f"this description of a problem of kind {in_short(kind)} can't be used: {error}"
        ) from error


def _check_kind(kind: Any, known: Iterable[str]) -> None:
    if kind not in list(known):
        given = "none" if kind is None else in_short(kind)
        raise FileFormatError(f"a problem's kind must be one of {', '.join(sorted(known))}; got {given}.")
