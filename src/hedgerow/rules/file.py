"""The tree file: versioned JSON, checked as a whole when it is read, since a file may be damaged or hostile.

The types of a rule book's parts are the schema: each field of a dataclass is a field of a JSON object.
"""

import dataclasses
import json
import math
from collections.abc import Callable, Mapping
from types import NoneType, UnionType
from typing import TYPE_CHECKING, Any, Final, Literal, Union, get_args, get_origin, get_type_hints

import numpy as np

from hedgerow import __version__
from hedgerow.data.arrays import frozen
from hedgerow.data.checks import in_short, unique_names
from hedgerow.errors import FileFormatError, InputError
from hedgerow.rules.contents import Labels
from hedgerow.run import Result, Statistics
from hedgerow.run.wishes import Wishes
from hedgerow.tree.questions import context_questions
from hedgerow.tree.tree import Tree
from hedgerow.uncertainty import Uncertainty, uncertainty_from_dict

if TYPE_CHECKING:
    from hedgerow.rules.book import RuleBook

FORMAT = "hedgerow-tree"
FORMAT_VERSION = 1
"""Raised whenever an older Hedgerow could misread a newer file."""

WHAT: Final = "a tree file"
"""What such a file is called in errors."""

NOT_REBUILT: Final = (
    "This problem can't be rebuilt from the file: the tree can be shown and applied, but to evaluate it on new costs "
    "the problem itself is needed."
)
_DETAILS: Final = ("context", "fill_ins", "uncertainty", "uncertainty_as_given", "training", "made_by", "tables")
"""Fields of a rule book that are read and written by their types alone."""
_LARGEST_COUNT: Final = 2**53
_INFINITE: Final = {"inf": math.inf, "-inf": -math.inf}
"""JSON has no infinite numbers; files keep these texts."""
_OWN_READERS: Final[Mapping[Any, Callable[[Any], Any]]] = {
    Tree: Tree.from_dict,
    Wishes: Wishes.of,
    Uncertainty: uncertainty_from_dict,
}
"""Types whose objects in a file are not simply their fields."""


# -- writing -----------------------------------------------------------------------------------------------------------


def dumped(book: "RuleBook") -> str:
    """Return a rule book as a tree file's text; floats are written so that they read back exactly."""
    description = book.labels.description if book.problem is None else book.problem.to_dict()
    details = {
        "problem": description,
        "note": book.note or None,
        **plain(book.labels.filled(book.tree.solutions, book.problem)),
        **{name: plain(getattr(book, name)) for name in (*_DETAILS, "result")},
    }
    document = {
        "format": FORMAT,
        "version": FORMAT_VERSION,
        "written_by": f"hedgerow {__version__}",
        "tree": book.tree.to_dict(),
        "feature_names": list(unique_names(book.feature_names, "feature names")),
        "details": {name: value for name, value in details.items() if value not in (None, [], "")},
    }
    try:
        return json.dumps(document, ensure_ascii=False, allow_nan=False, indent=1)
    except (TypeError, ValueError, RecursionError) as error:
        raise InputError(f"a rule book must hold finite numbers and plain texts; {error}.") from None


def plain(value: Any) -> Any:
    """Return a part of a rule book as JSON holds it.

    >>> plain((1.5, float("inf"), None))
    [1.5, 'inf', None]
    """
    if hasattr(value, "to_dict"):
        return value.to_dict()
    if dataclasses.is_dataclass(value):
        kept = [field.name for field in dataclasses.fields(value) if field.metadata.get("kept", True)]
        return {name: plain(getattr(value, name)) for name in kept}
    if isinstance(value, np.ndarray):
        return value.tolist()
    if isinstance(value, Mapping):
        return {name: plain(entry) for name, entry in value.items()}
    if isinstance(value, tuple | list):
        return [plain(entry) for entry in value]
    return str(value) if isinstance(value, float) and math.isinf(value) else value


def is_known(description: Any) -> bool:
    """Return whether a problem can be rebuilt from its description."""
    from hedgerow.problems.base import registry

    return isinstance(description, Mapping) and description.get("kind") in list(registry)


# -- reading -----------------------------------------------------------------------------------------------------------


def parsed(document: Any, types: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields of the rule book in a tree file's JSON value; raise `FileFormatError` for anything else.

    `types` are those of a rule book's fields.
    """
    from hedgerow.problems import problem_from_dict

    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise FileFormatError(f'this is not a tree file: its "format" is not "{FORMAT}".')
    version = document.get("version")
    if not isinstance(version, int) or isinstance(version, bool) or version < 1:
        raise FileFormatError(f"the tree file's version must be a whole number from 1; got {in_short(version)}.")
    if version > FORMAT_VERSION:
        raise FileFormatError(
            f"the tree file has version {in_short(version)}, and this Hedgerow ({__version__}) reads up to "
            f"{FORMAT_VERSION}; please update Hedgerow."
        )
    names = unique_names(read(tuple[str, ...], document.get("feature_names", []), "feature names"), "feature names")
    details = read(Mapping[str, Any], document.get("details", {}), "details")
    kept = {name: read(types[name], details[name], name) for name in _DETAILS if details.get(name) is not None}
    context = kept.get("context", ())
    asked_context = context_questions(context, len(names) - len(context))
    tree = Tree.from_dict(document.get("tree", {}), names or None, asked_context)
    description, result = details.get("problem"), details.get("result")
    unkept = {"tree": tree, "statistics": Statistics()}
    return {
        "tree": tree,
        "feature_names": names,
        "problem": problem_from_dict(description) if is_known(description) else None,
        "labels": read(Labels, {**details, "description": description}, "the file"),
        "result": None if result is None else _read_dataclass(Result, result, "result", **unkept),
        **kept,
    }


def read(kind: Any, value: Any, what: str) -> Any:
    """Return a JSON value as a value of a type; raise `InputError` if it is none.

    >>> read(tuple[float, ...] | None, [1, "inf"], "limits")
    (1.0, inf)
    >>> read(int, "many", "training n_samples")
    Traceback (most recent call last):
    hedgerow.errors.InputError: training n_samples must be a whole number; got 'many'.
    """
    origin, parts = get_origin(kind), get_args(kind)
    if origin in (Union, UnionType):
        (kind,) = (part for part in parts if part is not NoneType)
        return None if value is None else read(kind, value, what)
    if origin is not None:
        return _read_generic(origin, parts, value, what)
    if kind in _OWN_READERS:
        return _OWN_READERS[kind](_checked(isinstance(value, dict), value, what, "an object"))
    return _read_dataclass(kind, value, what) if dataclasses.is_dataclass(kind) else _read_plain(kind, value, what)


def _read_generic(origin: Any, parts: tuple[Any, ...], value: Any, what: str) -> Any:
    """Return a value of a type with parameters: one of several texts, a list, or an object of entries alike."""
    if origin is Literal:
        return _checked(isinstance(value, str) and value in parts, value, what, f"one of {', '.join(parts)}")
    if origin is np.ndarray:
        is_float = parts[1] == np.dtype[np.float64]
        entries = read(tuple[float, ...] if is_float else tuple[int, ...], value, what)
        return frozen(np.array(entries, dtype=np.float64 if is_float else np.int64))
    if origin is tuple:
        entries = _checked(isinstance(value, list), value, what, "a list")
        kinds = [parts[0]] * len(entries) if parts[-1] is Ellipsis else parts
        _checked(len(kinds) == len(entries), value, what, f"a list of {len(kinds)}")
        return tuple(read(part, entry, what) for part, entry in zip(kinds, entries, strict=True))
    entries = _checked(isinstance(value, dict), value, what, "an object")
    return {name: read(parts[1], entry, f"{what} {in_short(name)}") for name, entry in entries.items()}


def _read_plain(kind: Any, value: Any, what: str) -> Any:
    """Return a value that is no list and no object."""
    if kind is Any:
        return value
    if kind is float:
        if isinstance(value, str) and value in _INFINITE:
            return _INFINITE[value]
        return float(_checked(isinstance(value, int | float) and not isinstance(value, bool), value, what, "a number"))
    if kind is int:
        whole = isinstance(value, int) and not isinstance(value, bool) and abs(value) <= _LARGEST_COUNT
        return _checked(whole, value, what, "a whole number")
    return _checked(isinstance(value, kind), value, what, "true or false" if kind is bool else "a text")


def _read_dataclass(kind: Any, value: Any, what: str, **unkept: Any) -> Any:
    """Return an object as a dataclass; unknown names are ignored, and null is as good as a name that is missing."""
    fields = _checked(isinstance(value, dict), value, what, "an object")
    types = get_type_hints(kind)
    known = dict(unkept)
    for field in dataclasses.fields(kind):
        if fields.get(field.name) is not None and field.metadata.get("kept", True):
            known[field.name] = read(types[field.name], fields[field.name], f"{what} {field.name}")
        elif field.name not in known and field.default is field.default_factory is dataclasses.MISSING:
            raise InputError(f"{what} {field.name} is missing.")
    return kind(**known)


def _checked(is_right: bool, value: Any, what: str, expected: str) -> Any:
    if not is_right:
        raise InputError(f"{what} must be {expected}; got {in_short(value)}.")
    return value
