"""What held-out readings are put through before a tree is judged: nothing, errors like those observed, or the worst."""

__all__ = ["Perturbation", "checked_perturbation", "perturbed_cost"]

from typing import Any, TypeAlias

import numpy as np

from hedgerow.arrays import FloatArray
from hedgerow.checks import finite_matrix
from hedgerow.evaluate import evaluate
from hedgerow.instance import Instance
from hedgerow.tree import Tree
from hedgerow.uncertainty import GlobalBudget, LocalBudget, Nominal, Uncertainty

Perturbation: TypeAlias = FloatArray | Uncertainty
"""Errors of readings, one row each, or a set with an absolute budget."""


def checked_perturbation(perturbation: Any, n_samples: int, n_features: int) -> tuple[Perturbation | None, str]:
    """Return the perturbation and how it reads in a sentence; None where there is none."""
    if perturbation is None:
        return None, "as read, on samples held out"
    if isinstance(perturbation, Nominal | LocalBudget | GlobalBudget):
        perturbation.check_fits(n_samples, n_features)
        return perturbation, "in the worst case, on samples held out"
    errors = finite_matrix(perturbation, "perturbation (errors of readings)", n_columns=n_features, columns="features")
    return errors, "under errors like those observed, on samples held out"


def perturbed_cost(tree: Tree, data: Instance, perturbation: Perturbation, repeats: int, seed: int) -> float:
    """Return the mean cost of the tree's advice per sample.

    Errors are drawn with replacement, `repeats` times for each sample; the same seed draws the same errors, so that
    trees are compared on equal terms.

    Examples
    --------
    >>> import numpy as np
    >>> from hedgerow import Instance, LocalBudget, Tree
    >>> from hedgerow.problems import Selection
    >>> from hedgerow.study.perturbation import perturbed_cost
    >>> data = Instance.create(Selection(2, 1), [[1.0, 3.0], [4.0, 2.0]])
    >>> tree = Tree.full([0], [2.0], [[1, 0], [0, 1]])
    >>> perturbed_cost(tree, data, LocalBudget(1.5), repeats=1, seed=0)
    2.5
    >>> perturbed_cost(tree, data, np.array([[2.0, 0.0]]), repeats=1, seed=0)
    2.5
    """
    if not isinstance(perturbation, np.ndarray):
        result = evaluate(
            tree, data.problem, data.costs, perturbation, observations=data.observations, weights=data.weights
        )
        return result.robust_mean
    rng = np.random.default_rng(seed)
    paid = data.problem.costs(tree.solutions, data.costs)
    samples = np.arange(data.n_samples)
    sums = [
        data.weights @ paid[samples, tree.apply(data.observations + perturbation[drawn])]
        for drawn in rng.integers(len(perturbation), size=(repeats, data.n_samples))
    ]
    return float(np.mean(sums)) / data.total_weight
