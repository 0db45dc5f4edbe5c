"""The way into the command line, and how every command ends: 0 done, 2 bad use or bad input, 130 interrupted."""

__all__ = ["main", "status_of"]

import os
import signal
import sys
import threading
import warnings
from collections.abc import Sequence
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
    # A polite request to end, such as a scheduler's, counts as Ctrl-C: the best tree so far is saved.
    signal.signal(signal.SIGTERM, lambda *_: signal.raise_signal(signal.SIGINT))
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            # Advice may hold letters that an old terminal lacks; that must not cost the answer.
            stream.reconfigure(errors="backslashreplace")
    status = status_of(sys.argv[1:])
    if any(thread.name.startswith("hedgerow-mip") for thread in threading.enumerate()):
        # A MIP solver that was abandoned still runs; all results are written by now.
        sys.stdout.flush()
        os._exit(status)
    sys.exit(status)


def status_of(words: Sequence[str]) -> int:
    """Run a command and return its exit status; whatever is wrong with its input is said in one sentence."""
    try:
        with warnings.catch_warnings():
            warnings.showwarning = lambda message, *_, **__: tell(str(message).rstrip("."))
            command = typer.main.get_command(app)
            status = command.main([*words], "hedgerow", standalone_mode=False, obj=[*words])
    except (KeyboardInterrupt, typer.Abort):
        return _complain("interrupted", _INTERRUPTED)
    except HedgerowError as error:
        return _complain(str(error), _BAD_USE)
    except _UsageError as error:
        return _complain(error.format_message(), _BAD_USE)
    except MemoryError:
        return _complain("there is not enough memory for this; use fewer rows or columns", _FAILED)
    except OSError as error:
        return _complain(f"{error.filename or ''}: {error.strerror or error}".removeprefix(": "), _BAD_USE)
    if status == _INTERRUPTED:  # so some versions of typer answer Ctrl-C, without a word
        return _complain("interrupted", _INTERRUPTED)
    return status if isinstance(status, int) else 0


def _complain(message: str, status: int) -> int:
    sentence = " ".join(message.split()).rstrip(".")
    tell(f"hedgerow: {sentence}{'' if sentence.endswith(('?', '!')) else '.'}")
    return status
