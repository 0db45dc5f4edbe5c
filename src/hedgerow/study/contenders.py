"""Ways to decide by a reading, from one plan for all rows to knowing everything."""

__all__ = [
    "CLAIRVOYANT",
    "ONE_PLAN",
    "SOLVING",
    "Advice",
    "Contender",
    "cart",
    "contenders",
    "forest",
    "one_plan",
    "tree",
]

import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import numpy as np

from hedgerow.data.arrays import FloatArray
from hedgerow.errors import InputError
from hedgerow.run import StopRunError
from hedgerow.study.held_out import Pairs
from hedgerow.tree.good_plans import best_for_each
from hedgerow.uncertainty import LocalBudget, Uncertainty

if TYPE_CHECKING:
    from hedgerow.estimator import RobustTree

ONE_PLAN: Final = "one plan"
SOLVING: Final = "solving for the reading"
CLAIRVOYANT: Final = "clairvoyant"

_TREES: Final = 100
_TREES_AT_ONCE: Final = 5
"""Trees of a forest that are grown between two looks at the clock."""

Advice: TypeAlias = Callable[[Pairs], FloatArray]
"""Returns a solution for each of some pairs; all but the clairvoyant look at readings alone."""


@dataclass(frozen=True)
class Contender:
    """A way to decide: `learn` learns from some pairs and returns advice for others.

    `is_tree` says whether people can read it as a tree of Hedgerow's.

    Examples
    --------
    >>> import numpy as np
    >>> from hedgerow.study import Contender
    >>> first = Contender("always the first", lambda train: lambda new: np.tile([1.0, 0.0], (len(new), 1)))
    >>> first.is_tree
    False
    """

    name: str
    learn: Callable[[Pairs], Advice]
    is_tree: bool = False

    def judge(self, train: Pairs, test: Pairs) -> FloatArray:
        """Return what each row costs with what was learnt from others."""
        return test.cost(self.learn(train)(test))


def contenders(
    model: "RobustTree",
    questions: Sequence[Any],
    uncertainty: Uncertainty | None,
    pairs: Pairs,
) -> list[Contender]:
    """Return the usual contenders for some pairs; the model says how trees are fitted, with each kind of question."""
    trees = [
        Contender(f"{name} ({kind if isinstance(kind, str) else 'own questions'})", learn, is_tree=True)
        for kind in questions
        for name, learn in {
            "greedy tree": partial(tree, model=model, questions=kind, method="greedy"),
            "nominal tree": partial(tree, model=model, questions=kind),
            "robust tree": partial(tree, model=model, questions=kind, uncertainty=uncertainty),
        }.items()
        if name != "robust tree" or uncertainty is not None or pairs.readings is not None
    ]
    return [
        Contender(ONE_PLAN, one_plan),
        Contender("CART on optimal labels", partial(cart, depth=model.depth)),
        Contender("forest, then optimise", forest),
        *trees,
        *([] if pairs.read is None else [Contender(SOLVING, lambda _: _solve_for_readings)]),
        Contender(CLAIRVOYANT, lambda _: lambda new: _solved(new, new.costs)),
    ]


def _solved(new: Pairs, costs: FloatArray) -> FloatArray:
    """Return the best solution for each row of costs; `StopRunError` is raised once time is up."""
    solutions = best_for_each(new.problem, costs, new.deadline.remaining)
    if len(solutions) < len(costs):
        raise StopRunError
    return solutions


def _solve_for_readings(new: Pairs) -> FloatArray:
    assert new.read is not None
    return _solved(new, new.read)


def one_plan(train: Pairs) -> Advice:
    """Learn the best plan for all rows together."""
    solution = train.problem.best_solution(train.costs, train.weights).solution
    return lambda new: np.tile(solution, (len(new), 1))


def cart(train: Pairs, depth: int) -> Advice:
    """Learn to predict the optimal solution as a class: this counts mistakes, not what they cost."""
    from sklearn.tree import DecisionTreeClassifier

    optima, classes = np.unique(_solved(train, train.costs), axis=0, return_inverse=True)
    classifier = DecisionTreeClassifier(max_depth=max(1, depth), random_state=0)
    with warnings.catch_warnings():
        # Nearly every row may have an optimum of its own; that CART suffers from it shows in the comparison.
        warnings.filterwarnings("ignore", "The number of unique classes", UserWarning)
        classifier.fit(train.observed, classes.ravel(), train.weights)
    return lambda new: optima[classifier.predict(new.observed)]


def forest(train: Pairs) -> Advice:
    """Learn to predict the costs and solve for the prediction; it can't be read as rules."""
    from sklearn.ensemble import RandomForestRegressor

    # A third of the features at each split, as is usual for regression.
    regressor = RandomForestRegressor(max_features=1 / 3, min_samples_leaf=3, random_state=0, warm_start=True)
    for n_trees in range(_TREES_AT_ONCE, _TREES + 1, _TREES_AT_ONCE):  # the same forest as if grown at once
        if train.deadline.passed():
            raise StopRunError
        regressor.set_params(n_estimators=n_trees).fit(train.observed, train.costs, train.weights)

    def advice(new: Pairs) -> FloatArray:
        expected = np.atleast_2d(regressor.predict(new.observed)).reshape(len(new), train.costs.shape[1])
        return _solved(new, expected)

    return advice


def tree(train: Pairs, model: "RobustTree", **changes: Any) -> Advice:
    """Fit a tree; an uncertainty set of None is the one that errors of the readings suggest."""
    from sklearn.base import clone

    if "uncertainty" in changes and changes["uncertainty"] is None:
        try:
            changes["uncertainty"] = LocalBudget.from_errors(train.readings, train.costs, depth=model.depth)
        except InputError as error:
            raise InputError(f"robust trees need a budget; pass uncertainty. Errors suggest none: {error}") from None
    fitted = train.fitted(clone(model).set_params(**changes))
    return lambda new: new.advised(fitted)
