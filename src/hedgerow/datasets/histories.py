"""The paper's motivating example, its experiments' instances (the published ones to the last digit), and a town."""

import json
from importlib.resources import files
from typing import Any, Final

import numpy as np

from hedgerow.data.arrays import FloatArray
from hedgerow.data.checks import integer_between
from hedgerow.problems import Scheduling, ShortestPath

_PATH_SEEDS: Final = (
    "64117468 61426413 92232177 37229339 84464803 48242438 92911353 39071652 22879523 29557695 "
    "77869602 72482311 30346251 36743271 56698155 56542032 77156023 15059166 71254118 24486443"
)
_SCHEDULING_SEEDS: Final = (
    "99003379 5494149 55930358 20247132 61462041 48778658 83401585 37403088 6500878 49835882 "
    "68097491 27444631 10446274 20409299 96846055 84808296 8254900 12499523 25672760 78904183"
)
_N_EDGES: Final = 144  # of a 9 × 9 grid; smaller ones use the first columns
_N_SCENARIOS: Final = 3
_MOST_JOBS: Final = 1000
_N_TRAIN: Final = 250
_N_TEST: Final = 1000


def motivating_example() -> tuple[ShortestPath, FloatArray]:
    """Return the graph with the paths s → 1 → t (e1, e2) and s → 2 → t (e3, e4), and the five samples.

    With a global budget of 5 the nominal tree `e1 ≤ 5` costs 36, and 50 in the worst case. The best tree of depth 2
    over midpoints costs 36, and 43 in the worst case (the paper says 41: moving sample 2 adds 7, not 5).

    Returns
    -------
    problem
        The shortest-path problem.
    costs
        One row per sample, one column for each of e1, …, e4.

    Examples
    --------
    >>> from hedgerow.datasets import motivating_example
    >>> problem, costs = motivating_example()
    >>> problem.describe(problem.best_solution(costs).solution)
    's → 1 → t'
    """
    places = {"s": (0, 0), "1": (1, 0), "2": (0, 1), "t": (1, 1)}
    names = ["e1", "e2", "e3", "e4"]
    problem = ShortestPath(
        ["s", "1", "s", "2"], ["1", "t", "2", "t"], "s", "t", nodes=places, item_names=names, positions=places
    )
    costs = [[0, 1, 7, 9], [1, 5, 3, 10], [9, 4, 4, 9], [9, 10, 5, 7], [10, 8, 2, 2]]
    return problem, np.array(costs, dtype=np.float64)


def paper_shortest_path(
    seed_id: int = 0, n_samples: int = 5, grid: int = 4
) -> tuple[ShortestPath, FloatArray, FloatArray]:
    """Return one of the paper's twenty shortest-path instances.

    Parameters
    ----------
    seed_id
        Which instance, from 0 to 19.
    n_samples
        Number of training samples, from 1 to 250.
    grid
        Nodes along each side of the grid, from 2 to 9.

    Returns
    -------
    problem
        Paths from the south-west to the north-east corner of the grid.
    train
        The training samples, one per row.
    test
        A thousand samples from the same distribution.

    Examples
    --------
    >>> from hedgerow.datasets import paper_shortest_path
    >>> problem, train, test = paper_shortest_path(seed_id=0, n_samples=5, grid=4)
    >>> train.shape, test.shape
    ((5, 24), (1000, 24))
    >>> float(train[0, 0])
    18.40182
    """
    random = _random(_PATH_SEEDS, seed_id)
    n_samples = integer_between(n_samples, "n_samples", 1, _N_TRAIN)
    problem = ShortestPath.grid(integer_between(grid, "grid", 2, 9))
    costs = _path_costs(random)[:, : problem.n_items]
    return problem, costs[:n_samples].copy(), costs[-_N_TEST:].copy()


def paper_scheduling(
    seed_id: int = 0, n_samples: int = 5, n_jobs: int = 8, n_machines: int = 3
) -> tuple[Scheduling, FloatArray, FloatArray]:
    """Return one of the twenty scheduling instances of the paper's later version, as `paper_shortest_path` does.

    Each job has a shortest duration between 0.1 and 2 and a spread between 0.1 and 5; a sample draws every job's
    duration uniformly between the two ends, to one decimal.

    Parameters
    ----------
    seed_id, n_samples
        As in `paper_shortest_path`.
    n_jobs, n_machines
        Size of the problem; another number of jobs gives another instance, not a part of the same.

    Examples
    --------
    >>> from hedgerow.datasets import paper_scheduling
    >>> problem, train, test = paper_scheduling(seed_id=0, n_samples=5)
    >>> problem, train.shape, test.shape
    (Scheduling(8 items), (5, 8), (1000, 8))
    """
    random = _random(_SCHEDULING_SEEDS, seed_id)
    n_samples = integer_between(n_samples, "n_samples", 1, _N_TRAIN)
    problem = Scheduling(integer_between(n_jobs, "n_jobs", 1, _MOST_JOBS), n_machines)
    base = 1.9 * random.random_sample(n_jobs) + 0.1
    spread = 4.9 * random.random_sample(n_jobs) + 0.1
    durations = np.round(base + random.random_sample((_N_TRAIN + _N_TEST, n_jobs)) * spread, 1)
    return problem, durations[:n_samples].copy(), durations[-_N_TEST:].copy()


def _random(seeds: str, seed_id: int) -> np.random.RandomState:
    """Return the legacy generator, whose streams numpy has promised never to change."""
    known = seeds.split()
    return np.random.RandomState(int(known[integer_between(seed_id, "seed_id", 0, len(known) - 1)]))


def _path_costs(random: np.random.RandomState) -> FloatArray:
    """Return all 1250 rows for the largest grid; the order of the draws is the published generator's."""
    middle_and_deviation = random.random_sample((_N_EDGES, _N_SCENARIOS, 2))
    middle = 20.0 * middle_and_deviation[:, :, 0] + 10.0
    deviation = 0.25 * middle_and_deviation[:, :, 1]
    lowest, highest = ((1.0 - deviation) * middle).T, ((1.0 + deviation) * middle).T

    n_rows = _N_TRAIN + _N_TEST
    scenario = np.empty(n_rows, dtype=np.int64)
    share = np.empty((n_rows, _N_EDGES))
    for row in range(n_rows):  # integers and uniforms share the stream, so they are drawn in turn
        scenario[row] = random.randint(0, _N_SCENARIOS)
        share[row] = random.random_sample(_N_EDGES)
    return np.round(lowest[scenario] + share * (highest - lowest)[scenario], 5)


# -- a town ------------------------------------------------------------------------------------------------------------


_STEADINESS: Final = 25.0
"""Shape of the gamma noise: a street's time deviates by about a fifth from the day's usual one."""
_TOWN_TRAIN: Final = 60
_TOWN_TEST: Final = 200


def city_routes() -> tuple[ShortestPath, FloatArray, FloatArray]:
    """Return the routes through an invented town, Aldermere, and the minutes that each street took on past days.

    An ambulance goes from the depot to the hospital. The river can be crossed by three bridges, and every day is
    quiet, a market day, one of high water, or one of railway works, which slow down some streets; random noise is
    added. Minutes are whole numbers. The days are always the same.

    Returns
    -------
    problem
        Ways from "Depot" to "Hospital" over 13 named streets, in minutes.
    train
        One row for each of sixty training days, one column per street.
    test
        Two hundred further days.

    Examples
    --------
    >>> from hedgerow.datasets import city_routes
    >>> problem, train, test = city_routes()
    >>> train.shape, test.shape, problem.unit
    ((60, 13), (200, 13), 'min')
    >>> problem.describe(problem.best_solution(train).solution)
    'Depot → Mill → Abbey → Hospital'
    """
    town = json.loads(files("hedgerow.datasets").joinpath("town.json").read_text(encoding="utf-8"))
    names, tails, heads, _ = zip(*town["streets"], strict=True)
    places = {"nodes": town["places"], "positions": town["places"]}
    problem = ShortestPath(tails, heads, "Depot", "Hospital", item_names=names, unit="min", **places)
    # The legacy generator, whose streams numpy has promised never to change.
    random = np.random.RandomState(3)
    test = _days(town, random, _TOWN_TEST)
    return problem, _days(town, random, _TOWN_TRAIN), test


def _days(town: Any, random: np.random.RandomState, n_days: int) -> FloatArray:
    usual = np.array([minutes for _, _, _, minutes in town["streets"]])
    factors = np.array([[day["slower"].get(street, 1.0) for street, *_ in town["streets"]] for day in town["days"]])
    kind_of_day = random.choice(len(factors), size=n_days, p=[day["share"] for day in town["days"]])
    chance = random.gamma(_STEADINESS, 1.0 / _STEADINESS, (n_days, usual.size))
    minutes: FloatArray = np.maximum(1.0, np.round(usual * factors[kind_of_day] * chance))
    return minutes
