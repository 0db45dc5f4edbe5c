"""The comparison as a recipe: split the rows, let everybody learn, judge on the rest."""

__all__ = ["compare", "fitting_budget"]

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from hedgerow.arrays import FloatArray
from hedgerow.errors import InputError
from hedgerow.intervals import block_labels
from hedgerow.pairs import LearnFrom, check_learn_from
from hedgerow.problem import Problem, sign_of
from hedgerow.run.progress import counted_in_notebooks
from hedgerow.study.comparison import Comparison
from hedgerow.study.contenders import Contender, contenders
from hedgerow.study.coverage import effective_errors
from hedgerow.study.held_out import Pairs, row_splits
from hedgerow.uncertainty import LocalBudget, Uncertainty

if TYPE_CHECKING:
    from hedgerow.estimator import RobustTree


@counted_in_notebooks("contenders")
def compare(
    problem: Problem,
    truth: Any,
    *,
    readings: Any = None,
    observations: Any = None,
    sample_weight: Any = None,
    depth: int = 2,
    questions: Sequence[Any] = ("items", "plans"),
    uncertainty: Uncertainty | None = None,
    learn_from: LearnFrom = "truth",
    iteration_limit: int = 10,
    time_limit: float | None = 60.0,
    folds: Any = 5,
    blocks: Any = None,
    others: Sequence[Contender] = (),
    random_state: int | None = 0,
    on_progress: Callable[[int, int], None] | None = None,
) -> Comparison:
    """Compare trees with simpler and with costlier ways to decide, on rows that none of them has seen.

    The contenders are one plan for all rows, CART on optimal labels, a forest that predicts costs to optimise for,
    greedy, nominal and robust trees with each kind of question, solving the problem for each reading, and knowing
    everything.

    Parameters
    ----------
    problem
        What is decided.
    truth
        True costs, N × items.
    readings
        What was read in place of the observations (by default of the costs), such as forecasts: same rows and columns.
    observations, sample_weight
        What is observed if not the costs, and how much each row counts, as for `RobustTree.fit`.
    depth, questions, learn_from
        Of the trees; each kind of question makes its own trees.
    uncertainty
        Budget of the robust trees. With readings, by default the one that fits the errors which reach a tree, see
        `hedgerow.study.comparing`; without readings there are no robust trees then.
    iteration_limit, time_limit, random_state
        Of each fit, by local search.
    folds
        How many blocks of consecutive rows, each held out once; or a splitter of scikit-learn, or pairs of row numbers
        such as `[(range(363), range(363, 728))]`.
    blocks
        One label per row: rows with the same label go together and are drawn together for the intervals. By default
        stretches of consecutive rows.
    others
        Contenders of your own.
    on_progress
        Called with how many fits are done, and of how many.

    Examples
    --------
    >>> import numpy as np
    >>> from hedgerow import compare
    >>> from hedgerow.problems import Selection
    >>> rng = np.random.default_rng(0)
    >>> truth = rng.uniform(0.0, 9.0, (60, 2))
    >>> forecast = truth + rng.normal(0.0, 0.5, truth.shape)
    >>> found = compare(Selection(2, 1), truth, readings=forecast, depth=1, questions=["items"], folds=3)
    >>> found.sentence
    'On 60 rows not seen before the best tree ...'
    """
    check_learn_from(learn_from, has_readings=readings is not None)
    pairs = Pairs.create(problem, truth, observations=observations, readings=readings, weights=sample_weight)
    parts, labels = row_splits(folds, len(pairs)), block_labels(blocks, len(pairs))
    found: list[FloatArray] = []
    done, limits = 0, {"iteration_limit": iteration_limit, "time_limit": time_limit, "random_state": random_state}
    options = {"depth": depth, "learn_from": learn_from, **limits}
    for train_rows, test_rows in parts:
        train, test = pairs.rows(train_rows), pairs.rows(test_rows)
        everyone = [*contenders(_trees(train, questions, uncertainty, **options), depth), *others]
        columns = []
        for contender in everyone:
            columns.append(test.cost(contender.learn(train)(test)))
            done += 1
            if on_progress is not None:
                on_progress(done, len(everyone) * len(parts))
        found.append(np.column_stack(columns))
    rows = np.concatenate([test_rows for _, test_rows in parts])
    return Comparison(
        names=tuple(contender.name for contender in everyone),
        costs=np.concatenate(found),
        weights=pairs.weights[rows],
        blocks=np.unique(labels[rows], return_inverse=True)[1].astype(np.int64),
        is_tree=np.array([contender.is_tree for contender in everyone]),
        unit=problem.unit,
        sense=problem.sense,
    )


def _trees(train: Pairs, questions: Sequence[Any], given: Uncertainty | None, **options: Any) -> list[tuple[str, Any]]:
    """Return trees to be fitted, by name: greedy, nominal and robust for each kind of question."""
    from hedgerow.estimator import RobustTree

    found: list[tuple[str, Any]] = []
    for kind in questions:
        asks = f" ({kind if isinstance(kind, str) else 'own questions'})"
        greedy, nominal, robust = (
            RobustTree(train.problem, method=method, questions=kind, **options)
            for method in ("greedy", "local_search", "local_search")
        )
        found += [("greedy tree" + asks, greedy), ("nominal tree" + asks, nominal)]
        if given is not None or train.readings is not None:
            robust.set_params(uncertainty=fitting_budget(greedy, train) if given is None else given)
            found.append(("robust tree" + asks, robust))
    return found


_FOLDS: Final = 2
_ROUNDS: Final = 2
"""More would not settle: most effective errors are zero, and budgets go round in circles."""


def fitting_budget(model: "RobustTree", pairs: Pairs, quantile: float = 0.9) -> LocalBudget:
    """Return the local budget that is best on rows held out, among few that follow from effective errors.

    Trees are fitted to one half of the rows and judged on the other, first without a budget, then with the quantile
    of the effective errors that the trees before had on the rows held out. Zero is among the answers. The model says
    how trees are fitted; its budget is replaced, and it is not changed itself.
    """
    from sklearn.base import clone

    if pairs.readings is None:
        raise InputError("a budget can only be fitted to errors; give readings beside the truth.")
    sign, size = sign_of(pairs.problem), 0.0
    tried: dict[float, float] = {}
    for _ in range(_ROUNDS + 1):
        cost, carried = 0.0, []
        for train, test in row_splits(min(_FOLDS, len(pairs)), len(pairs)):
            held_out = pairs.rows(test)
            assert held_out.readings is not None
            tree = pairs.rows(train).fitted(clone(model).set_params(uncertainty=LocalBudget(size))).tree_
            cost += sign * float(held_out.weights @ held_out.cost_with(tree))
            carried.append(effective_errors(tree, held_out.readings, held_out.observations))
        tried[size] = cost
        errors = np.concatenate(carried)
        size = float(np.quantile(errors[np.isfinite(errors)], quantile))
        if size in tried:
            break
    return LocalBudget(min(tried, key=lambda budget: tried[budget]))
