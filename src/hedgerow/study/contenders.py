"""Ways to decide by a reading, from one plan for all rows to knowing everything."""

__all__ = [
    "CHOSEN",
    "CLAIRVOYANT",
    "ONE_PLAN",
    "SOLVING",
    "Advice",
    "Contender",
    "Decided",
    "card_or_solving",
    "cart",
    "clairvoyant",
    "contenders",
    "forest",
    "one_plan",
    "suggested",
    "tree",
]

import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias

import numpy as np

from hedgerow.data.arrays import BoolArray, FloatArray
from hedgerow.data.confidence import block_labels, standard_error
from hedgerow.errors import InputError
from hedgerow.problem import sign_of
from hedgerow.run import StopRunError
from hedgerow.study.held_out import Pairs, row_splits
from hedgerow.tree.good_plans import best_for_each
from hedgerow.uncertainty import LocalBudget, Nominal, Uncertainty

if TYPE_CHECKING:
    from hedgerow.estimator import RobustTree

ONE_PLAN: Final = "one plan"
SOLVING: Final = "solving for the reading"
CLAIRVOYANT: Final = "clairvoyant"
CHOSEN: Final = "chosen on training rows"

_TREES: Final = 100
_TREES_AT_ONCE: Final = 5
"""Trees of a forest that are grown between two looks at the clock."""

_FOLDS: Final = 4
"""Into how many parts the rows to learn from are split where something is chosen on them."""

_FEWEST_ROWS: Final = 2 * _FOLDS


class Decided(NamedTuple):
    """A plan per row, how many readings they took, and for which rows the problem was solved.

    `place` is that of the contender that was chosen, where one was: the contenders that it is chosen from come first.
    """

    plans: FloatArray
    n_readings: int
    is_solved: bool | BoolArray = False
    place: int = 0


Advice: TypeAlias = Callable[[Pairs], FloatArray | Decided]
"""Returns a solution for each of some pairs, or more than that; all but the clairvoyant look at readings alone."""


@dataclass(frozen=True)
class Contender:
    """A way to decide: `learn` learns from some pairs and returns advice for others.

    `is_tree` says whether people can read it as rules, which also advise where readings are missing (NaN); `solves`
    whether the problem is solved for each reading.

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
    solves: bool = False

    def judge(self, train: Pairs, test: Pairs) -> FloatArray:
        """Return per row held out its cost, the number of readings, whether it was solved for, and the place chosen.

        Last comes the cost where some readings are missing, for rules; others can't do without a reading.
        """
        advice = self.learn(train)
        decided = self.decide(advice, test)
        gaps = test.cost(self.decide(advice, test.with_gaps()).plans) if self.is_tree else np.nan
        return np.column_stack([test.cost(decided.plans), *(np.full(len(test), each) for each in (*decided[1:], gaps))])

    def decide(self, advice: Advice, new: Pairs) -> Decided:
        """Return what advice that was learnt decides for other rows."""
        found = advice(new)
        if isinstance(found, Decided):
            return found
        n_readings = 0 if self.name in (ONE_PLAN, CLAIRVOYANT) else new.observed.shape[1]
        return Decided(found, n_readings, self.solves)


def contenders(
    model: "RobustTree",
    questions: Sequence[Any],
    uncertainty: Uncertainty | None,
    pairs: Pairs,
    plans_per_leaf: int = 12,
) -> list[Contender]:
    """Return the usual contenders for some pairs; the model says how trees are fitted, with each kind of question.

    They are in the order of the effort that they take, up to the last two: what the rows to learn from suggest of those
    before it, and knowing everything.
    """
    trees = []
    for kind in questions:
        asks = f"({kind if isinstance(kind, str) else 'own questions'})"
        learn = partial(tree, model=model, questions=kind)
        trees.append(Contender(f"tree {asks}", learn, is_tree=True))
        if uncertainty is not None or pairs.readings is not None:
            robust = partial(learn, uncertainty=uncertainty)
            trees.append(Contender(f"robust tree {asks}", robust, is_tree=True))
    solving = [] if pairs.read is None else [Contender(SOLVING, lambda _: _solve_for_readings, solves=True)]
    cards = []
    if solving and pairs.compares_plans:
        learn = partial(
            tree,
            model=model,
            depth=0,
            plans_per_leaf=plans_per_leaf,
            questions="items",
            learn_from="truth" if pairs.readings is None else "readings",
            uncertainty=Nominal(),
        )
        card = Contender(f"card of {plans_per_leaf} plans", learn, is_tree=True)
        cards = [card, Contender("card, or solving", partial(card_or_solving, card=card))]
    by_effort = [
        Contender(ONE_PLAN, one_plan),
        Contender("CART on optimal labels", partial(cart, depth=model.depth)),
        *trees,
        *cards,
        *solving,
        Contender("forest, then optimise", forest, solves=True),
    ]
    return [*by_effort, Contender(CHOSEN, partial(suggested, ways=by_effort)), Contender(CLAIRVOYANT, clairvoyant)]


def _solve_for_readings(new: Pairs) -> FloatArray:
    assert new.read is not None
    return new.best_plans(new.read)


def clairvoyant(train: Pairs) -> Advice:
    """Know the truth."""
    del train
    return lambda new: new.best_plans(new.costs)


def one_plan(train: Pairs) -> Advice:
    """Learn the best plan for all rows together."""
    solution = train.problem.best_solution(train.costs, train.weights).solution
    return lambda new: np.tile(solution, (len(new), 1))


def cart(train: Pairs, depth: int) -> Advice:
    """Learn to predict the optimal solution as a class: this counts mistakes, not what they cost."""
    from sklearn.tree import DecisionTreeClassifier

    optima, classes = np.unique(train.best_plans(train.costs), axis=0, return_inverse=True)
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
        plans = best_for_each(new.problem, expected, new.deadline.remaining)
        if len(plans) < len(new):
            raise StopRunError
        return plans

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
    return lambda new: Decided(new.advised(fitted), int(fitted.tree_.asked_items.size))


def card_or_solving(train: Pairs, card: Contender) -> Advice:
    """Learn a card, and from what reading on it is worth solving the problem instead, by cross-validation."""
    promised, won = [np.empty(0)], [np.empty(0)]
    for rows, held_out in _folds(train):
        test = train.rows(held_out)
        plans = card.decide(card.learn(train.rows(rows)), test).plans
        gains = _gains(test, plans, _solve_for_readings(test))
        promised.append(gains[0])
        won.append(test.weights * gains[1])
    promise, gain = np.concatenate(promised), np.concatenate(won)
    order = np.argsort(-promise, kind="stable")
    promise, sums = promise[order], np.concatenate([[0.0], np.cumsum(gain[order])])
    # Rows that promise as much are solved together.
    ends = [0, *(place for place in range(1, promise.size) if promise[place] < promise[place - 1])]
    ends += [promise.size] if promise.size and promise[-1] > 0.0 else []
    best = max(ends, key=lambda end: sums[end])
    above = promise[best - 1] if best else np.inf
    below = promise[best] if best < promise.size else 0.0
    rules, threshold = card.learn(train), float(above + below) / 2.0

    def advice(new: Pairs) -> Decided:
        plans, solved = card.decide(rules, new).plans, _solve_for_readings(new)
        is_solved = _gains(new, plans, solved)[0] > threshold
        return Decided(np.where(is_solved[:, None], solved, plans), new.observed.shape[1], is_solved)

    return advice


def _gains(pairs: Pairs, plans: FloatArray, others: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return per row how much better other plans are than some: by the reading, and in truth."""
    sign = sign_of(pairs.problem)
    by_reading = sign * (pairs.cost(plans, pairs.read) - pairs.cost(others, pairs.read))
    return by_reading, sign * (pairs.cost(plans) - pairs.cost(others))


def suggested(train: Pairs, ways: Sequence[Contender]) -> Advice:
    """Learn the way that is worth it, by cross-validation: the first that is within a standard error of the best.

    The ways are in the order of the effort that they take.
    """
    sign, folds = sign_of(train.problem), _folds(train)
    place = 0
    if folds:
        costs = np.concatenate(
            [
                np.column_stack([sign * way.judge(train.rows(rows), train.rows(held_out))[:, 0] for way in ways])
                for rows, held_out in folds
            ]
        )
        weights, labels = train.weights, block_labels(None, len(train))
        best = int(np.argmin(weights @ costs))
        more = costs - costs[:, [best]]
        errors = [standard_error(column, weights, labels) if column.any() else 0.0 for column in more.T]
        place = next(k for k in range(len(ways)) if weights @ more[:, k] <= weights.sum() * errors[k])
    way, advice = ways[place], ways[place].learn(train)
    return lambda new: way.decide(advice, new)._replace(place=place)


def _folds(train: Pairs) -> Any:
    """Return how rows to learn from are split once more; none where they are too few."""
    return row_splits(_FOLDS, len(train)) if len(train) >= _FEWEST_ROWS else []
