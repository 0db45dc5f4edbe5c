"""Coordinates of nodes from files, tables and networkx, and units of readings that differ from those of costs."""

import networkx as nx
import numpy as np
import pytest

from hedgerow import InputError, Instance, RobustTree, RuleBook
from hedgerow.problems import (
    Assignment,
    ExplicitSet,
    Knapsack,
    LoadShifting,
    Oracle,
    Scheduling,
    Selection,
    ShortestPath,
    problem_from_dict,
)
from hedgerow.report import report_html

PLACES = {"s": (0.0, 50.0), "1": (1.0, 51.0), "t": (2.0, 50.0)}
EDGES = [("s", "1"), ("1", "t"), ("s", "t")]


def test_networkx_graphs_bring_their_coordinates():
    graph = nx.DiGraph(EDGES)
    assert ShortestPath.from_networkx(graph, "s", "t").positions is None
    for node, (x, y) in PLACES.items():
        graph.nodes[node].update(x=x, y=y)
    paths = ShortestPath.from_networkx(graph, "s", "t")
    np.testing.assert_allclose(paths.positions, list(PLACES.values()))
    assert problem_from_dict(paths.to_dict()) == paths


UNITS = {"unit": "EUR", "reading_unit": "EUR/MWh"}


@pytest.mark.parametrize(
    "problem",
    [
        Assignment(2, 2, **UNITS),
        ExplicitSet([[1.0, 0.0], [0.0, 1.0]], **UNITS),
        Knapsack([1, 2], 2, **UNITS),
        LoadShifting(6, 2, **UNITS),
        Scheduling(3, 2, **UNITS),
        Selection(3, 1, **UNITS),
        ShortestPath(["s"], ["t"], "s", "t", **UNITS),
        ShortestPath.grid(3, **UNITS),
        Oracle(lambda costs: np.ones(len(costs)), 3, **UNITS),
    ],
    ids=lambda problem: type(problem).__name__,
)
def test_every_problem_takes_a_unit_of_its_readings_and_keeps_it(problem):
    assert (problem.unit, problem.reading_unit) == ("EUR", "EUR/MWh")
    if problem.to_dict()["kind"] != "custom":
        again = problem_from_dict(problem.to_dict())
        assert again == problem
        assert again.reading_unit == "EUR/MWh"


def test_readings_and_totals_have_their_own_units_in_every_reader(tmp_path):
    prices = np.random.default_rng(0).integers(20, 90, (12, 6)).astype(float)
    problem = LoadShifting(6, 2, min_run=2, **UNITS)
    model = RobustTree(problem, depth=1, method="nominal").fit(prices)
    assert Instance.create(problem, prices).reading_unit == "EUR/MWh"
    model.rulebook_.save(tmp_path / "rules.json")
    rules = RuleBook.load(tmp_path / "rules.json")
    assert (rules.unit, rules.reading_unit) == ("EUR", "EUR/MWh")
    assert "EUR/MWh" in rules.export("rules")
    page = report_html(rules, prices)
    assert '"readingUnit":"EUR/MWh"' in page
    assert '"unit":"EUR"' in page
    with pytest.raises(InputError, match="reading_unit must be a text"):
        Selection(2, 1, reading_unit=3)


def test_a_sum_of_prices_has_the_unit_of_costs_and_a_single_price_its_own():
    prices = np.random.default_rng(0).integers(20, 90, (12, 6)).astype(float)
    names = {"h00–h01 less h04–h05": {"h00": 1, "h01": 1, "h04": -1, "h05": -1}, "h00 less h05": {"h00": 1, "h05": -1}}
    questions = Instance.create(LoadShifting(6, 2, **UNITS), prices, questions=names).questions
    rules = RobustTree(LoadShifting(6, 2, **UNITS), depth=1, method="nominal").fit(prices).rulebook_
    assert [rules.unit_of(question) for question in questions] == ["EUR", "EUR/MWh"]
