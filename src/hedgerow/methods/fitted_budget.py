"""Budgets that suit a tree: one made from errors is lowered to those that reach it, and one that is too large is named.

Where a budget leaves nothing to ask, it is said up to which one a tree would be better than one solution.
"""

__all__ = ["fitted_budget", "too_large"]

import dataclasses
from typing import Final

import numpy as np

from hedgerow.adversary import move_costs, worst_case
from hedgerow.data.arrays import FloatArray
from hedgerow.data.columns import number_matrix
from hedgerow.instance import Instance
from hedgerow.methods.greedy import greedy
from hedgerow.run import Deadline, Options, Run
from hedgerow.tolerances import VALUE
from hedgerow.tree.tree import Tree
from hedgerow.uncertainty import LocalBudget, Nominal, Uncertainty
from hedgerow.wording.numbers import number

_PARTS = (1.0, 0.5, 0.25, 0.0)
"""Which parts of the budget are tried."""


def fitted_budget(instance: Instance, given: Uncertainty, options: Options) -> Instance:
    """Return the instance with the budget that its errors have in a tree, if the set was made by `from_errors`.

    That is the set's quantile of effective errors: what it takes to move the truth to the leaf which the reading
    reaches, in a tree grown as if nothing were misread. Where costs are read, a half, a quarter or nothing of it is
    taken if the pairs cost less with a tree for that. The budget is never raised.
    """
    bound = instance.uncertainty
    if not isinstance(given, LocalBudget) or not isinstance(bound, LocalBudget) or given.errors is None:
        return instance
    errors, names = given.errors, instance.feature_names
    if np.shape(errors.readings)[1] != len(names) or instance.depth == 0:
        return instance
    read, true = (number_matrix(table, names, "readings", kind="items") for table in (errors.readings, errors.truth))

    def grown(uncertainty: Uncertainty) -> Tree | None:
        part = dataclasses.replace(instance, uncertainty=uncertainty)
        run = Run(part, deadline=Deadline(options.time_limit), rng=np.random.default_rng(0))
        greedy(part, run, options)
        return run.tree

    def budget_of(size: float) -> LocalBudget:
        return dataclasses.replace(bound, budget=size)

    nominal = grown(Nominal())
    if nominal is None:
        return instance
    rows = np.arange(len(true))
    effective = np.sort(move_costs(nominal, true, dataclasses.replace(bound, limits=None))[rows, nominal.apply(read)])
    place = min(len(true), int(np.ceil(round((len(true) + 1) * errors.quantile, 9)))) - 1
    size = min(float(np.max(bound.budget)), float(effective[place]))
    if instance.observes_costs and size > 0.0:
        sizes = [part * size for part in _PARTS]
        trees = [grown(budget_of(each)) if each else nominal for each in sizes]
        paid = [_cost(instance, tree, read, true) for tree in trees]
        size = sizes[int(np.argmin(paid))]  # of equals the largest
    return dataclasses.replace(instance, uncertainty=budget_of(size))


def _cost(instance: Instance, tree: Tree | None, read: FloatArray, true: FloatArray) -> float:
    if tree is None:
        return np.inf
    cost = instance.problem.costs(tree.solutions, true)[np.arange(len(true)), tree.apply(read)]
    return instance.sign * float(cost.sum())


_HALVINGS: Final = 12
_GRACE: Final = 0.5
"""Seconds that this may take even if time is up."""

_MOST_READINGS: Final = 200_000
"""Most readings for which it may: growing a tree on more takes longer."""


def too_large(tree: Tree, instance: Instance, options: Options, run: Run) -> str:
    """Return a sentence if the budget makes the tree ask nothing while a smaller one would not; else nothing.

    The useful budget is found by halving: up to it a tree grown as if nothing were misread is better than one solution
    in the worst case. Other trees may be better under larger budgets, too.
    """
    uncertainty = instance.uncertainty
    if isinstance(uncertainty, Nominal) or tree.n_leaves > 1 or instance.depth == 0 or options.max_leaves == 1:
        return ""
    if not np.any(uncertainty.budget) or run.interrupt.requested:
        return ""
    if instance.question_values.size > _MOST_READINGS and run.deadline.remaining() < _GRACE:
        return ""
    nominal = dataclasses.replace(instance, uncertainty=Nominal())
    fork = Run(nominal, deadline=Deadline(max(_GRACE, run.deadline.remaining())), interrupt=run.interrupt)
    greedy(nominal, fork, options)
    grown = fork.tree
    if grown is None or grown.n_leaves == 1:
        return ""
    one = instance.sign * worst_case(tree, nominal).bound
    useful, share, step = 0.0, 0.5, 0.25
    for _ in range(_HALVINGS):
        if fork.must_stop():
            break
        scaled = dataclasses.replace(uncertainty, budget=share * uncertainty.budget)
        value = instance.sign * worst_case(grown, dataclasses.replace(instance, uncertainty=scaled)).bound
        is_useful = value < one - VALUE * max(1.0, abs(one))
        useful = share if is_useful else useful
        share, step = share + step if is_useful else share - step, step / 2
    nothing = "no tree that is better than one solution under this budget."
    said = f"There is {nothing}" if run.status == "optimal" else f"The search found {nothing}"
    if useful:
        said += f" Up to a budget of about {number(useful * float(np.max(uncertainty.budget)), 2)} there is one."
    return said
