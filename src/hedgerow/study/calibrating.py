"""A budget that fits the questions: as large as the errors that reach a tree on rows held out."""

__all__ = ["fitting_budget"]

from typing import TYPE_CHECKING, Final

import numpy as np

from hedgerow.errors import InputError
from hedgerow.problem import sign_of
from hedgerow.study.coverage import effective_errors
from hedgerow.study.held_out import Pairs, row_splits
from hedgerow.uncertainty import LocalBudget

if TYPE_CHECKING:
    from hedgerow.estimator import RobustTree

_FOLDS: Final = 2
_ROUNDS: Final = 2
"""More would not settle: most effective errors are zero, and budgets go round in circles."""


def fitting_budget(model: "RobustTree", pairs: Pairs, quantile: float = 0.9) -> LocalBudget:
    """Return the local budget that is best on rows held out, among few that follow from effective errors.

    Trees are fitted to one half of the rows and judged on the other, first without a budget, then with the quantile
    of the effective errors that the trees before had on the rows held out. Zero is among the answers.

    Parameters
    ----------
    model
        How trees are fitted; its budget is replaced. It is not changed itself.
    pairs
        Truth and readings.
    quantile
        The share of readings that should lead no farther than the budget allows.

    Examples
    --------
    >>> import numpy as np
    >>> from hedgerow import RobustTree
    >>> from hedgerow.problems import Selection
    >>> rng = np.random.default_rng(0)
    >>> truth = rng.uniform(0.0, 9.0, (40, 2))
    >>> pairs = Pairs.create(Selection(2, 1), truth, readings=truth + rng.normal(0.0, 1.0, truth.shape))
    >>> model = RobustTree(Selection(2, 1), depth=1, method="greedy", random_state=0)
    >>> fitting_budget(model, pairs).budget < 3.0
    True
    """
    from sklearn.base import clone

    if pairs.readings is None:
        raise InputError("a budget can only be fitted to errors; give readings beside the truth.")
    sign, size = sign_of(pairs.problem), 0.0
    tried: dict[float, float] = {}
    for _ in range(_ROUNDS + 1):
        cost, carried = 0.0, []
        for train, test in row_splits(min(_FOLDS, len(pairs)), len(pairs)):
            held_out = pairs.rows(test)
            assert held_out.readings is not None
            tree = pairs.rows(train).fitted(clone(model).set_params(uncertainty=LocalBudget(size))).tree_
            cost += sign * float(held_out.weights @ held_out.cost_with(tree))
            carried.append(effective_errors(tree, held_out.readings, held_out.observations))
        tried[size] = cost
        errors = np.concatenate(carried)
        size = float(np.quantile(errors[np.isfinite(errors)], quantile))
        if size in tried:
            break
    return LocalBudget(min(tried, key=lambda budget: tried[budget]))
