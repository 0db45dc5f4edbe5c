"""Budgets that suit a tree: one made from errors is lowered to those that reach it."""

import dataclasses

import numpy as np

from hedgerow.adversary import move_costs
from hedgerow.data.arrays import FloatArray
from hedgerow.data.table import number_matrix
from hedgerow.instance import Instance
from hedgerow.methods.parameters import PARAMETERS
from hedgerow.methods.registry import METHODS
from hedgerow.run import Deadline, Options, Run
from hedgerow.tree.tree import Tree
from hedgerow.uncertainty import Nominal, Uncertainty
from hedgerow.uncertainty.calibration import rank_of


def fitted_budget(instance: Instance, given: Uncertainty, options: Options, clock: Deadline) -> Instance:
    """Return the instance with the budget that its errors have in a tree, if the set was made by `from_errors`.

    That is the set's quantile of effective errors: what it takes to move the truth to the leaf which the reading
    reaches, in a tree grown as if nothing were misread. Where costs are read, a half, a quarter or nothing of it is
    taken if the pairs cost less with a tree for that. The budget is never raised. Trees grow until the clock's limit.
    """
    bound = instance.uncertainty
    if given.errors is None:
        return instance
    errors, names = given.errors, instance.feature_names
    if np.shape(errors.readings)[1] != len(names) or instance.depth == 0:
        return instance
    read, true = (number_matrix(table, names, "readings", kind="items") for table in (errors.readings, errors.truth))

    def grown(uncertainty: Uncertainty) -> Tree | None:
        part = dataclasses.replace(instance, uncertainty=uncertainty)
        run = Run(part, deadline=clock, rng=np.random.default_rng(0))
        METHODS["greedy"].function(part, run, options)
        return run.tree

    nominal = grown(Nominal())
    if nominal is None:
        return instance
    rows = np.arange(len(true))
    effective = np.sort(move_costs(nominal, true, bound.replace(limits=None))[rows, nominal.choose(read)])
    place = min(len(true), rank_of(errors.quantile, len(true))) - 1
    size = min(float(np.max(bound.budget)), float(effective[place]))
    if instance.observes_costs and size > 0.0:
        sizes = [part * size for part in PARAMETERS.parts_of_budget]
        trees = [grown(bound.replace(budget=each)) if each else nominal for each in sizes]
        paid = [_cost(instance, tree, read, true) for tree in trees]
        size = sizes[int(np.argmin(paid))]  # of equals the largest
    return dataclasses.replace(instance, uncertainty=bound.replace(budget=size))


def _cost(instance: Instance, tree: Tree | None, read: FloatArray, true: FloatArray) -> float:
    if tree is None:
        return np.inf
    cost = instance.problem.costs(tree.solutions, true)[np.arange(len(true)), tree.choose(read)]
    return instance.sign * float(cost.sum())
