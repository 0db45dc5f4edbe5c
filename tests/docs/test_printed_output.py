"""What the documentation shows as printed is what its code and its commands print.

Blocks in `python` and `bash` run, in the order of the page. Blocks in `sh` do not: their files are the reader's own.
"""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.processes import environment_with_hedgerow

ROOT = Path(__file__).parents[2]
SHOWN = re.compile(r"^```(?:text|sql)\n", re.MULTILINE)
BLOCK = re.compile(rf"^```(python|bash)\n(.*?)^```\n(?:\n*{SHOWN.pattern}(.*?)^```\n)?", re.MULTILINE | re.DOTALL)
PAGES = {page.relative_to(ROOT).as_posix(): page.read_text(encoding="utf-8") for page in ROOT.glob("docs/**/*.md")}
PAGES["README.md"] = (ROOT / "README.md").read_text(encoding="utf-8")
HELD_ELSEWHERE = {"docs/command-line.md"}  # test_from_nothing.py
SHOWING = sorted(name for name, text in PAGES.items() if SHOWN.search(text) and name not in HELD_ELSEWHERE)


def is_printed(shown, printed):
    """Whether the text is what was printed; an ellipsis stands for whatever differs from run to run."""
    pattern = ".*".join(map(re.escape, shown.rstrip().split("…")))
    return re.fullmatch(pattern, printed.rstrip(), re.DOTALL) is not None


@pytest.mark.parametrize("page", SHOWING)
def test_text_after_code_is_what_the_code_prints(page, tmp_path_factory, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path_factory.mktemp("work"))
    environment = environment_with_hedgerow(tmp_path_factory.mktemp("programs"))
    blocks = BLOCK.findall(PAGES[page])
    assert sum(shown != "" for *_, shown in blocks) == len(SHOWN.findall(PAGES[page])), "a text follows no code"
    if shutil.which("bash") is None and any(language == "bash" for language, *_ in blocks):
        pytest.skip("commands need a shell")
    namespace = {"__name__": page}
    for language, code, shown in blocks:
        if language == "python":
            exec(compile(code, page, "exec"), namespace)
            printed = capsys.readouterr().out
        else:
            done = subprocess.run(
                ["bash", "-euo", "pipefail", "-c", code],
                env=environment,
                capture_output=True,
                encoding="utf-8",
                check=False,
            )
            assert done.returncode == 0, done.stderr
            printed = done.stdout
        # Code without a text after it prints nothing; of commands a page may choose to show nothing.
        not_shown = language == "bash" and not shown
        assert not_shown or is_printed(shown, printed), f"{code}\nprints\n{printed}"


def test_an_ellipsis_stands_for_anything_and_nothing_else_does():
    assert is_printed("after … s.\n", "after 0.9 s.\n")
    assert not is_printed("after 1.9 s.\n", "after 0.9 s.\n")
    assert not is_printed("one\n", "one\ntwo\n")
    assert not is_printed("", "printed, and not shown\n")


def test_the_pages_that_show_what_is_printed_are_found():
    assert {"README.md", "docs/export.md", "docs/choosing-a-budget.md", "docs/start.md"} <= set(SHOWING)
