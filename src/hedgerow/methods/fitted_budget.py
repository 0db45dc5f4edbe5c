"""A budget made from errors, lowered to those that reach a tree."""

__all__ = ["fitted_budget", "lowering_in_words"]

import dataclasses

import numpy as np

from hedgerow.adversary import move_costs
from hedgerow.arrays import FloatArray
from hedgerow.columns import selected
from hedgerow.instance import Instance
from hedgerow.methods.greedy import greedy
from hedgerow.run import Deadline, Options, Run
from hedgerow.tree import Tree
from hedgerow.uncertainty import LocalBudget, Nominal, Uncertainty
from hedgerow.words import amount

_PARTS = (1.0, 0.5, 0.25, 0.0)
"""Which parts of the budget are tried."""


def fitted_budget(instance: Instance, given: Uncertainty, options: Options) -> Instance:
    """Return the instance with the budget that its errors have in a tree, if the set was made by `from_errors`.

    That is the set's quantile of effective errors: what it takes to move the truth to the leaf which the reading
    reaches, in a tree grown as if nothing were misread. Where costs are read, a half, a quarter or nothing of it is
    taken if the pairs cost less with a tree for that. The budget is never raised.

    Examples
    --------
    >>> import numpy as np
    >>> from hedgerow import Instance, LocalBudget
    >>> from hedgerow.methods.fitted_budget import fitted_budget
    >>> from hedgerow.problems import Selection
    >>> from hedgerow.run import Options
    >>> truth = np.random.default_rng(0).uniform(0.0, 9.0, (60, 2))
    >>> given = LocalBudget.from_errors(truth + 0.5, truth)
    >>> instance = Instance.create(Selection(2, 1), truth, uncertainty=given, depth=1)
    >>> float(given.budget), float(fitted_budget(instance, given, Options()).uncertainty.budget) <= 0.5
    (1.0, True)
    """
    bound = instance.uncertainty
    if not isinstance(given, LocalBudget) or not isinstance(bound, LocalBudget) or given.errors is None:
        return instance
    errors, names = given.errors, instance.feature_names
    if np.shape(errors.readings)[1] != len(names) or instance.depth == 0:
        return instance
    read, true = (selected(table, names, "readings", kind="items") for table in (errors.readings, errors.truth))

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


def lowering_in_words(given: Uncertainty, fitted: Uncertainty, unit: str) -> str:
    """Return a sentence about a budget that was lowered; empty if it was not."""
    if not isinstance(given, LocalBudget) or not isinstance(fitted, LocalBudget):
        return ""
    before, after = float(np.max(given.budget)), float(np.max(fitted.budget))
    unit = unit if given.prices is None else ""
    if after >= before:
        return ""
    return (
        f"The budget was lowered from {amount(before, unit)} to {amount(after, unit)}: judged by the pairs, guarding "
        "against larger errors costs more than these errors do."
    )


def _cost(instance: Instance, tree: Tree | None, read: FloatArray, true: FloatArray) -> float:
    if tree is None:
        return np.inf
    cost = instance.problem.costs(tree.solutions, true)[np.arange(len(true)), tree.apply(read)]
    return instance.sign * float(cost.sum())
