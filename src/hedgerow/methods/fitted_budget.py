"""A budget made from errors, lowered to those that reach a tree."""

__all__ = ["fitted_budget"]

import dataclasses

import numpy as np

from hedgerow.adversary import move_costs
from hedgerow.columns import selected
from hedgerow.instance import Instance
from hedgerow.methods.greedy import greedy
from hedgerow.run import Deadline, Options, Run
from hedgerow.uncertainty import LocalBudget, Nominal, Uncertainty

_SHARE = 4


def fitted_budget(instance: Instance, given: Uncertainty, options: Options) -> Instance:
    """Return the instance with the budget that its errors have in a tree, if the set was made by `from_errors`.

    That is the set's quantile of effective errors: what it takes to move the truth to the leaf which the reading
    reaches, in a tree grown as if nothing were misread. The budget is never raised.

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
    nominal = dataclasses.replace(instance, uncertainty=Nominal())
    run = Run(nominal, deadline=Deadline(None if options.time_limit is None else options.time_limit / _SHARE))
    greedy(nominal, run, options)
    if run.tree is None:
        return instance
    cost = move_costs(run.tree, true, dataclasses.replace(bound, limits=None))
    effective = np.sort(cost[np.arange(len(true)), run.tree.apply(read)])
    place = min(len(true), int(np.ceil(round((len(true) + 1) * errors.quantile, 9)))) - 1
    budget = min(float(np.max(bound.budget)), float(effective[place]))
    return dataclasses.replace(instance, uncertainty=dataclasses.replace(bound, budget=budget))
