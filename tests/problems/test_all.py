"""The room's public face."""

import subprocess
import sys

import hedgerow.problems


def test_all_names_are_there_and_sorted():
    names = hedgerow.problems.__all__
    assert sorted(names) == list(names)
    assert all(hasattr(hedgerow.problems, name) for name in names)


def test_importing_the_problems_does_not_import_networkx():
    code = "import sys, hedgerow.problems, hedgerow.datasets; print('networkx' in sys.modules)"
    answer = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert answer.strip() == "False"
