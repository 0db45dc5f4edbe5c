"""Ways to decide by a reading, from one plan for all rows to knowing everything."""

import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias

import numpy as np

from hedgerow.data.arrays import BoolArray, FloatArray
from hedgerow.data.confidence import block_labels, standard_error
from hedgerow.errors import InputError
from hedgerow.study.held_out import Pairs, row_splits
from hedgerow.uncertainty import LocalBudget, Nominal, Uncertainty

if TYPE_CHECKING:
    from hedgerow.estimator import RobustTree

ONE_PLAN: Final = "one plan"
SOLVING: Final = "solving for the reading"
CLAIRVOYANT: Final = "clairvoyant"
CHOSEN: Final = "chosen on training rows"

CARD_PLANS: Final = 12
"""Plans of the usual card."""

_FOLDS: Final = 4
"""Into how many parts the rows to learn from are split where something is chosen on them."""

_FEWEST_ROWS: Final = 2 * _FOLDS


class Decided(NamedTuple):
    """A plan per row, how many readings they took, and for which rows the problem was solved.

    `place` is that of the contender that was chosen, where one was: the contenders that it is chosen from come first.
    `plans_with_gaps` are those where some readings are missing, of rules; others can't do without a reading.
    """

    plans: FloatArray
    n_readings: int
    is_solved: bool | BoolArray = False
    place: int = 0
    plans_with_gaps: FloatArray | None = None


Advice: TypeAlias = Callable[[Pairs], Decided]
"""Returns what is decided for some pairs; all but the clairvoyant look at readings alone."""


@dataclass(frozen=True)
class Contender:
    """A way to decide: `learn` learns from some pairs and returns advice for others."""

    name: str
    learn: Callable[[Pairs], Advice]

    def judge(self, train: Pairs, test: Pairs) -> FloatArray:
        """Return per row held out its cost, the number of readings, whether it was solved for, and the place chosen.

        Last comes the cost where some readings are missing, NaN for all but rules.
        """
        decided = self.learn(train)(test)
        gaps = np.nan if decided.plans_with_gaps is None else test.cost(decided.plans_with_gaps)
        others = (np.full(len(test), each) for each in (*decided[1:4], gaps))
        return np.column_stack([test.cost(decided.plans), *others])


def contenders(
    model: "RobustTree",
    questions: Sequence[Any],
    uncertainty: Uncertainty | None,
    pairs: Pairs,
) -> list[Contender]:
    """Return the usual contenders for some pairs; the model says how trees are fitted, with each kind of question.

    They are in the order of the effort that they take, up to the last two: what the rows to learn from suggest of those
    before it, and knowing everything.
    """
    trees = []
    for kind in questions:
        asks = f"({kind if isinstance(kind, str) else 'own questions'})"
        learn = partial(tree, model=model, questions=kind)
        trees.append(Contender(f"tree {asks}", learn))
        if uncertainty is not None or pairs.readings is not None:
            robust = partial(learn, uncertainty=uncertainty)
            trees.append(Contender(f"robust tree {asks}", robust))
    solving = [] if pairs.read is None else [Contender(SOLVING, solving_for_readings)]
    cards = []
    if solving and pairs.compares_plans:
        learn = partial(
            tree,
            model=model,
            depth=0,
            plans_per_leaf=CARD_PLANS,
            questions="items",
            learn_from="truth" if pairs.readings is None else "readings",
            uncertainty=Nominal(),
        )
        card = Contender(f"card of {CARD_PLANS} plans", learn)
        cards = [card, Contender("card, or solving", partial(card_or_solving, card=card))]
    by_effort = [
        Contender(ONE_PLAN, one_plan),
        Contender("CART on optimal labels", partial(cart, depth=model.depth)),
        *trees,
        *cards,
        *solving,
    ]
    return [*by_effort, Contender(CHOSEN, partial(suggested, ways=by_effort)), Contender(CLAIRVOYANT, clairvoyant)]


def _best_by_readings(new: Pairs) -> FloatArray:
    assert new.read is not None
    return new.best_plans(new.read)


def solving_for_readings(train: Pairs) -> Advice:
    """Solve the problem for each reading."""
    del train
    return lambda new: Decided(_best_by_readings(new), new.observed.shape[1], is_solved=True)


def clairvoyant(train: Pairs) -> Advice:
    """Know the truth."""
    del train
    return lambda new: Decided(new.best_plans(new.costs), 0)


def one_plan(train: Pairs) -> Advice:
    """Learn the best plan for all rows together."""
    solution = train.problem.best_solution(train.costs, train.weights).solution
    return lambda new: Decided(np.tile(solution, (len(new), 1)), 0)


def cart(train: Pairs, depth: int) -> Advice:
    """Learn to predict the optimal solution as a class: this counts mistakes, not what they cost."""
    from sklearn.tree import DecisionTreeClassifier

    optima, classes = np.unique(train.best_plans(train.costs), axis=0, return_inverse=True)
    classifier = DecisionTreeClassifier(max_depth=max(1, depth), random_state=0)
    with warnings.catch_warnings():
        # Nearly every row may have an optimum of its own; that CART suffers from it shows in the comparison.
        warnings.filterwarnings("ignore", "The number of unique classes", UserWarning)
        classifier.fit(train.observed, classes.ravel(), train.weights)
    return lambda new: Decided(optima[classifier.predict(new.observed)], new.observed.shape[1])


def tree(train: Pairs, model: "RobustTree", **changes: Any) -> Advice:
    """Fit a tree; an uncertainty set of None is the one that errors of the readings suggest."""
    from sklearn.base import clone

    if "uncertainty" in changes and changes["uncertainty"] is None:
        try:
            changes["uncertainty"] = LocalBudget.from_errors(train.readings, train.costs, depth=model.depth)
        except InputError as error:
            raise InputError(f"robust trees need a budget; pass uncertainty. Errors suggest none: {error}") from None
    # The clone's problem is a copy, without the solutions that the first fit has listed.
    fitted = train.fitted(clone(model).set_params(problem=train.problem, **changes))
    n_asked = int(fitted.tree_.asked_items.size)
    return lambda new: Decided(new.advised(fitted), n_asked, plans_with_gaps=new.with_gaps().advised(fitted))


def card_or_solving(train: Pairs, card: Contender) -> Advice:
    """Learn a card, and from what reading on it is worth solving the problem instead, by cross-validation."""
    promised, won = [np.empty(0)], [np.empty(0)]
    for rows, held_out in _folds(train):
        test = train.rows(held_out)
        plans = card.learn(train.rows(rows))(test).plans
        gains = _gains(test, plans, _best_by_readings(test))
        promised.append(gains[0])
        won.append(test.weights * gains[1])
    promise, gain = np.concatenate(promised), np.concatenate(won)
    # Rows that promise as much are solved together, and those that promise nothing are not.
    levels = np.array([np.inf, *np.unique(promise[promise > 0.0])[::-1], 0.0])
    best = int(np.argmax([gain[promise >= level].sum() for level in levels[:-1]]))
    rules, threshold = card.learn(train), float(levels[best : best + 2].mean())

    def advice(new: Pairs) -> Decided:
        plans, solved = rules(new).plans, _best_by_readings(new)
        is_solved = _gains(new, plans, solved)[0] > threshold
        return Decided(np.where(is_solved[:, None], solved, plans), new.observed.shape[1], is_solved)

    return advice


def _gains(pairs: Pairs, plans: FloatArray, others: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return per row how much better other plans are than some: by the reading, and in truth."""
    sign = pairs.problem.sign
    by_reading = sign * (pairs.cost(plans, pairs.read) - pairs.cost(others, pairs.read))
    return by_reading, sign * (pairs.cost(plans) - pairs.cost(others))


def suggested(train: Pairs, ways: Sequence[Contender]) -> Advice:
    """Learn the way that is worth it, by cross-validation: the first that is within a standard error of the best.

    The ways are in the order of the effort that they take.
    """
    sign, folds = train.problem.sign, _folds(train)
    place = 0
    if folds:
        parts = []
        for rows, held_out in folds:
            known, test = train.rows(rows), train.rows(held_out)
            parts.append(np.column_stack([test.cost(way.learn(known)(test).plans) for way in ways]))
        costs = sign * np.concatenate(parts)
        weights, labels = train.weights, block_labels(len(train))
        best = int(np.argmin(weights @ costs))
        more = costs - costs[:, [best]]
        errors = [standard_error(column, weights, labels) if column.any() else 0.0 for column in more.T]
        place = next(k for k in range(len(ways)) if weights @ more[:, k] <= weights.sum() * errors[k])
    advice = ways[place].learn(train)
    return lambda new: advice(new)._replace(place=place)


def _folds(train: Pairs) -> Any:
    """Return how rows to learn from are split once more; none where they are too few."""
    return row_splits(_FOLDS, len(train)) if len(train) >= _FEWEST_ROWS else []
