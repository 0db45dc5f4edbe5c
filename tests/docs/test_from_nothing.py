"""The shell script in the documentation runs from an empty directory and prints what the page says."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.processes import environment_of_tests

DOCS = Path(__file__).parents[2] / "docs"
SCRIPT = DOCS / "examples" / "from-nothing.sh"
PAGE = DOCS / "command-line.md"

pytestmark = pytest.mark.skipif(shutil.which("bash") is None, reason="a shell script needs a shell")


@pytest.fixture(scope="module")
def told(tmp_path_factory):
    """Run the script where `hedgerow` is the one under test; return what it prints."""
    programs = tmp_path_factory.mktemp("programs")
    hedgerow = programs / "hedgerow"
    code = "from hedgerow.cli import main; main()"
    hedgerow.write_text(f'#!/usr/bin/env bash\nexec "{sys.executable}" -c "{code}" "$@"\n')
    hedgerow.chmod(0o755)
    folder = tmp_path_factory.mktemp("nothing")
    done = subprocess.run(
        ["bash", str(SCRIPT)],
        cwd=folder,
        env={**environment_of_tests(), "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}"},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert {path.name for path in folder.iterdir()} == {"costs.csv", "test.csv", "tree.json", "decisions.csv"}
    assert len((folder / "decisions.csv").read_text(encoding="utf-8").splitlines()) == 1001
    return done.stdout


def blocks(language):
    return re.findall(rf"^```{language}\n(.*?)^```", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)


def test_the_script_prints_the_lines_that_matter(told):
    for line in (
        r"as read +552\.18005 +110\.436",
        r"worst case +552\.18005 +110\.436",
        r"Proven optimal after .* \(exact\): no tree over the same thresholds",
        r"leaf,advice",
        r" +over 1000 samples +per sample",
        r"Worst case: each sample may be misread by up to 3\.63911 in total\.",
        r"row +misread +advice +instead of +costs +instead of",
    ):
        assert re.search(f"^{line}", told, re.MULTILINE), line


def test_the_page_shows_what_the_script_prints(told):
    """Equally good trees may differ from machine to machine; the figures may not."""
    assert blocks("text")[0].split("\n\n")[1] in told


def test_the_page_shows_the_commands_of_the_script():
    script = SCRIPT.read_text(encoding="utf-8")
    shown = [line for line in blocks("bash")[0].splitlines() if line]
    assert shown == [line for line in script.splitlines() if line.startswith("hedgerow ")]
