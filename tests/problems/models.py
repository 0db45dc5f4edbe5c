"""Models from arrays in few words."""

import numpy as np

from hedgerow.problems import LinearModel, MixedIntegerProblem


def model_of(cost, rows=None, integer=0, bounds=(0.0, np.inf), *, names=None, sense="min", **options):
    """The problem of a model with rows (matrix, lower sides, upper sides); options are those of the problem."""
    n = len(cost)
    matrix, low, high = (np.empty((0, n)), [], []) if rows is None else rows
    model = LinearModel.create(
        [f"x{number}" for number in range(1, n + 1)] if names is None else names,
        cost=cost,
        matrix=matrix,
        row_lower=low,
        row_upper=high,
        lower=bounds[0],
        upper=bounds[1],
        integer=integer,
        sense=sense,
    )
    return MixedIntegerProblem(model, **options)
