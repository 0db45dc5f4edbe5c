"""Rules refitted month by month on two markets: with one change, by a free fit, or not at all."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from benchmarks import scope
from benchmarks.outcome import Goal, Outcome, Table
from benchmarks.progress import tell
from benchmarks.real.histories import History, histories
from hedgerow import RobustTree, refit
from hedgerow.data.arrays import FloatArray
from hedgerow.data.confidence import block_labels, block_means, interval
from hedgerow.tree.question_kinds import best_for_each

_TITLE = "Rules refitted month by month"
_MARKETS = ("pjm", "de")
_WINDOW, _MONTH = 363, 30
_DESCENTS = 4
_STAY, _ONE_CHANGE, _FREE = "as fitted once", "one change a month", "a free fit a month"
_NOTE = (
    f"Rules of depth 2 that ask about plans learn from {_WINDOW} days of forecasts and prices, and are refitted every "
    f"{_MONTH} days on the last {_WINDOW}; each day is paid by the rules of its month. Shares are of what can be won "
    "between the best single plan of the first window and knowing everything. Advice changes on a day if the rules of "
    "its month advise another plan than those of the month before would."
)


@dataclass(frozen=True)
class _Rolled:
    """What each later day costs (rows) in three ways, and on which days a refit altered the advice."""

    costs: FloatArray
    one_plan: FloatArray
    clairvoyant: FloatArray
    altered: FloatArray


def run() -> Outcome:
    """Roll through the later days of both markets."""
    folder = scope.data_folder()
    if folder is None:
        tell(f"{_TITLE}: skipped, no folder with data (say where with --data)")
        return Outcome(_TITLE, [], [], note="Skipped: the data was not at hand. It is not ours to copy.")
    rows: list[tuple[object, ...]] = []
    goals: list[Goal] = []
    for market in scope.some(_MARKETS):
        rolled = _rolled(histories(folder)[market]())
        rows += [(market, *row) for row in _shares(rolled)]
        goals.append(_goal(market, rolled))
        tell(f"{market}: {goals[-1].value}")
    columns = ("market", "rules", "share won", "from", "to", "days with other advice (%)")
    return Outcome(_TITLE, [Table("shares", "Later days of two markets", columns, rows)], goals, note=_NOTE)


def _rolled(history: History) -> _Rolled:
    """Return what the days after the first window cost in the three ways."""
    truth = np.concatenate([history.train, history.test])
    readings = np.concatenate([history.train_readings, history.test_readings])
    problem = history.problem
    model = RobustTree(
        problem, questions="plans", learn_from="readings", method="local_search", iteration_limit=_DESCENTS,
        time_limit=None, random_state=0,
    )  # fmt: skip
    first = model.fit(truth[:_WINDOW], readings=readings[:_WINDOW]).rulebook_
    current = {_STAY: first, _ONE_CHANGE: first, _FREE: first}
    costs, altered = [], []
    for start in scope.some(range(_WINDOW, len(truth), _MONTH), 2):
        window, month = slice(start - _WINDOW, start), slice(start, start + _MONTH)
        before = {way: rules.predict(readings[month]) for way, rules in current.items()}
        if start > _WINDOW:
            one = refit(
                current[_ONE_CHANGE], truth[window], readings=readings[window], max_changes=1, time_limit=None,
                iteration_limit=1,
            )  # fmt: skip
            free = model.fit(truth[window], readings=readings[window]).rulebook_
            current |= {_ONE_CHANGE: one.rules, _FREE: free}
        advice = {way: rules.predict(readings[month]) for way, rules in current.items()}
        costs.append(np.column_stack([_paid(truth[month], plan) for plan in advice.values()]))
        altered.append(np.column_stack([(advice[way] != before[way]).any(axis=1) for way in advice]))
    later = truth[_WINDOW : _WINDOW + sum(map(len, costs))]
    one_plan = problem.best_solution(truth[:_WINDOW], np.ones(_WINDOW)).solution
    return _Rolled(
        np.concatenate(costs), later @ one_plan, _paid(later, best_for_each(problem, later)), np.concatenate(altered)
    )


def _paid(truth: FloatArray, plans: FloatArray) -> FloatArray:
    paid: FloatArray = (truth * plans).sum(axis=1)
    return paid


def _drawn_shares(rolled: _Rolled) -> FloatArray:
    """Return the shares of the three ways (columns) for draws of blocks of days (rows)."""
    every = np.column_stack([rolled.costs, rolled.one_plan, rolled.clairvoyant])
    ones = np.ones(len(every))
    means = block_means(every, ones, block_labels(len(every)), np.random.default_rng(0))
    shares: FloatArray = (means[:, [3]] - means[:, :3]) / (means[:, [3]] - means[:, [4]])
    return shares


def _shares(rolled: _Rolled) -> Iterator[tuple[object, ...]]:
    """Yield a row per way: the share won with its interval, and on how many days a refit altered the advice."""
    gap = float((rolled.one_plan - rolled.clairvoyant).mean())
    drawn = _drawn_shares(rolled)
    for place, way in enumerate((_STAY, _ONE_CHANGE, _FREE)):
        share = float((rolled.one_plan - rolled.costs[:, place]).mean()) / gap
        yield way, share, *interval(drawn[:, place]), 100.0 * float(rolled.altered[:, place].mean())


def _goal(market: str, rolled: _Rolled) -> Goal:
    """Return whether one change a month wins as much as a free fit within the interval of the difference."""
    drawn = _drawn_shares(rolled)
    low, high = interval(drawn[:, 1] - drawn[:, 2])
    gap = float((rolled.one_plan - rolled.clairvoyant).mean())
    difference = float((rolled.costs[:, 2] - rolled.costs[:, 1]).mean()) / gap
    words = f"{100 * difference:+.1f} points ({100 * low:+.1f} to {100 * high:+.1f})"
    return Goal(
        f"{market}: one change a month less a free fit a month, share won",
        words,
        "not below 0 within the interval",
        high >= 0.0,
    )
