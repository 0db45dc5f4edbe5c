"""A folder with the files that most commands need, and one way to run a command."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from hedgerow.methods import METHODS
from hedgerow.methods.registry import Method
from tests.commands import run
from tests.methods import toys
from tests.processes import environment_of_tests

COSTS = np.random.default_rng(5).integers(1, 30, (6, 4)).astype(float)
MAIN = "from hedgerow.cli import main; main()"
# The toys are unknown to a new process, so it enters them before it runs the command line.
WITH_TOYS = f"from tests.methods import toys; toys.register(); {MAIN}"
NAMES = ("0-1", "0-2", "1-3", "2-3")


@pytest.fixture
def folder(tmp_path, monkeypatch) -> Path:
    """An own working directory with costs of a 2 × 2 grid."""
    monkeypatch.chdir(tmp_path)
    write_costs(tmp_path / "costs.csv")
    return tmp_path


@pytest.fixture(autouse=True)
def _toys(monkeypatch):
    for name, function in toys.TOYS.items():
        monkeypatch.setitem(METHODS, name, Method(function))


@pytest.fixture
def tree(folder) -> Path:
    """A tree of depth 1, fitted to these costs under a local budget."""
    options = ("--depth", 1, "--local", 0.1, "--method", "draw", "--iteration-limit", 20)
    done = run("fit", "grid:2", "costs.csv", *options)
    assert done.exit_code == 0, done.stderr
    return folder / "tree.json"


def write_costs(path: Path, costs=COSTS, names=NAMES) -> Path:
    lines = [",".join(names), *(",".join(repr(float(value)) for value in row) for row in costs)]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def start(*words: object, code: str = MAIN, **options: Any) -> subprocess.Popen[str]:
    """Start the command line in a process of its own, by this code."""
    streams = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **options}
    return subprocess.Popen(
        [sys.executable, "-c", code, *map(str, words)],
        text=True,
        encoding="utf-8",
        env=environment_of_tests(),
        **streams,
    )


def refused(*words: object) -> str:
    """Run a command that must be refused: status 2, one sentence on standard error, nothing on standard output."""
    done = run(*words)
    assert done.exit_code == 2, (done.exit_code, done.stdout, done.stderr, done.exception)
    assert done.stdout == ""
    lines = done.stderr.strip().splitlines()
    assert len(lines) == 1, done.stderr
    assert lines[0].startswith("hedgerow: ")
    assert lines[0].endswith((".", "?"))
    assert not lines[0].endswith("?.")
    return lines[0]
