"""The program `hedgerow`, also as `python -m hedgerow`."""

__all__ = ["main"]

import sys

_INTERRUPTED = 130


def main() -> None:
    """Run the command line; Ctrl-C while it is still being imported is no traceback."""
    try:
        from hedgerow.cli import main as command_line
    except (KeyboardInterrupt, ImportError) as error:
        # Extension modules turn a Ctrl-C while they are imported into an ImportError.
        if not isinstance(error.__cause__ or error, KeyboardInterrupt):
            raise
        sys.exit(_INTERRUPTED)
    command_line()


if __name__ == "__main__":
    main()
