"""What each problem on the shelf says: of its solutions, of what is wrong with them, and of impossible parameters."""

import numpy as np
import pandas as pd
import pytest

from hedgerow.errors import InfeasibleProblemError, InputError
from hedgerow.problems import (
    Assignment,
    FacilityLocation,
    Knapsack,
    LoadShifting,
    Scheduling,
    SpanningTree,
    TravellingSalesman,
)
from tests.problems.shelf import CAPACITATED, SHELF


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Knapsack([], 3), "weights must be a list with one number for each item"),
        (lambda: Knapsack([[1]], 3), "weights must be a list"),
        (lambda: Knapsack([1, -2], 3), "weights must be zero or more; got -2 for 'x2'"),
        (lambda: Knapsack([1, np.inf], 3), "weights must be finite"),
        (lambda: Knapsack([1, 2], -1), "capacity must be zero or more; got -1"),
        (lambda: Knapsack([1, 2], 3, item_names=["a"]), "each of the 2"),
        (lambda: Assignment(0), "the number of workers must be an integer of 1 or more; got 0"),
        (lambda: Assignment(2.5), "integer of 1 or more; got 2.5"),
        (lambda: Assignment(["a", "a"]), "more than once: 'a'"),
        (lambda: Assignment(2, "ab"), "tasks must be a list of names; got 'ab'"),
        (lambda: SpanningTree(["a"], ["b", "c"]), "two ends of each edge.*got 1 tails and 2 heads"),
        (lambda: SpanningTree.complete(1), "n_nodes must be an integer of 2 or more; got 1"),
        (lambda: Scheduling(0, 2), "the number of jobs must be an integer of 1 or more"),
        (lambda: Scheduling(3, 0), "n_machines must be an integer from 1 to 1000; got 0"),
        (lambda: LoadShifting(24, 25), "run must be an integer from 1 to 24; got 25"),
        (lambda: LoadShifting(24, 4, min_run=5), "min_run must be an integer from 1 to 4; got 5"),
        (lambda: LoadShifting(24, 4, max_runs=0), "max_runs must be an integer of 1 or more; got 0"),
        (lambda: FacilityLocation([[1.0, -2.0]], [1.0, 1.0]), "unit_costs must be zero or more; got -2"),
        (lambda: FacilityLocation([[1.0, 2.0]], [1.0]), "one number for each of the 2 sites"),
        (lambda: FacilityLocation([[1.0, 2.0]], [1.0, 1.0], capacities=[0.5, 1]), "whole numbers of customers"),
    ],
)
def test_bad_parameters_are_refused(make, message):
    with pytest.raises(InputError, match=message):
        make()


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: SpanningTree(["a", "c"], ["b", "d"]), "not connected: no edges lead from 'a' to 'c', 'd'"),
        (lambda: FacilityLocation([[1.0]] * 3, [1.0], capacities=2), "can serve 2 customers in all, but there are 3"),
        (lambda: TravellingSalesman(2), "no round tour through fewer than 3 cities; got 2"),
    ],
)
def test_problems_without_any_solution_are_refused(make, message):
    with pytest.raises(InfeasibleProblemError, match=message):
        make()


def ones(problem, *places):
    solution = np.zeros(len(problem.variable_names))
    solution[list(places)] = 1.0
    return solution


@pytest.mark.parametrize(
    ("problem", "places", "message"),
    [
        (SHELF["knapsack"], [0, 3], "the chosen items weigh 7; the capacity is 6"),
        (SHELF["assignment, more tasks"], [0, 1], "worker 'Ann' has 2 tasks; one is the most"),
        (SHELF["assignment, more tasks"], [0, 3], "task 'shop' has 2 workers; one is the most"),
        (SHELF["assignment, more tasks"], [0], "worker 'Bob' has none of the tasks"),
        (SHELF["spanning tree"], [0, 1, 3], "these nodes are not connected with '1': '4'"),
        (SHELF["spanning tree"], [0, 1, 2, 3], "4 edges are used, so there is a cycle; a tree has 3"),
        (SHELF["scheduling"], [0, 1], "'job1' is done on 2 machines; it must be one"),
        (SHELF["load shifting"], [0, 1, 2], "the plan runs for 3 periods; it must be 4"),
        (SHELF["load shifting"], [0, 1, 2, 5], "the run h05 is shorter than 2 periods"),
        (LoadShifting(9, 6, min_run=2, max_runs=2), [0, 1, 3, 4, 6, 7], "the plan has 3 runs; 2 are the most"),
        (CAPACITATED, [0, 3, 6, 9, 12], "'north' serves 4 customers; it can serve 2"),
        (CAPACITATED, [0, 3, 7, 10, 12], "'south' serves customers but is not open"),
        (CAPACITATED, [0, 3, 7, 12, 13], "'c4' is served from 0 sites; it must be one"),
        (TravellingSalesman(6), [0, 1, 5, 12, 13, 14], "the tour from '1' is back after 3 of 6 cities"),
        (TravellingSalesman(4), [0], "1 connections meet at '1'; it must be two"),
    ],
)
def test_infeasible_solutions_are_explained(problem, places, message):
    assert problem.infeasibility(ones(problem, *places)) == message


@pytest.mark.parametrize(
    ("problem", "places", "words"),
    [
        (SHELF["knapsack"], [0, 2], "tent, map"),
        (SHELF["knapsack"], [], "nothing"),
        (SHELF["assignment, more tasks"], [1, 5], "Ann → bar, Bob → port"),
        (SHELF["scheduling, three machines"], [0, 5, 6, 11], "a, c | b, d"),
        (SHELF["scheduling, three machines"], [2, 3, 6, 9], "a | b, c, d"),
        (SHELF["load shifting"], [0, 1, 4, 5], "h00–h01, h04–h05"),
        (SHELF["load shifting, any runs"], [0, 4], "h00, h04"),
        (CAPACITATED, [0, 3, 7, 10, 12, 13, 14], "north serves c1, c2; south serves c3, c4; west serves nobody"),
        (SHELF["travelling salesman, three cities"], [0, 1, 2], "Ayr → Bute → Cove → Ayr"),
    ],
)
def test_solutions_are_told_in_words(problem, places, words):
    assert problem.describe(ones(problem, *places)) == words


def test_demands_below_zero_are_refused():
    with pytest.raises(InputError, match="demands must be zero or more; got -1 for 'c2' in row 1"):
        CAPACITATED.check_samples(np.array([[1.0, 1.0, 1.0, 1.0], [1.0, -1.0, 1.0, 1.0]]))


def test_a_data_frame_names_customers_and_sites():
    costs = pd.DataFrame([[1.0, 2.0]], index=["Hull"], columns=["north", "south"])
    problem = FacilityLocation(costs, [1.0, 1.0])
    assert problem.variable_names == ("Hull from north", "Hull from south", "open north", "open south")


def test_more_runs_than_there_is_room_for_are_no_more_than_that():
    assert LoadShifting(24, 8, min_run=3, max_runs=9) == LoadShifting(24, 8, min_run=3)
    assert LoadShifting(24, 8, min_run=3).max_runs == 2
    assert LoadShifting(5, 4).max_runs == 2


def test_spanning_trees_come_from_networkx():
    nx = pytest.importorskip("networkx")
    graph = nx.Graph()
    graph.add_edge("a", "b", label="ab")
    graph.add_edge("b", "c", label="bc")
    problem = SpanningTree.from_networkx(graph, name="label", unit="km", sense="max")
    assert (problem.item_names, problem.nodes, problem.edges) == (
        ("ab", "bc"),
        ("a", "b", "c"),
        (("a", "b"), ("b", "c")),
    )
    with pytest.raises(InputError, match="must be undirected; got a DiGraph"):
        SpanningTree.from_networkx(nx.DiGraph(graph))
    with pytest.raises(InputError, match="must be a networkx Graph or MultiGraph; got a list"):
        SpanningTree.from_networkx([1])
