"""The code blocks of the documentation, for the tests that look at them; test_pages_run.py runs them."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGES = [page for page in [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))] if page.exists()]
BLOCK = re.compile(r"^```python[^\n]*\n(.*?)^```", re.MULTILINE | re.DOTALL)


def code_blocks(page):
    """The page's Python blocks, each with the line on which it begins."""
    text = page.read_text(encoding="utf-8")
    return [(text.count("\n", 0, block.start(1)), block.group(1)) for block in BLOCK.finditer(text)]


def test_the_pages_have_code_to_run():
    assert any(code_blocks(page) for page in PAGES)
