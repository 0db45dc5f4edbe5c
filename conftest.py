"""Which files of the package pytest leaves alone: those that need a package that is not installed."""

from importlib.util import find_spec

_OPTIONAL = {
    "src/hedgerow/cli/parquet_files.py": "pyarrow",
    "src/hedgerow/mip/gurobi.py": "gurobipy",
    "src/hedgerow/mip/scip.py": "pyscipopt",
}

collect_ignore = [path for path, module in _OPTIONAL.items() if find_spec(module) is None]
