"""One problem through every door, as a graph, as a file and by an oracle: the same optimum and advice."""

import numpy as np
import pytest

from hedgerow import GlobalBudget, LocalBudget, RobustTree
from hedgerow.datasets import paper_shortest_path
from hedgerow.problems import MixedIntegerProblem, Oracle, ShortestPath

GRID = ShortestPath.grid(3)
ARCS = [tuple(int(node) for node in arc) for arc in GRID.arcs]
NODES = range(9)
BALANCE = [1.0 if node == 0 else -1.0 if node == 8 else 0.0 for node in NODES]


def leaving(node):
    return [arc for arc in ARCS if arc[0] == node]


def entering(node):
    return [arc for arc in ARCS if arc[1] == node]


def mps_text():
    lines = ["NAME grid", "ROWS", " N cost", *(f" E node{node}" for node in NODES), "COLUMNS"]
    lines += [" MARKER 'MARKER' 'INTORG'"]
    lines += [f" e{a}_{b} node{a} 1 node{b} -1" for a, b in ARCS]
    lines += [" MARKER 'MARKER' 'INTEND'", "RHS", " RHS node0 1 node8 -1", "BOUNDS"]
    lines += [f" UP BND e{a}_{b} 1" for a, b in ARCS]
    return "\n".join([*lines, "ENDATA\n"])


def by_mps_file(folder):
    (folder / "grid.mps").write_text(mps_text())
    return MixedIntegerProblem.from_file(folder / "grid.mps")


def by_oracle(folder):
    return Oracle(lambda costs: GRID.best_solution(costs[np.newaxis]).solution, 12)


WAYS = {
    "MPS file": by_mps_file,
    "oracle": by_oracle,
}


@pytest.mark.parametrize("uncertainty", [LocalBudget(fraction=0.05), GlobalBudget(fraction=0.02)], ids=repr)
@pytest.mark.parametrize("way", WAYS)
def test_the_same_grid_has_the_same_optimum_and_the_same_advice(way, uncertainty, tmp_path):
    _, train, test = paper_shortest_path(seed_id=0, n_samples=5, grid=3)
    options = {"depth": 2, "uncertainty": uncertainty, "method": "exact", "thresholds": "midpoints", "random_state": 0}
    expected = RobustTree(GRID, **options).fit(train)
    problem = WAYS[way](tmp_path)
    model = RobustTree(problem, **options).fit(train)
    assert model.result_.status == "optimal"
    assert model.result_.objective == pytest.approx(expected.result_.objective, rel=1e-9)
    if way != "oracle":  # proven another way, which may end with another of several best trees
        np.testing.assert_array_equal(model.predict(test), expected.predict(test))
