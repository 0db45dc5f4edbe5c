"""The search over parts of a space stops when it is to, and keeps what it has not bounded."""

from dataclasses import dataclass

import numpy as np

from hedgerow.engine.search import explore


@dataclass(frozen=True)
class Part:
    bound: float


class Halved:
    """Each part has a hundred parts, bounded one by one; nothing is ever found."""

    open_bound = np.inf
    settles_last = settles_middle = False

    def __init__(self):
        self.n_bounded = 0

    def divided(self, part, target):
        return [part] * 100

    def bounded(self, part, target, must_stop):
        if must_stop():
            return part
        self.n_bounded += 1
        return Part(part.bound + 1.0)

    def tried(self, part, target, must_stop):
        return None


def test_the_clock_is_looked_at_between_parts_of_a_part():
    space = Halved()
    outcome = explore(space, [Part(2.0)], 9.0, np.inf, lambda: space.n_bounded >= 5, settles=True)
    assert space.n_bounded == 5
    assert sorted(part.bound for part in outcome.still_open) == 95 * [2.0] + 5 * [3.0]
