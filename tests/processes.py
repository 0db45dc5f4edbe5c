"""What tests need that start other processes."""

import os
from pathlib import Path

import hedgerow


def environment_of_tests() -> dict[str, str]:
    """Return the environment in which another process imports the same Hedgerow as this one, and the tests."""
    paths = [Path(hedgerow.__file__).parents[1], Path(__file__).parents[1]]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(str(path.resolve()) for path in paths)}
