"""The price of robustness: what the best tree for each of several budgets costs, as read and in the worst case."""

__all__ = ["PriceOfRobustness", "price_of_robustness"]

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from hedgerow.data.checks import in_short, number_at_least
from hedgerow.data.display import Tabular, reader
from hedgerow.errors import InputError
from hedgerow.evaluation import Evaluation, evaluation_of
from hedgerow.instance import Instance
from hedgerow.study.held_out import check_model
from hedgerow.tolerances import VALUE
from hedgerow.tree.tree import Tree
from hedgerow.wording.numbers import amount, number

if TYPE_CHECKING:
    import pandas as pd

    from hedgerow.estimator import RobustTree


@dataclass(frozen=True, eq=False, repr=False)
class PriceOfRobustness(Tabular):
    """The best tree for each of some budgets, by growing budget.

    Attributes
    ----------
    kind
        "local" or "global".
    table
        One row per budget, with means per sample in the problem's own sign: λ (`fraction`) and the budget that it
        means; what the best tree costs as read (`nominal`) and in the worst case (`robust`); what the first tree costs
        in the worst case (`unprotected`); the proven bound (`lower_bound`); `tree` counts the trees that differ.
    trees
        The best tree for each budget.
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
    table: "pd.DataFrame"
    trees: tuple[Tree, ...]
    unit: str = ""

    def __repr__(self) -> str:
        return f"PriceOfRobustness({self.kind!r}, {len(self.trees)} budgets)"

    @property
    def summary(self) -> str:
        """What the tree for the largest budget costs and saves, in a sentence."""
        first, last = self.table.iloc[0], self.table.iloc[-1]
        more, saved = abs(last.nominal - first.nominal), abs(last.unprotected - last.robust)
        return (
            f"With a {self.kind} budget of {number(last.budget)} the best tree gives up {amount(more, self.unit)} per "
            f"sample as read and saves {amount(saved, self.unit)} in the worst case."
        )

    def to_frame(self) -> "pd.DataFrame":
        """Return the table."""
        return self.table

    def plot(self, ax: Any = None) -> Any:
        """Draw the curves on matplotlib's axes, or on a new figure if None; return the axes."""
        return reader("plot.curves", "draw_price")(self, ax)


def price_of_robustness(
    model: "RobustTree", costs: Any, fractions: Any, *, context: Any = None, sample_weight: Any = None
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
    >>> price_of_robustness(model, train, [0.0, 0.1, 0.3]).to_frame()["robust"].is_monotonic_increasing
    True
    """
    import pandas as pd
    from sklearn.base import clone

    check_model(model)
    if isinstance(fractions, str) or not isinstance(fractions, Iterable):
        raise InputError(f"fractions must be a list of numbers, zero or more; got {in_short(fractions)}.")
    shares = sorted({number_at_least(fraction, "fractions") for fraction in fractions})
    if not shares:
        raise InputError("fractions must hold at least one number, zero or more; got none.")
    data = Instance.create(model.problem, costs, context=context, weights=sample_weight, depth=model.depth)
    sets = [data.under(model.uncertainty.sized(fraction=share)).uncertainty for share in shares]
    results = [
        clone(model).set_params(uncertainty=each).fit(costs, context=context, sample_weight=sample_weight).result_
        for each in sets
    ]
    by_budget = [[evaluation_of(result.tree, data, each) for result in results] for each in sets]
    chosen = [_best(here, data.sign) for here in by_budget]
    table = pd.DataFrame(
        {
            "fraction": shares,
            "budget": [float(each.budget) for each in sets],
            "nominal": [here[k].nominal_mean for here, k in zip(by_budget, chosen, strict=True)],
            "robust": [here[k].robust_mean for here, k in zip(by_budget, chosen, strict=True)],
            "unprotected": [here[chosen[0]].robust_mean for here in by_budget],
            "lower_bound": [result.lower_bound / data.total_weight for result in results],
        }
    )
    # Round thresholds may beat all midpoints under another budget.
    table["lower_bound"] = table[["robust", "lower_bound"]].agg("min" if data.sign > 0.0 else "max", axis=1)
    trees = tuple(results[k].tree for k in chosen)
    changes = [place == 0 or tree != trees[place - 1] for place, tree in enumerate(trees)]
    return PriceOfRobustness(sets[0].kind, table.assign(tree=pd.Series(changes).cumsum()), trees, model.problem.unit)


def _best(evaluated: list[Evaluation], sign: float) -> int:
    """Return which tree has the best worst case; among equals the best as read, then the first."""
    best = min(sign * result.robust for result in evaluated)
    equal = [k for k, result in enumerate(evaluated) if sign * result.robust <= best + VALUE * max(1.0, abs(best))]
    return min(equal, key=lambda k: sign * evaluated[k].nominal)
