"""The shell script in the documentation runs from an empty directory and prints what the page says."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.processes import environment_with_hedgerow

DOCS = Path(__file__).parents[2] / "docs"
SCRIPT = DOCS / "examples" / "from-nothing.sh"
PAGE = DOCS / "command-line.md"
WRITTEN = {"costs.csv", "test.csv", "tree.json", "decisions.csv", "advise.sql", "report.html"}

pytestmark = pytest.mark.skipif(shutil.which("bash") is None, reason="a shell script needs a shell")


@pytest.fixture(scope="module")
def shell(tmp_path_factory):
    """Return a function that runs a shell in one folder, where `hedgerow` is the one under test."""
    environment = environment_with_hedgerow(tmp_path_factory.mktemp("programs"))
    folder = tmp_path_factory.mktemp("nothing")

    def run(*arguments):
        done = subprocess.run(
            ["bash", *arguments], cwd=folder, env=environment, capture_output=True, encoding="utf-8", check=False
        )
        assert done.returncode == 0, done.stderr
        return done.stdout, folder

    return run


@pytest.fixture(scope="module")
def told(shell):
    """Run the script; return what it prints."""
    printed, folder = shell(str(SCRIPT))
    assert {path.name for path in folder.iterdir()} == WRITTEN
    assert len((folder / "decisions.csv").read_text(encoding="utf-8").splitlines()) == 1001
    assert (folder / "advise.sql").read_text(encoding="utf-8").rstrip().endswith('FROM "readings" AS given;')
    assert "From corner to corner" in (folder / "report.html").read_text(encoding="utf-8")
    return printed


def blocks(language, text):
    return re.findall(rf"^```{language}\n(.*?)^```", text, re.MULTILINE | re.DOTALL)


def page():
    return PAGE.read_text(encoding="utf-8")


def test_the_script_prints_the_lines_that_matter(told):
    for line in (
        r"leaf,advice\n3,0 → 4 → 8 → 12 → 13 → 14 → 15",
        r"row +misread +advice +instead of +costs +instead of",
        r"… and 62 more, hurt less\.",
    ):
        assert re.search(f"^{line}", told, re.MULTILINE), line


def test_the_page_shows_what_the_script_prints(told):
    """An ellipsis stands for what differs from run to run."""
    shown = blocks("text", page().partition("\n## Tables\n")[0])
    assert len(shown) == 4
    for text in shown:
        assert re.search(".*".join(map(re.escape, text.split("…"))), told), text


def test_the_page_shows_the_commands_of_the_script():
    script = SCRIPT.read_text(encoding="utf-8")
    shown = [line for line in blocks("bash", page())[0].splitlines() if line]
    assert shown == [line for line in script.splitlines() if line.startswith("hedgerow ")]


def test_the_other_commands_on_the_page_run_on_the_files_of_the_script(told, shell):
    others = blocks("bash", page())[1:]
    assert len(others) == 4
    for code in others:
        printed, _ = shell("-euo", "pipefail", "-c", code)
        assert printed or " -o " in code
