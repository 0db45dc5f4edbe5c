"""The price of robustness: what the best tree for each of several budgets costs, as read and in the worst case."""

__all__ = ["PriceOfRobustness", "PricePoint", "check_model", "price_of_robustness"]

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from hedgerow.data.checks import in_short, number_at_least
from hedgerow.data.display import Tabular
from hedgerow.errors import InputError
from hedgerow.evaluation import Evaluation, evaluations
from hedgerow.instance import Instance
from hedgerow.rules.verbs import reader
from hedgerow.tolerances import VALUE
from hedgerow.tree.tree import Tree
from hedgerow.uncertainty import Uncertainty
from hedgerow.wording.numbers import amount, number

if TYPE_CHECKING:
    import pandas as pd

    from hedgerow.estimator import RobustTree


@dataclass(frozen=True, eq=False)
class PricePoint:
    """The best tree found for one budget; all values are means per sample, in the problem's own sign.

    Attributes
    ----------
    fraction, budget
        λ, and the absolute budget Γ that it means on these samples.
    tree
        The tree with the best worst case under this budget.
    fitted_at
        The λ whose fit found the tree; a tree from a neighbour may serve a budget better than the fit at it did.
    nominal, robust
        What the tree costs as read, and in the worst case under this budget.
    unprotected
        What the tree for the smallest budget costs in the worst case under this budget.
    lower_bound
        No tree over the same thresholds has a better worst case; −∞ (+∞ for gains) where nothing is proven.
    """

    fraction: float
    budget: float
    tree: Tree
    fitted_at: float
    nominal: float
    robust: float
    unprotected: float
    lower_bound: float = -math.inf


@dataclass(frozen=True, eq=False)
class PriceOfRobustness(Tabular):
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
    >>> from hedgerow.study import price_of_robustness
    >>> from hedgerow.datasets import motivating_example
    >>> problem, costs = motivating_example()
    >>> model = RobustTree(problem, depth=2, uncertainty=GlobalBudget(fraction=0.0), random_state=0)
    >>> price = price_of_robustness(model, costs, [0.0, 0.05, 0.1])
    >>> price.to_frame()[["fraction", "budget", "robust"]].round(3).values.tolist()
    [[0.0, 0.0, 7.2], [0.05, 5.0, 8.6], [0.1, 10.0, 10.2]]
    """

    kind: str
    points: tuple[PricePoint, ...]
    unit: str = ""

    def __repr__(self) -> str:
        return f"PriceOfRobustness({self.kind!r}, {len(self.points)} budgets)"

    def __str__(self) -> str:
        shown = ["fraction", "budget", "nominal", "robust", "unprotected"]
        return f"{self.to_frame()[shown].round(2).to_string(index=False)}\n{self.summary}"

    @property
    def summary(self) -> str:
        """What the tree for the largest budget costs and saves, in a sentence."""
        first, last = self.points[0], self.points[-1]
        more = abs(last.nominal - first.nominal)
        saved = abs(last.unprotected - last.robust)
        return (
            f"With a {self.kind} budget of {number(last.budget)} the best tree gives up {amount(more, self.unit)} per "
            f"sample as read and saves {amount(saved, self.unit)} in the worst case."
        )

    @property
    def breakpoints(self) -> tuple[PricePoint, ...]:
        """The points at which the tree changes, the first included."""
        before = (None, *(point.tree for point in self.points))
        return tuple(point for tree, point in zip(before, self.points, strict=False) if point.tree != tree)

    def to_frame(self) -> "pd.DataFrame":
        """Return one row per point; `tree` counts the breakpoints up to it, and `n_leaves` the tree's leaves."""
        import pandas as pd

        frame = pd.DataFrame([vars(point) for point in self.points])
        starts = {id(point) for point in self.breakpoints}
        numbers = pd.Series([id(point) in starts for point in self.points]).cumsum()
        return frame.assign(tree=numbers, n_leaves=[point.tree.n_leaves for point in self.points])

    def plot(self, **options: Any) -> Any:
        """Draw the curves; see `hedgerow.plot.plot_price`."""
        return reader("plot", "plot_price")(self, **options)


def price_of_robustness(
    model: "RobustTree", costs: Any, fractions: Iterable[float], *, context: Any = None, sample_weight: Any = None
) -> PriceOfRobustness:
    """Fit a tree for each budget, and keep for each the best of all trees found.

    Every tree is judged under every budget, so that a fit that ran out of time is helped by its neighbours, and the
    worst case never falls as the budget grows.

    Parameters
    ----------
    model
        How trees are fitted: depth, method, limits. Its uncertainty set says whether budgets are local or global
        (local if it is nominal), with its limits and prices; its budget is replaced. It is not changed itself.
    costs, context, sample_weight
        The rows, as for `RobustTree.fit`.
    fractions
        The budgets as λ of these rows.

    Examples
    --------
    >>> from hedgerow import LocalBudget, RobustTree
    >>> from hedgerow.study import price_of_robustness
    >>> from hedgerow.datasets import paper_shortest_path
    >>> problem, train, _ = paper_shortest_path(seed_id=0, n_samples=5, grid=3)
    >>> model = RobustTree(problem, depth=1, method="exact", random_state=0)
    >>> points = price_of_robustness(model, train, [0.0, 0.1, 0.3]).points
    >>> [point.robust <= after.robust for point, after in zip(points, points[1:])]
    [True, True]
    """
    from sklearn.base import clone

    check_model(model)
    shares = _checked_fractions(fractions)
    data = Instance.create(model.problem, costs, context=context, weights=sample_weight, depth=model.depth)
    sets = [model.uncertainty.sized(fraction=share).bind(data.observations, data.depth) for share in shares]
    fitted = [_fitted(clone(model), uncertainty, costs, context, sample_weight) for uncertainty in sets]
    by_place = dict(enumerate(sets))
    evaluated = [evaluations(one.tree_, data, by_place) for one in fitted]
    chosen = [_best(evaluated, place, data.sign) for place in range(len(sets))]
    points = []
    for place, source in enumerate(chosen):
        result = evaluated[source][place]
        proven = fitted[place].result_.lower_bound / data.total_weight
        points.append(
            PricePoint(
                shares[place],
                float(sets[place].budget),
                fitted[source].tree_,
                shares[source],
                result.nominal_mean,
                result.robust_mean,
                evaluated[chosen[0]][place].robust_mean,
                # Round thresholds may beat all midpoints under another budget.
                (min if data.sign > 0.0 else max)(result.robust_mean, proven),
            )
        )
    return PriceOfRobustness(sets[0].kind, tuple(points), model.problem.unit)


def check_model(model: Any) -> None:
    """Raise `InputError` if this is no estimator that says how trees are fitted."""
    from hedgerow.estimator import RobustTree

    if not isinstance(model, RobustTree):
        raise InputError(f"model must be a RobustTree, fitted or not; got {in_short(model)}.")


def _checked_fractions(fractions: Any) -> list[float]:
    """Return the λ in increasing order, each once."""
    if isinstance(fractions, str) or not isinstance(fractions, Iterable):
        raise InputError(f"fractions must be a list of numbers, zero or more; got {in_short(fractions)}.")
    shares = sorted({number_at_least(fraction, "fractions") for fraction in fractions})
    if not shares:
        raise InputError("fractions must hold at least one number, zero or more; got none.")
    return shares


def _fitted(
    model: "RobustTree", uncertainty: Uncertainty, costs: Any, context: Any, sample_weight: Any
) -> "RobustTree":
    return model.set_params(uncertainty=uncertainty).fit(costs, context=context, sample_weight=sample_weight)


def _best(evaluated: Sequence[Mapping[int, Evaluation]], place: int, sign: float) -> int:
    """Return which tree has the best worst case under a budget; among equals the best as read, then the first."""
    here = [results[place] for results in evaluated]
    best = min(sign * result.robust for result in here)
    equal = [k for k, result in enumerate(here) if sign * result.robust <= best + VALUE * max(1.0, abs(best))]
    return min(equal, key=lambda k: sign * here[k].nominal)
