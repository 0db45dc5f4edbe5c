"""What budgets cost: the worst case of one tree under growing budgets, and the best tree for each of them."""

__all__ = [
    "CurvePoint",
    "RobustnessCurve",
    "TrainedCurve",
    "check_model",
    "checked_fractions",
    "robustness_curve",
    "train_curve",
    "with_fraction",
]

import dataclasses
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from hedgerow.data.arrays import FloatArray, frozen
from hedgerow.data.checks import in_short, number_at_least
from hedgerow.errors import InputError
from hedgerow.evaluation import Evaluates, Evaluation, evaluate_many, evaluations
from hedgerow.instance import Instance
from hedgerow.tolerances import VALUE
from hedgerow.tree.tree import Tree
from hedgerow.uncertainty import GlobalBudget, LocalBudget, Nominal, Uncertainty

if TYPE_CHECKING:
    import pandas as pd

    from hedgerow.estimator import RobustTree


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


def robustness_curve(
    tree: Any,
    problem: Any,
    costs: Any,
    uncertainties: Any = None,
    *,
    context: Any = None,
    sample_weight: Any = None,
) -> RobustnessCurve:
    """Return the worst case under each of several budgets.

    `robustness_curve(tree, problem, costs, uncertainties)` takes a bare tree, `robustness_curve(rules, costs,
    uncertainties)` a fitted model or a rule book.

    Parameters
    ----------
    tree, problem, costs, context, sample_weight
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
    options = {"context": context, "sample_weight": sample_weight}
    if isinstance(tree, Tree) or not isinstance(tree, Evaluates):
        sets = {str(place): uncertainty for place, uncertainty in enumerate(uncertainties)}
        results = [*evaluate_many(tree, problem, costs, sets, **options).values()]
    else:
        results = [tree.evaluate(problem, uncertainty, **options) for uncertainty in costs]
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


@dataclass(frozen=True, eq=False)
class CurvePoint:
    """The best tree found for one budget; all values are means per sample, in the problem's own sign.

    Attributes
    ----------
    fraction, budget
        λ, and the absolute budget Γ that it means on the training data.
    tree
        The tree with the best worst case on the training data under this budget.
    fitted_at
        The λ whose fit found the tree; a tree from a neighbour may serve a budget better than the fit at it did.
    nominal, robust
        Cost on the training data as read, and in the worst case under this budget.
    lower_bound
        No tree over the same thresholds has a better worst case; −∞ (+∞ for gains) where nothing is proven.
    test_nominal, test_robust
        The same two costs on the test data, under the same absolute budget; NaN without test data. A global budget
        is not scaled: on test data of m samples in place of N it is N / m times as much for each of them.

    Examples
    --------
    >>> from hedgerow import Tree
    >>> from hedgerow.study import CurvePoint
    >>> CurvePoint(0.05, 2.0, Tree.single([1, 0]), 0.05, nominal=3.0, robust=4.0).test_robust
    nan
    """

    fraction: float
    budget: float
    tree: Tree
    fitted_at: float
    nominal: float
    robust: float
    lower_bound: float = -math.inf
    test_nominal: float = math.nan
    test_robust: float = math.nan


@dataclass(frozen=True, eq=False)
class TrainedCurve:
    """The best tree for each of some budgets, by growing budget.

    Attributes
    ----------
    kind
        "local" or "global".
    points
        One per budget.
    unit
        Unit of the values.

    Examples
    --------
    >>> from hedgerow import GlobalBudget, RobustTree
    >>> from hedgerow.study import train_curve
    >>> from hedgerow.datasets import motivating_example
    >>> problem, costs = motivating_example()
    >>> model = RobustTree(problem, depth=2, uncertainty=GlobalBudget(fraction=0.0), random_state=0)
    >>> curve = train_curve(model, costs, [0.0, 0.05, 0.1])
    >>> curve.to_frame()[["fraction", "budget", "robust"]].round(3).values.tolist()
    [[0.0, 0.0, 7.2], [0.05, 5.0, 8.6], [0.1, 10.0, 10.2]]
    """

    kind: str
    points: tuple[CurvePoint, ...]
    unit: str = ""

    @property
    def breakpoints(self) -> tuple[CurvePoint, ...]:
        """The points at which the tree changes, the first included."""
        before = (None, *(point.tree for point in self.points))
        return tuple(point for tree, point in zip(before, self.points, strict=False) if point.tree != tree)

    @property
    def has_test(self) -> bool:
        """Whether the trees were tried on test data."""
        return not any(math.isnan(point.test_nominal) for point in self.points)

    def to_frame(self) -> "pd.DataFrame":
        """Return one row per point; `tree` counts the breakpoints up to it, and `n_leaves` the tree's leaves."""
        import pandas as pd

        frame = pd.DataFrame([vars(point) for point in self.points])
        starts = {id(point) for point in self.breakpoints}
        numbers = pd.Series([id(point) in starts for point in self.points]).cumsum()
        return frame.assign(tree=numbers, n_leaves=[point.tree.n_leaves for point in self.points])


def train_curve(
    model: "RobustTree",
    costs: Any,
    fractions: Iterable[float],
    *,
    context: Any = None,
    sample_weight: Any = None,
    test_costs: Any = None,
    test_context: Any = None,
) -> TrainedCurve:
    """Fit a tree for each budget, and keep for each the best of all trees found.

    Every tree is judged under every budget, so that a fit that ran out of time is helped by its neighbours, and the
    worst case never falls as the budget grows.

    Parameters
    ----------
    model
        How trees are fitted: depth, method, limits. Its uncertainty set says whether budgets are local or global
        (local if it is nominal), with its limits and prices; its budget is replaced. It is not changed itself.
    costs, context, sample_weight
        The training data, as for `RobustTree.fit`.
    fractions
        The budgets as λ of the training data.
    test_costs, test_context
        Other data to try the trees on. The readings may be those of a forecast even where the tree was fitted to the
        costs themselves. Budgets stay those of the training data; a global one is shared by as many samples as there
        are here, so that worst cases of training and test data compare only where these are equally many.

    Examples
    --------
    >>> from hedgerow import LocalBudget, RobustTree
    >>> from hedgerow.study import train_curve
    >>> from hedgerow.datasets import paper_shortest_path
    >>> problem, train, test = paper_shortest_path(seed_id=0, n_samples=5, grid=3)
    >>> model = RobustTree(problem, depth=1, method="exact", random_state=0)
    >>> curve = train_curve(model, train, [0.0, 0.1, 0.3], test_costs=test)
    >>> [point.robust <= after.robust for point, after in zip(curve.points, curve.points[1:])]
    [True, True]
    """
    from sklearn.base import clone

    check_model(model)
    shares = checked_fractions(fractions)
    data = Instance.create(model.problem, costs, context=context, weights=sample_weight, depth=model.depth)
    sets = [with_fraction(model.uncertainty, share).bind(data.observations, data.depth) for share in shares]
    fitted = [_fitted(clone(model), uncertainty, costs, context, sample_weight) for uncertainty in sets]
    by_place = dict(enumerate(sets))
    evaluated = [evaluations(one.tree_, data, by_place) for one in fitted]
    chosen = [_best(evaluated, place, data.sign) for place in range(len(sets))]
    test = _test_data(data, test_costs, test_context)
    points = []
    for place, source in enumerate(chosen):
        tree, result = fitted[source].tree_, evaluated[source][place]
        on_test = None if test is None else evaluations(tree, test, {place: sets[place]})[place]
        points.append(
            CurvePoint(
                shares[place],
                float(sets[place].budget),
                tree,
                shares[source],
                result.nominal_mean,
                result.robust_mean,
                # Round thresholds may beat all midpoints under another budget.
                (min if data.sign > 0.0 else max)(
                    result.robust_mean, fitted[place].result_.lower_bound / data.total_weight
                ),
                math.nan if on_test is None else on_test.nominal_mean,
                math.nan if on_test is None else on_test.robust_mean,
            )
        )
    return TrainedCurve(sets[0].kind, tuple(points), model.problem.unit)


def with_fraction(uncertainty: Uncertainty, fraction: float) -> LocalBudget | GlobalBudget:
    """Return the set with λ in place of its budget; where there is no set, a local budget.

    Examples
    --------
    >>> from hedgerow import GlobalBudget, Nominal
    >>> from hedgerow.study import with_fraction
    >>> with_fraction(GlobalBudget(9.0, limits=2.5), 0.05), with_fraction(Nominal(), 0.1)
    (GlobalBudget(fraction=0.05, limits=2.5), LocalBudget(fraction=0.1))
    """
    if isinstance(uncertainty, LocalBudget | GlobalBudget):
        return dataclasses.replace(uncertainty, budget=None, deviations=None, fraction=fraction)
    return LocalBudget(fraction=fraction)


def check_model(model: Any) -> None:
    """Raise `InputError` if this is no estimator that says how trees are fitted."""
    from hedgerow.estimator import RobustTree

    if not isinstance(model, RobustTree):
        raise InputError(f"model must be a RobustTree, fitted or not; got {in_short(model)}.")


def checked_fractions(fractions: Any) -> list[float]:
    """Return the λ in increasing order, each once."""
    if isinstance(fractions, str) or not isinstance(fractions, Iterable):
        raise InputError(f"fractions must be a list of numbers, zero or more; got {in_short(fractions)}.")
    shares = sorted({number_at_least(fraction, "fractions") for fraction in fractions})
    if not shares:
        raise InputError("fractions must hold at least one number, zero or more; got none.")
    return shares


def _fitted(
    model: "RobustTree", uncertainty: LocalBudget | GlobalBudget, costs: Any, context: Any, sample_weight: Any
) -> "RobustTree":
    # Methods know quicker ways where nothing is misread.
    chosen: Uncertainty = uncertainty if uncertainty.budget > 0.0 else Nominal()
    return model.set_params(uncertainty=chosen).fit(costs, context=context, sample_weight=sample_weight)


def _best(evaluated: Sequence[Mapping[int, Evaluation]], place: int, sign: float) -> int:
    """Return which tree has the best worst case under a budget; among equals the best as read, then the first."""
    here = [results[place] for results in evaluated]
    best = min(sign * result.robust for result in here)
    equal = [k for k, result in enumerate(here) if sign * result.robust <= best + VALUE * max(1.0, abs(best))]
    return min(equal, key=lambda k: sign * here[k].nominal)


def _test_data(data: Instance, costs: Any, context: Any) -> Instance | None:
    if costs is None:
        if context is not None:
            raise InputError("test_context need test_costs, the true costs of the same samples.")
        return None
    if context is None and data.observations is not data.costs:
        raise InputError("the trees are fitted to context; pass test_context, too.")
    return Instance.create(data.problem, costs, context=context, depth=data.depth, feature_names=data.feature_names)
