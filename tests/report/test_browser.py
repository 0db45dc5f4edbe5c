"""The report in a real browser: it agrees with `predict`, follows the sliders, and asks nobody for anything.

Pictures go to the folder that HEDGEROW_SCREENSHOTS names, or to a temporary one.
"""

import dataclasses

import numpy as np
import pytest

from hedgerow import LocalBudget, Tree
from hedgerow.explain import explain
from hedgerow.problems import Selection
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
    assert page.locator("#tree .lit > .box .badge").inner_text() == "A"
    slider = page.get_by_label("Market Street, slider")
    slider.focus()
    before = float(page.locator("#reading-1").input_value())
    assert before <= 9.0
    while advice(page) == "Plan A":
        page.keyboard.press("ArrowRight")
        assert float(slider.input_value()) < 12.0
    assert 9.0 < float(page.locator("#reading-1").input_value()) < 9.5
    assert advice(page) == "Plan C"
    assert "Station" in page.locator("#advice .advice-words").inner_text()
    assert page.locator("#tree .lit > .box .badge").inner_text() == "C"
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
    boxes, own = tree.item_bounds, tree.predict([observation])[0]
    far = [
        np.maximum(np.maximum(lower - values, values - upper), 0.0).sum()
        for values, lower, upper, solution in zip(observation[boxes.item], *boxes[1:], tree.solutions, strict=True)
        if (lower < upper).all() and not np.array_equal(solution, own)
    ]
    return min(far, default=np.inf)


def asks(name, coefficients, threshold, left, right):
    question = {"name": name, "coefficients": coefficients}
    return {"question": question, "threshold": threshold, "left": left, "right": right}


def same_side_tree():
    """Return a tree of depth 3 that asks some items twice and holds equal solutions at several leaves."""
    random = np.random.default_rng(4)
    thresholds = np.round(random.uniform(5.0, 60.0, 7), 3) + 0.1
    solutions = np.eye(4)[[0, 1, 1, 2, 0, 3, 2, 2]]
    return Tree.full([2, 0, 2, 1, 2, 0, 1], thresholds, solutions)


def test_it_agrees_with_predict_on_typed_readings_thresholds_and_their_neighbours(visit):
    tree = same_side_tree()
    costs = np.random.default_rng(5).uniform(0.0, 65.0, (12, 4))
    page = visit(books.book(Selection(4, 1), costs, tree, LocalBudget(2.0)), costs)
    observations = awkward_observations(tree)
    assert len(set(tree.apply(observations))) >= 5
    for observation, leaf, solution in zip(
        observations, tree.apply(observations), tree.predict(observations), strict=True
    ):
        type_in(page, observation[tree.asked_items])
        shown_leaf, shown_words, shown_radius = page.evaluate(WHAT_IS_SHOWN)
        assert int(shown_leaf) == leaf
        assert shown_words == f"x{int(np.argmax(solution)) + 1}"
        assert float(shown_radius) == pytest.approx(radius(tree, observation), rel=1e-9, abs=1e-12)


def random_tree(random, *, sums):
    """Return a tree of depth 2 over three readings, with random questions about one of them, or about two."""

    def question():
        first, second = random.permutation(3)[:2].tolist()
        if not sums:
            return f"x{first + 1}", {str(first): 1.0}
        coefficient = float(random.choice([-1.0, 0.5, 2.0]))
        return "a mix", {str(first): 1.0, str(second): coefficient}

    plans = iter(np.eye(3)[[*random.permutation(3).tolist(), int(random.integers(3))]].tolist())
    low, high = (
        asks(*question(), float(random.uniform(2.0, 12.0)), {"solution": next(plans)}, {"solution": next(plans)})
        for _ in range(2)
    )
    return Tree.from_dict(asks(*question(), float(random.uniform(2.0, 12.0)), low, high))


CERTAINTY = """[
    document.querySelector("#advice").dataset.leaf,
    document.querySelector("#stability [data-radius]").dataset.radius,
    document.querySelector("#advice .chip:not(.example)")?.textContent,
    document.querySelector("#changes strong")?.textContent,
]"""


@pytest.mark.parametrize("seed", range(8))
def test_page_and_explain_agree_on_radius_firmness_and_the_nearest_other_advice(visit, seed):
    random = np.random.default_rng(seed)
    tree = random_tree(random, sums=seed % 2 == 1)
    limits = [None, float(random.uniform(0.5, 4.0)), random.uniform(0.2, 5.0, 3).tolist()][seed % 3]
    prices = None if seed % 4 < 2 else random.uniform(0.5, 3.0, 3).tolist()
    budget = float(random.uniform(0.5, 4.0))
    costs = np.vstack([np.zeros((1, 3)), np.full((1, 3), 15.0), random.uniform(0.0, 15.0, (10, 3))])
    saved = books.book(Selection(3, 1), costs, tree, LocalBudget(budget, limits=limits, prices=prices))
    page = visit(saved, costs)
    readings = random.uniform(0.0, 15.0, (12, 3))
    for row, found in zip(readings, explain(saved, readings), strict=True):
        type_in(page, row[tree.asked_items])
        leaf, radius, chip, other = page.evaluate(CERTAINTY)
        assert int(leaf) == found.leaf
        assert float(radius) == pytest.approx(found.radius, rel=1e-9, abs=1e-9)
        if found.counterfactual is None:
            assert other is None
            continue
        assert chip == ("Firm" if found.protected else "Close call")
        assert other == f"Plan {saved.plans.letters[saved.plans.of_leaf[found.counterfactual.leaf]]}"


def test_advice_is_judged_by_the_errors_that_were_measured(visit, town):
    book, train = town
    page = visit(dataclasses.replace(book, uncertainty_as_given=LocalBudget(14.8)), train)
    type_in(page, [4.0, 4.0, 5.0])  # 5 min from other advice, and the budget is 2
    assert page.locator("#advice .chip").inner_text() == "Close call"
    assert (
        "Errors of up to 14.8 min were measured: such an error may change it" in page.locator("#stability").inner_text()
    )
    assert "The budget was lowered from 14.8 min to 2 min" in page.locator("#misread").inner_text()


def test_decimal_commas_are_read_and_what_is_no_number_is_marked(visit, town):
    page = visit(*town)
    field = page.locator("#reading-1")
    field.fill("8,1")
    assert "Market Street is 8.1 min" in page.locator("#certainty").inner_text()
    for text in ("1,234.5", "8,1,2", "eight", "8 1"):
        field.fill(text)
        assert field.get_attribute("aria-invalid") == "true"
        assert page.locator("#reading-1-holds").inner_text().startswith("This is not a number.")
        assert "Needed next: Market Street." in page.locator("#advice").inner_text()
    for text, value in (("8.1", "8.1"), (" −3 ", "-3"), ("1e1", "10"), (",5", "0.5")):
        field.fill(text)
        assert field.get_attribute("aria-invalid") == "false"
        assert f"Market Street is {value} min" in page.locator("#certainty").inner_text()


def paste(page, field, text):
    page.locator(field).evaluate(
        """(field, text) => {
            const data = new DataTransfer();
            data.setData("text", text);
            field.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }));
        }""",
        text,
    )


def test_readings_beyond_the_training_data_are_outside_experience(visit, town):
    page = visit(*town)
    type_in(page, [6.0, -5.0, 5.0])
    assert page.locator("#advice .chip").inner_text() == "Outside experience"
    assert "outside" in page.locator("#advice").get_attribute("class").split()
    assert "seen so far: 4 to 18 min" in page.locator("#reading-1-holds").inner_text()
    assert "tried on such readings of Market Street" in page.locator("#stability").inner_text()
    assert page.locator("#spoken").inner_text().startswith("Outside experience. Advice: Plan A")


def test_what_is_known_decides_or_the_next_reading_is_asked_for(visit, town):
    page = visit(*town)
    type_in(page, [4.0, 8.5, 5.0])
    page.locator("#reading-2").fill("")  # which doesn't matter here
    assert advice(page) == "Plan A"
    assert page.locator("#stability strong").inner_text() == "0.5 min"
    assert page.locator("#reading-2-holds").inner_text().startswith("Not needed: the advice is sure without it.")
    page.locator("#reading-0").fill("")
    assert page.locator("#advice").inner_text().split("\n\n")[:2] == ["No advice yet", "Needed next: Old Bridge."]
    assert page.locator("#spoken").inner_text() == "Needed next: Old Bridge."
    assert (
        page.locator("#advice").get_attribute("data-leaf") == page.locator("#advice").get_attribute("data-plan") == ""
    )
    assert page.locator(".plan-card.advised").count() == page.locator("#tree .lit > .box .badge").count() == 0
    assert page.locator("#certainty svg").count() == page.locator("#map .point").count() == 0
    assert page.locator("#map .regions rect").count() > 0
    assert page.locator(".reading.wanted .name").all_inner_texts() == ["Old Bridge"]
    page.locator("#reading-1").fill("")
    assert "Needed next: Market Street." in page.locator("#advice").inner_text()
    type_in(page, ["20", "12"])
    page.locator("#reading-2").fill("11")
    page.locator("#reading-1").fill("")  # Plan B either way
    assert advice(page) == "Plan B"
    assert "whatever the reading of Market Street" in page.locator("#certainty").inner_text()


@pytest.mark.parametrize("readings", [(np.nan, 5.0, 9.0), (5.0, np.nan, 9.0), (4.0, 6.0, np.nan)])
def test_missing_readings_never_make_advice_sure_that_they_could_change(visit, readings):
    """Whatever the page calls sure must hold for every value of the missing reading that is tried."""
    rows = np.eye(3)[[0, 1, 2, 1]]
    first, second = ("x1 less x2", {"0": 1.0, "1": -1.0}), ("x1 less x3", {"0": 1.0, "2": -1.0})
    below = asks(*second, 1.0, {"solution": rows[0]}, {"solution": rows[1]})
    above = asks(*second, -1.0, {"solution": rows[2]}, {"solution": rows[3]})
    tree = Tree.from_dict(asks(*first, 0.0, below, above))
    costs = np.random.default_rng(5).uniform(0.0, 20.0, (12, 3))
    page = visit(books.book(Selection(3, 1), costs, tree, LocalBudget(2.0)), costs)
    for number, value in enumerate(readings):
        page.locator(f"#reading-{number}").fill("" if np.isnan(value) else repr(value))
    tried = np.tile(readings, (400, 1))
    tried[:, np.isnan(readings)] = np.linspace(-60.0, 60.0, 400)[:, None]
    possible = {tuple(row) for row in tree.predict(tried).tolist()}
    badges = page.locator("#advice .badge").count()
    assert badges == len(possible)


def test_context_is_asked_by_what_kind_it_is_and_page_and_explain_agree(visit):
    import pandas as pd

    from hedgerow import RobustTree

    random = np.random.default_rng(0)
    days = ("Mon", "Tue", "Sat", "Sun")
    context = pd.DataFrame({"weekday": random.choice(days, 80), "crane out": random.integers(0, 2, 80).astype(bool)})
    is_off, is_monday = context["weekday"].isin(["Sat", "Sun"]), context["weekday"] == "Mon"
    costs = np.column_stack([5 + 6 * is_off, 7 + 3 * context["crane out"] - 2 * is_monday, np.full(80, 8.0)])
    model = RobustTree(Selection(3, 1), depth=2, method="exact").fit(costs, context=context)
    page = visit(model, costs, options={"context": context})
    assert page.locator("#map").count() == page.locator("#readings input").count() == 0
    page.get_by_role("button", name="Clear").click()
    assert page.locator("#advice .advice-plan").inner_text() == "No advice yet"
    assert page.locator("#readings select").count() == 1
    for day in days:
        for crane in ("Yes", "No"):
            page.locator("#readings select").select_option(day)
            page.get_by_role("button", name=crane, exact=True).click()
            assert page.locator("button[aria-pressed=true]").inner_text() == crane
            row = pd.DataFrame({"weekday": [day], "crane out": [crane == "Yes"]})
            (found,) = model.explain(row)
            assert page.locator("#advice .advice-words").inner_text() == found.advice
            assert int(page.locator("#advice").get_attribute("data-leaf")) == found.leaf
            assert found.radius == np.inf
            assert page.locator("#stability [data-radius]").get_attribute("data-radius") == "Infinity"
            assert "No error that these rules reckon with can change it." in page.locator("#stability").inner_text()
            other = page.locator("#changes li").first.inner_text()
            assert other.endswith(f" if {' and '.join(map(str, found.counterfactual.conditions))}")
    paste(page, "#readings select", "Sun\tno")
    assert page.locator("#readings select").input_value() == "Sun"
    assert page.locator("button[aria-pressed=true]").inner_text() == "No"


def choosing_rules(random, sense):
    """Return rules with three plans at one leaf, two of them with handicaps, and one at the other; and costs."""
    take = {"take": "largest"} if sense == "max" else {}
    several = zip(np.eye(4)[random.permutation(4)[:3]], [0.0, 0.5, 1.5], strict=True)
    card = {"plans": [{"solution": plan, "handicap": handicap} for plan, handicap in several], **take}
    single = {"solution": np.eye(4)[int(random.integers(4))]}
    tree = Tree.from_dict({"item": int(random.integers(4)), "threshold": 9.0, "left": card, "right": single})
    costs = np.vstack([np.zeros((1, 4)), np.full((1, 4), 15.0), random.uniform(0.0, 15.0, (10, 4))])
    return books.book(Selection(4, 1, sense=sense, unit="min"), costs, tree, LocalBudget(2.0)), costs


@pytest.mark.parametrize("sense", ["min", "max"])
def test_leaves_with_several_plans_show_their_totals_as_explain_does(visit, sense):
    random = np.random.default_rng(0)
    saved, costs = choosing_rules(random, sense)
    page = visit(saved, costs, width=390)
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    plans, readings = saved.plans, random.uniform(0.0, 15.0, (25, 4))
    for row, found in zip(readings, explain(saved, readings), strict=True):
        type_in(page, row[saved.tree.asked_items])
        leaf, radius, chip, other = page.evaluate(CERTAINTY)
        assert int(leaf) == found.leaf
        assert page.locator("#advice .advice-words").inner_text() == found.advice
        assert float(radius) == pytest.approx(found.radius, rel=1e-9, abs=1e-9)
        assert chip == ("Firm" if found.protected else "Close call")
        assert other == f"Plan {plans.letters[plans.words.index(found.counterfactual.advice)]}"
        lines = page.locator("#totals tr").all()
        assert len(lines) == len(found.totals)
        for place, (line, (plan, total)) in enumerate(zip(lines, found.totals, strict=True)):
            assert plan in line.locator("th").inner_text()
            shown, lead = line.locator("td").inner_text().split("\n")
            assert float(shown.removesuffix(" min")) == pytest.approx(total, rel=1e-5)
            assert lead.startswith("largest by" if sense == "max" else "cheapest by") == (place == 0)
        assert page.locator("#tree .badge.chosen").count() == (1 if found.totals else 0)
    asked = saved.tree.questions[0].items[0]
    type_in(page, np.where(saved.tree.asked_items == asked, 8.0, 7.0))
    (missing, *_) = [place for place, item in enumerate(saved.tree.asked_items) if item != asked]
    page.locator(f"#reading-{missing}").fill("")
    assert "Needed next: x" in page.locator("#advice").inner_text()
    assert f"Which plan is the {saved.best}?" in page.locator("#certainty").inner_text()


def test_missing_readings_are_filled_in_as_advise_does(visit):
    random = np.random.default_rng(3)
    costs = random.uniform(0.0, 10.0, (40, 1)) + random.normal(0.0, 0.5, (40, 3))
    tree = Tree.full([0, 1, 2], [5.0, 4.0, 6.0], np.eye(3)[[0, 1, 2, 0]])
    saved = books.book(Selection(3, 1), costs, tree, LocalBudget(2.0))
    assert all(len(others) == 2 for others in saved.fill_ins.substitutes.values())
    page = visit(saved, costs)
    for gaps in ([0], [1, 2], [0, 1, 2]):
        row = random.uniform(0.0, 10.0, 3)
        row[gaps] = np.nan
        for number, value in enumerate(row):
            page.locator(f"#reading-{number}").fill("" if np.isnan(value) else repr(float(value)))
        page.get_by_role("button", name="Fill in what is missing").click()
        filled = [float(page.locator(f"#reading-{number}").input_value()) for number in range(3)]
        assert filled == pytest.approx(saved.fill_ins.filled(row[None])[0], rel=1e-12)
        assert page.locator("#advice .advice-words").inner_text() == saved.advise(row[None])["advice"][0]
        assert (
            "If a reading is not known, take one that moves like it: for x1, x"
            in page.locator("#readings").inner_text()
        )


def test_hostile_names_are_shown_and_never_run(visit):
    page = visit(books.hostile(), books.COSTS, options={"title": books.HOSTILE[1]})
    assert page.locator("h1").inner_text() == books.HOSTILE[1]
    assert page.locator("label[for=reading-0]").inner_text() == books.HOSTILE[0]
    assert page.locator("label[for=reading-1]").inner_text() == books.HOSTILE[1]
    assert page.locator("script").count() == 2
    assert page.locator("img").count() == page.locator("main b").count() == page.locator("main i").count() == 0


def test_rules_without_a_question_are_drawn(visit):
    lonely = visit(books.book(Selection(2, 1), [[1.0, 2.0]], Tree.single([1.0, 0.0]), LocalBudget(1.0)))
    assert advice(lonely) == "Plan A"
    assert "there is only this plan" in lonely.locator("#stability").inner_text()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_is_light_or_dark_as_the_system_is_and_tables_fit(visit, town, pictures, scheme):
    page = visit(*town, scheme=scheme)
    ground, ink = page.evaluate(
        "[getComputedStyle(document.body).backgroundColor, getComputedStyle(document.body).color]"
    )
    brightness = [sum(map(int, colour[4:-1].split(","))) for colour in (ground, ink)]
    assert (brightness[0] < brightness[1]) == (scheme == "dark")
    for window in page.locator(".table-window").all():
        assert window.evaluate("element => element.scrollWidth <= element.clientWidth")
    page.screenshot(path=pictures / f"report-{scheme}.png", full_page=True)
    assert (pictures / f"report-{scheme}.png").stat().st_size > 20_000
