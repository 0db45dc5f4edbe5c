"""Trees and baselines side by side: what their advice costs on unseen samples, read right and read wrong."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from sklearn.model_selection import GroupKFold

from benchmarks import scope
from benchmarks.baselines import Advice
from benchmarks.baselines.cart import cart
from benchmarks.baselines.clairvoyant import best_solutions
from benchmarks.baselines.forest import forest
from benchmarks.baselines.one_solution import one_solution
from benchmarks.outcome import Table
from benchmarks.progress import tell
from benchmarks.real.histories import History
from hedgerow import RobustTree
from hedgerow.arrays import FloatArray
from hedgerow.study import train_curve, tune
from hedgerow.tree import Tree

DEPTH = 2
FRACTIONS = (0.0, 0.005, 0.01, 0.02, 0.05, 0.2)
_FOLDS = 3
_DESCENTS = 24
"""An iteration limit, and no time limit: the same trees on any machine."""


@dataclass(frozen=True)
class Row:
    """What one way to decide costs per test sample: read right, and read wrong."""

    name: str
    as_read: float
    misread: float


@dataclass(frozen=True)
class Comparison:
    """All rows, and the λ that cross-validation chose, with its reason in words."""

    history: History
    rows: Sequence[Row]
    chosen: float
    words: str

    @property
    def fitting(self) -> str:
        """In words, how robust trees were fitted."""
        return (
            f"Robust trees were fitted by local_search, {_descents()} descents each; nominal trees were proven optimal."
        )

    def row(self, name: str) -> Row:
        """Return the row of that name."""
        return next(row for row in self.rows if row.name == name)

    def table(self, name: str) -> Table:
        """Return the rows for people."""
        history = self.history
        columns = ("decided by", f"as read [{history.unit}]", f"read: {history.reading} [{history.unit}]")
        title = (
            f"{history.name}: {len(history.train)} samples to fit to, {len(history.test)} to judge on, depth {DEPTH}"
        )
        return Table(name, title, columns, [(row.name, row.as_read, row.misread) for row in self.rows])


def robust(fraction: float) -> str:
    """Return the name of the robust tree's row."""
    return f"robust tree, λ = {fraction:g}"


def compare(history: History) -> Comparison:
    """Fit everything and judge it on the test samples."""
    best = best_solutions(history.problem, history.test)
    clairvoyant = _mean_cost(history, best)
    rows = [Row("clairvoyant", clairvoyant, clairvoyant)]
    for name, advice in _contenders(history):
        right, wrong = (_mean_cost(history, advice(given)) for given in (history.test, history.test_readings))
        tell(f"{history.name}: {name}: {right:.4f} as read, {wrong:.4f} misread")
        rows.append(Row(name, right, wrong))
    return Comparison(history, rows, *_chosen(history))


def _mean_cost(history: History, solutions: FloatArray) -> float:
    distinct, which = np.unique(solutions, axis=0, return_inverse=True)
    paid = history.problem.costs(distinct, history.test)
    return float(paid[np.arange(len(paid)), which].mean())


def _contenders(history: History) -> Iterator[tuple[str, Advice]]:
    problem, train, readings = history.problem, history.train, history.train_readings
    yield "one solution", one_solution(problem, train)
    yield "CART", cart(problem, train, train, DEPTH)
    yield "CART, fitted to readings", cart(problem, train, readings, DEPTH)
    yield "forest, then optimise", forest(problem, train, train)
    yield "forest, fitted to readings", forest(problem, train, readings)
    nominal = RobustTree(problem, depth=DEPTH, method="nominal", time_limit=None, random_state=0)
    yield "nominal tree", _proven(nominal.fit(train)).predict
    yield "nominal tree, fitted to readings", _proven(nominal.fit(train, readings)).predict
    curve = train_curve(_model(history), train, FRACTIONS)
    for point in curve.points:
        if point.fraction:
            yield robust(point.fraction), point.tree.predict


def _proven(model: RobustTree) -> Tree:
    """Return a tree that is said to be proven optimal."""
    if model.result_.status != "optimal":
        raise RuntimeError(f"the nominal tree is not proven optimal: {model.result_}")
    return model.tree_


def _descents() -> int:
    return 2 if scope.is_quick() else _DESCENTS


def _model(history: History) -> RobustTree:
    return RobustTree(
        history.problem,
        depth=DEPTH,
        uncertainty=history.kind,
        method="local_search",
        iteration_limit=_descents(),
        time_limit=None,
        random_state=0,
    )


def _chosen(history: History) -> tuple[float, str]:
    """Return the λ that cross-validation chooses under errors like those of the past, and its reason in words."""
    splits = GroupKFold(_FOLDS).split(history.train, groups=history.blocks)
    tuning = tune(
        _model(history),
        history.train,
        depths=[DEPTH],
        fractions=FRACTIONS,
        folds=list(splits),
        perturbation=history.errors,
    )
    tell(f"{history.name}: {tuning.in_words()}")
    return tuning.chosen.fraction, tuning.in_words()
