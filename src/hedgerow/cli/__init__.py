"""The command line: a thin coat over what Python users call."""

__all__ = ["app", "main"]

from hedgerow.cli.app import app, main
