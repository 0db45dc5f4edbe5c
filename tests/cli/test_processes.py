"""The command line as other programs see it: signals, pipes, and the same tree twice."""

import json
import signal
import sys

import pytest

from hedgerow.methods import METHODS
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


def methods_with_a_seed():
    return [name for name in ("fix_tree", "local_search", "alternate") if name in METHODS][:1] or ["draw"]


@pytest.mark.parametrize("method", methods_with_a_seed())
def test_two_processes_find_the_same_tree(folder, method):
    trees = []
    for number in range(2):
        options = ("--method", method, "--local", 0.1, "--seed", 7, "--iteration-limit", 15, "-o", f"{number}.json")
        process = start("fit", "grid:2", "costs.csv", *options, code=WITH_TOYS)
        _, stderr = process.communicate(timeout=60)
        assert process.returncode == 0, stderr
        trees.append(RuleBook.load(folder / f"{number}.json").tree)
    assert trees[0] == trees[1]


def test_the_console_script_ends_with_2_and_one_sentence(folder):
    process = start("fit", "grid:2", "nowhere.csv")
    stdout, stderr = process.communicate(timeout=30)
    assert (process.returncode, stdout) == (2, "")
    assert stderr == "hedgerow: nowhere.csv: there is no such file.\n"


@pytest.mark.parametrize(
    "words",
    [
        ("predict", "tree.json", "many.csv"),
        ("fit", "grid:2", "costs.csv", "--method", "one_solution", "--json"),
    ],
    ids=lambda words: words[0],
)
def test_a_reader_that_has_enough_is_no_error(tree, folder, words):
    (folder / "many.csv").write_text("0-1,0-2,1-3,2-3\n" + "1,2,3,4\n" * 20_000)
    process = start(*words)
    assert process.stdout is not None
    process.stdout.close()
    assert process.stderr is not None
    with process.stderr:
        assert "rror" not in process.stderr.read()
    assert process.wait(timeout=30) == 1
