"""Records: the same fields for Python and for compiled code."""

import pickle
from typing import NamedTuple

import numpy as np
import pytest

from hedgerow.compiled import kernel, record, running


@record
class Inner(NamedTuple):
    numbers: np.ndarray
    flags: np.ndarray


@record
class Outer(NamedTuple):
    count: int
    cube: np.ndarray
    active: bool
    inner: Inner
    grid: np.ndarray
    factor: float


@kernel
def read(outer: Outer, out: np.ndarray) -> None:
    out[0], out[1], out[2] = outer.count, outer.factor, 1.0 if outer.active else 0.0
    out[3], out[4] = outer.inner.numbers[-1], 1.0 if outer.inner.flags[1] else 0.0
    out[5], out[6] = outer.cube[1, 2, 3], outer.grid[2, 1]
    out[7] = outer.cube.shape[0] * 100 + outer.cube.shape[1] * 10 + outer.cube.shape[2]
    out[8], out[9] = outer.cube.size, outer.inner.numbers.size
    total = 0.0
    for row in outer.grid:
        for number in row:
            total += number
    out[10] = total
    part = outer.cube[1]
    out[11] = part[0].sum()


@kernel
def write(inner: Inner) -> None:
    inner.numbers[0] = 7
    inner.flags[:] = True


def outer() -> Outer:
    cube, grid = np.arange(24.0).reshape(2, 3, 4), np.arange(6.0).reshape(3, 2)
    return Outer(-3, cube, True, Inner(np.array([4, -5]), np.array([False, True])), grid, -0.25)


def test_compiled_code_reads_the_same_fields() -> None:
    found = {}
    for way in ("plain", "compiled"):
        found[way] = np.zeros(12)
        with running(way):
            read(outer(), found[way])
    assert found["compiled"].tolist() == found["plain"].tolist()
    assert found["plain"].tolist() == [-3, -0.25, 1, -5, 1, 23, 5, 234, 24, 2, 15, 54]


def test_compiled_code_writes_into_the_arrays() -> None:
    inner = outer().inner
    with running("compiled"):
        write(inner)
    assert inner.numbers.tolist() == [7, -5]
    assert inner.flags.all()


def test_copies_and_changed_records_have_addresses_of_their_own() -> None:
    first, out = outer(), np.zeros(12)
    with running("compiled"):
        read(first, out)
        other = pickle.loads(pickle.dumps(first._replace(factor=2.0)))
        assert type(other) is Outer
        assert first.address not in (other.address, first._replace(count=1).address)
        read(other, out)
    assert out[1] == 2.0
    assert out[5] == 23.0


def test_read_only_arrays_need_no_other_code() -> None:
    given = outer()
    given.cube.flags.writeable = False
    out = np.zeros(12)
    with running("compiled"):
        read(outer(), out)
        read(given, out)
    assert len(read.compiled.signatures) == 1


def test_empty_arrays() -> None:
    out = np.zeros(12)
    with running("compiled"):
        empty = outer()._replace(grid=np.empty((0, 2)))
        read(empty, out)
    assert out[10] == 0.0


def test_an_array_that_is_not_contiguous_is_refused() -> None:
    out = np.zeros(12)
    with running("compiled"), pytest.raises(ValueError, match="must be contiguous"):
        read(outer()._replace(grid=np.arange(12.0).reshape(6, 2)[::2]), out)
