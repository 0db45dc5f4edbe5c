"""From descriptions and files back to problems: one table of kinds, open to new ones.

A problem file is a few lines of TOML that say what is to be decided; model files are read as they are.
"""

__all__ = ["FILE_KINDS", "problem_from_dict", "read_problem", "registry"]

import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final, TypeAlias

from hedgerow.data.checks import in_short
from hedgerow.data.files import read_table
from hedgerow.errors import FileFormatError, HedgerowError, InfeasibleProblemError, InputError, SolverError
from hedgerow.mip.model_file import MODEL_FILES
from hedgerow.problem import Problem
from hedgerow.problems import _reading as reading
from hedgerow.problems._graph_names import coordinates_in
from hedgerow.problems.assignment import Assignment
from hedgerow.problems.explicit import ExplicitSet
from hedgerow.problems.facility_location import FacilityLocation
from hedgerow.problems.knapsack import Knapsack
from hedgerow.problems.load_shifting import LoadShifting
from hedgerow.problems.mixed_integer import MixedIntegerProblem
from hedgerow.problems.plan_sets import PlanSets
from hedgerow.problems.scheduling import Scheduling
from hedgerow.problems.selection import Selection
from hedgerow.problems.shortest_path import ShortestPath
from hedgerow.problems.spanning_tree import SpanningTree
from hedgerow.problems.travelling_salesman import TravellingSalesman

_MAX_BYTES: Final = 1 << 28

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
    Selection(5, 2, unit='EUR')
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
    _use_description_names(fields)
    try:
        return FILE_KINDS[kind](fields, source.parent) if kind in FILE_KINDS else problem_from_dict(fields)
    except HedgerowError as error:
        raise type(error)(f"{source}: {error}") from error


def _use_description_names(fields: dict[str, Any]) -> None:
    """Bring names as in Python to the fields that descriptions have; there `items` are those of a model."""
    for python_name, field in (("item_names", "items"), ("solution_names", "names")):
        if python_name in fields and fields.get("kind") not in ("model", "mixed_integer"):
            fields[field] = fields.pop(python_name)


def _fields(source: Path) -> dict[str, Any]:
    if not source.is_file():
        raise InputError(f"{source}: there is no such problem file.")
    if source.stat().st_size > _MAX_BYTES:
        raise FileFormatError(f"{source} is larger than {_MAX_BYTES >> 20} MiB; that is not a problem file.")
    try:
        return tomllib.loads(source.read_text(encoding="utf-8-sig"))
    except (ValueError, RecursionError) as error:  # also for integers of thousands of digits
        raise FileFormatError(f"{source} can't be read as a problem file (TOML): {error}.") from None


def _graph(fields: Mapping[str, Any], folder: Path) -> Problem:
    """Return the shortest paths in a graph whose edges a CSV file lists."""
    known = "edges source target tail head name nodes node positions unit"
    reading.only_fields(fields, *known.split())
    table = read_table(reading.file_beside(fields, "edges", folder))
    tails = table.texts(reading.text(fields, "tail", "tail"), "the node that an edge leaves (field 'tail')")
    heads = table.texts(reading.text(fields, "head", "head"), "the node that an edge enters (field 'head')")
    names = table.texts(reading.text(fields, "name"), "the edges' names (field 'name')") if "name" in fields else None
    if names is not None and len(set(names)) < len(names):
        raise InputError(f"{table.path}: the edges' names (field 'name') must differ from each other.")
    nodes = {*tails, *heads}
    ends = [_label(fields, field) for field in ("source", "target")]
    for field, node in zip(("source", "target"), ends, strict=True):
        if node not in nodes:
            raise InputError(f"{field} must be a node in {table.path}; got {in_short(node)}.")
    positions = _positions(fields, folder, nodes)
    return ShortestPath(tails, heads, *ends, item_names=names, positions=positions, **reading.units(fields))


def _positions(fields: Mapping[str, Any], folder: Path, nodes: set[str]) -> Mapping[str, Any] | None:
    """Return the nodes' coordinates: the table `positions`, or a file `nodes` with x and y, or lon and lat."""
    if "positions" in fields:
        if not isinstance(fields["positions"], Mapping):
            raise FileFormatError(
                f"positions must be a table of nodes with [x, y]; got {in_short(fields['positions'])}."
            )
        return fields["positions"]
    if "nodes" not in fields:
        return None
    table = read_table(reading.file_beside(fields, "nodes", folder))
    names = table.texts(reading.text(fields, "node", "node"), "the nodes' names (field 'node')")
    places = coordinates_in(table.texts_by_name())
    if places is None:
        raise InputError(f"{table.path} must have columns x and y, or lon and lat.")
    if not nodes.issubset(names):
        raise InputError(f"{table.path} must have a row for every node; {len(nodes - {*names})} are missing.")
    return {name: place for name, place in zip(names, places, strict=True) if name in nodes}


def _label(fields: Mapping[str, Any], field: str) -> str:
    """Return the name of a node, which may be written as a number."""
    value = fields.get(field)
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    return reading.text(fields, field)


def _model(fields: Mapping[str, Any], folder: Path) -> Problem:
    """Return a model file's problem with the items that are listed, if any are."""
    reading.only_fields(fields, "file", "items", "unit", "sense")
    items = fields.get("items")
    if items is not None:
        items = reading.texts({**fields, "items": [items] if isinstance(items, str) else items}, "items")
    path = reading.file_beside(fields, "file", folder)
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
    sense = reading.sense(fields) if "sense" in fields else None
    return MixedIntegerProblem(problem.model, items=items, **reading.units(fields), sense=sense)


FILE_KINDS: dict[str, FileReader] = {"graph": _graph, "model": _model}
"""Kinds of problem that point to further files; all those in `registry` need no entry here."""


Reader: TypeAlias = Callable[[Mapping[str, Any]], Problem]

registry: dict[str, Reader] = {
    "assignment": Assignment.from_dict,
    "explicit": ExplicitSet.from_dict,
    "facility_location": FacilityLocation.from_dict,
    "grid": ShortestPath.from_dict,
    "knapsack": Knapsack.from_dict,
    "load_shifting": LoadShifting.from_dict,
    "scheduling": Scheduling.from_dict,
    "mixed_integer": MixedIntegerProblem.from_dict,
    "plan_sets": PlanSets.from_dict,
    "selection": Selection.from_dict,
    "shortest_path": ShortestPath.from_dict,
    "spanning_tree": SpanningTree.from_dict,
    "travelling_salesman": TravellingSalesman.from_dict,
}
"""What reads each kind of description; a new kind of problem adds a line here."""


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
    ShortestPath.grid(4)
    """
    if not isinstance(data, Mapping):
        raise FileFormatError(f"a problem's description must be a table of fields; got a {type(data).__name__}.")
    kind = data.get("kind")
    reader = registry.get(kind) if isinstance(kind, str) else None
    if reader is None:
        given = "none" if kind is None else in_short(kind)
        raise FileFormatError(f"a problem's kind must be one of {', '.join(sorted(registry))}; got {given}.")
    try:
        return reader(data)
    except (InputError, InfeasibleProblemError) as error:
        raise FileFormatError(
            f"this description of a problem of kind {in_short(kind)} can't be used: {error}"
        ) from error
