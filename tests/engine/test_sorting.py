"""Sorting indices by keys."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

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
