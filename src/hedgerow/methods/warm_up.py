"""Compiles all kernels ahead of their first use, for images and continuous integration."""

__all__ = ["warm_up_steps"]

from collections.abc import Callable
from functools import partial

import numpy as np

from hedgerow.adversary.knapsack import solve_knapsack
from hedgerow.compiled import running
from hedgerow.instance import Instance
from hedgerow.methods.registry import METHODS
from hedgerow.methods.solve import solve
from hedgerow.problems import Selection
from hedgerow.uncertainty import GlobalBudget, LocalBudget, Nominal, Uncertainty

_SECONDS = 5.0
_SIZES = 5, 24
"""Few and many samples: the methods treat them in different ways."""


def warm_up_steps() -> dict[str, Callable[[], object]]:
    """Return what compiles kernels, by name: each method on a few samples, for every kind of budget.

    Then comes a worst case that is hard to find, which the methods rarely meet, and what questions that share items
    need in addition, such as those about plans.
    """
    kinds: dict[str, Uncertainty] = {
        "no budget": Nominal(),
        "local budget": LocalBudget(1.0),
        "global budget": GlobalBudget(4.0),
    }
    steps: dict[str, Callable[[], object]] = {
        f"{method}, {kind}": partial(_run, method, uncertainty)
        for kind, uncertainty in kinds.items()
        for method in METHODS
        if not METHODS[method].needs_mip
    }
    with_plans = {
        f"{method}, {kind}, questions about plans": partial(_run, method, uncertainty, "plans")
        for kind, uncertainty in kinds.items()
        for method in ("exact", "local_search")
    }
    return steps | {"a hard worst case": _attack} | with_plans


def _run(method: str, uncertainty: Uncertainty, questions: str = "items") -> None:
    n_items = 2 if questions == "items" else 3
    for n_samples in _SIZES:
        costs = np.random.default_rng(0).uniform(1.0, 9.0, (n_samples, n_items)).round(2)
        instance = Instance.create(Selection(n_items, 1), costs, uncertainty=uncertainty, questions=questions)
        with running("compiled"):
            solve(instance, method=method, time_limit=_SECONDS, iteration_limit=3, refine=True, random_state=0)


def _attack() -> None:
    """Solve a knapsack whose gains are its costs less a constant: the first search gives up on it."""
    move_cost = np.zeros((20, 2))
    move_cost[:, 1] = np.sqrt(np.arange(2.0, 22.0))
    with running("compiled"):
        solve_knapsack(np.maximum(move_cost - 0.1, 0.0), move_cost, float(move_cost.sum()) / 3.0)
