"""The adversary's answer to a tree: which sample is sent where, at what price, and what that costs."""

__all__ = ["Attack", "worst_case"]

from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from hedgerow.adversary.move_cost import entry_points, move_costs
from hedgerow.data.arrays import FloatArray, IntArray, frozen
from hedgerow.instance import Instance
from hedgerow.tree.tree import Tree


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
    leaf, bound, exact = uncertainty.worst(loss, price)
    # Moves that gain nothing are left out, since people read the attack.
    leaf = np.where(loss[rows, leaf] > loss[rows, nominal_leaf], leaf, nominal_leaf)
    cost = instance.sign * loss[rows, leaf]
    return Attack(
        leaf=frozen(leaf),
        nominal_leaf=frozen(nominal_leaf),
        cost=frozen(cost),
        nominal_cost=frozen(instance.sign * loss[rows, nominal_leaf]),
        price=frozen(price[rows, leaf]),
        bound=float(cost.sum()) if exact else instance.sign * bound,
        exact=exact,
        tree=tree,
        instance=instance,
    )
