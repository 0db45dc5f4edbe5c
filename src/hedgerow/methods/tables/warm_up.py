"""A tiny search space of the same kind as a given instance, to load or compile kernels with."""

__all__ = ["tiny_space"]

import numpy as np

from hedgerow.instance import Instance
from hedgerow.methods.pool import SolutionPool
from hedgerow.methods.tables.space import SearchSpace
from hedgerow.methods.tables.subsets import subset_costs
from hedgerow.methods.undominated import undominated
from hedgerow.problems import ExplicitSet
from hedgerow.run import Settings
from hedgerow.splits import candidate_splits
from hedgerow.uncertainty import GlobalBudget, LocalBudget


def tiny_space(instance: Instance) -> SearchSpace:
    """Return a space of three samples with the instance's kind of budget, and trees of depth 2."""
    problem = ExplicitSet(np.eye(2))
    costs = np.array([[1.0, 4.0], [2.0, 2.0], [4.0, 1.0]])
    kind = GlobalBudget if isinstance(instance.uncertainty, GlobalBudget) else LocalBudget
    tiny = Instance.create(problem, costs, uncertainty=kind(1.0))
    pool = SolutionPool(tiny, complete=True)
    pool.add(np.eye(2))
    undominated(pool.losses)
    return SearchSpace(tiny, Settings(), candidate_splits(costs), pool, subset_costs(pool.losses))
