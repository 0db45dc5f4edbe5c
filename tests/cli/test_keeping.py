"""What was found is kept: failed writes, closed outputs."""

import subprocess
import sys

import pytest

from hedgerow.rules import RuleBook
from tests.cli.conftest import refused
from tests.processes import environment_with_hedgerow

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="needs /dev/full, /proc and a shell")

FIT = "hedgerow fit grid:2 costs.csv --method one_solution"


def shell(folder, command):
    programs = folder / "programs"
    programs.mkdir(exist_ok=True)
    return subprocess.run(
        ["bash", "-c", command],
        env=environment_with_hedgerow(programs),
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def test_messages_that_can_not_be_written_cost_neither_the_tree_nor_the_status(folder):
    done = shell(folder, f"{FIT} 2> /dev/full")
    assert done.returncode == 0
    assert "worst case" in done.stdout
    assert RuleBook.load(folder / "tree.json").tree.n_leaves == 1
    assert shell(folder, "hedgerow fit grid:2 nowhere.csv 2> /dev/full").returncode == 2


@pytest.mark.parametrize("place", ["/proc/tree.json", "/sys/tree.json"])
def test_a_place_that_takes_no_files_is_refused_before_the_search(folder, place):
    message = refused("fit", "grid:2", "costs.csv", "--time-limit", "inf", "-o", place)
    assert place in message
    assert ".part" not in message
