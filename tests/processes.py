"""What tests need that start other processes."""

import os
import sys
from pathlib import Path

import hedgerow


def environment_of_tests() -> dict[str, str]:
    """Return the environment in which another process imports the same Hedgerow as this one, and the tests."""
    paths = [Path(hedgerow.__file__).parents[1], Path(__file__).parents[1]]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(str(path.resolve()) for path in paths)}


def environment_with_hedgerow(programs: Path) -> dict[str, str]:
    """Return that environment with a program `hedgerow`, put into this folder, which is the one under test."""
    hedgerow_program = programs / "hedgerow"
    code = "from hedgerow.__main__ import main; main()"
    hedgerow_program.write_text(f'#!/usr/bin/env bash\nexec "{sys.executable}" -c "{code}" "$@"\n', encoding="utf-8")
    hedgerow_program.chmod(0o755)
    return {**environment_of_tests(), "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}"}
