"""Every page works as it is read, from an empty folder: its Python, its commands, and what it shows as printed.

Blocks in `python` and `bash` run in the order of the page, with the files that the page itself has made. Blocks in
`console` and `py` do not run; the table below has each of them with the reason.
"""

import importlib.util
import re
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest
from matplotlib.figure import Figure
from PIL import Image

from tests.processes import environment_with_hedgerow

ROOT = Path(__file__).parents[2]
SHOWN = re.compile(r"^```(?:text|sql)\n", re.MULTILINE)
BLOCK = re.compile(rf"^```(python|bash)\n(.*?)^```\n(?:\n*{SHOWN.pattern}(.*?)^```\n)?", re.MULTILINE | re.DOTALL)
NOT_RUN = re.compile(r"^```(console|py|sh|shell)\n(.*?)^```", re.MULTILINE | re.DOTALL)
INLINE = re.compile(r"(?<!`)`(hedgerow [^`]*)`")
PAGES = {page.relative_to(ROOT).as_posix(): page.read_text(encoding="utf-8") for page in ROOT.glob("docs/**/*.md")}
PAGES["README.md"] = (ROOT / "README.md").read_text(encoding="utf-8")
RUNNING = sorted(name for name, text in PAGES.items() if BLOCK.search(text))

REASONS = {
    "docs/install.md": {"pip install": "installs packages from the network"},
    "docs/export.md": {"import onnxruntime": "needs onnxruntime; tests/export runs it where it is installed"},
}
"""Blocks that do not run, by how they begin, with the reason."""

NO_WHOLE_COMMANDS = re.compile(r"[A-Z]{3,}|[\[|…]|--(help|version|install-completion|show-completion)")
"""What marks an inline command as a pattern, or as one that has nothing to do with files."""


def is_printed(shown, printed):
    """Whether the text is what was printed; an ellipsis stands for whatever differs from run to run."""
    pattern = ".*".join(map(re.escape, shown.rstrip().split("…")))
    return re.fullmatch(pattern, printed.rstrip(), re.DOTALL) is not None


def load_figures():
    """Return the module that draws the figures."""
    spec = importlib.util.spec_from_file_location("figures", ROOT / "docs" / "figures.py")
    figures = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(figures)
    return figures


FIGURES = load_figures()


@pytest.fixture
def drawn(monkeypatch):
    """The figures that are saved during a test, by name, with the words on them."""
    words = {}
    monkeypatch.setattr(
        Figure, "savefig", lambda figure, name, **options: words.update({name: FIGURES.words_on(figure)})
    )
    return words


def check_pictures(page, text, drawn):
    """Compare the stored figures and pictures of a page with what its code has just made."""
    for name, words in drawn.items():
        with Image.open(ROOT / "docs" / "img" / name) as stored:
            assert stored.info.get("Description", "") == words, f"draw {name} anew: make figures"
        description = re.search(rf"!\[([^]]*)\]\((?:\.\./)?img/{name}\)", text)[1]
        questions = [line for line in words.splitlines() if line.endswith("?")]
        assert all(question in description for question in questions), (description, questions)
    for screen in FIGURES.SCREENS:
        if f"docs/{screen.page}.md" == page:
            html = Path(screen.file).read_text(encoding="utf-8")
            assert all(quote in html for quote in re.findall(r"“([^”]*\d[^”]*)”", text))
            with Image.open(ROOT / "docs" / "img" / screen.picture) as stored:
                questions = FIGURES.questions_in(html)
                assert stored.info["Description"] == questions, f"take {screen.picture} anew: make figures"


@pytest.mark.parametrize("page", RUNNING)
def test_a_page_runs_from_an_empty_folder_and_prints_what_it_shows(page, tmp_path_factory, monkeypatch, capsys, drawn):
    monkeypatch.chdir(tmp_path_factory.mktemp("work"))
    environment = environment_with_hedgerow(tmp_path_factory.mktemp("programs"))
    text = PAGES[page]
    blocks = list(BLOCK.finditer(text))
    assert sum(block[3] is not None for block in blocks) == len(SHOWN.findall(text)), "a text follows no code"
    if shutil.which("bash") is None and any(block[1] == "bash" for block in blocks):
        pytest.skip("commands need a shell")
    if "add_variable_dicts" in text and not hasattr(pytest.importorskip("pulp").LpProblem, "add_variable_dicts"):
        pytest.skip("the page is written for PuLP 3")
    namespace = {"__name__": page}
    for block in blocks:
        language, code, shown = block.groups()
        if language == "python":
            # Empty lines in front, so that a traceback names the line of the page.
            lines = text.count("\n", 0, block.start(2))
            exec(compile("\n" * lines + code, str(ROOT / page), "exec"), namespace)
            printed = capsys.readouterr().out
        else:
            done = subprocess.run(
                ["bash", "-euo", "pipefail", "-c", code],
                env=environment,
                capture_output=True,
                encoding="utf-8",
                check=False,
            )
            assert done.returncode == 0, f"{code}\n{done.stderr}"
            printed = done.stdout
        # Code without a text after it prints nothing; of commands a page may choose to show nothing.
        if shown is not None or (language == "python" and SHOWN.search(text)):
            shown = shown or ""
            assert is_printed(shown, printed), f"{code}\nprints\n{printed}"
    check_pictures(page, text, drawn)


@pytest.mark.parametrize("page", sorted(PAGES))
def test_what_does_not_run_is_known_and_has_a_reason(page):
    blocks = [code for _, code in NOT_RUN.findall(PAGES[page])]
    known = REASONS.get(page, {})
    for code in blocks:
        assert any(code.lstrip().startswith(beginning) for beginning in known), code
    assert not re.search(r"^```(sh|shell)\n", PAGES[page], re.MULTILINE), "write bash, which runs, or console"


@pytest.mark.parametrize("page", sorted(PAGES))
def test_commands_in_a_sentence_are_names_of_commands(page):
    """A whole command, with files, belongs into a block that runs."""
    commands = [command for command in INLINE.findall(PAGES[page]) if not NO_WHOLE_COMMANDS.search(command)]
    assert all(len(shlex.split(command)) <= 2 for command in commands), commands


def test_an_ellipsis_stands_for_anything_and_nothing_else_does():
    assert is_printed("after … s.\n", "after 0.9 s.\n")
    assert not is_printed("after 1.9 s.\n", "after 0.9 s.\n")
    assert not is_printed("one\n", "one\ntwo\n")
    assert not is_printed("", "printed, and not shown\n")


def test_the_pages_that_run_are_found():
    assert {"README.md", "docs/export.md", "docs/budgets.md", "docs/your-csv.md"} <= set(RUNNING)
