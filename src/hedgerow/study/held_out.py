"""Pairs of truth and reading, split into rows to learn from and rows to be judged on."""

import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, NamedTuple, Self, TypeAlias

import numpy as np

from hedgerow.data.arrays import FloatArray, IntArray
from hedgerow.data.checks import in_short, integer_between
from hedgerow.data.context import context_frame
from hedgerow.data.gaps import blank
from hedgerow.errors import InputError
from hedgerow.instance import Instance, LearnFrom
from hedgerow.problems.base import Problem
from hedgerow.run import Deadline, StopRunError
from hedgerow.run.progress import Progress
from hedgerow.tree.question_kinds import best_for_each, cost_coefficients
from hedgerow.wording.numbers import counted

if TYPE_CHECKING:
    from hedgerow.estimator import RobustTree

Parts: TypeAlias = list[tuple[IntArray, IntArray]]
"""Rows to learn from and rows held out, fold by fold."""


@dataclass(frozen=True, eq=False)
class Pairs:
    """What was true beside what was read and known, row by row, checked once.

    Readings are None if costs were read as they are. `observed` holds what advice is based on as numbers: readings, and
    the features of context. The deadline is that of whoever learns or decides.

    >>> from hedgerow.problems import Selection
    >>> pairs = Pairs.create(Selection(2, 1), [[1.0, 3.0], [4.0, 2.0]], readings=[[2.0, 3.0], [4.0, 5.0]])
    >>> pairs.rows([1]).observed, pairs.cost([[1, 0], [1, 0]])
    (array([[4., 5.]]), array([1., 4.]))
    """

    problem: Problem
    costs: FloatArray
    readings: FloatArray | None
    context: Any
    weights: FloatArray
    observed: FloatArray
    deadline: Deadline = field(default_factory=Deadline)
    _best: dict[bytes, FloatArray] = field(default_factory=dict)
    """The best plans known so far, for rows of costs as bytes; all parts of the pairs share it."""

    @classmethod
    def create(
        cls, problem: Problem, costs: Any, *, readings: Any = None, context: Any = None, weights: Any = None
    ) -> Self:
        """Check everything once and return the pairs; rows of weight zero are left out."""
        way: LearnFrom = "truth" if readings is None else "readings"
        shown = {"readings": readings, "context": context, "learn_from": way}
        data = Instance.create(problem, costs, **shown, weights=weights, depth=0)
        counts = np.ones(data.n_samples, dtype=bool) if weights is None else np.asarray(weights) > 0.0
        frame = None if context is None else context_frame(context)[counts].reset_index(drop=True)
        read = None if readings is None else data.observations[:, : data.n_readings]
        return cls(problem, data.costs, read, frame, data.weights, data.observations)

    def __len__(self) -> int:
        return len(self.costs)

    @property
    def read(self) -> FloatArray | None:
        """What was read of the costs; None if nothing was, but only context was known."""
        return self.readings if self.readings is not None or self.context is not None else self.costs

    def rows(self, rows: Sequence[int] | IntArray) -> Self:
        """Return some of the pairs."""
        return replace(
            self,
            costs=self.costs[rows],
            readings=None if self.readings is None else self.readings[rows],
            context=None if self.context is None else self.context.iloc[rows],
            weights=self.weights[rows],
            observed=self.observed[rows],
        )

    def with_gaps(self) -> Self:
        """Return the same pairs with some of the readings missing."""
        return self if self.read is None else replace(self, readings=blank(self.read))

    def best_plans(self, costs: FloatArray) -> FloatArray:
        """Return the best plan for each row of costs, solved for once; `StopRunError` is raised when time is up."""
        keys = [row.tobytes() for row in costs]
        new = {key: row for key, row in zip(keys, costs, strict=True) if key not in self._best}
        if new:
            plans = best_for_each(self.problem, np.array(list(new.values())), self.deadline.remaining)
            if len(plans) < len(new):
                raise StopRunError
            self._best.update(zip(new, plans, strict=True))
        return np.array([self._best[key] for key in keys])

    def fitted(self, model: "RobustTree") -> "RobustTree":
        """Return the model, fitted to these pairs in the way that its `learn_from` says.

        `StopRunError` is raised when time is up.
        """
        if self.deadline.passed():
            raise StopRunError
        return model.fit(self.costs, readings=self.readings, context=self.context, sample_weight=self.weights)

    def advised(self, fitted: "RobustTree") -> FloatArray:
        """Return the solutions that a fitted model advises."""
        rules = fitted.rulebook_
        solutions: FloatArray = rules.predict(rules.shown(self.costs, self.readings, self.context))
        return solutions

    @property
    def compares_plans(self) -> bool:
        """Whether costs are sums over items, so that plans can be compared by readings."""
        one = self.problem.best_solution(self.costs[:1], self.weights[:1]).solution
        try:
            cost_coefficients(self.problem, one[None], "a card")
        except InputError:
            return False
        return True

    def cost(self, solutions: Any, table: FloatArray | None = None) -> FloatArray:
        """Return what each row costs with its solution, not weighted, in the problem's own sign.

        That is the true cost, or the one by another table, such as the readings.
        """
        distinct, which = np.unique(np.asarray(solutions, dtype=np.float64), axis=0, return_inverse=True)
        costs = self.problem.costs(distinct, self.costs if table is None else table)
        chosen: FloatArray = costs[np.arange(len(self)), which.ravel()]
        return chosen


Judge: TypeAlias = Callable[[Pairs, Pairs], FloatArray]
"""Learns from the first pairs, and returns what is to be known of the second: a row for each."""


def row_splits(folds: Any, n_rows: int, fewest: int = 1) -> Parts:
    """Return which rows to learn from and which to judge on, fold by fold; `folds` is that of `compare` and `tune`.

    >>> [held_out.tolist() for _, held_out in row_splits(2, 5)]
    [[0, 1, 2], [3, 4]]
    """
    from sklearn.model_selection import KFold, check_cv

    rows = np.arange(n_rows)
    if isinstance(folds, int | np.integer):
        return list(KFold(integer_between(folds, "folds", 2, n_rows)).split(rows))
    try:
        parts = [(rows[train], rows[test]) for train, test in check_cv(folds).split(rows)]
    except (IndexError, TypeError, ValueError) as error:
        raise InputError(f"folds must be a number, or split the {n_rows} rows: {error}.") from None
    if len(parts) < fewest or not all(train.size and test.size for train, test in parts):
        raise InputError(
            f"folds must be at least {fewest}, each with rows to learn from and rows held out; got {in_short(folds)}."
        )
    return parts


class Judged(NamedTuple):
    """What is known of ways to decide on rows held out: the rows in their order, and the fold that held each out.

    `values` are rows × ways × what a judge says of a row.
    """

    rows: IntArray
    fold: IntArray
    values: FloatArray
    n_folds_left_out: int = 0


def judged(
    pairs: Pairs,
    parts: Parts,
    judges: Sequence[Judge],
    deadline: Deadline,
    *,
    fewest: int = 1,
    what: str = "fits",
    n_jobs: int = 1,
    verbose: bool = False,
) -> Judged:
    """Judge ways to decide on rows held out, fold by fold, and leave folds out once time is up.

    At least `fewest` folds are needed. `what` is what the progress counts.
    """
    from joblib import Parallel, delayed

    values, progress = list[FloatArray](), Progress()
    calls = (
        # The time that is left is that of the moment at which a process gets its task.
        delayed(_value)(judge, replace(pairs, deadline=Deadline(deadline.remaining())), part)
        for part in parts
        for judge in judges
    )
    results = Parallel(n_jobs, batch_size=1, return_as="generator")(calls)
    with progress.shown(verbose=verbose), _closing(results), suppress(StopRunError):
        for value in results:
            values.append(value)
            progress.say(f"{len(values)} of {len(parts) * len(judges)} {what}")
            if deadline.passed():
                break
    n_folds = len(values) // len(judges)
    if n_folds < fewest:
        raise InputError(f"time_limit is too short to judge {len(judges)} {what} on {counted(fewest, 'fold')}.")
    rows = np.concatenate([parts[fold][1] for fold in range(n_folds)])
    of_fold = np.repeat(np.arange(n_folds), [parts[fold][1].size for fold in range(n_folds)])
    table = np.concatenate(
        [np.stack(values[len(judges) * fold : len(judges) * (fold + 1)], axis=1) for fold in range(n_folds)]
    )
    order = np.argsort(rows, kind="stable")
    return Judged(rows[order], of_fold[order], table[order], len(parts) - n_folds)


def _value(judge: Judge, pairs: Pairs, part: tuple[IntArray, IntArray]) -> FloatArray:
    """Return what one judge says of the rows that one fold holds out."""
    train, test = map(pairs.rows, part)
    return judge(train, test)


@contextmanager
def _closing(results: Any) -> Iterator[None]:
    """Give up the tasks that are left when the block ends, without joblib's warning."""
    try:
        yield
    finally:
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", "(?s).*tasks which were still being processed", UserWarning)
            results.close()
