"""The report in a real browser: it agrees with `predict`, follows the sliders, and asks nobody for anything.

Pictures go to the folder that HEDGEROW_SCREENSHOTS names, or to a temporary one.
"""

import numpy as np
import pytest

from hedgerow import LocalBudget, Tree
from hedgerow.datasets import city_routes
from hedgerow.explain import explain
from tests.report import books

N_OBSERVATIONS = 200


def advice(page):
    return page.locator("#advice .advice-plan").inner_text()


def type_in(page, readings):
    for number, value in enumerate(readings):
        page.locator(f"#reading-{number}").fill(repr(float(value)), force=True)


def test_a_slider_across_a_threshold_changes_advice_path_and_words(visit, town):
    page = visit(*town)
    assert advice(page) == "Plan A"
    assert "Castle" in page.locator("#advice .advice-words").inner_text()
    assert page.locator("#tree .leaf.lit").get_attribute("aria-label").startswith("yes: Plan A")
    slider = page.get_by_label("Market Street, slider")
    slider.focus()
    before = float(page.locator("#reading-0").input_value())
    assert before <= 9.0
    while advice(page) == "Plan A":
        page.keyboard.press("ArrowRight")
        assert float(slider.input_value()) < 12.0
    assert 9.0 < float(page.locator("#reading-0").input_value()) <= 9.2
    assert advice(page) == "Plan C"
    assert "Station" in page.locator("#advice .advice-words").inner_text()
    assert page.locator("#tree .leaf.lit").get_attribute("aria-label").startswith("yes: Plan C")
    assert page.locator("#spoken").inner_text().startswith("Advice: Plan C, Depot → Station")
    assert page.locator(".plan-card.advised h3").inner_text().startswith("C Plan C")
    assert "Market Street ≤ 9 min" in page.locator("#changes").inner_text()


WHAT_IS_SHOWN = """[
    document.querySelector("#advice").dataset.leaf,
    document.querySelector("#advice .advice-words").textContent,
    document.querySelector("#stability [data-radius]").dataset.radius,
]"""


def awkward_observations(tree, n_observations=N_OBSERVATIONS):
    """Return observations of the asked items: random ones, thresholds, and the floats next to these."""
    random = np.random.default_rng(11)
    n_items = int(tree.item.max()) + 1
    observations = random.uniform(-5.0, 70.0, (n_observations, n_items))
    for item in tree.asked_items:
        at = tree.threshold[tree.item == item]
        beside = np.concatenate([at, np.nextafter(at, -np.inf), np.nextafter(at, np.inf), [1e-300, -1e300, 0.1 + 0.2]])
        chosen = random.random(n_observations) < 0.6
        observations[chosen, item] = random.choice(beside, int(chosen.sum()))
    return observations


def radius(tree, observation):
    """Return the least total error that leads to another solution, straight from the definition."""
    boxes, own = tree.boxes, tree.predict([observation])[0]
    values = observation[tree.question_items]
    far = [
        np.maximum(np.maximum(lower - values, values - upper), 0.0).sum()
        for lower, upper, solution in zip(boxes.lower, boxes.upper, tree.solutions, strict=True)
        if (lower < upper).all() and not np.array_equal(solution, own)
    ]
    return min(far, default=np.inf)


def same_side_tree():
    """Return a tree of depth 3 that asks some items twice and holds equal solutions at several leaves."""
    random = np.random.default_rng(4)
    thresholds = np.round(random.uniform(5.0, 60.0, 7), 3) + 0.1
    solutions = np.eye(4)[[0, 1, 1, 2, 0, 3, 2, 2]]
    return Tree.full([2, 0, 2, 1, 2, 0, 1], thresholds, solutions)


def test_it_agrees_with_predict_on_typed_readings_thresholds_and_their_neighbours(visit):
    from hedgerow.problems import Selection

    tree = same_side_tree()
    costs = np.random.default_rng(5).uniform(0.0, 65.0, (12, 4))
    page = visit(books.book(Selection(4, 1), costs, tree, LocalBudget(2.0)), costs)
    order = [2, 0, 1]  # as the tree asks first
    observations = awkward_observations(tree)
    assert len(set(tree.apply(observations))) >= 5
    for observation, leaf, solution in zip(
        observations, tree.apply(observations), tree.predict(observations), strict=True
    ):
        type_in(page, observation[order])
        shown_leaf, shown_words, shown_radius = page.evaluate(WHAT_IS_SHOWN)
        assert int(shown_leaf) == leaf
        assert shown_words == f"x{int(np.argmax(solution)) + 1}"
        assert float(shown_radius) == pytest.approx(radius(tree, observation), rel=1e-9, abs=1e-12)


def test_it_agrees_with_predict_and_explain_where_questions_are_about_sums(visit):
    from hedgerow.problems import Selection

    def asks(name, coefficients, threshold, left, right):
        question = {"name": name, "coefficients": coefficients}
        return {"question": question, "threshold": threshold, "left": left, "right": right}

    leaves = [{"solution": row} for row in np.eye(4).tolist()]
    below = asks("x1 less x3", {"0": 1.0, "2": -1.0}, -3.5, leaves[0], leaves[1])
    above = asks("both ends", {"0": 0.3, "1": 2.0, "3": 1.0}, 90.25, leaves[2], leaves[3])
    tree = Tree.from_dict(asks("x1 less x2", {"0": 1.0, "1": -1.0}, 1.1, below, above))
    random = np.random.default_rng(5)
    costs = random.uniform(0.0, 65.0, (12, 4))
    source = books.book(Selection(4, 1), costs, tree, LocalBudget(2.0))
    page = visit(source, costs)
    order = [0, 1, 2, 3]  # as the tree asks first
    observations = random.uniform(-5.0, 70.0, (60, 4))
    observations[:20, 0] = observations[:20, 1] + random.choice([1.1, 1.0, 1.2], 20)
    assert len(set(tree.apply(observations))) == 4
    for observation, leaf, found in zip(
        observations, tree.apply(observations), explain(source, observations), strict=True
    ):
        type_in(page, observation[order])
        shown_leaf, _, shown_radius = page.evaluate(WHAT_IS_SHOWN)
        assert int(shown_leaf) == leaf
        assert float(shown_radius) == pytest.approx(found.radius, rel=1e-9, abs=1e-9)
    text = page.locator("#tree").inner_text()
    assert "x1" in text
    assert "at most 1.1 more than x2?" in text


def test_on_a_threshold_the_advice_is_on_the_edge_and_next_to_it_it_is_another(visit, town):
    page = visit(*town)
    type_in(page, [9.0, 5.0, 5.0])
    assert advice(page) == "Plan A"
    assert "on the edge" in page.locator("#stability").inner_text()
    type_in(page, [np.nextafter(9.0, 10.0), 5.0, 5.0])
    assert advice(page) == "Plan C"


def test_it_tells_how_far_each_reading_may_go_and_what_comes_then(visit, town):
    page = visit(*town)
    type_in(page, [8.5, 3.0, 5.0])
    assert page.locator("#reading-0-holds").inner_text() == "Plan A up to 9 (then Plan C)."
    assert page.locator("#reading-2-holds").inner_text() == "Plan A whatever this reading is."
    assert page.locator("#stability strong").inner_text() == "0.5 min"
    assert page.locator("#advice .chip").inner_text() == "Close call"
    assert [line.inner_text() for line in page.locator("#changes li").all()] == [
        "C Plan C if Market Street > 9 min (+0.5)",
        # Two readings together are nearer than the one that would do alone.
        "B Plan B if Market Street > 9 min (+0.5) and Dock Road > 9.5 min (+4.5)",
    ]
    type_in(page, [2.0, 3.0, 5.0])
    assert page.locator("#advice .chip").inner_text() == "Firm"
    assert "Beyond anything seen in training: Market Street" in page.locator("#stability").inner_text()


def test_an_empty_field_asks_for_a_number_and_gives_no_advice(visit, town):
    page = visit(*town)
    page.locator("#reading-1").fill("")
    assert "Fill in every reading" in page.locator("#advice").inner_text()
    assert page.locator("#advice").get_attribute("data-leaf") is None
    assert page.locator("#reading-1").get_attribute("aria-invalid") == "true"
    page.get_by_role("button", name="Reset").click()
    assert advice(page) == "Plan A"


def test_the_tree_is_walked_with_the_arrow_keys(visit, town):
    page = visit(*town)
    page.locator("#tree g[role=treeitem]").first.focus()
    assert "Is Market Street at most 9 min?" in page.locator(".node-details").inner_text()
    for key, expected in [
        ("ArrowRight", "Old Bridge"),
        ("ArrowDown", "Plan A"),
        ("ArrowLeft", "Old Bridge"),
        ("End", "Plan B"),
    ]:
        page.keyboard.press(key)
        assert expected in page.evaluate("document.activeElement.getAttribute('aria-label')")
        assert expected in page.locator(".node-details").inner_text()
    assert page.locator("#tree g[role=treeitem][tabindex='0']").count() == 1


def test_everything_that_can_be_used_can_be_reached_with_the_tab_key_and_has_a_name(visit, town):
    page = visit(*town, options={"include_samples": True})
    names = []
    for _ in range(60):
        page.keyboard.press("Tab")
        name = page.evaluate(
            "(() => { const e = document.activeElement; if (e === document.body) return null;"
            " return e.getAttribute('aria-label') ?? e.labels?.[0]?.textContent ?? e.textContent; })()"
        )
        if name is None:
            break
        assert name.strip()
        names.append(name.strip())
    for wanted in (
        "Market Street",
        "Market Street, slider",
        "Dock Road",
        "Reset",
        "Larger",
        "Across",
        "Skip to the advice",
    ):
        assert wanted in names


def test_a_click_on_the_map_sets_both_readings_and_axes_can_be_chosen(visit, town):
    page = visit(*town, options={"include_samples": True})
    assert page.locator("#map .samples > circle").count() == 60
    assert page.locator("#map .arrow").count() > 0
    drawing = page.locator("#map svg")
    box = drawing.bounding_box()
    drawing.click(position={"x": box["width"] * 0.9, "y": box["height"] * 0.2})
    assert advice(page) == "Plan C"
    assert float(page.locator("#reading-0").input_value()) > 15.0
    page.locator("#axis-1").select_option("2")
    assert "Dock Road" in drawing.text_content()
    page.locator("#sample").select_option("0")
    readings = [float(page.locator(f"#reading-{number}").input_value()) for number in range(3)]
    _, train, _ = city_routes()
    assert readings == train[0, [11, 6, 12]].tolist()


def test_hostile_names_are_shown_and_never_run(visit):
    page = visit(books.hostile(), books.COSTS, options={"include_samples": True, "title": books.HOSTILE[1]})
    assert page.locator("h1").inner_text() == books.HOSTILE[1]
    assert page.locator("label[for=reading-0]").inner_text() == books.HOSTILE[0]
    assert page.locator("label[for=reading-1]").inner_text() == books.HOSTILE[1]
    assert page.locator("script").count() == 2
    assert page.locator("img").count() == page.locator("main b").count() == page.locator("main i").count() == 0


def test_64_leaves_and_no_question_at_all_are_drawn(visit):
    saved, costs = books.large()
    page = visit(saved, costs, width=390, height=844)
    assert page.locator("#tree .leaf").count() == 64
    assert page.locator("#readings input[type=number]").count() == saved.tree.asked_items.size
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    lonely = visit(books.book(_selection(), [[1.0, 2.0]], Tree.single([1.0, 0.0]), LocalBudget(1.0)))
    assert advice(lonely) == "Plan A"
    assert "there is only this plan" in lonely.locator("#stability").inner_text()


def _selection():
    from hedgerow.problems import Selection

    return Selection(2, 1)


@pytest.mark.parametrize(
    ("name", "width", "scheme"), [("light", 1280, "light"), ("dark", 1280, "dark"), ("narrow", 390, "light")]
)
def test_it_fits_the_window_in_light_dark_and_on_a_phone(visit, town, pictures, name, width, scheme):
    page = visit(*town, options={"include_samples": True}, width=width, scheme=scheme)
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    ground, ink = page.evaluate(
        "[getComputedStyle(document.body).backgroundColor, getComputedStyle(document.body).color]"
    )
    brightness = [sum(map(int, colour[4:-1].split(","))) for colour in (ground, ink)]
    assert (brightness[0] < brightness[1]) == (scheme == "dark")
    for window in page.locator(".table-window").all():
        assert window.evaluate("element => element.scrollWidth <= element.clientWidth")
    page.screenshot(path=pictures / f"report-{name}.png", full_page=True)
    assert (pictures / f"report-{name}.png").stat().st_size > 20_000


def test_on_paper_there_is_nothing_to_click_and_the_rules_are_unfolded(visit, town, tmp_path):
    page = visit(*town)
    page.locator(".as-text summary").click()
    page.emulate_media(media="print")
    page.evaluate("window.dispatchEvent(new Event('beforeprint'))")
    assert page.locator(".as-text table").is_visible()
    for control in ("input[type=range]", "button", "nav"):
        assert not any(element.is_visible() for element in page.locator(control).all())
    page.pdf(path=tmp_path / "report.pdf")
    assert (tmp_path / "report.pdf").stat().st_size > 10_000
