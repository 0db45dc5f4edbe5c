"""The command line: a thin coat over what Python users call."""

__all__ = ["app", "main"]

import os
import signal
import sys
import threading
from io import TextIOWrapper

from hedgerow.cli.app import app


def main() -> None:
    """Run the command line; the console script `hedgerow` ends up here."""
    _prepare_streams()
    if signal.getsignal(signal.SIGTERM) == signal.SIG_DFL:
        # A polite request to end, such as a scheduler's, counts as Ctrl-C: the best tree so far is saved.
        signal.signal(signal.SIGTERM, signal.default_int_handler)
    status = app(prog_name="hedgerow", standalone_mode=False)
    if any(thread.name.startswith("hedgerow-mip") for thread in threading.enumerate()):
        # A MIP solver that was abandoned still runs; all results are written by now.
        for stream in (sys.stdout, sys.stderr):
            stream.flush()
        os._exit(status)
    sys.exit(status)


def _prepare_streams() -> None:
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:  # closed by who started us; a file opened later must not take its place
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115, PTH123
        elif isinstance(stream, TextIOWrapper):
            # Advice may hold letters that an old terminal lacks; that must not cost the answer.
            stream.reconfigure(errors="backslashreplace")
