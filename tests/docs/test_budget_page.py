"""What the page on budgets shows is what its code prints."""

import re
from pathlib import Path

PAGE = Path(__file__).parents[2] / "docs" / "choosing-a-budget.md"
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```", re.MULTILINE | re.DOTALL)


def test_the_page_shows_what_its_code_prints(capsys):
    blocks = [(block[1], block[2]) for block in BLOCK.finditer(PAGE.read_text(encoding="utf-8"))]
    exec("".join(code for kind, code in blocks if kind == "python"), {"__name__": "page"})
    printed = capsys.readouterr().out
    shown = [text for kind, text in blocks if kind == "text"]
    assert len(shown) == 5
    for text in shown:
        assert text in printed
