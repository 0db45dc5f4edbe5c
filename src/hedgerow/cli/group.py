"""How every command ends: 0 done, 2 bad use or bad input (one sentence), 130 interrupted."""

__all__ = ["HedgerowGroup"]

import errno
import os
import sys
import warnings
from collections.abc import Sequence
from typing import Any, Final

import typer
from typer.core import TyperGroup

from hedgerow.cli.output import tell
from hedgerow.errors import HedgerowError

_BAD_USE: Final = 2
_FAILED: Final = 1
_INTERRUPTED: Final = 130

# Typer keeps the base of its usage errors to itself, and has moved it between versions; its heirs are public.
_UsageError: Final[Any] = typer.BadParameter.__mro__[2]


class HedgerowGroup(TyperGroup):
    """The commands together, with one way to end for all of them."""

    def main(
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        complete_var: str | None = None,
        standalone_mode: bool = True,
        windows_expand_args: bool = True,
        **extra: Any,
    ) -> Any:
        """Run a command; in standalone mode leave the interpreter with its exit status."""
        options = {"complete_var": complete_var, "windows_expand_args": windows_expand_args, **extra}
        status = self._status(args, prog_name, options)
        if not standalone_mode:
            return status
        sys.exit(status)

    def invoke(self, ctx: Any) -> Any:
        """Run the command that the context names, and say so if Ctrl-C ends it."""
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            raise typer.Exit(_complain("interrupted.", _INTERRUPTED)) from None

    def _status(self, args: Sequence[str] | None, prog_name: str | None, options: dict[str, Any]) -> int:
        words = sys.argv[1:] if args is None else args
        try:
            with warnings.catch_warnings():
                warnings.showwarning = lambda message, *_, **__: tell(str(message).rstrip("."))
                status = super().main(words, prog_name, standalone_mode=False, obj=[*words], **options)
            sys.stdout.flush()
        except (KeyboardInterrupt, typer.Abort):
            return _complain("interrupted.", _INTERRUPTED)
        except HedgerowError as error:
            return _complain(str(error), _BAD_USE)
        except _UsageError as error:
            return _complain(error.format_message(), _BAD_USE)
        except MemoryError:
            return _complain(
                "there is not enough memory for this; use fewer rows or columns, or a machine with more memory.",
                _FAILED,
            )
        except OSError as error:
            if error.errno == errno.EPIPE:
                # The reader of our output has left; without this Python complains once more when it flushes at the end.
                os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
                return _FAILED
            reason = f"{error.strerror or type(error).__name__}."
            return _complain(f"{error.filename}: {reason}" if error.filename else reason, _BAD_USE)
        return status if isinstance(status, int) else 0


def _complain(message: str, status: int) -> int:
    sentence = " ".join(message.split()).rstrip(".")
    tell(f"hedgerow: {sentence}{'' if sentence.endswith(('?', '!')) else '.'}")
    return status
