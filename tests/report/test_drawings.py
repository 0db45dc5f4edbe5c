"""The report's drawings in a real browser: as wide as the window, legible, with nothing on top of anything."""

import itertools

import numpy as np

from hedgerow import LocalBudget, Tree
from hedgerow.problems import ShortestPath
from tests.report import books


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
