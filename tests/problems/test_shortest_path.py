"""Shortest paths: the graph and its names, the words, and what is refused."""

import networkx as nx
import numpy as np
import pytest

from hedgerow.errors import InfeasibleProblemError, InputError
from hedgerow.problems import ShortestPath

# A bridge and a ferry join s and 2; 1 and 2 lie on a cycle; a loop, a way back into s and one out of t lead nowhere.
TOWN = ShortestPath(
    ["s", "s", "s", "1", "2", "1", "2", "1", "1", "t"],
    ["1", "2", "2", "2", "1", "t", "t", "1", "s", "2"],
    "s",
    "t",
    item_names=["road", "bridge", "ferry", "up", "down", "left", "right", "loop", "back", "out"],
)


def solution(*names):
    return np.array([float(name in names) for name in TOWN.item_names])


def test_the_grid_is_numbered_as_in_the_paper():
    grid = ShortestPath.grid(3)
    assert grid.item_names == (
        *("0-1", "0-3", "1-2", "1-4", "2-5"),
        *("3-4", "3-6", "4-5", "4-7", "5-8"),
        *("6-7", "7-8"),
    )
    assert (grid.source, grid.target) == ("0", "8")
    assert grid.positions[5].tolist() == [2.0, 1.0]
    assert repr(ShortestPath.grid(3, unit="min")) == "ShortestPath(12 items, unit='min')"


def test_parallel_arcs_have_distinct_names():
    problem = ShortestPath(["a", "a", "a"], ["b", "b", "b"], "a", "b")
    assert problem.item_names == ("a-b", "a-b#2", "a-b#3")


def test_a_path_is_described_by_its_nodes_and_parallel_arcs_by_name():
    assert TOWN.describe(solution("road", "left")) == "s → 1 → t"
    assert TOWN.describe(solution("bridge", "right")) == "s → 2 (by bridge) → t"
    assert TOWN.describe(solution("ferry", "down", "left") + 1e-8) == "s → 2 (by ferry) → 1 → t"


@pytest.mark.parametrize(
    ("arcs", "words"),
    [
        (["left"], "what leaves node 's' less what enters it is 0; it must be 1"),
        (["bridge", "ferry", "right"], "what leaves node 's' less what enters it is 2; it must be 1"),
        (
            ["road", "up", "down", "left"],
            "the order of nodes at 'up' (paths have no cycles) is 5; it must be at most 3",
        ),
        (["bridge", "right", "loop"], "the order of nodes at 'loop' (paths have no cycles) is 4; it must be at most 3"),
    ],
)
def test_what_is_no_path_is_explained(arcs, words):
    assert TOWN.infeasibility(solution(*arcs)) == words


def test_negative_costs_are_refused_where_there_are_cycles():
    costs = np.ones((3, TOWN.n_items))
    TOWN.check_samples(costs)
    costs[2, 4] = -0.5
    with pytest.raises(InputError, match=r"in a graph with cycles; got -0\.5 for 'down' in row 2"):
        TOWN.check_samples(costs)
    with pytest.raises(InputError, match="in a graph with cycles"):
        TOWN.best_solution(costs[2:])


def test_networkx_graphs_keep_the_order_of_their_edges():
    graph = nx.DiGraph()
    graph.add_edge("s", 2, street="Elm")
    graph.add_edge(2, "t", street="Oak")
    graph.add_edge("s", "t", street="Ash")
    problem = ShortestPath.from_networkx(graph, "s", "t", unit="min")
    assert problem.item_names == ("s-2", "s-t", "2-t")
    assert problem.unit == "min"
    assert ShortestPath.from_networkx(graph, "s", "t", name="street").item_names == ("Elm", "Ash", "Oak")
    parallel = nx.MultiDiGraph([("a", "b"), ("a", "b"), ("b", "c"), ("b", "b")])
    assert ShortestPath.from_networkx(parallel, "a", "c").item_names == ("a-b", "a-b#2", "b-c", "b-b")


@pytest.mark.parametrize(
    ("graph", "options", "message"),
    [
        (nx.Graph([(0, 1)]), {}, r"must be a networkx DiGraph or MultiDiGraph; got a Graph\. graph\.to_directed\(\)"),
        (nx.MultiGraph([(0, 1)]), {}, "to_directed"),
        ([(0, 1)], {}, "must be a networkx DiGraph or MultiDiGraph; got a list"),
        (nx.DiGraph([(0, 1), ("0", 1)]), {}, "more than once: '0'"),
        (nx.DiGraph([(1, 2)]), {}, "source must be among the nodes '1', '2'; got '0'"),
    ],
)
def test_other_graphs_are_refused(graph, options, message):
    with pytest.raises(InputError, match=message):
        ShortestPath.from_networkx(graph, 0, 1, **options)


@pytest.mark.parametrize("size", [1, 2.0, 201, "4", True])
def test_bad_grids_are_refused(size):
    with pytest.raises(InputError, match="the grid's size must be an integer from 2 to 200"):
        ShortestPath.grid(size)


def test_no_path_is_an_error_at_once():
    with pytest.raises(InfeasibleProblemError, match="no path from 's' to 't'"):
        ShortestPath(["t", "s", "1"], ["s", "1", "s"], "s", "t")
