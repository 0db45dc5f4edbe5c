"""Copying, sorting, searching and minima inside of kernels."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hedgerow.compiled import running
from hedgerow.compiled.array_kernels import (
    copy_into,
    count_below,
    count_true,
    count_up_to,
    place_of_smallest,
    smallest,
    stable_order,
)


@pytest.mark.parametrize("way", ["plain", "compiled"])
@given(values=st.lists(st.integers(-9, 9) | st.just(np.inf), max_size=200))
def test_the_order_is_that_of_a_stable_sort(way, values):
    numbers = np.array(values, dtype=np.float64)
    with running(way):
        assert stable_order(numbers).tolist() == np.argsort(numbers, kind="stable").tolist()


@pytest.mark.parametrize("way", ["plain", "compiled"])
def test_entries_are_copied(way):
    target = np.zeros(3)
    with running(way):
        copy_into(np.array([1.0, 2.0, 3.0]), target)
    assert target.tolist() == [1.0, 2.0, 3.0]


@pytest.mark.parametrize("way", ["plain", "compiled"])
def test_a_shorter_array_is_copied_to_the_front(way):
    target = np.array([9, 9, 9])
    with running(way):
        copy_into(np.array([1, 2]), target)
    assert target.tolist() == [1, 2, 9]


@pytest.mark.parametrize("way", ["plain", "compiled"])
@given(values=st.lists(st.integers(-9, 9) | st.sampled_from([np.inf, -np.inf]), min_size=1, max_size=30))
def test_minima_are_those_of_numpy(way, values):
    numbers = np.array(values, dtype=np.float64)
    with running(way):
        assert smallest(numbers) == numbers.min()
        assert place_of_smallest(numbers) == np.argmin(numbers)


@pytest.mark.parametrize("way", ["plain", "compiled"])
@given(
    values=st.lists(st.integers(-5, 5) | st.sampled_from([np.inf, -np.inf]), max_size=20),
    number=st.integers(-6, 6) | st.sampled_from([np.inf, -np.inf]),
)
def test_places_in_sorted_values_are_those_of_numpy(way, values, number):
    numbers = np.sort(np.array(values, dtype=np.float64))
    with running(way):
        assert count_below(numbers, float(number)) == np.searchsorted(numbers, number)
        assert count_up_to(numbers, float(number)) == np.searchsorted(numbers, number, side="right")


@pytest.mark.parametrize("way", ["plain", "compiled"])
def test_flags_are_counted(way):
    with running(way):
        assert [count_true(np.array(flags, dtype=bool)) for flags in ([], [False], [True, False, True])] == [0, 0, 2]
