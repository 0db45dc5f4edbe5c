"""Swept halves, against attacks by distance that are written down sample by sample."""

import numpy as np
import pytest

from hedgerow.engine.priced_sweep import Sweep, swept_halves, swept_regrets

N_SAMPLES, N_SOLUTIONS, N_QUESTIONS, EPSILON = 12, 3, 3, 0.25
REACH = np.array([0.0, 0.6, 2.0])


def world(rng):
    """Return blocks of thresholds, some of them single ones, with the readings, shares, regrets and prices."""
    readings = rng.integers(0, 9, (N_SAMPLES, N_QUESTIONS)) * 0.5
    order = np.argsort(readings.T, axis=1, kind="stable")
    question = np.repeat(np.arange(N_QUESTIONS), 3)
    left = rng.integers(0, 8, question.size) * 0.5 + 0.25
    right = left + rng.choice([0.0, 0.5, 1.5], question.size)
    values = np.take_along_axis(readings.T, order, axis=1)
    sweep = Sweep(values, order, rng.choice([0.5, 1.0, 2.0], N_QUESTIONS), EPSILON, question, left, right)
    regret = rng.uniform(0.0, 6.0, (N_SAMPLES, N_SOLUTIONS))
    return sweep, readings, rng.choice([0.0, 0.5, 1.0], N_SAMPLES), regret


def best_attack(sweep, block, readings, share, regret, price):
    """Return the worth of the best attack on one block's half and what it pays."""
    question, left, right = sweep.question[block], sweep.left[block], sweep.right[block]
    value, rate = readings[:, question], sweep.rate[question]
    goes_left = [[value <= left + d / rate for d in REACH]]
    goes_left.append([value <= min(left, right + EPSILON - d / rate) for d in REACH])
    mixed = [(one, other) for one in goes_left[0] for other in goes_left[1]]
    found = []
    for one, other in mixed + [(same, same) for same in goes_left[0] + goes_left[1]]:
        parts = share * (one * 0.5 + other * 0.5)
        pays = rate * parts @ np.maximum(0.0, value - left)
        pays += rate * (share - parts) @ np.where(value <= right, right + EPSILON - value, 0.0)
        found.append((min(parts @ regret) + min((share - parts) @ regret) - price * pays, pays))
    return max(found)


@pytest.mark.parametrize("seed", range(12))
def test_swept_halves_are_those_of_brute_force(seed):
    rng = np.random.default_rng(seed)
    sweep, readings, share, regret = world(rng)
    low, high, own = 0.3, 0.3 + rng.choice([0.0, 0.4]), rng.integers(-1, N_QUESTIONS)
    others = [block for block in range(sweep.question.size) if sweep.question[block] != own]
    middle, expected = 0.5 * (low + high), []
    for block in others:
        worth, pays = best_attack(sweep, block, readings, share, regret, middle)
        expected.append([worth + (middle - price) * pays for price in (low, high)])
    least, picked = np.full(2, np.inf), np.zeros((2, 5), np.int64)
    given = sweep, own, share, regret, REACH, low, high
    swept_halves(*given, least, picked)
    assert least == pytest.approx(np.min(expected, axis=0))
    for end, price in enumerate((low, high)):
        assert expected[others.index(picked[end, 0])][end] == pytest.approx(least[end])
        worths = np.empty(N_SAMPLES)
        swept_regrets(sweep, picked[end], regret, price, worths)
        assert share @ worths == pytest.approx(least[end])
    below, kept = least - 0.01, picked.copy()
    swept_halves(*given, below, picked)
    assert below.tolist() == (least - 0.01).tolist()
    assert (picked == kept).all()
