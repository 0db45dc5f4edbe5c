"""The folder of a run: created or checked, and locked for one run at a time."""

__all__ = ["claim"]

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TextIO

from hedgerow.errors import InputError
from hedgerow.experiments.plan import Plan
from hedgerow.writing import write_text

_MANIFEST = "run.json"
_FORMAT = "hedgerow experiment"


@contextmanager
def claim(folder: Path, number: int, plan: Plan) -> Iterator[Path]:
    """Create the folder, or check that it belongs to this experiment, and lock it while it is used."""
    manifest = {
        "format": _FORMAT,
        "format_version": 1,
        "experiment": number,
        "scale": plan.scale,
        "family": plan.family,
        "heuristic_time_limit": plan.heuristic_time_limit,
        "exact_time_limit": plan.exact_time_limit,
    }
    path = folder / _MANIFEST
    if folder.exists() and not folder.is_dir():
        raise InputError(f"{folder} is a file; name a folder for the results.")
    if path.exists():
        _check_same(path, manifest)
    elif folder.exists() and any(folder.iterdir()):
        raise InputError(f"{folder} holds other files; name a new folder, or one of an experiment to resume.")
    folder.mkdir(parents=True, exist_ok=True)
    if not os.access(folder, os.W_OK):
        raise InputError(f"{folder} can't be written to.")
    if not path.exists():
        write_text(path, json.dumps(manifest, indent=2) + "\n")
    with path.open(encoding="utf-8") as stream:
        if not _locked(stream):
            raise InputError(f"another run is writing to {folder}; wait for it, or name another folder.")
        yield folder


def _check_same(path: Path, manifest: dict[str, Any]) -> None:
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except ValueError:
        found = None
    if not isinstance(found, dict) or found.get("format") != _FORMAT:
        raise InputError(f"{path} is not the description of an experiment; name a new folder.")
    for name, value in manifest.items():
        if found.get(name) != value:
            raise InputError(
                f"{path.parent} holds a run with {name.replace('_', ' ')} {found.get(name)!r}, not {value!r}; "
                "use the same settings, or name a new folder."
            )


def _locked(stream: TextIO) -> bool:
    """Return whether the file could be locked until it is closed; without support for locks nothing is locked."""
    try:
        import fcntl
    except ImportError:  # Windows
        return True
    try:
        fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:  # a file system without locks
        return True
    return True
