"""Whether sets made from errors hold what they promise: on pairs held out at random, and on later ones."""

import math
import statistics
from typing import Any, NamedTuple

import numpy as np

from benchmarks.outcome import Goal
from benchmarks.real.histories import History
from hedgerow import LocalBudget
from hedgerow.arrays import FloatArray
from hedgerow.uncertainty.coverage import Coverage, coverage

_PROMISED = 0.9
_SPLITS = 100
_FROM_ERRORS: dict[str, dict[str, Any]] = {
    "budget": {},
    "budget and prices": {"prices": "errors"},
    "budget and limits": {"limits": True},
}


class _Pairs(NamedTuple):
    observed: FloatArray
    true: FloatArray


def coverage_goals(history: History) -> list[Goal]:
    """Return what sets cover; the promise is for errors like those seen, and later ones may differ."""
    before, after = _Pairs(history.train_readings, history.train), _Pairs(history.test_readings, history.test)
    together = _Pairs(*(np.concatenate(parts) for parts in zip(before, after, strict=True)))
    goals = []
    for name, options in _FROM_ERRORS.items():
        goals.append(_at_random(f"{history.name}: {name}, coverage of pairs held out at random", together, options))
        later = _covered(before, after, options)
        goals.append(Goal(f"{history.name}: {name}, coverage of the test pairs", f"{later.share:.1%}"))
    return goals


def _at_random(what: str, pairs: _Pairs, options: dict[str, Any]) -> Goal:
    """Return the mean coverage over many halves: the promise is an average over the pairs that one may have."""
    rng = np.random.default_rng(0)
    shares = []
    for _ in range(_SPLITS):
        halves = np.array_split(rng.permutation(len(pairs.true)), 2)
        seen, unseen = (_Pairs(pairs.observed[rows], pairs.true[rows]) for rows in halves)
        shares.append(_covered(seen, unseen, options).share)
    mean, error = statistics.mean(shares), statistics.stdev(shares) / math.sqrt(_SPLITS)
    value = f"{mean:.1%} on average over {_SPLITS} halves (from {min(shares):.1%} to {max(shares):.1%})"
    return Goal(what, value, f"{_PROMISED:.0%}, give or take two standard errors", mean >= _PROMISED - 2.0 * error)


def _covered(seen: _Pairs, unseen: _Pairs, options: dict[str, Any]) -> Coverage:
    return coverage(LocalBudget.from_errors(*seen, _PROMISED, **options), *unseen)
