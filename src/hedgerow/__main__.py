"""The program `hedgerow`, also as `python -m hedgerow`."""

__all__ = ["main"]

import sys

from hedgerow.errors import is_interrupt

_INTERRUPTED = 130


def main() -> None:
    """Run the command line; Ctrl-C while it is still being imported is no traceback."""
    try:
        from hedgerow.cli import main as command_line
    except BaseException as error:
        if not is_interrupt(error):
            raise
        sys.exit(_INTERRUPTED)
    command_line()


if __name__ == "__main__":
    main()
