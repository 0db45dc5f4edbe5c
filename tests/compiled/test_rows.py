"""Arithmetic on rows is the same in plain Python, in loops and compiled."""

import numpy as np
import pytest

from hedgerow.compiled import running
from hedgerow.compiled.array_kernels import add_to, fill
from hedgerow.methods.refine_kernel import _transpose
from hedgerow.methods.search.division import _add_worth

RNG = np.random.default_rng(0)
ROWS = RNG.normal(size=(3, 7))


def changed(function, *arguments):
    """Return the arrays among the arguments after a call on copies of them."""
    copies = [np.copy(one) if isinstance(one, np.ndarray) else one for one in arguments]
    function(*copies)
    return [one for one in copies if isinstance(one, np.ndarray)]


@pytest.mark.parametrize(
    ("kernel", "arguments", "expected"),
    [
        (add_to, (ROWS[0], 1.0, ROWS[1]), [ROWS[0] + ROWS[1], ROWS[1]]),
        (add_to, (ROWS[0], -1.0, ROWS[1]), [ROWS[0] - ROWS[1], ROWS[1]]),
        (fill, (ROWS[0], 0.25), [np.full(7, 0.25)]),
        (
            _add_worth,
            (0.1, *ROWS),
            [ROWS[0], ROWS[1] + np.maximum(0.1, ROWS[0]), ROWS[2] + np.maximum(0.1, ROWS[0])],
        ),
        (_transpose, (ROWS, np.empty((7, 3))), [ROWS, ROWS.T]),
    ],
)
def test_all_ways_to_run_give_the_same(kernel, arguments, expected):
    found = [changed(kernel.function, *arguments)]
    for way in ("plain", "compiled"):
        with running(way):
            found.append(changed(kernel, *arguments))
    for arrays in found:
        assert all(np.array_equal(one, other) for one, other in zip(arrays, expected, strict=True))
