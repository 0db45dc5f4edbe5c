"""Trees on disk: versioned JSON, validated on load, since a file from a stranger may be wrong or hostile."""

__all__ = ["FORMAT_VERSION", "TreeFile", "read_tree", "tree_from_json", "tree_to_json", "write_tree"]

import json
import math
import os
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from hedgerow._version import __version__
from hedgerow.checks import unique_names
from hedgerow.errors import FileFormatError, InputError
from hedgerow.tree import Tree

FORMAT = "hedgerow-tree"
FORMAT_VERSION = 1
"""Raised whenever an older Hedgerow could misread a newer file."""

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
    return json.dumps(document, ensure_ascii=False, allow_nan=False, indent=1)


def tree_from_json(text: str) -> TreeFile:
    """Return the tree that `tree_to_json` wrote; anything else is refused with `FileFormatError`."""
    try:
        document = json.loads(text, parse_constant=_no_constant)
    except (ValueError, RecursionError) as error:
        raise FileFormatError(f"this is not a tree file: it can't be read as JSON ({error}).") from None
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise FileFormatError(f'this is not a tree file: its "format" is not "{FORMAT}".')
    version = document.get("version")
    if not isinstance(version, int) or isinstance(version, bool) or version < 1:
        raise FileFormatError(f"the tree file's version must be a whole number from 1; got {version!r:.40}.")
    if version > FORMAT_VERSION:
        raise FileFormatError(
            f"the tree file has version {version}, this Hedgerow ({__version__}) reads up to {FORMAT_VERSION}; "
            "please update Hedgerow."
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
    """Write the tree file in one step: either it is there as a whole, or nothing is changed."""
    target = Path(path)
    text = tree_to_json(content)
    handle, temporary = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.", suffix=".part")
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as stream:
            stream.write(text + "\n")
        # mkstemp makes files private; a tree is as public as any file its user creates.
        umask = os.umask(0)
        os.umask(umask)
        Path(temporary).chmod(0o666 & ~umask)
        Path(temporary).replace(target)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


def read_tree(path: str | Path) -> TreeFile:
    """Read and validate a tree file."""
    source = Path(path)
    if source.stat().st_size > _MAX_BYTES:
        raise FileFormatError(f"{source} is larger than {_MAX_BYTES >> 20} MiB; that is not a tree file.")
    try:
        text = source.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise FileFormatError(f"{source} is not a tree file: it is not text.") from None
    return tree_from_json(text)


def _no_constant(name: str) -> float:
    raise ValueError(f"{name} is not a number that JSON knows")


def finite_or_none(value: float) -> float | None:
    """Return a number for JSON, which has no infinities."""
    return value if math.isfinite(value) else None
