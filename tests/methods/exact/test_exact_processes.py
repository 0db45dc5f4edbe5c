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
