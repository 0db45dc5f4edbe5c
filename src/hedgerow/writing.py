"""Files are written in one step: either the whole file is there, or nothing is changed."""

__all__ = ["write_bytes", "write_text"]

import os
import tempfile
from pathlib import Path


def write_text(path: str | Path, text: str) -> None:
    r"""Write a text file (UTF-8) in one step; what is no regular file, such as a pipe, is written to as it is.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from hedgerow.writing import write_text
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_text(Path(folder) / "note.txt", "≤ goes left\n")
    ...     Path(folder, "note.txt").read_text(encoding="utf-8")
    '≤ goes left\n'
    """
    write_bytes(path, text.encode())


def write_bytes(path: str | Path, content: bytes) -> None:
    """Write a file in one step; what is no regular file, such as a pipe, is written to as it is.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from hedgerow.writing import write_bytes
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_bytes(Path(folder) / "four", bytes(4))
    ...     Path(folder, "four").stat().st_size
    4
    """
    target = Path(path)
    if target.exists() and not target.is_file():
        with target.open("wb") as stream:
            stream.write(content)
        return
    # A link stays a link: what it points to is replaced.
    target = target.resolve()
    handle, temporary = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name[:100]}.", suffix=".part")
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(content)
        # mkstemp makes files private; what Hedgerow writes is as public as any file its user creates.
        umask = os.umask(0)
        os.umask(umask)
        Path(temporary).chmod(0o666 & ~umask)
        Path(temporary).replace(target)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise
