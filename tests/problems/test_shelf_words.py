"""What each problem on the shelf says: of its solutions, of what is wrong with them."""

import numpy as np
import pytest
from examples.spanning_tree import SpanningTree
from examples.travelling_salesman import TravellingSalesman

from hedgerow.errors import InfeasibleProblemError
from hedgerow.problems import LoadShifting
from tests.problems.shelf import CAPACITATED, SHELF


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: SpanningTree(["a", "c"], ["b", "d"]), "not connected"),
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
        (SHELF["selection"], [0], "the number of chosen items is 1; it must be 2"),
        (SHELF["knapsack"], [0, 3], "the weight of the chosen items is 7; it must be at most 6"),
        (SHELF["assignment, more tasks"], [0, 1], "the number of tasks of 'Ann' is 2; it must be 1"),
        (SHELF["assignment, more tasks"], [0, 3], "the number of workers for 'shop' is 2; it must lie from 0 to 1"),
        (SHELF["scheduling"], [0, 1], "the number of machines of 'job1' is 2; it must be 1"),
        (SHELF["load shifting"], [0, 1, 2], "the number of periods that run is 3; it must be 4"),
        (
            SHELF["load shifting"],
            [0, 1, 2, 5],
            "the number of runs that end before h06 after fewer than 2 periods is 1; it must be at most 0",
        ),
        (
            LoadShifting(9, 6, min_run=2, max_runs=2),
            [0, 1, 3, 4, 6, 7],
            "the number of runs is 3; it must lie from 0 to 2",
        ),
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
        (SHELF["load shifting"], [0, 1, 4, 5], "00:00–02:00, 04:00–06:00"),
        (SHELF["load shifting, any runs"], [0, 4], "00:00–01:00, 04:00–05:00"),
        (CAPACITATED, [0, 3, 7, 10, 12, 13, 14], "north serves c1, c2; south serves c3, c4; west serves no one"),
        (SHELF["travelling salesman, three cities"], [0, 1, 2], "Ayr → Bute → Cove → Ayr"),
    ],
)
def test_solutions_are_told_in_words(problem, places, words):
    assert problem.describe(ones(problem, *places)) == words


@pytest.mark.parametrize(
    ("names", "words"),
    [
        ([f"h{hour}" for hour in range(9, 17)], "11:00–16:00"),
        ([f"{hour}:00" for hour in range(9, 17)], "11:00–16:00"),
        ([f"{7 + place // 4:02}:{15 * (place % 4):02}" for place in range(8)], "07:30–08:45"),
        (["a", "b", "c", "d", "e", "f", "g", "h"], "c–g"),
        (["9:00", "10:00", "11:00", "12:00", "13:00", "14:00", "15:00", "17:00"], "11:00–15:00"),
    ],
)
def test_a_run_ends_when_its_last_period_does(names, words):
    """Five periods from the third on; names at unequal distances are no times."""
    problem = LoadShifting(8, 5, item_names=names)
    assert problem.describe(np.array([0.0, 0.0, 1.0, 1.0, 1.0, 1.0, 1.0, 0.0])) == words


def test_a_run_may_end_at_midnight():
    problem = LoadShifting(24, 2)
    assert problem.describe(np.repeat([0.0, 1.0], [22, 2])) == "22:00–24:00"
