"""The figures on the page are those that its code makes."""

import re
from pathlib import Path

from tests.docs.test_code_blocks import code_blocks

DOCS = Path(__file__).parents[2] / "docs"
PAGE = DOCS / "figures.md"


def test_every_figure_on_the_page_is_saved_by_its_code_and_the_other_way_round():
    shown = re.findall(r"\(img/([^)]+)\)", PAGE.read_text(encoding="utf-8"))
    saved = [name for _, code in code_blocks(PAGE) for name in re.findall(r'savefig\("([^"]+)"', code)]
    assert shown == saved
    assert all((DOCS / "img" / name).exists() for name in shown)


def test_no_figure_is_left_over():
    shown = set(re.findall(r"img/(figure-[^)]+)", PAGE.read_text(encoding="utf-8")))
    assert {path.name for path in (DOCS / "img").glob("figure-*")} == shown
