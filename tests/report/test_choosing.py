"""The page to choose on, in a real browser: cards side by side, and a builder that ends at a rule book."""

import pytest

from hedgerow import RuleBook, Wishes, alternatives
from hedgerow.report.choosing import choosing_html
from tests.engine.listing.all_trees import SAMPLES, tiny
from tests.report.books import text_of


@pytest.fixture(scope="module")
def found():
    return alternatives(tiny(), within=0.3)


@pytest.fixture
def opened(open_page, found, tmp_path):
    def visit(**window):
        found.report(tmp_path / "choose.html")
        return open_page(tmp_path / "choose.html", **window)

    return visit


def test_cards_show_each_pick_with_its_price_and_what_differs(opened, found):
    page = opened()
    cards = page.locator(".pick")
    assert cards.count() == len(found.picks)
    assert cards.nth(0).locator(".extra-cost").inner_text() == "the best"
    assert "lowest worst case" in cards.nth(0).inner_text().lower()
    assert "Other advice than the first" in cards.nth(1).inner_text()


def test_a_letter_stands_for_the_same_plan_on_all_cards(opened):
    plans = opened().locator(".pick li[class^=plan-]")
    letters = {}
    for text in plans.all_inner_texts():
        letter, words = (part.strip() for part in text.split("Plan ", 1)[1].split(":", 1))
        assert letters.setdefault(words.split("\n")[0], letter) == letter
    assert sorted(letters.values()) == ["A", "B"]


def test_the_builder_leads_by_keyboard_to_a_rule_book_that_keeps_its_promise(opened, found, tmp_path):
    page = opened()
    offered = found.choices()
    steps = page.locator("#steps fieldset")
    assert not page.locator("#built").is_visible()
    assert not steps.nth(1).is_visible()
    names = {each.asks(0).label(tiny().feature_names) for each in offered if each.tree.n_leaves > 1}
    assert set(steps.nth(0).locator("label span:nth-of-type(1)").all_inner_texts()) == names | {"nothing more"}
    for step in range(3):
        steps.nth(step).locator("input").first.focus()
        page.keyboard.press("Space")
    # The cheapest offers at each step end at a tree that costs nothing extra.
    assert "no extra cost" in page.locator("#built").inner_text()
    with page.expect_download() as saving:
        page.locator("#save").click()
    saving.value.save_as(tmp_path / "rules.json")
    rules = RuleBook.load(tmp_path / "rules.json")
    assert rules.evaluate(SAMPLES).robust == pytest.approx(found.best.objective)
    assert rules.result.status == "optimal"
    assert rules.row_samples.sum() == len(SAMPLES)


def test_the_page_fits_a_phone(opened):
    page = opened(width=360)
    page.locator("#steps input").first.check()
    assert page.evaluate("document.documentElement.scrollWidth") <= 360


def test_the_page_says_wishes_misreading_and_over_what_thresholds_something_is_proven(tmp_path):
    plain = text_of(choosing_html(alternatives(tiny(), within=0.3)))
    assert "Each sample may be misread by up to" in plain
    assert "is proven to be the best worst case with thresholds midway between neighbouring training values." in plain
    assert "the best" in plain
    assert "Wishes" not in plain
    name = tiny().feature_names[0]
    wished = text_of(choosing_html(alternatives(tiny(), within=0.3, wishes=Wishes(must_not_ask=[name]))))
    assert f"Wishes No question about {name}. Trees that don’t keep this are left out" in wished
    assert "the best worst case of all trees that keep the wishes, with thresholds midway" in wished
