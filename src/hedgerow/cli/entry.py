"""The way into the command line, and how every command ends: 0 done, 2 bad use or bad input, 130 interrupted."""

__all__ = ["main", "status_of"]

import errno
import os
import signal
import sys
import threading
import warnings
from collections.abc import Sequence
from functools import cache
from io import TextIOWrapper
from typing import Any, Final

import typer

from hedgerow.cli.app import app
from hedgerow.cli.output import tell
from hedgerow.errors import HedgerowError

_BAD_USE: Final = 2
_FAILED: Final = 1
_INTERRUPTED: Final = 130

# Typer keeps the base of its usage errors to itself, and has moved it between versions; its heirs are public.
_UsageError: Final[Any] = typer.BadParameter.__mro__[2]


def main() -> None:
    """Run the command line; the console script `hedgerow` ends up here."""
    _prepare_streams()
    if signal.getsignal(signal.SIGTERM) == signal.SIG_DFL:
        # A polite request to end, such as a scheduler's, counts as Ctrl-C: the best tree so far is saved.
        signal.signal(signal.SIGTERM, signal.default_int_handler)
    status = status_of(sys.argv[1:])
    if any(thread.name.startswith("hedgerow-mip") for thread in threading.enumerate()):
        # A MIP solver that was abandoned still runs; all results are written by now.
        for stream in (sys.stdout, sys.stderr):
            stream.flush()
        os._exit(status)
    sys.exit(status)


def status_of(words: Sequence[str]) -> int:
    """Run a command and return its exit status; whatever is wrong with its input is said in one sentence."""
    try:
        with warnings.catch_warnings():
            warnings.showwarning = lambda message, *_, **__: tell(str(message).rstrip("."))
            status = _command().main([*words], "hedgerow", standalone_mode=False, obj=[*words])
        sys.stdout.flush()
    except (KeyboardInterrupt, typer.Abort):
        return _complain("interrupted", _INTERRUPTED)
    except HedgerowError as error:
        return _complain(str(error), _BAD_USE)
    except _UsageError as error:
        return _complain(error.format_message(), _BAD_USE)
    except MemoryError:
        message = "there is not enough memory for this; use fewer rows or columns, or a machine with more memory"
        return _complain(message, _FAILED)
    except OSError as error:
        if error.errno == errno.EPIPE:
            # The reader of our output has left; without this Python complains once more when it flushes at the end.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            return _FAILED
        reason = error.strerror or type(error).__name__
        return _complain(f"{error.filename}: {reason}" if error.filename else reason, _BAD_USE)
    if status == _INTERRUPTED:  # so some versions of typer answer Ctrl-C, without a word
        return _complain("interrupted", _INTERRUPTED)
    return status if isinstance(status, int) else 0


@cache
def _command() -> Any:
    """Return the commands as Click has them, made once."""
    return typer.main.get_command(app)


def _complain(message: str, status: int) -> int:
    sentence = " ".join(message.split()).rstrip(".")
    tell(f"hedgerow: {sentence}{'' if sentence.endswith(('?', '!')) else '.'}")
    return status


def _prepare_streams() -> None:
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:  # closed by who started us; a file opened later must not take its place
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115, PTH123
        elif isinstance(stream, TextIOWrapper):
            # Advice may hold letters that an old terminal lacks; that must not cost the answer.
            stream.reconfigure(errors="backslashreplace")
