"""The report's drawings in a real browser: as wide as the window, legible, with nothing on top of anything."""

import itertools

import numpy as np
import pytest

from hedgerow import LocalBudget, Tree
from hedgerow.problems import LoadShifting, ShortestPath
from hedgerow.report.facts import _in_unit_box
from tests.report import books

WIDTHS = {"phone": (390, 844), "tablet": (768, 1024), "desk": (1440, 900)}
PHONE, TABLET, DESK = WIDTHS.values()

# In pixels of the window: frame, drawing, and per box its rectangle, its words and the answer that leads to it.
MEASURES = """(() => {
    const box = (element) => {
        const { left, top, right, bottom } = element.getBoundingClientRect();
        return [left, top, right, bottom];
    };
    const svg = document.querySelector("#tree svg");
    const frame = document.querySelector("#tree .tree-window");
    return {
        room: frame.clientWidth,
        scrolled: frame.scrollWidth,
        width: svg.getBoundingClientRect().width,
        scale: svg.getBoundingClientRect().width / svg.viewBox.baseVal.width,
        nodes: [...svg.querySelectorAll("g[role=treeitem]")].map((group) => ({
            rect: box(group.querySelector("rect")),
            words: [...group.querySelectorAll("text:not(.answer)")].map(box),
            answer: [...group.querySelectorAll(".answer")].map(box),
            sizes: [...group.querySelectorAll("text:not(.pair)")].map((text) => {
                return parseFloat(getComputedStyle(text).fontSize);
            }),
        })),
    };
})()"""


@pytest.fixture(scope="module")
def trees(town):
    return {"4 leaves": town, "16 leaves": books.deep(), "64 leaves": books.large()}


def fits(page):
    measures = page.evaluate(MEASURES)
    return measures["scrolled"] <= measures["room"] and measures["width"] <= measures["room"] + 0.5


def overlap(one, other):
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def inside(inner, outer, slack=0.5):
    left, top, right, bottom = outer
    return (
        left - slack <= inner[0]
        and top - slack <= inner[1]
        and inner[2] <= right + slack
        and inner[3] <= bottom + slack
    )


@pytest.mark.parametrize("window", WIDTHS)
@pytest.mark.parametrize("leaves", ["4 leaves", "16 leaves", "64 leaves"])
def test_it_opens_as_wide_as_the_window_legible_and_with_nothing_on_top_of_anything(visit, trees, window, leaves):
    width, height = WIDTHS[window]
    page = visit(*trees[leaves], width=width, height=height)
    assert fits(page)
    measures = page.evaluate(MEASURES)
    nodes = measures["nodes"]
    assert min(size for node in nodes for size in node["sizes"]) * measures["scale"] >= 9.0
    for node in nodes:
        assert all(inside(words, node["rect"]) for words in node["words"])
    for one, other in itertools.combinations(nodes, 2):
        assert not overlap(one["rect"], other["rect"])
    for one, other in itertools.permutations(nodes, 2):
        assert not any(overlap(answer, other["rect"]) for answer in one["answer"])
    for node in nodes:
        assert not any(overlap(answer, words) for answer in node["answer"] for words in node["words"])


def test_it_fits_again_when_the_window_changes(visit, trees):
    page = visit(*trees["16 leaves"], width=DESK[0], height=DESK[1])
    lit = page.locator("#tree .leaf.lit").get_attribute("aria-label")
    page.locator("#tree g.leaf").nth(3).click()
    chosen = page.locator("#tree .selected").get_attribute("aria-label")
    for width, height in (PHONE, TABLET, PHONE[::-1], DESK):
        page.set_viewport_size({"width": width, "height": height})
        page.wait_for_function("document.querySelector('#tree svg').clientWidth <= window.innerWidth")
        assert fits(page)
        assert page.locator("#tree .leaf.lit").get_attribute("aria-label") == lit
        assert page.locator("#tree .selected").get_attribute("aria-label") == chosen
        assert page.evaluate("document.activeElement.getAttribute('aria-label')") == chosen
        assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    assert page.evaluate(MEASURES)["width"] > PHONE[0]


def test_a_phone_prints_the_same_tree_as_a_desk(visit, trees):
    drawn = []
    for width, height in (PHONE, DESK):
        page = visit(*trees["16 leaves"], width=width, height=height)
        on_screen = page.locator("#tree svg").get_attribute("viewBox")
        page.evaluate("window.dispatchEvent(new Event('beforeprint'))")
        drawn.append(page.locator("#tree svg").inner_html())
        page.evaluate("window.dispatchEvent(new Event('afterprint'))")
        assert page.locator("#tree svg").get_attribute("viewBox") == on_screen
    assert drawn[0] == drawn[1]


def test_a_tree_too_tall_for_a_sheet_is_left_to_the_rules_as_text(visit, trees):
    for leaves, drawn in (("16 leaves", True), ("64 leaves", False)):
        page = visit(*trees[leaves])
        page.emulate_media(media="print")
        page.evaluate("window.dispatchEvent(new Event('beforeprint'))")
        assert page.locator("#tree").is_visible() == drawn
        assert page.locator(".as-text tr[data-leaf]").count() == int(leaves.split()[0])
        assert page.locator(".as-text table").is_visible()


def test_what_is_said_about_a_box_is_in_sight_beside_the_box(visit, trees):
    page = visit(*trees["16 leaves"], width=PHONE[0], height=PHONE[1])
    page.locator("#tree g.inner").nth(1).click()
    for _ in range(20):
        page.keyboard.press("ArrowDown")
    page.wait_for_timeout(800)  # it scrolls smoothly
    box, details = page.evaluate(
        "['#tree .selected rect', '#tree .node-details'].map((name) => {"
        " const { top, bottom } = document.querySelector(name).getBoundingClientRect(); return [top, bottom]; })"
    )
    assert 0 <= box[0] < box[1] <= details[0] < details[1] <= PHONE[1] + 1


@pytest.mark.parametrize("window", WIDTHS)
def test_names_on_the_network_cover_neither_each_other_nor_the_names_of_stops(visit, trees, window):
    width, height = WIDTHS[window]
    page = visit(*trees["16 leaves"], options={"include_samples": True}, width=width, height=height)
    shown = set()
    for sample in range(60):
        page.locator("#sample").select_option(str(sample))
        plan = page.locator("#advice").get_attribute("data-plan")
        if plan in shown:
            continue
        shown.add(plan)
        streets, stops = page.evaluate(
            "['arc-name', 'stop-name'].map((kind) => [...document.querySelectorAll(`.advice-drawing .${kind}`)]"
            ".map((text) => { const { left, top, right, bottom } = text.getBoundingClientRect();"
            " return [left, top + 2, right, bottom - 2]; }))"
        )
        assert len(streets) == page.locator(".advice-drawing .arc.used").count()
        assert len(stops) == 8
        assert not any(overlap(one, other) for one, other in itertools.combinations(streets, 2))
        assert not any(overlap(street, stop) for street in streets for stop in stops)
    assert len(shown) == 5


def test_the_map_shows_the_surroundings_of_the_plans_and_two_way_streets_once(visit):
    import networkx as nx

    grid = nx.grid_2d_graph(12, 12).to_directed()
    graph = nx.DiGraph()
    for (x, y), data in grid.nodes(data=True):
        graph.add_node(f"{x},{y}", x=x, y=y, **data)
    graph.add_edges_from((f"{a},{b}", f"{c},{d}") for (a, b), (c, d) in grid.edges)
    problem = ShortestPath.from_networkx(graph, "4,4", "6,5", unit="min")
    ways = [["4,4", "5,4", "6,4", "6,5"], ["4,4", "4,5", "5,5", "6,5"]]
    plans = [
        [float(name in {f"{a}-{b}" for a, b in itertools.pairwise(way)}) for name in problem.item_names] for way in ways
    ]
    costs = np.random.default_rng(0).uniform(1.0, 5.0, (6, problem.n_items))
    tree = Tree.full([0], [3.0], plans)
    page = visit(books.book(problem, costs, tree, LocalBudget(1.0)), costs)
    network = page.evaluate("JSON.parse(document.getElementById('facts').textContent).network")
    assert network["extent"] == [1.0, 0.5]
    assert len(network["nodes"]) < 20
    drawing = page.locator("#certainty svg.network")
    assert drawing.locator(".arc.used").count() == 3
    pairs = {tuple(sorted(arc[:2])) for arc in network["arcs"]}
    assert drawing.locator(".arc").count() == len(pairs) < len(network["arcs"])
    assert drawing.locator(".stop.way").count() >= 2


def test_plans_of_problems_over_time_are_drawn_on_a_timeline(visit):
    problem = LoadShifting(24, 4, min_run=2, unit="EUR", reading_unit="EUR/MWh")
    plans = [[float(hour in hours) for hour in range(24)] for hours in ({2, 3, 4, 5}, {1, 2, 20, 21})]
    costs = np.random.default_rng(0).integers(20, 90, (6, 24)).astype(float)
    page = visit(books.book(problem, costs, Tree.full([2], [100.0], plans), LocalBudget(1.0)), costs)
    shown = page.locator("#certainty svg.timeline .period.used title").all_text_contents()
    assert [text.partition(":")[0] for text in shown] == [f"h{hour:02}" for hour in (2, 3, 4, 5)]
    other = page.locator(".plan-card").nth(1).locator("svg.timeline")
    assert other.locator(".used").count() == 4
    assert other.locator(".dropped").count() == 3
    assert page.locator("label[for=reading-0] + .field .unit").inner_text() == "EUR/MWh"
    assert "EUR" in page.locator("table.figures").inner_text()
    assert "EUR/MWh" not in page.locator("table.figures").inner_text()


def test_places_are_scaled_to_the_unit_square_in_proportion():
    places = np.array([[3.0, 10.0], [9.0, 13.0], [6.0, 40.0]])
    assert _in_unit_box(places, np.array([0, 1])).tolist() == [[0.0, 0.0], [1.0, 0.5], [0.5, 5.0]]
    assert _in_unit_box(places, np.array([1])).tolist() == [[0.0, 0.0]] * 3
    far = np.array([[-1.2e308, 0.0], [1.2e308, 0.0]])
    assert not _in_unit_box(far, np.array([0, 1])).any()
