"""The arguments of SciPy's `milp` as a linear model."""

__all__ = ["scipy_model"]

from typing import Any

import numpy as np
import scipy.sparse as sp

from hedgerow.checks import in_short, number_array
from hedgerow.errors import InputError
from hedgerow.mip.linear_model import LinearModel
from hedgerow.problems.linear import numbered


def scipy_model(
    c: Any, constraints: Any, integrality: Any, bounds: Any, names: Any = None, sense: str = "min"
) -> LinearModel:
    """Return the model that `scipy.optimize.milp` would solve with these arguments."""
    cost = number_array(c, "c")
    if cost.ndim != 1 or not cost.size:
        raise InputError(f"c must be a vector with one coefficient per variable; got shape {cost.shape}.")
    n = cost.size
    lower, upper = _bounds(bounds)
    blocks = [_block(constraint, n) for constraint in _listed(constraints)]
    matrix = sp.vstack([block[0] for block in blocks]) if blocks else sp.csr_array((0, n))
    return LinearModel.create(
        numbered(n) if names is None else names,
        cost=cost,
        sense=sense,
        integer=_integer(integrality, n),
        lower=lower,
        upper=upper,
        matrix=matrix,
        row_lower=np.concatenate([np.empty(0), *(block[1] for block in blocks)]),
        row_upper=np.concatenate([np.empty(0), *(block[2] for block in blocks)]),
    )


def _bounds(bounds: Any) -> tuple[Any, Any]:
    if bounds is None:
        return 0.0, np.inf
    if hasattr(bounds, "lb") and hasattr(bounds, "ub"):
        return bounds.lb, bounds.ub
    try:
        lower, upper = bounds
    except (TypeError, ValueError):
        raise InputError(f"bounds must be scipy's Bounds or a pair (lower, upper); got {in_short(bounds)}.") from None
    return lower, upper


def _integer(integrality: Any, n: int) -> Any:
    kinds = number_array(0 if integrality is None else integrality, "integrality")
    if kinds.shape not in {(), (n,)} or not np.isin(kinds, (0, 1)).all():
        raise InputError(
            f"integrality must be 0 (continuous) or 1 (integer) for each of the {n} variables; semi-continuous "
            "variables (2 and 3) can't be used."
        )
    return np.broadcast_to(kinds == 1, (n,))


def _listed(constraints: Any) -> list[Any]:
    if constraints is None:
        return []
    if hasattr(constraints, "A") and hasattr(constraints, "lb"):
        return [constraints]
    entries = list(constraints)
    # A triple (A, lb, ub) is one constraint; a list of such triples or objects is several.
    if len(entries) == 3 and not any(hasattr(entry, "lb") for entry in entries) and np.ndim(entries[2]) < 2:
        return [tuple(entries)]
    return entries


def _block(constraint: Any, n: int) -> tuple[sp.csr_array, Any, Any]:
    try:
        matrix, low, high = (
            (constraint.A, constraint.lb, constraint.ub) if hasattr(constraint, "A") else tuple(constraint)
        )
    except (TypeError, ValueError):
        raise InputError(
            f"constraints must be scipy's LinearConstraint or triples (A, lb, ub); got {in_short(constraint)}."
        ) from None
    dense_or_sparse: Any = matrix if sp.issparse(matrix) else np.atleast_2d(number_array(matrix, "A"))
    rows = sp.csr_array(dense_or_sparse)
    if rows.shape[1] != n:
        raise InputError(f"A must have one column for each of the {n} variables; got {rows.shape[1]}.")
    lower, upper = (np.broadcast_to(number_array(side, "lb and ub"), (rows.shape[0],)) for side in (low, high))
    return rows, lower, upper
