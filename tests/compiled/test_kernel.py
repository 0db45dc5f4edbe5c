"""Kernels: plain and compiled, where they are kept, in threads and after forks, and when they are compiled."""

import subprocess
import sys
import textwrap
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

from hedgerow.compiled import kernel, plain_python
from tests.processes import environment_of_tests

ROOT = Path(__file__).parents[2]
SECONDS = 240.0
"""For a process to end, which is far more than it needs: one that waits for ever must not stop the tests."""


class Pair(NamedTuple):
    left: float
    right: float


@kernel
def scaled(number: float) -> float:
    return 2.0 * number


@kernel
def total(values: np.ndarray, pair: Pair) -> float:
    out = 0.0
    for value in values:
        out += scaled(value) + pair.left / pair.right
    return out


@kernel
def same(value):
    return value


@kernel
def twice_seen(value):
    return same(value) + same(value)


@kernel(fastmath={"nnan"})
def smallest(values: np.ndarray) -> float:
    best = np.inf
    for value in values:
        best = min(best, value)
    return best


def test_a_kernel_gives_the_same_in_plain_python_and_compiled():
    for run in (total, total.py_func):
        assert run(np.array([1.0, 2.5]), Pair(1.0, 4.0)) == 7.5
    for run in (smallest, smallest.py_func):
        assert run(np.array([3.0, 2.0])) == 2.0


def test_a_kernel_runs_as_plain_python_with_the_kernels_that_it_calls():
    with plain_python():
        assert twice_seen("text") == "texttext"
    assert twice_seen(1.5) == 3.0


def python(script: str, **environment: str) -> tuple[str, str]:
    """Return what a script prints, and what it says on standard error."""
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(script)],
        env={**environment_of_tests(), **environment},
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout, done.stderr


def test_without_a_folder_that_can_be_written_to_kernels_are_compiled_for_the_process(tmp_path):
    for name in ("__pycache__", "file"):
        (tmp_path / name).touch()
    (tmp_path / "doubled.py").write_text(
        "from hedgerow.compiled import kernel\n\n@kernel\ndef double(number):\n    return 2.0 * number\n"
    )
    nowhere = str(tmp_path / "file" / "folder")
    out, _ = python(
        f"""
        import sys
        sys.path.insert(0, {str(tmp_path)!r})
        from doubled import double
        print(double(1.5), double.compiled.stats.cache_path)
        """,
        NUMBA_CACHE_DIR=nowhere,
        XDG_CACHE_HOME=nowhere,
        HOME=nowhere,
    )
    assert out.split() == ["3.0", "None"]


def folder_for(package: Path) -> str:
    command = [sys.executable, str(ROOT / ".ci" / "kernel_cache.py"), str(package)]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


def test_the_cache_gets_another_folder_when_a_kernel_in_another_file_changes(tmp_path):
    """Numba itself doesn't notice the change of a callee in another file."""
    package = tmp_path / "tiny"
    package.mkdir()
    (package / "__init__.py").touch()
    (package / "constants.py").write_text("FACTOR = 2.0\n")
    (package / "words.py").write_text("GREETING = 'hello'\n")
    (package / "callee.py").write_text(
        "from hedgerow.compiled import kernel\nfrom tiny.constants import FACTOR\n\n"
        "@kernel\ndef scaled(number):\n    return FACTOR * number\n"
    )
    (package / "caller.py").write_text(
        "from hedgerow.compiled import kernel\nfrom tiny.callee import scaled\n\n"
        "@kernel\ndef twice(number):\n    return 2.0 * scaled(number)\n"
    )
    folders = []

    def value() -> float:
        folders.append(folder_for(package))
        cache = tmp_path / Path(folders[-1]).name
        script = f"import sys; sys.path.insert(0, {str(tmp_path)!r}); from tiny.caller import twice; print(twice(1.5))"
        return float(python(script, NUMBA_CACHE_DIR=str(cache), PYTHONDONTWRITEBYTECODE="1")[0])

    assert value() == 6.0
    (package / "words.py").write_text("GREETING = 'good morning'\n")
    assert value() == 6.0
    assert folders[0] == folders[1]
    callee = package / "callee.py"
    callee.write_text(callee.read_text().replace("FACTOR * number", "FACTOR * number + 1.0"))
    assert value() == 8.0
    (package / "constants.py").write_text("FACTOR = 4.0\n")
    assert value() == 14.0
    assert len(set(folders)) == 3


# With so little time kernels are compiled first, however small the instance is.
_FIT = """
    import os, sys, threading
    from hedgerow import Instance, LocalBudget, solve
    from hedgerow.problems import Selection

    def fit():
        instance = Instance.create(Selection(2, 1), [[1.0, 3.0], [4.0, 2.0]], uncertainty=LocalBudget(0.1), depth=1)
        return solve(instance, method="exact", time_limit=9.0, random_state=0).objective
"""


def test_two_threads_fit_where_nothing_is_compiled_yet(tmp_path):
    """Kernels are compiled once, which is announced once; on the next start they are loaded, which is not."""
    script = (
        _FIT
        + """
    from concurrent.futures import ThreadPoolExecutor
    with ThreadPoolExecutor(2) as pool:
        print(*[each.result() for each in [pool.submit(fit), pool.submit(fit)]])
    """
    )
    out, err = python(script, NUMBA_CACHE_DIR=str(tmp_path))
    assert out.split() == ["3.0", "3.0"]
    assert err.count("Compiling kernels, once for this machine") == 1
    out, err = python(script, NUMBA_CACHE_DIR=str(tmp_path))
    assert out.split() == ["3.0", "3.0"]
    assert err == ""


def test_a_process_that_is_forked_while_another_thread_compiles_can_fit(tmp_path):
    out, _ = python(
        _FIT
        + """
    import signal
    from hedgerow.compiled import count_loaded
    other = threading.Thread(target=fit)
    other.start()
    while count_loaded() == 0:
        pass
    child = os.fork()
    if child == 0:
        signal.alarm(120)
        os._exit(0 if fit() == 3.0 else 1)
    _, status = os.waitpid(child, 0)
    other.join()
    print(status, fit())
    """,
        NUMBA_CACHE_DIR=str(tmp_path),
    )
    assert out.split() == ["0", "3.0"]


@pytest.mark.parametrize("n_samples", [6, 30])
@pytest.mark.parametrize("budget", ["Nominal()", "LocalBudget(0.5)", "GlobalBudget(2.0)"])
def test_nothing_is_compiled_or_loaded_on_the_clock(budget, n_samples):
    """A tiny instance of the same kind has all kernels that a fit needs."""
    out, _ = python(
        f"""
        import numpy as np
        from hedgerow import GlobalBudget, Instance, LocalBudget, Nominal, solve
        from hedgerow.compiled import count_loaded
        from hedgerow.methods.warm_up import prepare
        from hedgerow.problems import Selection
        from hedgerow.run import Options

        costs = np.random.default_rng(1).uniform(1.0, 9.0, ({n_samples}, 4)).round(2)
        instance = Instance.create(Selection(4, 2), costs, uncertainty={budget})
        for method in ("exact", "local_search", "greedy"):
            options = Options(method=method, time_limit=20.0, iteration_limit=20)
            prepare(instance, options)
            before = count_loaded()
            solve(instance, options, random_state=0)
            print(method, count_loaded() - before)
        """
    )
    assert out.split() == ["exact", "0", "local_search", "0", "greedy", "0"]


def test_nothing_is_compiled_or_loaded_on_the_clock_of_deep_trees():
    """Trees of depth 3 are bounded by trees of depth 2 on the sides of a root, which a tiny instance must need, too."""
    out, _ = python(
        """
        from hedgerow import Instance, LocalBudget, solve
        from hedgerow.compiled import count_loaded
        from hedgerow.datasets import paper_shortest_path
        from hedgerow.methods.warm_up import prepare
        from hedgerow.run import Options

        problem, train, _ = paper_shortest_path(seed_id=0, n_samples=12)
        instance = Instance.create(problem, train, uncertainty=LocalBudget(fraction=0.05), depth=3)
        options = Options(method="exact", time_limit=20.0, thresholds="midpoints")
        prepare(instance, options)
        before = count_loaded()
        print(solve(instance, options, random_state=0).status, count_loaded() - before)
        """
    )
    assert out.split() == ["optimal", "0"]


def test_the_first_small_fit_needs_no_kernels_and_the_second_gives_the_same_tree_with_them(tmp_path):
    out, err = python(
        """
        from hedgerow import Instance, LocalBudget, solve
        from hedgerow.compiled import count_loaded
        from hedgerow.datasets import paper_shortest_path

        problem, train, _ = paper_shortest_path(seed_id=0, n_samples=5)
        instance = Instance.create(problem, train, uncertainty=LocalBudget(fraction=0.2))
        first = solve(instance, method="exact", random_state=0)
        print(first.status, count_loaded())
        second = solve(instance, method="exact", random_state=0)
        print(second.tree == first.tree, second.lower_bound == first.lower_bound, count_loaded() > 0)
        """,
        NUMBA_CACHE_DIR=str(tmp_path),
    )
    assert out.split() == ["optimal", "0", "True", "True", "True"]
    assert "Compiling kernels" in err
