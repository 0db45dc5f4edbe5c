"""The figures on a page are those that its code makes."""

import re
from pathlib import Path

import pytest
from PIL import Image

from tests.docs.test_code_blocks import PAGES, code_blocks
from tests.docs.test_pages_run import FIGURES

DOCS = Path(__file__).parents[2] / "docs"
DRAWN_BY_HAND = {
    "motivating-example.svg": "index",
    "exact-duality.svg": "exact-method",
    "exact-frontier.svg": "exact-method",
    "exact-funnel.svg": "exact-method",
    "exact-halves.svg": "exact-method",
}


def numbers(text):
    """Return the numbers of two digits or more in a text."""
    return {float(number.replace(",", "")) for number in re.findall(r"\d[\d,.]*\d", text) if "." not in number[:1]}


def saved_by(page):
    return [name for _, code in code_blocks(page) for name in re.findall(r'savefig\("([^"]+)"', code)]


def shown_on(page):
    return re.findall(r"\((?:docs/|\.\./)?img/([^)]+)\)", page.read_text(encoding="utf-8"))


@pytest.mark.parametrize("page", filter(saved_by, PAGES), ids=lambda page: page.stem)
def test_every_figure_that_a_page_saves_is_on_it_and_in_the_repository(page):
    saved = saved_by(page)
    assert [name for name in shown_on(page) if name in saved] == saved
    assert all((DOCS / "img" / name).exists() for name in saved)


@pytest.mark.parametrize("name", ["report.png", "report-map.png"])
def test_the_report_that_is_shown_is_that_of_the_tree_on_the_first_page(name):
    printed = (DOCS.parent / "README.md").read_text(encoding="utf-8").partition("```text\n")[2].partition("```")[0]
    with Image.open(DOCS / "img" / name) as picture:
        shown = picture.info["Description"].splitlines()
    assert {question for question in shown if "≤" in question} == set(re.findall(r"\w[^:]*[?]$", printed, re.MULTILINE))


def test_measured_shares_are_drawn_from_the_stored_results():
    with Image.open(DOCS / "img" / "measured-shares.png") as picture:
        assert picture.info["Description"].splitlines() == FIGURES.measured_words()


@pytest.mark.parametrize(("name", "page"), DRAWN_BY_HAND.items())
def test_numbers_in_a_drawing_are_on_its_page(name, page):
    """Drawings that no code makes: results in them, such as 1,470 structures, are what the page's code computes."""
    drawing = (DOCS / "img" / name).read_text(encoding="utf-8")
    words = " ".join(re.findall(r"<text[^>]*>(.*?)</text>", drawing, re.DOTALL))
    pages = "".join((DOCS / f"{one}.md").read_text(encoding="utf-8") for one in (page, "index"))
    assert numbers(words) <= numbers(pages)


def test_the_drawing_of_the_architecture_names_what_is_there():
    drawing = (DOCS / "img" / "architecture.svg").read_text(encoding="utf-8")
    names = re.findall(r"\b(\w+(?:/|\.py))(?=[\s<])", drawing)
    assert len(names) > 10
    assert [name for name in names if not (DOCS.parent / "src" / "hedgerow" / name).exists()] == []


def test_no_picture_is_left_over():
    shown = {name for page in PAGES for name in shown_on(page)}
    assert {path.name for path in (DOCS / "img").iterdir() if path.suffix != ".py"} == shown
