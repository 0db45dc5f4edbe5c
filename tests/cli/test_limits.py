"""Time, memory and size at the command line: what is too much is refused in a sentence, and a stop is a stop."""

import json
import os
import signal
import sys

import numpy as np
import pytest

from hedgerow.problems import Selection, ShortestPath
from tests.cli.conftest import refused, start, write_costs

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals and limits work otherwise there")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM], ids=["ctrl-c", "terminate"])
def test_a_stop_while_files_are_read_ends_the_command(folder, number):
    """There is no tree to lose yet, so nothing is waited for."""
    os.mkfifo(folder / "pipe.csv")
    process = start("fit", "grid:2", "pipe.csv")
    # Opening the other end waits until the program opens its own, which then waits for a line.
    with (folder / "pipe.csv").open("w"):
        process.send_signal(number)
        _, stderr = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "Traceback" not in stderr


SELECTION = 'kind = "selection"\nn = 18\np = 9\n'


@pytest.mark.parametrize(("problem", "method"), [("grid:10", "nominal"), ("s.toml", "exact")])
def test_tens_of_thousands_of_solutions_do_not_outlast_the_limit(folder, problem, method):
    """What counts is that this ends: comparing all solutions with all others took minutes."""
    (folder / "s.toml").write_text(SELECTION)
    names = ShortestPath.grid(10).item_names if problem == "grid:10" else Selection(18, 9).item_names
    write_costs(folder / "many.csv", np.random.default_rng(0).uniform(1.0, 9.0, (40, len(names))), names)
    process = start("fit", problem, "many.csv", "--method", method, "--local", "0.05", "--time-limit", "1", "--json")
    stdout, stderr = process.communicate(timeout=300)
    assert process.returncode == 0, stderr
    assert json.loads(stdout)["status"] in ("time_limit", "feasible", "optimal")


@pytest.mark.parametrize("size", ["1e308", "-1e308", "1e201"])
def test_costs_that_would_overflow_are_refused(folder, tree, size):
    """Their sums would be infinite, and no path the cheapest."""
    (folder / "huge.csv").write_text(f"0-1,0-2,1-3,2-3\n1,2,3,4\n1,{size},3,4\n")
    for words in (("fit", "grid:2", "huge.csv"), ("evaluate", "tree.json", "huge.csv")):
        message = refused(*words)
        assert "numbers from -1e+200 to 1e+200" in message
        assert "'0-2'" in message
