"""How long a method goes on without a look at the clock: counted in steps over sizes, not in seconds."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from hedgerow.methods import METHODS

LIMIT = 0.05
"""Of a second that is a million lines long."""

MOST_OVER = 8.0
"""Lines beyond the limit, in millions: some hundredths of a second in compiled code."""

ROOT = Path(__file__).parents[2]

NAMES = sorted(METHODS)
"""The package's own methods: other tests add some later."""


@pytest.mark.parametrize("half", [0, 1])
def test_every_method_ends_soon_after_its_limit_on_every_size(half):
    """Many samples, solutions or columns, deep trees: no step between two looks at the clock grows beyond the bound."""
    methods = NAMES[half::2]
    done = subprocess.run(
        [sys.executable, "-m", "tests.methods.step_clock", str(LIMIT), *methods],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": os.pathsep.join([str(ROOT), str(ROOT / "src")])},
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(rows) == 14 * len(methods)
    late = [row for row in rows if row["over"] > MOST_OVER]
    assert not late
