"""From descriptions and files back to problems: one table of kinds, open to new ones.

A problem file is a few lines of TOML that say what is to be decided; model files are read as they are.
"""

__all__ = ["FILE_KINDS", "problem_from_dict", "read_problem"]

import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final, TypeAlias

from hedgerow.data.checks import checked_text, in_short
from hedgerow.data.files import read_table
from hedgerow.data.table import number_matrix, texts_of
from hedgerow.errors import FileFormatError, HedgerowError, InfeasibleProblemError, InputError, SolverError
from hedgerow.mip.model_file import MODEL_FILES
from hedgerow.problem import Problem
from hedgerow.problems.base import checked_fields, registry
from hedgerow.problems.mixed_integer import MixedIntegerProblem
from hedgerow.problems.shortest_path import ShortestPath

_MAX_BYTES: Final = 1 << 28
_LONGEST_NAME = 300

FileReader: TypeAlias = Callable[[Mapping[str, Any], Path], Problem]
"""Turns the fields of a problem file, and the folder that its paths start from, into a problem."""


def read_problem(path: str | Path) -> Problem:
    """Return the problem in a problem file (.toml) or a model file (.mps, .lp, also gzipped).

    Files that a problem file names lie in its own folder or below. Messages about them don't quote their contents.

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
    if kind not in [*FILE_KINDS, *registry]:
        known = ", ".join(sorted({*FILE_KINDS, *registry}))
        given = "none" if kind is None else in_short(kind)
        raise FileFormatError(f"{source}: a problem's kind must be one of {known}; got {given}.")
    try:
        return FILE_KINDS[kind](fields, source.parent) if kind in FILE_KINDS else problem_from_dict(fields)
    except HedgerowError as error:
        raise type(error)(f"{source}: {error}") from error


def _fields(source: Path) -> dict[str, Any]:
    if not source.is_file():
        raise InputError(f"{source}: there is no such problem file.")
    if source.stat().st_size > _MAX_BYTES:
        raise FileFormatError(f"{source} is larger than {_MAX_BYTES >> 20} MiB; that is not a problem file.")
    try:
        return tomllib.loads(source.read_text(encoding="utf-8-sig"))
    except (ValueError, RecursionError) as error:  # also for integers of thousands of digits
        raise FileFormatError(f"{source} can't be read as a problem file (TOML): {error}.") from None


def _graph(data: Mapping[str, Any], folder: Path) -> Problem:
    """Return the shortest paths in a graph whose edges a CSV file lists."""
    required = ["edges", "source", "target"]
    optional = ["tail", "head", "name", "nodes", "node", "unit", "reading_unit"]
    fields = checked_fields(data, required, [*required, *optional])
    table = read_table(_file_beside(fields, "edges", folder))
    tails = texts_of(table, _text(fields, "tail", "tail"), "the node that an edge leaves (field 'tail')")
    heads = texts_of(table, _text(fields, "head", "head"), "the node that an edge enters (field 'head')")
    names = texts_of(table, _text(fields, "name"), "the edges' names (field 'name')") if "name" in fields else None
    if names is not None and len(set(names)) < len(names):
        raise InputError(f"{table.attrs['file']}: the edges' names (field 'name') must differ from each other.")
    nodes = {*tails, *heads}
    ends = [_label(fields, field) for field in ("source", "target")]
    for field, node in zip(("source", "target"), ends, strict=True):
        if node not in nodes:
            raise InputError(f"{field} must be a node in {table.attrs['file']}; got {in_short(node)}.")
    units = {name: fields[name] for name in ("unit", "reading_unit") if name in fields}
    return ShortestPath(tails, heads, *ends, item_names=names, positions=_positions(fields, folder, nodes), **units)


def _positions(fields: Mapping[str, Any], folder: Path, nodes: set[str]) -> Mapping[str, Any] | None:
    """Return the nodes' coordinates in the file `nodes`, in its columns x and y."""
    if "nodes" not in fields:
        return None
    table = read_table(_file_beside(fields, "nodes", folder))
    names = texts_of(table, _text(fields, "node", "node"), "the nodes' names (field 'node')")
    if not {"x", "y"}.issubset(table.columns):
        raise InputError(f"{table.attrs['file']} must have columns x and y.")
    places = number_matrix(table, ["x", "y"], "coordinates")
    if not nodes.issubset(names):
        raise InputError(f"{table.attrs['file']} must have a row for every node; {len(nodes - {*names})} are missing.")
    return {name: place for name, place in zip(names, places, strict=True) if name in nodes}


def _model(data: Mapping[str, Any], folder: Path) -> Problem:
    """Return a model file's problem with the items that are listed, if any are."""
    fields = checked_fields(data, ["file"], ["file", "items", "unit", "reading_unit", "sense"])
    path = _file_beside(fields, "file", folder)
    if not path.name.lower().endswith(MODEL_FILES):
        raise InputError(f"a model file's name must end in {', '.join(MODEL_FILES)}; got {path.name!r}.")
    try:
        problem = MixedIntegerProblem.from_file(path)
    except SolverError:
        raise
    except HedgerowError:
        raise FileFormatError(
            f"{path} is no model that can be used; give it in place of this file to see why."
        ) from None
    del fields["file"]
    return MixedIntegerProblem(problem.model, **fields)


def _text(fields: Mapping[str, Any], field: str, default: str | None = None) -> str:
    return checked_text(fields.get(field, default), field)


def _label(fields: Mapping[str, Any], field: str) -> str:
    """Return the name of a node, which may be written as a number."""
    value = fields[field]
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else _text(fields, field)


def _file_beside(data: Mapping[str, Any], field: str, folder: Path) -> Path:
    """Return the path, free of links, of the file that a field names.

    It must be a regular file in the problem file's folder or below, so that a problem file from elsewhere reaches no
    other file, and no device or pipe that never ends. What lies outside is refused whether it exists or not.
    """
    name = _text(data, field)
    home = folder.resolve()
    try:
        real = (home / name).resolve()
        exists = real.exists()
    except (OSError, RuntimeError, ValueError):  # a circle of links, a NUL byte, or a name that is too long
        raise InputError(f"{field} must name a file; got {in_short(name)}.") from None
    if not real.is_relative_to(home):
        raise InputError(f"{field} must name a file in the problem file's folder or below; got {in_short(name)}.")
    path = folder / real.relative_to(home)
    shown = path if len(name) <= _LONGEST_NAME else in_short(name)
    if not exists:
        raise InputError(f"{shown}: there is no such file.")
    if not path.is_file():
        raise InputError(f"{field} must name a regular file; {shown} is none.")
    return path


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
    kind = data.get("kind")
    reader = registry.get(kind) if isinstance(kind, str) else None
    if reader is None:
        given = "none" if kind is None else in_short(kind)
        raise FileFormatError(f"a problem's kind must be one of {', '.join(sorted(registry))}; got {given}.")
    try:
        return reader.from_dict(data)
    except (InputError, InfeasibleProblemError) as error:
        raise FileFormatError(
            f"this description of a problem of kind {in_short(kind)} can't be used: {error}"
        ) from error
