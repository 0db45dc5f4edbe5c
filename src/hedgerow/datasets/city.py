"""Routes of an ambulance through a town with three bridges, and travel times on many days."""

import json
from importlib.resources import files
from typing import Any, Final

import numpy as np

from hedgerow.data.arrays import FloatArray
from hedgerow.problems import ShortestPath

_STEADINESS: Final = 25.0
"""Shape of the gamma noise: a street's time deviates by about a fifth from the day's usual one."""
_N_TRAIN: Final = 60
_N_TEST: Final = 200


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
    test = _days(town, random, _N_TEST)
    return problem, _days(town, random, _N_TRAIN), test


def _days(town: Any, random: np.random.RandomState, n_days: int) -> FloatArray:
    usual = np.array([minutes for _, _, _, minutes in town["streets"]])
    factors = np.array([[day["slower"].get(street, 1.0) for street, *_ in town["streets"]] for day in town["days"]])
    kind_of_day = random.choice(len(factors), size=n_days, p=[day["share"] for day in town["days"]])
    chance = random.gamma(_STEADINESS, 1.0 / _STEADINESS, (n_days, usual.size))
    minutes: FloatArray = np.maximum(1.0, np.round(usual * factors[kind_of_day] * chance))
    return minutes
