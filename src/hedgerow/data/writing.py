"""Files are written in one step: either the whole file is there, or nothing is changed."""

import shutil
from pathlib import Path
from uuid import uuid4

from hedgerow.errors import InputError, file_error


def write_text(path: str | Path, text: str) -> None:
    r"""Write a text file (UTF-8) in one step; what is no regular file, such as a pipe, is written to as it is.

    >>> import tempfile
    >>> from pathlib import Path
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_text(Path(folder) / "note.txt", "≤ goes left\n")
    ...     Path(folder, "note.txt").read_text(encoding="utf-8")
    '≤ goes left\n'
    """
    try:
        data = text.encode("utf-8")
    except UnicodeEncodeError:
        raise InputError(
            f"{path} can't be written: its text has half a surrogate pair, which no file can hold."
        ) from None
    write_bytes(path, data)


def write_bytes(path: str | Path, data: bytes) -> None:
    """Write a file in one step; what is no regular file, such as a pipe, is written to as it is."""
    target = Path(path)
    try:
        if target.exists() and not target.is_file():
            target.write_bytes(data)
        else:
            _replace(target.resolve(), data)  # a link stays a link: what it points to is replaced
    except OSError as error:
        raise file_error(error, path, "written") from error


def _replace(target: Path, data: bytes) -> None:
    """Write a file beside the target, with its permissions or those of any new file, and put it in its place."""
    temporary, is_there = _beside(target), target.exists()
    try:
        temporary.touch(0o600 if is_there else 0o666, exist_ok=False)  # the umask applies to new files only
        temporary.write_bytes(data)
        if is_there:
            shutil.copymode(target, temporary)
        temporary.replace(target)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def check_writable(path: str | Path) -> None:
    """Raise `HedgerowError` if no file can be made at this place; what exists there is not touched."""
    target = Path(path)
    if target.is_dir():
        raise InputError(f"{path} is a directory; name a file in it.")
    if target.exists() and not target.is_file():
        return
    try:
        temporary = _beside(target.resolve())
        temporary.touch(exist_ok=False)
        temporary.unlink()
    except OSError as error:
        raise file_error(error, path, "written") from error


def _beside(target: Path) -> Path:
    """Return a path for a temporary file beside the target, which can then be replaced in one step."""
    return target.with_name(f".hedgerow-{uuid4().hex}.part")
