"""The program `hedgerow`, also as `python -m hedgerow`."""

# Little is imported before Ctrl-C is answered; `typing` alone takes half as long as starting Python.
from __future__ import annotations

__all__ = ["main"]

import _thread
import atexit
import os
import signal
import sys
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import FrameType
    from typing import Any, Final

_INTERRUPTED: Final = 130
_SENTENCE: Final = "hedgerow: interrupted.\n"
_IMPORTING: Final = "<frozen importlib._bootstrap>"
_PAUSE: Final = 0.02
_RAISED: Final[list[int]] = []
"""Signals that were raised as exceptions: code in C may turn these into others without a trace."""


def main() -> None:
    """Run the command line; Ctrl-C while it is still being imported is no traceback."""
    sys.unraisablehook = _on_unraisable
    # Python ends by the signal, whatever its status, if Ctrl-C ever left code in a text, such as that of a dataclass
    # that was being made, until other such code has run.
    atexit.register(exec, "", {})
    try:
        _listen(_end_at_once)
        from hedgerow.cli import main as command_line

        _listen(_raise_outside_imports)
    except BaseException as error:
        from hedgerow.errors import is_interrupt

        if not is_interrupt(error):
            raise
        sys.stderr.write(_SENTENCE)
        sys.exit(_INTERRUPTED)
    try:
        command_line()
    except Exception:
        if not _RAISED:
            raise
        sys.stderr.write(_SENTENCE)
        sys.exit(_INTERRUPTED)


def _listen(action: Any) -> None:
    """Change what Ctrl-C does, unless the program was started to ignore it."""
    if signal.getsignal(signal.SIGINT) in (signal.default_int_handler, _end_at_once):
        signal.signal(signal.SIGINT, action)


def _end_at_once(number: int, frame: FrameType | None) -> None:
    """End while there is nothing to keep, without an exception: modules that are being imported turn it into others."""
    del number, frame
    try:
        os.write(2, _SENTENCE.encode())
    finally:
        os._exit(_INTERRUPTED)


def _raise_outside_imports(number: int, frame: FrameType | None) -> None:
    """Raise KeyboardInterrupt, after an import if one is under way: it might be taken for a package that is missing."""
    while frame is not None:
        if frame.f_code.co_filename == _IMPORTING:
            _send_again(number)
            return
        frame = frame.f_back
    _RAISED.append(number)
    raise KeyboardInterrupt


def _on_unraisable(lost: Any) -> None:
    """Send Ctrl-C again if it arrived where Python drops exceptions, such as while an object is deleted."""
    if issubclass(lost.exc_type, KeyboardInterrupt):
        _send_again(signal.SIGINT)
    else:
        sys.__unraisablehook__(lost)


def _send_again(number: int) -> None:
    def send() -> None:
        time.sleep(_PAUSE)
        os.kill(os.getpid(), number)

    _thread.start_new_thread(send, ())  # without locks, which this thread may hold


if __name__ == "__main__":
    main()
