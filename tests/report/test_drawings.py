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

FITS = """(() => {
    const frame = document.querySelector("#tree .tree-window");
    const drawing = document.querySelector("#tree svg").getBoundingClientRect();
    return frame.scrollWidth <= frame.clientWidth && drawing.width <= frame.clientWidth + 0.5;
})()"""


@pytest.fixture(scope="module")
def trees(town):
    return {"4 leaves": town, "16 leaves": books.deep(), "64 leaves": books.large()}


@pytest.mark.parametrize("window", WIDTHS)
@pytest.mark.parametrize("leaves", ["4 leaves", "16 leaves", "64 leaves"])
def test_it_opens_as_wide_as_the_window(visit, trees, window, leaves):
    width, height = WIDTHS[window]
    assert visit(*trees[leaves], width=width, height=height).evaluate(FITS)


def test_it_fits_again_when_the_window_changes(visit, trees):
    page = visit(*trees["16 leaves"], width=DESK[0], height=DESK[1])
    lit = page.locator("#tree .leaf.lit").get_attribute("aria-label")
    page.locator("#tree g.leaf").nth(3).click()
    chosen = page.locator("#tree .selected").get_attribute("aria-label")
    for width, height in (PHONE, TABLET, PHONE[::-1], DESK):
        page.set_viewport_size({"width": width, "height": height})
        page.wait_for_function("document.querySelector('#tree svg').clientWidth <= window.innerWidth")
        assert page.evaluate(FITS)
        assert page.locator("#tree .leaf.lit").get_attribute("aria-label") == lit
        assert page.locator("#tree .selected").get_attribute("aria-label") == chosen
        assert page.evaluate("document.activeElement.getAttribute('aria-label')") == chosen
        assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")


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
