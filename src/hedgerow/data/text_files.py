"""Files in one step: the whole file is there, or nothing is changed. JSON from outside is checked when it is read."""

import json
import math
import shutil
from collections import Counter
from pathlib import Path
from typing import Any, Final
from uuid import uuid4

from hedgerow.data.checks import in_short
from hedgerow.errors import FileFormatError, InputError, file_error


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


# -- JSON from outside -------------------------------------------------------------------------------------------------


IN_SCRIPTS: Final = {ord(sign): f"\\u{ord(sign):04x}" for sign in "<>&\u2028\u2029"}
"""What could end the element of a page that holds JSON or a script, or one of its lines, is written as an escape."""

_MAX_BYTES: Final = 1 << 28
_MAX_DEPTH: Final = 64
_TOO_DEEP: Final = f"it nests deeper than {_MAX_DEPTH} levels"
_MOST_DIGITS: Final = 18


def json_in(text: str, what: str) -> Any:
    """Return the value of a JSON text; `what` says what it should be, for the error.

    Raises
    ------
    FileFormatError
        If the text isn't JSON, nests deeper than 64 levels, has a key twice, a number that isn't finite, or half a
        surrogate pair.

    Examples
    --------
    >>> from hedgerow.data.text_files import json_in
    >>> json_in('{"max_items": 2}', "a list of wishes")
    {'max_items': 2}
    >>> json_in('{"max_items": 2, "max_items": 3}', "a list of wishes")
    Traceback (most recent call last):
    hedgerow.errors.FileFormatError: this is not a list of wishes: it can't be read as JSON ('max_items' occurs twice).
    """
    try:
        value = json.loads(
            text,
            object_pairs_hook=_object,
            parse_constant=_no_constant,
            parse_float=_finite,
            parse_int=_whole,
        )
        _check_depth(value)
        json.dumps(value, ensure_ascii=False).encode()
    except RecursionError:
        reason = _TOO_DEEP
    except UnicodeEncodeError:
        reason = "it has half a surrogate pair"
    except ValueError as error:
        reason = str(error)
    else:
        return value
    raise FileFormatError(f"this is not {what}: it can't be read as JSON ({reason}).")


def read_json(path: str | Path, what: str) -> Any:
    """Return the value of a JSON file as `json_in` does; errors name the file."""
    source = Path(path)
    try:
        if source.stat().st_size > _MAX_BYTES:
            raise FileFormatError(f"{source} is larger than {_MAX_BYTES >> 20} MiB; that is not {what}.")
        return json_in(source.read_text(encoding="utf-8-sig"), what)  # editors on Windows put a mark in front
    except UnicodeDecodeError:
        raise FileFormatError(f"{source} is not {what}: it is not text.") from None
    except OSError as error:
        raise file_error(error, path, "read") from error


def finite_or_none(value: float) -> float | None:
    """Return a number for JSON, which has no infinities."""
    return value if math.isfinite(value) else None


def _check_depth(value: Any, levels: int = _MAX_DEPTH) -> None:
    if levels < 0:
        raise ValueError(_TOO_DEEP)
    for part in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        _check_depth(part, levels - 1)


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result = dict(pairs)
    if len(result) < len(pairs):
        twice = next(name for name, count in Counter(name for name, _ in pairs).items() if count > 1)
        raise ValueError(f"{in_short(twice)} occurs twice")
    return result


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
