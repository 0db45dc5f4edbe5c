"""Small random instances with every option of an uncertainty set, for tests of the engine."""

import numpy as np

from hedgerow import Instance, LocalBudget
from hedgerow.problems import ExplicitSet
from hedgerow.run import Options


def world(rng, *, kind=LocalBudget, most_samples=4, lattice=None):
    """Return an instance and options; values lie on a lattice half of the time, so that events coincide."""
    n_samples, n_items = int(rng.integers(1, most_samples + 1)), int(rng.integers(1, 3))
    lattice = bool(rng.integers(2)) if lattice is None else lattice
    observations = (
        rng.integers(0, 5, (n_samples, n_items)) * 1.0 if lattice else rng.uniform(0, 5, (n_samples, n_items))
    )
    costs = rng.integers(-4, 9, (n_samples, 3)).astype(float)
    given = {}
    if rng.random() < 0.3:
        given["limits"] = rng.integers(0, 5, (n_samples, n_items)) * 0.5
    if rng.random() < 0.3:
        given["prices"] = rng.choice([0.5, 1.0, 2.0], n_items)
    budget = rng.integers(0, 6) * 0.5 if lattice else rng.uniform(0.0, 3.0)
    if kind is LocalBudget and rng.random() < 0.4:
        budget = rng.integers(0, 6, n_samples) * 0.5
    problem = ExplicitSet(
        np.unique(rng.integers(0, 2, (3, 3)), axis=0).astype(float), sense="max" if rng.random() < 0.3 else "min"
    )
    instance = Instance.create(
        problem,
        costs,
        observed=observations,
        weights=rng.choice([0.5, 1.0, 2.0], n_samples),
        uncertainty=kind(budget, epsilon=float(rng.choice([0.001, 0.25, 0.5])), **given),
        depth=int(rng.integers(1, 3)),
    )
    options = Options(
        method="exact",
        thresholds="continuous",
        threshold_margin=float(rng.choice([0.0, 0.0, 0.002, 0.25])),
        min_samples_leaf=min(n_samples, int(rng.choice([0, 0, 0, 1, 2]))),
        max_leaves=None if rng.random() < 0.6 else int(rng.integers(1, 5)),
        time_limit=None,
    )
    return instance, options


def assert_no_bound_is_above(intervals, whole, at):
    """Divide an interval down to a root's threshold: on the way no bound may pass the best tree there."""
    tree = intervals.settled(whole._replace(low=at, high=at), np.inf, lambda: False)
    part = whole
    while part is not None:
        part = intervals.bounded(part, tree.value + 1e-6, lambda: False)
        assert part.bound <= tree.value + 1e-9
        parts = intervals.divided(part, tree.value + 1e-6) or []
        part = next((each for each in parts if each.low <= at <= each.high), None)
