"""Ways to decide by a reading, from one plan for all rows to knowing everything."""

__all__ = ["CLAIRVOYANT", "ONE_PLAN", "SOLVING", "Advice", "Contender", "best_for_each", "contenders", "one_plan"]

import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Final, TypeAlias

import numpy as np

from hedgerow.data.arrays import FloatArray
from hedgerow.problem import Problem
from hedgerow.problems import LinearProblem
from hedgerow.study.held_out import Pairs

if TYPE_CHECKING:
    from hedgerow.estimator import RobustTree

ONE_PLAN: Final = "one plan"
SOLVING: Final = "solving for the reading"
CLAIRVOYANT: Final = "clairvoyant"

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


def contenders(models: "Sequence[tuple[str, RobustTree]]", depth: int) -> Iterator[Contender]:
    """Yield the usual contenders around some trees, given by name and way to fit."""
    yield Contender(ONE_PLAN, one_plan)
    yield Contender("CART on optimal labels", lambda train: _cart(train, depth))
    yield Contender("forest, then optimise", _forest)
    for name, model in models:
        yield Contender(name, partial(_tree, model=model), is_tree=True)
    yield Contender(SOLVING, lambda _: lambda new: best_for_each(new.problem, new.read))
    yield Contender(CLAIRVOYANT, lambda _: lambda new: best_for_each(new.problem, new.costs))


def best_for_each(problem: Problem, costs: FloatArray) -> FloatArray:
    """Return the best solution for each row of costs.

    >>> from hedgerow.problems import Selection
    >>> best_for_each(Selection(2, 1), np.array([[1.0, 3.0], [4.0, 2.0]])).tolist()
    [[1.0, 0.0], [0.0, 1.0]]
    """
    if isinstance(problem, LinearProblem):
        return problem.best_solutions(costs)
    return np.array([problem.best_solution(row[None]).solution for row in costs])


def one_plan(train: Pairs) -> Advice:
    """Learn the best plan for all rows together."""
    solution = train.problem.best_solution(train.costs, train.weights).solution
    return lambda new: np.tile(solution, (len(new), 1))


def _cart(train: Pairs, depth: int) -> Advice:
    """Learn to predict the optimal solution as a class: this counts mistakes, not what they cost."""
    from sklearn.tree import DecisionTreeClassifier

    optima, classes = np.unique(best_for_each(train.problem, train.costs), axis=0, return_inverse=True)
    tree = DecisionTreeClassifier(max_depth=max(1, depth), random_state=0)
    with warnings.catch_warnings():
        # Nearly every row may have an optimum of its own; that CART suffers from it shows in the comparison.
        warnings.filterwarnings("ignore", "The number of unique classes", UserWarning)
        tree.fit(train.read, classes.ravel(), train.weights)
    return lambda new: optima[tree.predict(new.read)]


def _forest(train: Pairs) -> Advice:
    """Learn to predict the costs and solve for the prediction; it can't be read as rules."""
    from sklearn.ensemble import RandomForestRegressor

    # A third of the features at each split, as is usual for regression.
    forest = RandomForestRegressor(max_features=1 / 3, min_samples_leaf=3, random_state=0)
    forest.fit(train.read, train.costs, train.weights)
    return lambda new: best_for_each(
        new.problem, np.atleast_2d(forest.predict(new.read)).reshape(len(new), train.costs.shape[1])
    )


def _tree(train: Pairs, model: "RobustTree") -> Advice:
    from sklearn.base import clone

    tree = train.fitted(clone(model)).tree_
    return lambda new: tree.predict(new.read)
