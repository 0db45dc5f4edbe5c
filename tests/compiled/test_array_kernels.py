"""Copying, sorting and minima inside of kernels, compiled and as plain Python."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hedgerow.compiled import array_kernels

NUMBERS = st.integers(-9, 9) | st.sampled_from([np.inf, -np.inf])


@pytest.fixture(params=["compiled", "plain"], scope="module")
def run(request):
    """Return a function that runs a kernel by name."""

    def call(name, *arguments):
        kernel = getattr(array_kernels, name)
        return (kernel if request.param == "compiled" else kernel.py_func)(*arguments)

    return call


@given(values=st.lists(NUMBERS, max_size=200))
def test_the_order_is_that_of_a_stable_sort(run, values):
    numbers = np.array(values, dtype=np.float64)
    assert run("stable_order", numbers).tolist() == np.argsort(numbers, kind="stable").tolist()


@given(values=st.lists(NUMBERS, min_size=1, max_size=30))
def test_minima_are_those_of_numpy(run, values):
    numbers = np.array(values, dtype=np.float64)
    assert run("smallest", numbers) == numbers.min()
