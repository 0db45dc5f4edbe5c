"""The command line: a thin coat over what Python users call."""

__all__ = ["app", "main"]

import signal
import sys
from io import TextIOWrapper

from hedgerow.cli.app import app


def main() -> None:
    """Run the command line; the console script `hedgerow` is this."""
    for stream in (sys.stdout, sys.stderr):
        # Advice may hold letters that an old terminal lacks; that must not cost the answer.
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    # Whoever ends the process politely, such as a scheduler, ends it like Ctrl-C: with what was found.
    if signal.getsignal(signal.SIGTERM) == signal.SIG_DFL:
        signal.signal(signal.SIGTERM, signal.default_int_handler)
    app(prog_name="hedgerow")
