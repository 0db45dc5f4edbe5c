"""Problem, samples, uncertainty and depth together: checked once at the door, then frozen."""

__all__ = ["MAX_DEPTH", "Instance"]

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Self

import numpy as np

from hedgerow.arrays import FloatArray, frozen
from hedgerow.checks import finite_matrix, finite_vector, integer_between, list_some, unique_names
from hedgerow.errors import InputError
from hedgerow.problem import Problem, sign_of
from hedgerow.tree import Tree
from hedgerow.uncertainty import GlobalBudget, LocalBudget, Nominal, Uncertainty

MAX_DEPTH = 10
"""Deepest tree that can be asked for."""


@dataclass(frozen=True, eq=False)
class Instance:
    """What a method gets: everything checked, every array read-only, budgets absolute.

    Costs live in the problem's space, splits and perturbations in the observations'. Build one with `create`.

    Attributes
    ----------
    problem
        What may be decided.
    costs
        True costs, N × items: `c_j` in the paper.
    observations
        What is observed, N × features; the costs themselves unless given.
    weights
        Per sample how much its cost counts.
    uncertainty
        The uncertainty set with absolute budget and prices.
    depth
        Largest depth of the tree.
    feature_names
        Names of the observed features.

    Examples
    --------
    >>> from hedgerow import Instance, LocalBudget
    >>> from hedgerow.problems import Selection
    >>> instance = Instance.create(Selection(2, 1), [[1.0, 3.0], [4.0, 2.0]], uncertainty=LocalBudget(fraction=0.1))
    >>> instance.n_samples, instance.uncertainty
    (2, LocalBudget(0.6000000000000001))
    """

    problem: Problem
    costs: FloatArray
    observations: FloatArray
    weights: FloatArray
    uncertainty: Uncertainty
    depth: int
    feature_names: tuple[str, ...]

    @classmethod
    def create(
        cls,
        problem: Problem,
        costs: Any,
        *,
        observations: Any = None,
        weights: Any = None,
        uncertainty: Uncertainty | None = None,
        depth: int = 2,
        feature_names: Sequence[str] | None = None,
    ) -> Self:
        """Check everything once and return the instance.

        Parameters
        ----------
        problem
            What may be decided.
        costs
            N × items: an array, or a DataFrame whose columns are matched to the items by name.
        observations
            N × features; the costs if left out.
        weights
            One non-negative number per sample; all 1 if left out.
        uncertainty
            How wrong observations may be; not at all if left out. A fraction is turned into an absolute budget here.
        depth
            Largest depth of the tree, from 0.
        feature_names
            Names of the features; a DataFrame's columns or the items' names if left out.
        """
        if not isinstance(problem, Problem):
            raise InputError(f"problem must fulfil hedgerow.problem.Problem; got {type(problem).__name__}.")
        uncertainty = Nominal() if uncertainty is None else uncertainty
        if not isinstance(uncertainty, Nominal | LocalBudget | GlobalBudget):
            raise InputError(f"uncertainty must be Nominal, LocalBudget or GlobalBudget; got {uncertainty!r:.60}.")
        depth = integer_between(depth, "depth", 0, MAX_DEPTH)
        item_names = problem.item_names
        cost_matrix = finite_matrix(_by_name(costs, item_names), "costs", n_columns=len(item_names))
        problem.check_samples(cost_matrix)
        n_samples = cost_matrix.shape[0]
        if observations is None:
            names, observed = item_names, cost_matrix
        else:
            observed = finite_matrix(observations, "observations", columns="features")
            names = _feature_names(observations, observed.shape[1])
            if observed.shape[0] != n_samples:
                raise InputError(
                    f"observations must have one row for each of the {n_samples} samples; got {observed.shape[0]}."
                )
        if feature_names is not None:
            names = unique_names(feature_names, "feature names", length=observed.shape[1])
        cost_matrix, observed = frozen(cost_matrix), frozen(observed)
        return cls(
            problem=problem,
            costs=cost_matrix,
            observations=cost_matrix if observations is None else observed,
            weights=frozen(_checked_weights(weights, n_samples)),
            uncertainty=uncertainty.bind(observed, depth),
            depth=depth,
            feature_names=names,
        )

    @property
    def n_samples(self) -> int:
        """N: number of samples."""
        return int(self.costs.shape[0])

    @property
    def n_features(self) -> int:
        """Number of observed features."""
        return int(self.observations.shape[1])

    @property
    def total_weight(self) -> float:
        """What means divide by: the weights' sum."""
        return float(self.weights.sum())

    @cached_property
    def sign(self) -> float:
        """+1 for a problem that minimises, −1 for one that maximises."""
        return sign_of(self.problem)

    def losses(self, solutions: FloatArray) -> FloatArray:
        """Return what each solution (column) costs on each sample (row), weighted, and always to be minimised.

        Methods and the adversary work on losses; a loss times `sign` is what users see.
        """
        return self.sign * self.weights[:, None] * self.problem.costs(solutions, self.costs)

    def check_tree(self, tree: Tree) -> None:
        """Raise `InputError` if the tree asks about features that aren't there, or holds an infeasible solution."""
        if tree.n_nodes > 1 and int(tree.item.max()) >= self.n_features:
            raise InputError(
                f"the tree asks about item {int(tree.item.max())}, but there are only {self.n_features}, counted from 0."
            )
        n_variables = len(self.problem.variable_names)
        if tree.solutions.shape[1] != n_variables:
            raise InputError(
                f"the tree's solutions have {tree.solutions.shape[1]} entries, the problem's {n_variables}."
            )
        for leaf, solution in enumerate(tree.solutions):
            reason = self.problem.infeasibility(solution)
            if reason is not None:
                raise InputError(f"the solution at leaf {leaf} is not feasible: {reason}.")


def _by_name(costs: Any, item_names: tuple[str, ...]) -> Any:
    """Return a DataFrame's columns in the items' order; what has no column names is returned as it is."""
    columns = getattr(costs, "columns", None)
    if columns is None:
        return costs
    names = unique_names(columns, "column names")
    missing = [name for name in item_names if name not in set(names)]
    if missing:
        raise InputError(f"costs have no column for these items: {list_some(missing)}.")
    position = {name: index for index, name in enumerate(names)}
    return costs.iloc[:, [position[name] for name in item_names]]


def _feature_names(observations: Any, n_features: int) -> tuple[str, ...]:
    columns = getattr(observations, "columns", None)
    if columns is None:
        return tuple(f"feature {index}" for index in range(n_features))
    return unique_names(columns, "column names")


def _checked_weights(weights: Any, n_samples: int) -> FloatArray:
    if weights is None:
        return np.ones(n_samples)
    vector = finite_vector(weights, "weights", length=n_samples, per="samples")
    if (vector < 0.0).any() or not vector.any():
        raise InputError("weights must be zero or more, and not all zero.")
    return vector
