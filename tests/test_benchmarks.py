"""The benchmarks are named in one table, and each of them can be run."""

from importlib import import_module

import pytest

from benchmarks import __main__ as command_line


@pytest.mark.parametrize("name", command_line.BENCHMARKS)
def test_every_benchmark_in_the_table_can_be_run(name):
    assert callable(import_module(command_line.BENCHMARKS[name]).run)
