"""Which files of the package pytest leaves alone: those of solvers that are not installed."""

from importlib.util import find_spec

_OPTIONAL = {"src/hedgerow/mip/gurobi.py": "gurobipy", "src/hedgerow/mip/scip.py": "pyscipopt"}

collect_ignore = [path for path, module in _OPTIONAL.items() if find_spec(module) is None]
