"""Run a command in this process, with its two streams kept apart by any version of click."""

import inspect

from typer.testing import CliRunner, Result

from hedgerow.cli import app

# Click 8.1 mixes the streams unless asked not to; 8.2 knows no such option.
_APART = {"mix_stderr": False} if "mix_stderr" in inspect.signature(CliRunner).parameters else {}


def run(*words: object, **options: object) -> Result:
    return CliRunner(**_APART).invoke(app, [str(word) for word in words], **options)
