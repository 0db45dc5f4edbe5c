"""The command line as other programs see it: signals, pipes, a full disk."""

import json
import os
import signal
import sys
from pathlib import Path

import pytest

from hedgerow.rules import RuleBook
from tests.cli.conftest import WITH_TOYS, start


@pytest.mark.skipif(sys.platform == "win32", reason="signals work otherwise there")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM], ids=["ctrl-c", "terminate"])
def test_ctrl_c_or_a_request_to_terminate_saves_the_best_tree_and_ends_with_130(folder, number):
    process = start("fit", "grid:2", "costs.csv", "--method", "draw", "--time-limit", 50, "--json", code=WITH_TOYS)
    assert process.stderr is not None
    assert "fitting a tree" in process.stderr.readline()
    process.send_signal(number)
    stdout, stderr = process.communicate(timeout=30)
    assert process.returncode == 130, stderr
    assert "Traceback" not in stderr
    found = json.loads(stdout)
    assert found["status"] == "interrupted"
    assert RuleBook.load(folder / "tree.json").result.objective == found["objective"]


def test_the_console_script_ends_with_2_and_one_sentence(folder):
    process = start("fit", "grid:2", "nowhere.csv")
    stdout, stderr = process.communicate(timeout=30)
    assert (process.returncode, stdout) == (2, "")
    assert stderr == "hedgerow: nowhere.csv: there is no such file.\n"


def test_a_reader_that_has_enough_is_no_error(tree, folder):
    (folder / "many.csv").write_text("0-1,0-2,1-3,2-3\n" + "1,2,3,4\n" * 20_000)
    process = start("predict", "tree.json", "many.csv")
    assert process.stdout is not None
    process.stdout.close()
    assert process.stderr is not None
    with process.stderr:
        assert "rror" not in process.stderr.read()
    assert process.wait(timeout=30) == 1


@pytest.mark.skipif(sys.platform == "win32", reason="signals work otherwise there")
def test_a_stop_while_files_are_read_ends_the_command(folder):
    """There is no tree to lose yet, so nothing is waited for."""
    os.mkfifo(folder / "pipe.csv")
    process = start("fit", "grid:2", "pipe.csv")
    # Opening the other end waits until the program opens its own, which then waits for a line.
    with (folder / "pipe.csv").open("w"):
        process.send_signal(signal.SIGTERM)
        _, stderr = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "Traceback" not in stderr


@pytest.mark.skipif(sys.platform != "linux", reason="needs /dev/full")
def test_messages_that_can_not_be_written_cost_neither_the_tree_nor_the_status(folder):
    with Path("/dev/full").open("w") as full:
        process = start("fit", "grid:2", "costs.csv", "--method", "one_solution", stderr=full)
        stdout, _ = process.communicate(timeout=60)
    assert process.returncode == 0
    assert "worst case" in stdout
    assert RuleBook.load(folder / "tree.json").tree.n_leaves == 1
