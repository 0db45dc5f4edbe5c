"""The worst case of a tree as a function of the budget."""

__all__ = ["RobustnessCurve", "robustness_curve"]

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, overload

import numpy as np

from hedgerow.arrays import FloatArray, frozen
from hedgerow.errors import InputError
from hedgerow.evaluate import Evaluates, evaluate_many
from hedgerow.problem import Problem
from hedgerow.tree import Tree
from hedgerow.uncertainty import Nominal, Uncertainty


@dataclass(frozen=True, eq=False)
class RobustnessCurve:
    """Worst cases of one tree under budgets of one kind.

    Attributes
    ----------
    kind
        "local" or "global".
    budgets
        The absolute budgets, in increasing order.
    values
        The worst case under each, summed over the samples, in the problem's own sign.
    unit
        Unit of the values.

    Examples
    --------
    >>> import numpy as np
    >>> from hedgerow.study import RobustnessCurve
    >>> RobustnessCurve("local", np.array([0.0, 1.0]), np.array([36.0, 43.0]), "min").values.tolist()
    [36.0, 43.0]
    """

    kind: str
    budgets: FloatArray
    values: FloatArray
    unit: str = ""


@overload
def robustness_curve(
    tree: Tree,
    problem: Problem,
    costs: Any,
    uncertainties: Sequence[Uncertainty],
    *,
    observations: Any = None,
    sample_weight: Any = None,
) -> RobustnessCurve: ...
@overload
def robustness_curve(
    tree: Evaluates, problem: Any, costs: Sequence[Uncertainty], *, observations: Any = None, sample_weight: Any = None
) -> RobustnessCurve: ...
def robustness_curve(
    tree: Any,
    problem: Any,
    costs: Any,
    uncertainties: Any = None,
    *,
    observations: Any = None,
    sample_weight: Any = None,
) -> RobustnessCurve:
    """Return the worst case under each of several budgets.

    `robustness_curve(tree, problem, costs, uncertainties)` takes a bare tree, `robustness_curve(rules, costs,
    uncertainties)` a fitted model or a rule book.

    Parameters
    ----------
    tree, problem, costs, observations, sample_weight
        As for `hedgerow.evaluate`.
    uncertainties
        Local budgets or global ones, not both; `Nominal` is a budget of 0. A fraction refers to these samples and the
        tree's depth, or to the training data of a model or a rule book.

    Examples
    --------
    >>> from hedgerow import GlobalBudget, Tree
    >>> from hedgerow.study import robustness_curve
    >>> from hedgerow.datasets import motivating_example
    >>> problem, costs = motivating_example()
    >>> tree = Tree.full([0], [5.0], [[1, 1, 0, 0], [0, 0, 1, 1]])
    >>> curve = robustness_curve(tree, problem, costs, [GlobalBudget(budget) for budget in (0, 4, 5)])
    >>> curve.values.tolist()
    [36.0, 43.0, 50.0]
    """
    if isinstance(tree, Tree) or not isinstance(tree, Evaluates):
        sets = {str(place): uncertainty for place, uncertainty in enumerate(uncertainties)}
        found = evaluate_many(tree, problem, costs, sets, observations=observations, sample_weight=sample_weight)
        results = list(found.values())
    else:
        data, options = problem, {"observations": observations, "sample_weight": sample_weight}
        results = [tree.evaluate(data, uncertainty, **options) for uncertainty in costs]
    bound = [result.attack.instance.uncertainty for result in results]
    kinds = {uncertainty.kind for uncertainty in bound} - {Nominal.kind}
    if len(kinds) != 1:
        got = "both" if kinds else "neither"
        raise InputError(f"uncertainties must be local budgets or global ones, at least one; got {got}.")
    budgets = [0.0 if isinstance(uncertainty, Nominal) else uncertainty.budget for uncertainty in bound]
    if any(np.ndim(budget) for budget in budgets):
        raise InputError("uncertainties must have one budget for all samples here, since it is what the curve is over.")
    order = np.argsort(budgets, kind="stable")
    values = np.array([result.robust for result in results])
    unit = results[0].attack.instance.problem.unit
    return RobustnessCurve(kinds.pop(), frozen(np.array(budgets)[order]), frozen(values[order]), unit)
