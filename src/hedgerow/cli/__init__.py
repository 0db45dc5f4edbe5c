"""The command line: a thin coat over what Python users call."""

__all__ = ["app", "main"]

import os
import signal
import sys
from io import TextIOWrapper

from hedgerow.cli.app import app


def main() -> None:
    """Run the command line; the console script `hedgerow` ends up here."""
    _prepare_streams()
    if signal.getsignal(signal.SIGTERM) == signal.SIG_DFL:
        # A polite request to end, such as a scheduler's, counts as Ctrl-C: the best tree so far is saved.
        signal.signal(signal.SIGTERM, signal.default_int_handler)
    status = app(prog_name="hedgerow", standalone_mode=False)
    _end_at_once_if_a_solver_runs(status)
    sys.exit(status)


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
