"""What a page shows is what its code prints."""

import re
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs"
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```", re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize(("page", "n_shown"), [("export.md", 7), ("choosing-a-budget.md", 5)])
def test_the_page_shows_what_its_code_prints(page, n_shown, capsys):
    blocks = [(block[1], block[2]) for block in BLOCK.finditer((DOCS / page).read_text(encoding="utf-8"))]
    exec("".join(code for kind, code in blocks if kind == "python"), {"__name__": "page"})
    printed = capsys.readouterr().out
    shown = [text for kind, text in blocks if kind in ("text", "sql")]
    assert len(shown) == n_shown
    for text in shown:
        assert text in printed
