"""Where compiled kernels lie on disk.

They lie in `hedgerow` in the folder that the environment variable `NUMBA_CACHE_DIR` names. Without it, the first of
these folders that can be written to is used, and kernels are read from both, so that an image may bring compiled
kernels in a folder that its users can only read:

1. `__pycache__/kernels` in the installed package;
2. `hedgerow/kernels` in the user's folder for caches (`XDG_CACHE_HOME`, `LOCALAPPDATA` or `~/.cache`).

A file's name holds the kernel's fingerprint, so changed code never meets old machine code.
"""

__all__ = ["file_name", "folders", "is_on_disk", "writable_folder"]

import logging
import os
import sys
import tempfile
from contextlib import suppress
from functools import cache
from pathlib import Path

from hedgerow.compiled.fingerprint import fingerprint
from hedgerow.compiled.kernels import Kernel

_LOG = logging.getLogger("hedgerow")


def folders() -> list[Path]:
    """Return where compiled kernels may lie, in the order in which they are looked for."""
    if os.environ.get("NUMBA_CACHE_DIR"):
        return [Path(os.environ["NUMBA_CACHE_DIR"]) / "hedgerow"]
    found = [Path(__file__).parents[1] / "__pycache__" / "kernels"]
    with suppress(RuntimeError):  # no home
        users = os.environ.get("XDG_CACHE_HOME") or os.environ.get("LOCALAPPDATA") or Path.home() / ".cache"
        found.append(Path(users) / "hedgerow" / "kernels")
    return found


@cache
def writable_folder() -> Path | None:
    """Return the folder in which compiled kernels are kept; where there is none, None, which is logged once."""
    for folder in folders():
        with suppress(OSError):
            folder.mkdir(parents=True, exist_ok=True)
            tempfile.TemporaryFile(dir=folder).close()
            return folder
    _LOG.warning(
        "Compiled kernels can't be kept, since no folder for them can be written to; every start compiles them anew. "
        "Set NUMBA_CACHE_DIR to a folder that can be written to."
    )
    return None


def file_name(kernel: Kernel) -> str:
    """Return the name of the kernel's files, without its end."""
    name = f"{kernel.__module__.removeprefix('hedgerow.')}.{kernel.__qualname__}".replace("<", "").replace(">", "")
    return f"{name}-{fingerprint(kernel)}.py{sys.version_info[0]}{sys.version_info[1]}"


def is_on_disk(kernel: Kernel) -> bool:
    """Return whether the kernel has been compiled on this machine."""
    name = f"{file_name(kernel)}.nbi"
    return any((folder / name).exists() for folder in folders())
