"""The command line: a thin coat over what Python users call."""

__all__ = ["app", "main"]

import atexit
import gc
import os
import signal
import sys
from io import TextIOWrapper
from typing import Any

from hedgerow.cli.app import app
from hedgerow.cli.output import note

_INTERRUPTED = 130


def main() -> None:
    """Run the command line; the console script `hedgerow` ends up here."""
    _prepare_streams()
    # A polite request to end, such as a scheduler's, counts as Ctrl-C: what was found so far is kept.
    if signal.getsignal(signal.SIGTERM) == signal.SIG_DFL:
        action = signal.getsignal(signal.SIGINT)
        signal.signal(signal.SIGTERM, action if callable(action) else signal.default_int_handler)
    atexit.register(_on_signals, signal.SIG_IGN)  # for the interpreter's very last steps
    try:
        _run()
    except KeyboardInterrupt:
        note("hedgerow: interrupted.")
        sys.exit(_INTERRUPTED)


def _run() -> None:
    try:
        app(prog_name="hedgerow")
    except SystemExit as ended:
        status = ended.code if isinstance(ended.code, int) else int(ended.code is not None)
        # The answer is out. A signal while the interpreter shuts down is no traceback and changes no status.
        _on_signals(lambda *_: os._exit(status))
        _end_at_once_if_a_solver_runs(status)
        gc.freeze()  # what the compiler left would be looked through once more, for seconds
        raise


def _on_signals(action: Any) -> None:
    """Change what Ctrl-C and SIGTERM do, unless the program was started to ignore them."""
    for number in (signal.SIGINT, signal.SIGTERM):
        if signal.getsignal(number) != signal.SIG_IGN:
            signal.signal(number, action)


def _end_at_once_if_a_solver_runs(status: int) -> None:
    """End this process without waiting for a MIP solver that was abandoned; all results are written by now."""
    watchdog = sys.modules.get("hedgerow.mip.watchdog")
    if watchdog is not None and watchdog.any_abandoned():
        for stream in (sys.stdout, sys.stderr):
            stream.flush()
        os._exit(status)


def _prepare_streams() -> None:
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:  # closed by who started us; a file opened later must not take its place
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115, PTH123
        elif isinstance(stream, TextIOWrapper):
            # Advice may hold letters that an old terminal lacks; that must not cost the answer.
            stream.reconfigure(errors="backslashreplace")
