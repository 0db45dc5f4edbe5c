"""The adversary's answer to a tree: which sample is sent where, at what price, and what that costs."""

__all__ = ["Attack", "worst_case", "worst_choice", "worst_leaves"]

import math
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from hedgerow.adversary.move_cost import entry_points, move_costs
from hedgerow.data.arrays import FloatArray, IntArray, frozen
from hedgerow.geometry import affordable, reach_limit
from hedgerow.instance import Instance
from hedgerow.tree.tree import Tree
from hedgerow.uncertainty import GlobalBudget, LocalBudget, Nominal

_FEW_SAMPLES = 20
_FEW_NODES = 20_000


@dataclass(frozen=True, eq=False)
class Attack:
    """A worst-case misreading of the samples.

    Attributes
    ----------
    leaf
        Per sample the leaf that its perturbed observation reaches.
    nominal_leaf
        Per sample the leaf that it reaches by itself.
    cost
        Per sample the true weighted cost of the solution it is led to, in the problem's own sign.
    nominal_cost
        Per sample the true weighted cost of the solution it would be led to by itself.
    price
        Per sample the budget that the perturbation uses.
    bound
        No affordable attack is worse than this sum; equal to `value` where `exact`.
    exact
        Whether this attack is proven to be the worst.
    tree, instance
        What was attacked.
    """

    leaf: IntArray
    nominal_leaf: IntArray
    cost: FloatArray
    nominal_cost: FloatArray
    price: FloatArray
    bound: float
    exact: bool
    tree: Tree = field(repr=False)
    instance: Instance = field(repr=False)

    @property
    def value(self) -> float:
        """The true cost under this attack, summed over the samples."""
        return float(self.cost.sum())

    @cached_property
    def observations(self) -> FloatArray:
        """The perturbed observations; they route to `leaf` and fit the budget."""
        return frozen(entry_points(self.tree, self.instance.observations, self.leaf, self.instance.uncertainty))

    @property
    def moved(self) -> IntArray:
        """Indices of the samples that are led to another leaf."""
        return np.flatnonzero(self.leaf != self.nominal_leaf)


def worst_case(tree: Tree, instance: Instance, *, margin: float = 0.0) -> Attack:
    """Return the worst attack on the tree that the instance's uncertainty set affords.

    With a margin, the attack may also move each threshold by that much, for each sample on its own: its `bound` holds
    wherever the thresholds are moved by at most the margin.

    Examples
    --------
    >>> from hedgerow import GlobalBudget, Instance, Tree
    >>> from hedgerow.adversary import worst_case
    >>> from hedgerow.datasets import motivating_example
    >>> problem, costs = motivating_example()
    >>> tree = Tree.from_dict(
    ...     {"item": 0, "threshold": 5.0, "left": {"solution": [1, 1, 0, 0]}, "right": {"solution": [0, 0, 1, 1]}}
    ... )
    >>> attack = worst_case(tree, Instance.create(problem, costs, uncertainty=GlobalBudget(5.0)))
    >>> attack.value, attack.moved.tolist(), attack.observations[4].tolist()
    (50.0, [4], [5.0, 8.0, 2.0, 2.0])
    """
    instance.check_shape(tree)
    uncertainty = instance.uncertainty
    loss = instance.losses(tree.solutions)
    nominal_leaf = tree.apply(instance.observations)
    rows = np.arange(instance.n_samples)
    price = move_costs(tree, instance.observations, uncertainty, margin=margin)
    leaf, bound, exact = nominal_leaf, None, True
    if isinstance(uncertainty, LocalBudget):
        leaf = worst_leaves(loss, price, uncertainty.budget, nominal_leaf)
    elif isinstance(uncertainty, Nominal) and margin > 0.0:
        leaf = worst_leaves(loss, price, 0.0, nominal_leaf)
    elif isinstance(uncertainty, GlobalBudget):
        leaf, bound, exact = worst_choice(loss, price, uncertainty.budget)
        # Moves that gain nothing are left out, since people read the attack.
        leaf = np.where(loss[rows, leaf] > loss[rows, nominal_leaf], leaf, nominal_leaf)
    cost = instance.sign * loss[rows, leaf]
    return Attack(
        leaf=frozen(leaf),
        nominal_leaf=frozen(nominal_leaf),
        cost=frozen(cost),
        nominal_cost=frozen(instance.sign * loss[rows, nominal_leaf]),
        price=frozen(price[rows, leaf]),
        bound=float(cost.sum()) if exact or bound is None else instance.sign * bound,
        exact=exact,
        tree=tree,
        instance=instance,
    )


def worst_leaves(
    loss: FloatArray, move_cost: FloatArray, budget: float | FloatArray, nominal_leaf: IntArray
) -> IntArray:
    """Return for each sample the costliest leaf within its budget: its own unless another one is worse."""
    per_sample = np.reshape(budget, (-1, 1)) if isinstance(budget, np.ndarray) else budget
    reachable = np.where(affordable(move_cost, per_sample), loss, -np.inf)
    leaf: IntArray = np.argmax(reachable, axis=1)
    rows = np.arange(loss.shape[0])
    return np.where(loss[rows, leaf] > loss[rows, nominal_leaf], leaf, nominal_leaf)


def worst_choice(loss: FloatArray, move_cost: FloatArray, budget: float) -> tuple[IntArray, float, bool]:
    """Return each sample's slot in a worst attack, a bound on every attack's loss, and whether that is attained."""
    # In units of the largest loss, since kernels compare with tolerances; powers of two change no digit.
    unit = 2.0 ** -math.frexp(float(np.abs(loss).max(initial=0.0)))[1]
    gain = np.ascontiguousarray(unit * loss)
    # Imported here since compiled kernels are loaded only by those who use them.
    if len(loss) <= _FEW_SAMPLES:
        from hedgerow.adversary.small_knapsack import LARGEST_SUM, worst_assignment

        choice, cost = np.empty(len(loss), dtype=np.int64), np.array(move_cost, order="C")
        value = worst_assignment(gain, cost, float(reach_limit(budget)), -np.inf, _FEW_NODES, LARGEST_SUM, choice)
        if not math.isnan(value):
            return choice, value / unit, True
    from hedgerow.adversary.knapsack import solve_knapsack

    found = solve_knapsack(gain, move_cost, budget)
    return found.choice, found.bound / unit, found.exact
