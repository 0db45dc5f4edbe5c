"""Turns for any questions, prices and limits, by bisection on the move cost itself; see `hedgerow.geometry.turns`."""

__all__ = ["any_turns"]

from typing import NamedTuple

import numpy as np

from hedgerow.compiled import kernel
from hedgerow.data.arrays import BoolArray, FloatArray, IntArray
from hedgerow.geometry.kernels import Geometry, Path, change_range
from hedgerow.geometry.path_kernels import path_cost, path_to
from hedgerow.tolerances import NEAR_TURN, TURN

_MOST_STEPS = 200


class _Side(NamedTuple):
    """The side of the moving threshold that a leaf is on, and the interval that all other thresholds leave."""

    right: bool
    lower: float
    upper: float
    margin: float


@kernel
def any_turns(
    values: FloatArray,
    question: IntArray,
    lower: FloatArray,
    upper: FloatArray,
    goes_right: BoolArray,
    budgets: FloatArray,
    margin: float,
    geometry: Geometry,
    needed: BoolArray,
    out: FloatArray,
) -> None:
    """Write the turn of each sample (row) and leaf (column) where it is `needed`.

    `values` are samples × questions; the rest is as in `hedgerow.geometry.turns.item_turns`.
    """
    lows, highs = np.empty(question.shape[1]), np.empty(question.shape[1])
    for leaf in range(question.shape[0]):
        path = path_to(question[leaf], lower[leaf], upper[leaf], True, geometry, lows, highs)
        asked, least, most = path.question, path.least, path.most
        right = goes_right[leaf]
        side = _Side(right, lows[0], highs[0], margin)
        sign = -1.0 if right else 1.0
        for row in range(values.shape[0]):
            if not needed[row, leaf]:
                continue
            value, budget = values[row, asked[0]], budgets[row]
            for place in range(1, path.size):
                least[place], most[place] = change_range(
                    values[row, asked[place]], lows[place], highs[place], geometry.epsilon
                )
            # Widest first: the box that this threshold does not cut.
            least[0], most[0] = change_range(value, lows[0], highs[0], geometry.epsilon)
            rest = path_cost(path, row, budget, geometry)
            if rest > budget:
                out[row, leaf] = sign * np.inf
                continue
            if budget == 0.0 and margin == 0.0:  # a sample that can't move turns at its own value
                out[row, leaf] = np.nextafter(value, -np.inf) if right else value
                continue
            spare = (budget - rest) / geometry.rate[asked[0]]
            guess = value - sign * (spare + margin)
            if right:
                guess -= geometry.epsilon
            # From `outside`, where the leaf is out of reach, to `inside`, where it is reached.
            size = max(abs(value), abs(guess), abs(spare), 1e-300)
            step = NEAR_TURN * size
            inside = outside = guess
            for _ in range(_MOST_STEPS):
                if _reached(inside, side, value, path, row, budget, geometry):
                    break
                outside = inside
                inside += sign * step
                step *= 8.0
            step = NEAR_TURN * size
            if outside == inside:
                for _ in range(_MOST_STEPS):
                    outside -= sign * step
                    step *= 8.0
                    if not _reached(outside, side, value, path, row, budget, geometry):
                        break
                    inside = outside
            while abs(inside - outside) > TURN * size:
                middle = inside / 2.0 + outside / 2.0
                if middle in (inside, outside):
                    break
                if _reached(middle, side, value, path, row, budget, geometry):
                    inside = middle
                else:
                    outside = middle
            out[row, leaf] = inside


@kernel
def _reached(
    threshold: float, side: _Side, value: float, path: Path, row: int, budget: float, geometry: Geometry
) -> bool:
    """Return whether the sample can be moved into the leaf if the moving threshold lies here."""
    lower, upper = side.lower, side.upper
    if side.right:
        lower = max(lower, threshold - side.margin)
    else:
        upper = min(upper, threshold + side.margin)
    path.least[0], path.most[0] = change_range(value, lower, upper, geometry.epsilon)
    return path_cost(path, row, budget, geometry) <= budget
