"""Small kernels of intervals: sorting indices, and the samples that meet first."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from hedgerow.engine.division import _first_to_meet
from hedgerow.engine.moves import sort_by

numbers = st.integers(-4, 4).map(float)


@given(st.lists(numbers | st.sampled_from([np.inf, -np.inf]), min_size=1, max_size=60), st.randoms())
def test_indices_are_sorted_by_their_keys(keys, random):
    """All of them, or some, whatever order they come in."""
    order = random.sample(range(len(keys)), random.randint(1, len(keys)))
    keys, found = np.array(keys), np.array(order)
    sort_by(keys, found)
    assert sorted(found.tolist()) == sorted(order)
    assert keys[found].tolist() == sorted(keys[order].tolist())


@given(st.lists(st.tuples(numbers, numbers, numbers, numbers), min_size=1, max_size=6), numbers, st.integers(0, 3))
def test_the_first_to_enter_and_the_last_to_leave_are_those_of_the_far_end(rows, low, width):
    """Of those behind the stretch the one that enters first, of those before it the one that leaves last."""
    table = np.array(rows).T
    at_near, at_far, high = np.ascontiguousarray(table[:2]), np.ascontiguousarray(table[2:]), low + width
    behind = [row for row in range(len(rows)) if at_near[0, row] > high]
    before = [row for row in range(len(rows)) if at_near[1, row] <= low]
    first = min(behind, key=lambda row: at_far[0, row], default=-1)
    last = max(before, key=lambda row: at_far[1, row], default=-1)
    assert _first_to_meet(at_near, at_far, low, high) == (first, last)
