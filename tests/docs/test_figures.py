"""The figures on a page are those that its code makes."""

import re
from pathlib import Path

import pytest
from PIL import Image

from tests.docs.test_code_blocks import PAGES, code_blocks

DOCS = Path(__file__).parents[2] / "docs"


def saved_by(page):
    return [name for _, code in code_blocks(page) for name in re.findall(r'savefig\("([^"]+)"', code)]


def shown_on(page):
    return re.findall(r"\((?:docs/)?img/([^)]+)\)", page.read_text(encoding="utf-8"))


@pytest.mark.parametrize("page", filter(saved_by, PAGES), ids=lambda page: page.stem)
def test_every_figure_that_a_page_saves_is_on_it_and_in_the_repository(page):
    saved = saved_by(page)
    assert [name for name in shown_on(page) if name in saved] == saved
    assert all((DOCS / "img" / name).exists() for name in saved)


@pytest.mark.parametrize("name", ["report.png", "report-map.png"])
def test_the_report_that_is_shown_is_that_of_the_tree_on_the_first_page(name):
    """`python docs/img/report.py` takes the pictures anew."""
    printed = (DOCS.parent / "README.md").read_text(encoding="utf-8").partition("```text\n")[2].partition("```")[0]
    with Image.open(DOCS / "img" / name) as picture:
        assert picture.info["Description"].splitlines() == re.findall(r".*[?]$", printed, re.MULTILINE)


def test_no_picture_is_left_over():
    shown = {name for page in PAGES for name in shown_on(page)}
    assert {path.name for path in (DOCS / "img").iterdir() if path.suffix != ".py"} == shown
