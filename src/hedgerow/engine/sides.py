"""The sides of an interval of roots, one or both bounded in one call."""

__all__ = ["bound_sides"]

import numpy as np

from hedgerow.compiled import kernel
from hedgerow.data.arrays import FloatArray
from hedgerow.engine.halves import Halves, Side, bound_halves
from hedgerow.engine.moves import single_events
from hedgerow.engine.samples import Samples


@kernel
def bound_sides(
    first: int,
    last: int,
    root: int,
    low: float,
    high: float,
    samples: Samples,
    min_samples: int,
    target: float,
    floor: float,
    room: Side,
    halves: Halves,
    sides: FloatArray,
) -> int:
    """Raise what sides of a root cost at least, from the `first` to the `last`; return how many halves the last has.

    It ends with the first side if the target is reached. `sides[side, 0]` is the cost with all samples that reach this
    side, `sides[side, 1]` with those alone that reach no other. Both hold what is known so far. `floor` is a bound on
    the two sides together. Questions read single items.
    """
    cut, count = np.empty(2), 0
    for side in range(first, last + 1):
        cut[0], cut[1] = target - sides[1 - side, 1], target - sides[1 - side, 0]
        single_events(side, root, low, high, samples, room.spent, room.events)
        count = bound_halves(side, root, low, high, samples, min_samples, cut, room, halves)
        for row in range(2):
            least = cut[row]
            for number in range(count):
                least = min(least, halves.value[row, number])
            sides[side, row] = max(sides[side, row], least)
        if max(floor, sides[0, 0] + sides[1, 1], sides[0, 1] + sides[1, 0]) >= target:
            break
    return count
