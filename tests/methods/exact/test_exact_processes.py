"""What only a process of its own can show: that nothing is left to compile, and that time limits are kept."""

import os
import subprocess
import sys
import textwrap

import pytest


def run(script, timeout):
    """Run a script in a new interpreter and return what it printed; fail if it takes too long."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    try:
        done = subprocess.run(
            [sys.executable, "-c", textwrap.dedent(script)],
            capture_output=True,
            text=True,
            env=environment,
            timeout=timeout,
            check=False,
        )
    except subprocess.TimeoutExpired:
        pytest.fail(f"still running after {timeout} s")
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


@pytest.mark.parametrize("kind", ["LocalBudget", "GlobalBudget"])
@pytest.mark.parametrize("n_samples", [4, 22])
def test_warming_up_leaves_nothing_to_compile(kind, n_samples):
    """Compilation takes a minute, and must not happen once the clock runs."""
    compiled_late = run(
        f"""
        import sys
        import numpy as np
        from numba.core.registry import CPUDispatcher
        from hedgerow import {kind}, Instance, solve
        from hedgerow.methods.registry import METHODS
        from hedgerow.problems import Selection

        def signatures():
            found = dict()
            for name, module in list(sys.modules.items()):
                if name.startswith("hedgerow"):
                    for value in vars(module).values():
                        if isinstance(value, CPUDispatcher):
                            function = value.py_func
                            found[function.__module__ + "." + function.__name__] = len(value.signatures)
            return found

        costs = np.random.default_rng(0).integers(1, 9, ({n_samples}, 3)).astype(float)
        instance = Instance.create(Selection(3, 1), costs, uncertainty={kind}(0.5))
        METHODS["exact"].warm_up(instance)
        before = signatures()
        solve(instance, method="exact", random_state=0, iteration_limit=3)
        after = signatures()
        print(*[name for name in after if after[name] > before.get(name, 0) and ".adversary." not in name])
        """,
        timeout=600,
    )
    assert compiled_late == []


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "n_samples"), [("LocalBudget", 40), ("GlobalBudget", 20), ("GlobalBudget", 40)])
def test_a_time_limit_is_kept_where_there_are_many_samples_and_solutions(kind, n_samples):
    """4368 solutions: neither tables over subsets nor a single leaf problem may run on for ever."""
    seconds = run(
        f"""
        import time
        import numpy as np
        from hedgerow import {kind}, Instance, solve
        from hedgerow.methods.registry import METHODS
        from hedgerow.problems import Selection

        rng = np.random.default_rng(0)
        for n_samples in (18, 20, 40, {n_samples}):
            costs = rng.uniform(1.0, 9.0, (n_samples, 16))
            rng.uniform(1.0, 9.0, (4, 16))
        instance = Instance.create(Selection(16, 5), costs, uncertainty={kind}(fraction=0.05))
        METHODS["exact"].warm_up(instance)
        start = time.monotonic()
        result = solve(instance, method="exact", time_limit=2.0, random_state=0)
        instance.check_tree(result.tree)
        assert result.status in ("time_limit", "optimal"), result
        print(time.monotonic() - start)
        """,
        timeout=60,
    )
    assert float(seconds[0]) < 6.0
