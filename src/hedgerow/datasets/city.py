"""Routes of an ambulance through a town with three bridges, and travel times on many days."""

__all__ = ["city_routes"]

from typing import Final, NamedTuple

import numpy as np

from hedgerow.arrays import FloatArray
from hedgerow.checks import integer_between
from hedgerow.problems import ShortestPath


class _Street(NamedTuple):
    name: str
    tail: str
    head: str
    minutes: float


class _DayKind(NamedTuple):
    share: float
    slower: dict[str, float]


_STREETS: Final = (
    _Street("Mill Lane", "Depot", "Mill", 6.0),
    _Street("High Street", "Depot", "Castle", 5.0),
    _Street("Station Road", "Depot", "Station", 6.0),
    _Street("Castle Steps", "Mill", "Castle", 3.0),
    _Street("Tanner Row", "Castle", "Station", 3.0),
    _Street("King's Bridge", "Mill", "Abbey", 7.0),
    _Street("Old Bridge", "Castle", "Market", 5.0),
    _Street("Rail Bridge", "Station", "Docks", 7.0),
    _Street("Cloister Lane", "Abbey", "Market", 4.0),
    _Street("Fish Lane", "Docks", "Market", 4.0),
    _Street("Abbey Road", "Abbey", "Hospital", 8.0),
    _Street("Market Street", "Market", "Hospital", 6.0),
    _Street("Dock Road", "Docks", "Hospital", 7.0),
)
_PLACES: Final = {
    "Depot": (0.0, 2.0),
    "Mill": (2.0, 3.4),
    "Castle": (2.6, 2.0),
    "Station": (2.0, 0.6),
    "Abbey": (5.4, 3.4),
    "Market": (5.8, 2.0),
    "Docks": (5.4, 0.6),
    "Hospital": (8.4, 2.0),
}
_KINDS_OF_DAY: Final = (
    _DayKind(0.40, {}),  # quiet
    _DayKind(  # market day
        0.25, {"Market Street": 2.4, "Old Bridge": 1.9, "High Street": 1.7, "Cloister Lane": 1.4, "Fish Lane": 1.5}
    ),
    _DayKind(  # high water
        0.15, {"Old Bridge": 2.6, "Fish Lane": 2.0, "Dock Road": 1.9, "Rail Bridge": 1.3}
    ),
    _DayKind(  # works on the railway
        0.20, {"Rail Bridge": 2.0, "Station Road": 1.5, "King's Bridge": 1.3, "Mill Lane": 1.2}
    ),
)
_STEADINESS: Final = 25.0
"""Shape of the gamma noise: a street's time deviates by about a fifth from the day's usual one."""
_N_TEST: Final = 200
_MAX_DAYS: Final = 10_000


def city_routes(n_days: int = 60, seed: int = 3) -> tuple[ShortestPath, FloatArray, FloatArray]:
    """Return the routes through an invented town, Aldermere, and the minutes that each street took on past days.

    An ambulance goes from the depot to the hospital. The river can be crossed by three bridges, and every day is
    quiet, a market day, one of high water, or one of railway works, which slow down some streets; random noise is
    added. Minutes are whole numbers. The same seed gives the same days.

    Parameters
    ----------
    n_days
        Number of training days, from 1.
    seed
        Seed of the days.

    Returns
    -------
    problem
        Ways from "Depot" to "Hospital" over 13 named streets, in minutes.
    train
        One row per training day, one column per street.
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
    n_days = integer_between(n_days, "n_days", 1, _MAX_DAYS)
    # The legacy generator, whose streams numpy has promised never to change; test days come first, so that they are
    # the same for any number of training days.
    random = np.random.RandomState(integer_between(seed, "seed", 0, 2**32 - 1))
    test = _days(random, _N_TEST)
    return _town(), _days(random, n_days), test


def _town() -> ShortestPath:
    return ShortestPath(
        [street.tail for street in _STREETS],
        [street.head for street in _STREETS],
        "Depot",
        "Hospital",
        nodes=_PLACES,
        item_names=[street.name for street in _STREETS],
        unit="min",
        positions=_PLACES,
    )


def _days(random: np.random.RandomState, n_days: int) -> FloatArray:
    usual = np.array([street.minutes for street in _STREETS])
    factors = np.array([[kind.slower.get(street.name, 1.0) for street in _STREETS] for kind in _KINDS_OF_DAY])
    shares = [kind.share for kind in _KINDS_OF_DAY]
    kind_of_day = random.choice(len(_KINDS_OF_DAY), size=n_days, p=shares)
    chance = random.gamma(_STEADINESS, 1.0 / _STEADINESS, (n_days, len(_STREETS)))
    minutes: FloatArray = np.maximum(1.0, np.round(usual * factors[kind_of_day] * chance))
    return minutes
