"""Small instances give the same trees compiled and in plain Python, which NUMBA_DISABLE_JIT=1 chooses."""

import json
import subprocess
import sys

import numpy as np
import pytest

from hedgerow import GlobalBudget, Instance, LocalBudget, Nominal, solve
from hedgerow.methods import METHODS
from hedgerow.problems import ShortestPath
from tests.processes import environment_of_tests

KINDS = {"none": Nominal(), "local": LocalBudget(2.0), "global": GlobalBudget(6.0)}


def fits(kind):
    """Return per method what is known of its tree."""
    costs = np.random.default_rng(3).uniform(5.0, 15.0, (4, 12)).round(2)
    instance = Instance.create(ShortestPath.grid(3), costs, uncertainty=KINDS[kind])
    results = {
        method: solve(instance, method=method, iteration_limit=2, time_limit=None, refine=True, random_state=0)
        for method in METHODS
        if not METHODS[method].needs_mip
    }
    return {
        method: [result.objective, result.lower_bound, repr(result.tree), repr(result.refined.tree)]
        for method, result in results.items()
    }


@pytest.mark.parametrize("kind", KINDS)
def test_plain_python_and_compiled_code_give_the_same_tree(kind):
    done = subprocess.run(
        [
            sys.executable,
            "-c",
            f"import json\nfrom tests.compiled.test_same_trees import *\nprint(json.dumps(fits({kind!r})))",
        ],
        env={**environment_of_tests(), "NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == fits(kind)
