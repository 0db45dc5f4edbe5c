"""Cross-validation over depth and budget: folds and depths are tasks of their own, in any order and on any core."""

__all__ = ["tune"]

import dataclasses
from collections.abc import Callable, Iterable
from contextlib import closing
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from hedgerow.arrays import FloatArray, IntArray, frozen
from hedgerow.checks import in_short, integer_between
from hedgerow.errors import InputError
from hedgerow.instance import MAX_DEPTH, Instance
from hedgerow.problem import sign_of
from hedgerow.run import Deadline, Interrupt, Options
from hedgerow.run.options import generator, processes
from hedgerow.run.workers import Workers
from hedgerow.study.choice import Tuning, choose
from hedgerow.study.perturbation import Perturbation, checked_perturbation, perturbed_cost
from hedgerow.study.trained import check_model, checked_fractions, train_curve, with_fraction

if TYPE_CHECKING:
    from hedgerow.estimator import RobustTree

_SEEDS = 2**31 - 1
_FEWEST_FOLDS = 2


class _Fold(NamedTuple):
    """Rows to fit on, rows to judge on, and the seed of the errors drawn for these."""

    train: IntArray
    test: IntArray
    seed: int


def tune(
    model: "RobustTree",
    costs: Any,
    *,
    observations: Any = None,
    sample_weight: Any = None,
    depths: Iterable[int] = (1, 2, 3),
    fractions: Iterable[float] = (0.0, 0.02, 0.05, 0.1),
    folds: Any = 5,
    perturbation: Any = None,
    repeats: int = 20,
    n_jobs: int | None = 1,
    on_progress: Callable[[int, int], None] | None = None,
) -> Tuning:
    """Fit trees of each depth and budget on part of the samples and judge them on the rest, fold by fold.

    Parameters
    ----------
    model
        How trees are fitted: method, limits, seed; its time limit holds for each fit. Its uncertainty set says whether
        budgets are local or global, with its limits and prices. It is not changed itself.
    costs, observations, sample_weight
        The samples, as for `RobustTree.fit`.
    depths, fractions
        The settings: all depths with all λ. A λ refers to the samples that a tree is fitted to.
    folds
        How many blocks of consecutive rows, each held out once; or a splitter of scikit-learn, such as
        `KFold(5, shuffle=True)`, or `TimeSeriesSplit(5)` to fit on the past alone; or pairs of row numbers.
    perturbation
        What readings are put through before trees are judged: errors of readings like the ones to be expected, one
        row each (observed minus true values), drawn at random; or an uncertainty set with an absolute budget, for its
        worst case. None to judge trees as read.
    repeats
        How often errors are drawn for each sample.
    n_jobs
        How many tasks, each a fold and a depth, may run at once; -1 for all processors.
    on_progress
        Called with how many tasks are done, and of how many; for the first time before any is, once all input is known
        to be good.

    Examples
    --------
    >>> from hedgerow import RobustTree
    >>> from hedgerow.datasets import paper_shortest_path
    >>> from hedgerow.study import tune
    >>> problem, train, test = paper_shortest_path(seed_id=0, n_samples=12, grid=3)
    >>> model = RobustTree(problem, method="fix_tree", iteration_limit=50, random_state=0)
    >>> tuning = tune(model, train, depths=[1], fractions=[0.0, 0.05], folds=3)
    >>> tuning.best.depth, tuning.best.excess
    (1, 0.0)
    >>> fitted = tuning.model.fit(train)
    """
    from sklearn.base import clone

    check_model(model)
    shares, levels = checked_fractions(fractions), _checked_depths(depths)
    repeats = integer_between(repeats, "repeats", 1)
    n_processes = processes(n_jobs)
    data = Instance.create(model.problem, costs, observations=observations, depth=0)
    if sample_weight is not None:
        # Checked here; rows of weight zero stay until folds are made, which count all rows.
        Instance.create(model.problem, costs, observations=observations, weights=sample_weight, depth=0)
        data = dataclasses.replace(data, weights=frozen(np.asarray(sample_weight, dtype=np.float64)))
    _check_fits(model, data)
    rng = generator(model.random_state)
    parts = [_Fold(train, test, int(rng.integers(_SEEDS))) for train, test in _splits(folds, data)]
    error_model, judged = checked_perturbation(perturbation, min(len(part.test) for part in parts), data.n_features)
    tasks = [
        (clone(model).set_params(depth=depth, random_state=int(rng.integers(_SEEDS)), n_jobs=1, monitor=None), part)
        for part in parts
        for depth in levels
    ]
    if on_progress is not None:
        on_progress(0, len(tasks))
    found = np.full((len(tasks), 2, len(shares)), np.nan)
    is_done = np.zeros(len(tasks), dtype=np.bool_)
    interrupt = Interrupt()
    workers = Workers(_Judge, (data, shares, error_model, repeats), n_processes, interrupt=interrupt)
    try:
        with interrupt, closing(workers.stream(tasks)) as stream:
            for done in stream:
                if done.error is not None:
                    raise done.error
                found[done.place], is_done[done.place] = done.value, True
                if on_progress is not None:
                    on_progress(int(is_done.sum()), len(tasks))
                if interrupt.requested:
                    raise KeyboardInterrupt
    except KeyboardInterrupt:
        # What was finished is kept: two whole folds are enough to compare settings.
        if is_done.reshape(len(parts), -1).all(axis=1).sum() < _FEWEST_FOLDS:
            raise
    whole = is_done.reshape(len(parts), -1).all(axis=1)
    # costs[judge, fold, depth, fraction], judge 0 being "as read"
    table = np.moveaxis(found.reshape(len(parts), len(levels), 2, len(shares))[whole], 2, 0)
    as_read, perturbed = (
        {(depth, share): rows[:, d, f] for d, depth in enumerate(levels) for f, share in enumerate(shares)}
        for rows in table
    )
    scores, best, chosen = choose(as_read, None if error_model is None else perturbed, sign_of(model.problem))
    tuned = clone(model).set_params(depth=chosen.depth, uncertainty=with_fraction(model.uncertainty, chosen.fraction))
    left_out = int(np.count_nonzero(~whole))
    return Tuning(scores, best, chosen, judged, tuned, model.problem.unit, model.problem.sense, left_out)


def _check_fits(model: "RobustTree", data: Instance) -> None:
    """Refuse what every fit would refuse, before the first begins."""
    from hedgerow.methods.registry import check_suits
    from hedgerow.methods.thinning import check_thinning

    options = Options.of(model)
    options.check_against(data)
    check_thinning(data.under(with_fraction(model.uncertainty, 0.0)), options)
    check_suits(options.method, model.problem)


class _Judge:
    """Fits trees to a part of the samples and evaluates them on the others."""

    def __init__(self, shared: tuple[Instance, list[float], Perturbation | None, int]) -> None:
        self._data, self._fractions, self._perturbation, self._repeats = shared

    def __call__(self, task: "tuple[RobustTree, _Fold]", deadline: Deadline, interrupt: Interrupt) -> FloatArray:
        """Return what the trees for all budgets cost on the rows held out: as read, and perturbed or NaN."""
        del deadline, interrupt
        model, part = task
        train, test = (_rows(self._data, rows) for rows in (part.train, part.test))
        observed = None if train.observations is train.costs else train.observations
        curve = train_curve(model, train.costs, self._fractions, observations=observed, sample_weight=train.weights)
        costs = np.full((2, len(self._fractions)), np.nan)
        no_error = np.zeros((1, self._data.n_features))
        for place, point in enumerate(curve.points):
            costs[0, place] = perturbed_cost(point.tree, test, no_error, 1, part.seed)
            if self._perturbation is not None:
                costs[1, place] = perturbed_cost(point.tree, test, self._perturbation, self._repeats, part.seed)
        return costs


def _rows(data: Instance, rows: IntArray) -> Instance:
    observes_costs = data.observations is data.costs
    return Instance.create(
        data.problem,
        data.costs[rows],
        observations=None if observes_costs else data.observations[rows],
        weights=data.weights[rows],
        depth=0,
        feature_names=data.feature_names,
    )


def _splits(folds: Any, data: Instance) -> list[tuple[IntArray, IntArray]]:
    from sklearn.model_selection import KFold, check_cv

    if isinstance(folds, int | np.integer):
        return list(KFold(integer_between(folds, "folds", 2, data.n_samples)).split(data.costs))
    rows = np.arange(data.n_samples)
    try:
        pairs = [(rows[train], rows[test]) for train, test in check_cv(folds).split(data.costs)]
    except (IndexError, TypeError, ValueError) as error:
        raise InputError(f"folds must be a number, or split the {data.n_samples} samples: {error}.") from None
    if len(pairs) < 2 or not all(train.size and test.size for train, test in pairs):
        raise InputError("folds must be at least 2, each with samples to fit on and samples held out.")
    return pairs


def _checked_depths(depths: Any) -> list[int]:
    if isinstance(depths, str) or not isinstance(depths, Iterable):
        raise InputError(f"depths must be a list of integers from 0 to {MAX_DEPTH}; got {in_short(depths)}.")
    levels = sorted({integer_between(depth, "depths", 0, MAX_DEPTH) for depth in depths})
    if not levels:
        raise InputError(f"depths must hold at least one integer from 0 to {MAX_DEPTH}; got none.")
    return levels
