"""Trees on disk: versioned JSON, validated on load, since a file from a stranger may be wrong or hostile."""

__all__ = ["FORMAT_VERSION", "TreeFile", "read_tree", "tree_from_json", "tree_to_json", "write_tree"]

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from hedgerow._version import __version__
from hedgerow.checks import in_short, unique_names
from hedgerow.errors import FileFormatError, InputError
from hedgerow.tree import Tree
from hedgerow.writing import write_text

FORMAT = "hedgerow-tree"
FORMAT_VERSION = 1
"""Raised whenever an older Hedgerow could misread a newer file."""

_MOST_DIGITS = 18
_MAX_BYTES = 1 << 28


@dataclass(frozen=True)
class TreeFile:
    """What a tree file holds.

    Attributes
    ----------
    tree
        The tree.
    feature_names
        Names of what the tree asks about; empty if none were kept.
    details
        Everything else, as plain JSON values: problem, uncertainty, training data's ranges, result.

    Examples
    --------
    >>> from hedgerow import Tree, TreeFile
    >>> TreeFile(Tree.single([1.0, 0.0]), ("morning", "evening"), {"unit": "min"})
    TreeFile(tree=Tree(depth=0, n_leaves=1), feature_names=('morning', 'evening'), details={'unit': 'min'})
    """

    tree: Tree
    feature_names: tuple[str, ...] = ()
    details: Mapping[str, Any] = field(default_factory=dict)


def tree_to_json(content: TreeFile | Tree) -> str:
    """Return the tree as JSON; floats are written so that they read back exactly.

    Examples
    --------
    >>> from hedgerow import Tree, tree_from_json, tree_to_json
    >>> tree = Tree.single([1.0, 0.1])
    >>> tree_from_json(tree_to_json(tree)).tree == tree
    True
    """
    if isinstance(content, Tree):
        content = TreeFile(content)
    document = {
        "format": FORMAT,
        "version": FORMAT_VERSION,
        "written_by": f"hedgerow {__version__}",
        "tree": content.tree.to_dict(),
        "feature_names": list(content.feature_names),
        "details": dict(content.details),
    }
    _check_names(content)
    try:
        return json.dumps(document, ensure_ascii=False, allow_nan=False, indent=1)
    except (TypeError, ValueError, RecursionError) as error:
        raise InputError(f"details must be plain JSON values, with finite numbers only; {error}.") from None


def tree_from_json(text: str) -> TreeFile:
    """Return the tree that `tree_to_json` wrote; anything else is refused with `FileFormatError`.

    Examples
    --------
    >>> from hedgerow import tree_from_json
    >>> text = '{"format": "hedgerow-tree", "version": 1, "tree": {"solution": [1, 0]}}'
    >>> tree_from_json(text).tree.solutions.tolist()
    [[1.0, 0.0]]
    """
    try:
        document = json.loads(text, parse_constant=_no_constant, parse_float=_finite, parse_int=_whole)
    except (ValueError, RecursionError) as error:
        raise FileFormatError(f"this is not a tree file: it can't be read as JSON ({error}).") from None
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
    names, details = document.get("feature_names", []), document.get("details", {})
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise FileFormatError("the tree file's feature names must be a list of strings.")
    if not isinstance(details, dict):
        raise FileFormatError("the tree file's details must be an object.")
    try:
        checked = unique_names(names, "feature names")
        tree = Tree.from_dict(document.get("tree", {}), checked or None)
    except InputError as error:
        raise FileFormatError(f"the tree file is damaged: {error}") from None
    return TreeFile(tree, checked, details)


def write_tree(path: str | Path, content: TreeFile | Tree) -> None:
    """Write the tree file in one step: either it is there as a whole, or nothing is changed.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from hedgerow import Tree, read_tree, write_tree
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_tree(Path(folder) / "tree.json", Tree.single([1.0, 0.0]))
    ...     read_tree(Path(folder) / "tree.json").tree
    Tree(depth=0, n_leaves=1)
    """
    write_text(path, tree_to_json(content) + "\n")


def read_tree(path: str | Path) -> TreeFile:
    """Read and validate a tree file; what is none is refused with `FileFormatError`.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from hedgerow import Tree, TreeFile, read_tree, write_tree
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_tree(Path(folder) / "tree.json", TreeFile(Tree.single([1.0]), details={"unit": "min"}))
    ...     read_tree(Path(folder) / "tree.json").details["unit"]
    'min'
    """
    source = Path(path)
    if source.stat().st_size > _MAX_BYTES:
        raise FileFormatError(f"{source} is larger than {_MAX_BYTES >> 20} MiB; that is not a tree file.")
    try:
        text = source.read_text(encoding="utf-8-sig")  # editors on Windows put a mark in front
    except UnicodeDecodeError:
        raise FileFormatError(f"{source} is not a tree file: it is not text.") from None
    try:
        return tree_from_json(text)
    except FileFormatError as error:
        raise FileFormatError(f"{source}: {error}") from None


def _check_names(content: TreeFile) -> None:
    """Refuse names that could be written but not be read again."""
    names = unique_names(content.feature_names, "feature names")
    asked = content.tree.asked_items
    if names and asked.size and asked[-1] >= len(names):
        raise InputError(f"the tree asks about item {asked[-1]}, counted from 0; got only {len(names)} feature names.")


def _no_constant(name: str) -> float:
    raise ValueError(f"{name} is not a number that JSON knows")


def _finite(digits: str) -> float:
    number = float(digits)
    if not math.isfinite(number):
        raise ValueError(f"{in_short(digits)} is too large a number")
    return number


def _whole(digits: str) -> int | float:
    """Return a whole number; one that no index or count can be is a float like any other."""
    return int(digits) if len(digits) <= _MOST_DIGITS else _finite(digits)


def finite_or_none(value: float) -> float | None:
    """Return a number for JSON, which has no infinities."""
    return value if math.isfinite(value) else None
