"""Copying inside of kernels does the same as plain Python and compiled."""

import numpy as np
import pytest

from hedgerow.compiled import running
from hedgerow.compiled.array_kernels import copy_into


@pytest.mark.parametrize("way", ["plain", "compiled"])
def test_a_shorter_array_is_copied_to_the_front(way):
    target = np.array([9, 9, 9])
    with running(way):
        copy_into(np.array([1, 2]), target)
    assert target.tolist() == [1, 2, 9]
