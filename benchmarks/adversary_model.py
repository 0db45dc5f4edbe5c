"""The global adversary as a MIP, model apGlob in the paper: the cross-check for the compiled kernel."""

__all__ = ["solve_knapsack_mip"]

import numpy as np
import scipy.sparse as sp

from hedgerow.data.arrays import FloatArray, IntArray
from hedgerow.errors import InputError, SolverError
from hedgerow.geometry import affordable, reach_limit
from hedgerow.mip import create_model

# Solvers let a row be violated by about 1e-7; scaled by a thousand, the budget's own tolerance decides.
_MAGNIFIED = 1e3


def solve_knapsack_mip(
    gain: FloatArray, move_cost: FloatArray, budget: float, *, solver: str = "highs", time_limit: float | None = None
) -> tuple[float, IntArray]:
    """Choose one leaf per sample so that the total gain is largest and the total move cost within the budget.

    Parameters
    ----------
    gain
        What the adversary gains by sending sample j to leaf k, one row per sample.
    move_cost
        What sending it there costs, ρ[j, k] in the paper; ∞ where it can't be sent.
    budget
        Γ, the budget of all samples together.
    solver
        Name of the MIP solver.
    time_limit
        Seconds.

    Returns
    -------
    value
        The largest total gain, proven with zero gap.
    leaf
        The leaf chosen for each sample.

    Raises
    ------
    SolverError
        If the solver has no proof when its time is up, or fails.

    Examples
    --------
    Two samples in leaf 0, either of which can be moved for 3, but not both:

    >>> gain = np.array([[1.0, 5.0], [2.0, 4.0]])
    >>> move_cost = np.array([[0.0, 3.0], [0.0, 3.0]])
    >>> solve_knapsack_mip(gain, move_cost, 4.0)
    (7.0, array([1, 0]))
    """
    # A move beyond the whole budget is left out, not only one of infinite cost: at budget 0 no tolerance lets it in.
    sample, leaf = np.nonzero(affordable(move_cost, budget))
    n_samples, n_moves = gain.shape[0], sample.size
    if np.unique(sample).size < n_samples:
        raise InputError("move_cost must leave every sample a leaf within the budget; its nominal leaf costs 0.")

    model = create_model(solver)
    chosen = model.add_variables(n_moves, upper=1.0, cost=-gain[sample, leaf], integer=True)
    one_leaf = sp.csr_array((np.ones(n_moves), (sample, np.arange(n_moves))), shape=(n_samples, n_moves))
    model.add_rows(one_leaf, chosen, 1.0, 1.0)
    model.add_row(chosen, _MAGNIFIED * move_cost[sample, leaf], -np.inf, _MAGNIFIED * reach_limit(budget))

    result = model.solve(time_limit=time_limit)
    if result.status != "optimal" or result.values is None:
        raise SolverError(f"The adversary's MIP ended with status {result.status!r}. {result.message}".strip())
    taken = np.flatnonzero(result.values > 0.5)
    best = np.empty(n_samples, dtype=np.int64)
    best[sample[taken]] = leaf[taken]
    return float(gain[np.arange(n_samples), best].sum()), best
