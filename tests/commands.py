"""Run a command in this process, with its two streams kept apart."""

import io
import os
from contextlib import redirect_stderr, redirect_stdout
from typing import NamedTuple
from unittest.mock import patch

from hedgerow.cli.app import status_of


class Done(NamedTuple):
    """How a command ended, and what it printed; an exception that it should have answered."""

    exit_code: int
    stdout: str
    stderr: str
    exception: BaseException | None = None

    @property
    def output(self) -> str:
        return self.stdout + self.stderr


def run(*words: object, env: dict[str, str] | None = None) -> Done:
    out, err, status, exception = io.StringIO(), io.StringIO(), 1, None
    with redirect_stdout(out), redirect_stderr(err), patch.dict(os.environ, env or {}):
        try:
            status = status_of([str(word) for word in words])
        except SystemExit as end:
            status = int(end.code or 0)
        except Exception as error:
            exception = error
    return Done(status, out.getvalue(), err.getvalue(), exception)
