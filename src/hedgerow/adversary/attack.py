"""The adversary's answer to a tree: which sample is sent where, at what price, and what that costs."""

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
    row
        Per sample the row of the tree's solutions to which its perturbed observation leads; the leaf's number where
        each leaf has one plan.
    nominal_row
        Per sample the row to which it leads by itself.
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

    row: IntArray
    nominal_row: IntArray
    cost: FloatArray
    nominal_cost: FloatArray
    price: FloatArray
    bound: float
    exact: bool
    tree: Tree = field(repr=False)
    instance: Instance = field(repr=False)

    @property
    def leaf(self) -> IntArray:
        """Per sample the leaf that its perturbed observation reaches."""
        return self.tree.leaf_of[self.row]

    @property
    def nominal_leaf(self) -> IntArray:
        """Per sample the leaf that it reaches by itself."""
        return self.tree.leaf_of[self.nominal_row]

    @property
    def value(self) -> float:
        """The true cost under this attack, summed over the samples."""
        return float(self.cost.sum())

    @cached_property
    def observations(self) -> FloatArray:
        """The perturbed observations; they lead to `row` and fit the budget."""
        return frozen(entry_points(self.tree, self.instance.observations, self.row, self.instance.uncertainty))

    @property
    def moved(self) -> IntArray:
        """Indices of the samples that are led to another leaf, or to another plan of it."""
        return np.flatnonzero(self.row != self.nominal_row)


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
    nominal = tree.choose(instance.observations)
    samples = np.arange(instance.n_samples)
    farthest = float(uncertainty.reach(instance.n_samples).max(initial=0.0))
    price = move_costs(tree, instance.observations, uncertainty, margin=margin, enough=farthest)
    row, bound, exact = uncertainty.worst(loss, price)
    # Moves that gain nothing are left out, since people read the attack.
    row = np.where(loss[samples, row] > loss[samples, nominal], row, nominal)
    cost = instance.sign * loss[samples, row]
    return Attack(
        row=frozen(row),
        nominal_row=frozen(nominal),
        cost=frozen(cost),
        nominal_cost=frozen(instance.sign * loss[samples, nominal]),
        price=frozen(price[samples, row]),
        bound=float(cost.sum()) if exact else instance.sign * bound,
        exact=exact,
        tree=tree,
        instance=instance,
    )
