"""Kernels: plain and compiled, on disk, in several processes, and what people see of it."""

import gc
import os
import pickle
import subprocess
import sys
import textwrap
from itertools import chain, repeat
from typing import NamedTuple

import numba
import numpy as np
import pytest

from hedgerow.compiled import expect, kernel, running
from hedgerow.compiled.notice import compiling
from hedgerow.compiled.places import fingerprint, folders, parts_of
from hedgerow.run import Deadline

_SCALE = 2.0


class Pair(NamedTuple):
    left: float
    right: float


@kernel
def scaled(number: float) -> float:
    return _SCALE * number


@kernel
def total(values: np.ndarray, pair: Pair) -> float:
    out = 0.0
    for value in values:
        out += scaled(value) + pair.left / pair.right
    return out


@kernel(fastmath={"nnan"})
def smallest(values: np.ndarray) -> float:
    best = np.inf
    for value in values:
        best = min(best, value)
    return best


@pytest.mark.parametrize("way", ["plain", "compiled"])
def test_a_kernel_gives_the_same_in_plain_python_and_compiled(way):
    with running(way):
        assert total(np.array([1.0, 2.5]), Pair(1.0, 4.0)) == 7.5
        assert smallest(np.array([3.0, 2.0])) == 2.0


def test_a_kernel_that_has_run_for_long_in_plain_python_is_compiled():
    @kernel
    def double(number: float) -> float:
        return 2.0 * number

    with running("auto"):
        assert double(1.5) == 3.0
        assert double._compiled is None
        double._plain_seconds_left = 0.0
        assert double(1.5) == 3.0
    assert double._compiled is not None


@pytest.mark.parametrize(("seconds", "is_compiled"), [(0.0, False), (60.0, True)])
def test_a_kernel_that_is_expected_to_take_long_is_compiled_at_once(seconds, is_compiled):
    @kernel
    def triple(number: float) -> float:
        return 3.0 * number

    with running("auto"):
        expect(triple, seconds)
        assert triple(1.5) == 4.5
    assert (triple._compiled is not None) == is_compiled


def test_a_kernel_that_takes_too_long_in_plain_python_begins_again_with_its_arguments_as_they_were(monkeypatch):
    ticks = chain([0.0, 0.0], repeat(9.0))
    monkeypatch.setattr("hedgerow.compiled.kernels.time.thread_time", lambda: next(ticks))
    monkeypatch.setattr("hedgerow.compiled.kernels._LOOK_EVERY", -1.0)

    @kernel
    def add_one(values: np.ndarray) -> None:
        values[0] += 1.0

    @kernel
    def add_two(values: np.ndarray) -> None:
        add_one(values)
        add_one(values)

    values = np.zeros(1)
    with running("auto"):
        add_two(values)
    assert values[0] == 2.0
    assert add_two._compiled is not None


def test_large_arrays_are_left_to_compiled_code():
    @kernel
    def first(values: np.ndarray) -> float:
        return values[0]

    with running("auto"):
        assert first(np.ones(10)) == 1.0
        assert first._compiled is None
        assert first(np.ones(5000)) == 1.0
    assert first._compiled is not None


def test_kernels_that_call_others_may_have_larger_arrays():
    """They look at the clock when they do, so that they can't go on for long."""

    @kernel
    def first(values: np.ndarray) -> float:
        return values[0]

    @kernel
    def second(values: np.ndarray) -> float:
        return first(values[1:])

    with running("auto"):
        assert second(np.ones(5000)) == 1.0
        assert second._compiled is None
        assert second(np.ones(500_000)) == 1.0
    assert second._compiled is not None


def test_plain_python_is_as_silent_about_infinities_as_compiled_code(recwarn):
    @kernel
    def difference(values: np.ndarray) -> float:
        return values[0] - values[1]

    with running("plain"):
        assert np.isnan(difference(np.array([np.inf, np.inf])))
    assert not recwarn.list


def test_a_fingerprint_tells_the_kernels_and_constants_that_are_compiled_into_a_kernel(monkeypatch):
    before, alone = fingerprint(total), fingerprint(smallest)
    assert parts_of(total) == [total, scaled]
    monkeypatch.setitem(globals(), "_SCALE", 3.0)
    assert fingerprint(total) != before
    assert fingerprint(smallest) == alone


def test_a_fingerprint_changes_with_the_code_of_a_kernel_that_is_called(monkeypatch):
    before = fingerprint(total)

    def scaled(number: float) -> float:
        return _SCALE * number + 1.0

    monkeypatch.setitem(globals(), "scaled", kernel(scaled))
    assert fingerprint(total) != before


def python(script: str, **environment: str) -> subprocess.Popen:
    settings = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path)), **environment}
    return subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(script)],
        env={name: value for name, value in settings.items() if value},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


_CALL = """
    import numpy as np
    from numba.core import event
    from tests.compiled.test_kernel import Pair, total
    with event.install_recorder("numba:compile") as compiled:
        print(total(np.array([1.0, 2.5]), Pair(1.0, 4.0)), len(compiled.buffer) > 0)
"""


def test_processes_share_what_one_of_them_compiles(tmp_path):
    """Two that start at once compile it once: the other one waits, and loads it."""
    racing = [python(_CALL, NUMBA_CACHE_DIR=str(tmp_path)) for _ in range(2)]
    printed = sorted(process.communicate()[0].split()[1] for process in racing)
    assert printed == ["False", "True"]
    assert python(_CALL, NUMBA_CACHE_DIR=str(tmp_path)).communicate()[0].split() == ["7.5", "False"]


def test_a_damaged_index_of_compiled_kernels_is_replaced(tmp_path):
    """So is one that names types of a version in which they lay elsewhere."""
    python(_CALL, NUMBA_CACHE_DIR=str(tmp_path)).communicate()
    (index,) = (tmp_path / "hedgerow").glob("*total*.nbi")
    version = pickle.dumps(numba.__version__)
    for damaged in (version, version + b"no pickle", version + b"cgone\nType\n."):
        index.write_bytes(damaged)
        assert python(_CALL, NUMBA_CACHE_DIR=str(tmp_path)).communicate()[0].split() == ["7.5", "True"]
    assert python(_CALL, NUMBA_CACHE_DIR=str(tmp_path)).communicate()[0].split() == ["7.5", "False"]


def test_without_a_place_to_keep_them_kernels_are_compiled_in_memory(tmp_path):
    (tmp_path / "file").touch()
    out, err = python(
        "from hedgerow.compiled import places, store\n"
        f"places.folders = store.folders = lambda: [places.Path({str(tmp_path / 'file' / 'folder')!r})]\n"
        + textwrap.dedent(_CALL)
    ).communicate()
    assert out.split() == ["7.5", "True"]
    assert "Set NUMBA_CACHE_DIR to a folder that can be written to." in err
    assert "Traceback" not in err


def test_python_shows_once_that_kernels_are_compiled(tmp_path):
    twice = _CALL + "    total(np.array([1, 2]), Pair(1, 4))\n"
    _, err = python(twice, NUMBA_CACHE_DIR=str(tmp_path)).communicate()
    assert err.splitlines() == [f"Compiling kernels, once for this machine; they are kept in {tmp_path / 'hedgerow'} …"]
    assert python(_CALL, NUMBA_CACHE_DIR=str(tmp_path)).communicate()[1] == ""


def test_the_clock_of_a_run_stands_still_while_kernels_are_compiled(monkeypatch):
    now = [100.0]
    monkeypatch.setattr("hedgerow.compiled.notice.time.monotonic", lambda: now[0])
    deadline = Deadline(5.0)
    with compiling(1, None):
        now[0] += 60.0
        assert deadline.elapsed() == 0.0
    now[0] += 2.0
    assert deadline.remaining() == pytest.approx(3.0)


def test_code_of_others_may_call_kernels_and_what_was_compiled_for_them(tmp_path):
    """Only whole kernels become machine code; Numba must still find all parts of what it links elsewhere."""
    out, err = python(
        """
        import numba
        import numpy as np
        from tests.compiled.test_kernel import Pair, total, scaled
        print(total(np.array([1.0, 2.5]), Pair(1.0, 4.0)))

        @numba.njit
        def other(values):
            made = np.zeros(values.size)
            made[:] = values
            return total(made, Pair(1.0, 4.0)) + scaled(np.sort(values).sum())

        print(other(np.array([1.0, 2.5])))
        """,
        NUMBA_CACHE_DIR=str(tmp_path),
    ).communicate()
    assert out.split() == ["7.5", "14.5"], err


def test_kernels_lie_beside_the_package_or_in_the_user_s_folder_unless_numba_has_one(monkeypatch, tmp_path):
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    assert folders() == [tmp_path / "hedgerow"]
    monkeypatch.delenv("NUMBA_CACHE_DIR")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert folders()[1:] == [tmp_path / "hedgerow" / "kernels"]


@pytest.mark.parametrize("collects", [True, False])
def test_garbage_is_collected_after_a_compilation_as_before(collects):
    from hedgerow.compiled.numba_functions import lean

    (gc.enable if collects else gc.disable)()
    try:
        with lean():
            assert not gc.isenabled()
        assert gc.isenabled() == collects
    finally:
        gc.enable()
