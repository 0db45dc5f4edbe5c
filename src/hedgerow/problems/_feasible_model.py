"""A feasible set as a model that a solver can take costs for."""

__all__ = ["model_of"]

from hedgerow.mip import MipModel, create_model
from hedgerow.problem import FeasibleSet


def model_of(feasible: FeasibleSet, *, relaxed: bool = False) -> MipModel:
    """Return a feasible set as a model without costs; a relaxed one asks no column to be whole.

    A solver's object can't be pickled, and a problem must be: so problems keep the feasible set and make models anew.
    """
    model = create_model()
    columns = model.add_variables(
        feasible.n_columns, lower=feasible.lower, upper=feasible.upper, integer=feasible.integer & (not relaxed)
    )
    if feasible.row_lower.size:
        model.add_rows(feasible.matrix, columns, feasible.row_lower, feasible.row_upper)
    return model
