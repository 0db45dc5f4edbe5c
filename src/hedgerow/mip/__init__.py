"""Models for MIP solvers. No other part of the package imports a solver.

`create_model` returns an empty model, to be filled with arrays and solved. A solver's package is imported only when a
model for it is created.
"""

__all__ = ["MipModel", "MipResult", "MipStatus", "available_solvers", "create_model"]

from hedgerow.mip.model import MipModel, MipResult, MipStatus
from hedgerow.mip.solvers import available_solvers, create_model
