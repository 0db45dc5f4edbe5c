"""The program `hedgerow`, also as `python -m hedgerow`."""

__all__ = ["main"]

import os
import signal
import sys
from typing import Any

from hedgerow.errors import is_interrupt

_INTERRUPTED = 130


def main() -> None:
    """Run the command line; Ctrl-C while it is still being imported is no traceback."""
    sys.unraisablehook = _on_unraisable
    try:
        from hedgerow.cli import main as command_line
    except BaseException as error:
        if not is_interrupt(error):
            raise
        sys.exit(_INTERRUPTED)
    command_line()


def _on_unraisable(lost: Any) -> None:
    """Send Ctrl-C again if it arrived where Python drops exceptions, such as while an object is deleted."""
    if not issubclass(lost.exc_type, KeyboardInterrupt):
        sys.__unraisablehook__(lost)
        return
    import threading

    again = threading.Timer(0.02, os.kill, (os.getpid(), signal.SIGINT))
    again.daemon = True
    again.start()


if __name__ == "__main__":
    main()
