"""What only a process of its own can show: that time limits are kept."""

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
