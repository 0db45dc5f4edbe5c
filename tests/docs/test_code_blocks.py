"""The Python in the documentation runs, page by page, in the order in which it is read."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = [page for page in [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))] if page.exists()]
BLOCK = re.compile(r"^```python[^\n]*\n(.*?)^```", re.MULTILINE | re.DOTALL)


def code_blocks(page):
    """The page's Python blocks, each with the line on which it begins."""
    text = page.read_text(encoding="utf-8")
    return [(text.count("\n", 0, block.start(1)), block.group(1)) for block in BLOCK.finditer(text)]


@pytest.mark.parametrize(
    "page", [page for page in PAGES if code_blocks(page)], ids=lambda page: page.relative_to(ROOT).as_posix()
)
def test_code_blocks_run_in_one_namespace_per_page(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # whatever a page writes stays there
    namespace = {"__name__": page.stem}
    for line, code in code_blocks(page):
        # Empty lines in front, so that a traceback names the line of the page.
        exec(compile("\n" * line + code, str(page), "exec"), namespace)


def test_the_pages_have_code_to_run():
    assert any(code_blocks(page) for page in PAGES)
