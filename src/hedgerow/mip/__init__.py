"""Models for MIP solvers. No other part of the package imports a solver.

`create_model` returns an empty model, to be filled with arrays and solved. A new solver is a file and a line in the
table here; its package is imported only when a model for it is created.
"""

__all__ = ["MipModel", "MipResult", "MipStatus", "create_model"]

import importlib
from typing import Final

from hedgerow.data.checks import in_short
from hedgerow.errors import InputError, SolverError
from hedgerow.mip.model import MipModel, MipResult, MipStatus

_SOLVERS: Final = {"highs": ("HighsModel", "highspy"), "gurobi": ("GurobiModel", "hedgerow[gurobi]")}
"""Per solver the class in its file here, and what pip installs."""


def create_model(solver: str = "highs") -> MipModel:
    """Return an empty model for the named solver.

    Raises
    ------
    InputError
        If there is no solver of that name.
    SolverError
        If the solver is not installed, or has no licence.
    """
    if solver not in _SOLVERS:
        raise InputError(f"solver must be one of {', '.join(map(repr, _SOLVERS))}; got {in_short(solver)}.")
    model_class, install = _SOLVERS[solver]
    try:
        module = importlib.import_module(f"hedgerow.mip.{solver}")
    except ImportError as error:
        raise SolverError(
            f"The solver {solver!r} can't be loaded ({error}); pip install {install} brings it."
        ) from error
    model: MipModel = getattr(module, model_class)()
    return model
