"""The only room that knows a MIP solver.

The other rooms ask `create_model` for a model, fill it with arrays and solve it; a solver's own package is imported
only when a model for it is made.
"""

__all__ = ["MipModel", "MipResult", "MipStatus", "available_solvers", "create_model"]

from hedgerow.mip.model import MipModel, MipResult, MipStatus
from hedgerow.mip.registry import available_solvers, create_model
