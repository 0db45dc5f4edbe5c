"""What pytest leaves alone in the package, for want of an optional package; and figures close after each test."""

import os
import sys
from collections.abc import Iterator
from importlib.util import find_spec

import pytest

_OPTIONAL = {
    "src/hedgerow/data/parquet_files.py": "pyarrow",
    "src/hedgerow/export/onnx.py": "onnx",
    "src/hedgerow/mip/gurobi.py": "gurobipy",
}

collect_ignore = [path for path, module in _OPTIONAL.items() if find_spec(module) is None]

os.environ.setdefault("MPLBACKEND", "agg")  # no test opens a window


@pytest.fixture(autouse=True)
def close_figures() -> Iterator[None]:
    """Close what a test drew: matplotlib warns about figures that pile up."""
    yield
    if "matplotlib.pyplot" in sys.modules:
        sys.modules["matplotlib.pyplot"].close("all")
