"""The tree file: versioned JSON, checked when it is read, since a file may be damaged or hostile."""

__all__ = ["FORMAT_VERSION", "WHAT", "dumped", "parsed"]

import json
from collections.abc import Mapping
from typing import Any, Final

from hedgerow import __version__
from hedgerow.data.checks import in_short, unique_names
from hedgerow.errors import FileFormatError, InputError
from hedgerow.tree.tree import Tree

FORMAT = "hedgerow-tree"
FORMAT_VERSION = 1
"""Raised whenever an older Hedgerow could misread a newer file."""

WHAT: Final = "a tree file"
"""What such a file is called in errors."""


def dumped(tree: Tree, feature_names: tuple[str, ...], details: Mapping[str, Any]) -> str:
    """Return a tree file's text; floats are written so that they read back exactly."""
    names = unique_names(feature_names, "feature names")
    document = {
        "format": FORMAT,
        "version": FORMAT_VERSION,
        "written_by": f"hedgerow {__version__}",
        "tree": tree.to_dict(),
        "feature_names": list(names),
        "details": dict(details),
    }
    try:
        return json.dumps(document, ensure_ascii=False, allow_nan=False, indent=1)
    except (TypeError, ValueError, RecursionError) as error:
        raise InputError(f"details must be plain JSON values, with finite numbers only; {error}.") from None


def parsed(document: Any) -> tuple[Tree, tuple[str, ...], dict[str, Any]]:
    """Return tree, feature names and details of a tree file's JSON value; raise `FileFormatError` for anything else."""
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
    return tree, checked, details
