"""Cross-validation over what to learn from, what to ask, depth and budget, on rows with their own readings."""

__all__ = ["tune"]

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import closing
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from hedgerow.data.arrays import FloatArray, IntArray
from hedgerow.data.checks import in_short, integer_between, number_at_least
from hedgerow.data.confidence import block_labels
from hedgerow.data.readings import LEARN_FROM, LearnFrom, check_learn_from
from hedgerow.errors import InputError
from hedgerow.instance import MAX_DEPTH, Instance
from hedgerow.problem import sign_of
from hedgerow.run import Deadline, Interrupt, Options
from hedgerow.run.options import generator, processes
from hedgerow.run.progress import with_count
from hedgerow.run.workers import Work, Workers
from hedgerow.study.choice import Setting, Tuning, choose, smoothed
from hedgerow.study.contenders import one_plan
from hedgerow.study.coverage import effective_errors
from hedgerow.study.held_out import Pairs, row_splits
from hedgerow.study.price import check_model
from hedgerow.uncertainty import Nominal, Uncertainty

if TYPE_CHECKING:
    from hedgerow.estimator import RobustTree

_DESCENTS: Final = 6
"""Descents of local search for each fit, where the model doesn't say."""

_KINDS: Final = ("items", "plans:3", "plans", "plans:10")

_USUAL: Final = ("truth", "plans", 2)
"""What to learn from, what to ask and how deep, unless rows held out speak for something else."""

_MOST_SEARCHED: Final = 8
"""Settings that are judged in full; of more, those whose greedy trees are best."""

_LEAST_SECONDS: Final = 0.01

_SETTINGS_WITH_BUDGETS: Final = 2
_QUANTILES: Final = (0.5, 0.9)
_DEVIATIONS: Final = (0.1, 0.3, 1.0)
"""Budgets to try for the best settings: quantiles of the errors that reach their trees, else typical deviations."""

_MANY_FOLDS: Final = ((100, 10), (500, 5))
_FEW_FOLDS: Final = 3
_FEWEST_FOLDS: Final = 2


class _Judged(NamedTuple):
    """What rows held out cost, and how far their readings carried them in the trees."""

    costs: FloatArray
    carried: FloatArray
    weights: FloatArray


@with_count("fits")
def tune(
    model: "RobustTree",
    costs: Any,
    *,
    context: Any = None,
    readings: Any = None,
    sample_weight: Any = None,
    learn_from: Iterable[LearnFrom] | None = None,
    questions: Iterable[Any] | None = None,
    depths: Iterable[int] = (1, 2, 3),
    uncertainties: Iterable[Uncertainty] | None = None,
    folds: Any = None,
    blocks: Any = None,
    time_limit: float | None = None,
    n_jobs: int | None = 1,
    on_progress: Callable[[int, int], None] | None = None,
    interruptible: bool = False,
) -> Tuning:
    """Fit trees of each setting to part of the rows and judge them on the rest, each row with its own reading.

    First settings without a budget are judged; of many only those whose greedy trees cost least. Then budgets are tried
    for the best of those that learn from the truth: as large as the errors that really carried held-out readings to
    another leaf, so that a budget fits the questions. Of settings within one standard error of the best that
    keep nearly all of what it wins over one plan the simplest is chosen; settings with much in common are judged
    together, since the best of many is best by chance, too. It has to be better than the usual setting, trees of depth
    2 that ask about plans and learn from the truth, by more than one standard error; else the usual one is chosen.

    Parameters
    ----------
    model
        How trees are fitted: method, limits, seed; its time limit holds for each fit. Where it leaves the method to
        "auto" without an iteration limit, a few descents of local search are made. Its uncertainty set says whether
        budgets are local or global, with its limits and prices. It is not changed itself.
    costs, context, readings, sample_weight
        The rows, as for `RobustTree.fit`. Without readings, trees are judged as if nothing were misread.
    learn_from
        What to learn from; all three ways by default, "truth" alone without readings.
    questions, depths
        What to ask, as for `RobustTree` (by default items, and 3, 6 or 10 plans if costs are read), and how deep.
    uncertainties
        Budgets to try with every setting that learns from the truth, in place of those described above.
    folds
        How many blocks of consecutive rows, each held out once (10, 5 or 3 by default, fewer for more rows); or a
        splitter of scikit-learn, such as `TimeSeriesSplit(5)` to fit on the past alone; or pairs of row numbers.
    blocks
        One label per row: rows with the same label go together when standard errors are computed. By default stretches
        of consecutive rows.
    time_limit
        Seconds for all fits together: each gets an equal share. If time is up, folds may be left out.
    n_jobs
        How many fits may run at once; -1 for all processors.
    on_progress
        Called with how many fits are done, and of how many; for the first time before any is, once all input is known
        to be good.
    interruptible
        Whether Ctrl-C ends the fits and keeps the folds that are finished, if these are at least two.

    Examples
    --------
    >>> import numpy as np
    >>> from hedgerow import RobustTree
    >>> from hedgerow.problems import Selection
    >>> from hedgerow.study import tune
    >>> rng = np.random.default_rng(0)
    >>> truth = rng.uniform(0.0, 9.0, (40, 2))
    >>> model = RobustTree(Selection(2, 1), method="greedy", random_state=0)
    >>> forecast = truth + rng.normal(0.0, 1.0, truth.shape)
    >>> tuning = tune(model, truth, readings=forecast, questions=["items"], depths=[0, 1], folds=4)
    >>> tuning.chosen.setting.depth
    1
    >>> fitted = tuning.model.fit(truth, readings=forecast)
    """
    check_model(model)
    pairs = Pairs.create(model.problem, costs, readings=readings, context=context, weights=sample_weight)
    usual_folds = min(next((folds for most, folds in _MANY_FOLDS if len(pairs) <= most), _FEW_FOLDS), len(pairs))
    parts = row_splits(usual_folds if folds is None else folds, len(pairs), fewest=_FEWEST_FOLDS)
    _check_fits(model, pairs)
    searching = _searching(model)
    seconds = None if time_limit is None else number_at_least(time_limit, "time_limit", strict=True)
    trials = _Trials(pairs, parts, Deadline(seconds), n_jobs, on_progress, interruptible)
    ways = _ways(learn_from, has_readings=readings is not None)
    all_kinds = _KINDS if context is None else _KINDS[:1]
    kinds = _listed(all_kinds if questions is None else questions, "questions")
    levels = sorted({integer_between(depth, "depths", 0, MAX_DEPTH) for depth in _listed(depths, "depths")})
    given = None if uncertainties is None else _listed(uncertainties, "uncertainties")
    settings = [
        Setting(way, kind, depth, budget)
        for depth in levels
        for kind in kinds
        for way in ways
        for budget in ((Nominal(),) if given is None or way != "truth" or depth == 0 else given)
    ]
    usual = next((s for s in settings if (s.learn_from, s.questions, s.depth) == _USUAL and not s.has_budget), None)
    sign = sign_of(model.problem)
    judged: dict[Setting, dict[int, _Judged]] = {}
    if given is None and len(settings) > _MOST_SEARCHED and searching.method != "greedy":
        grown = _with(searching, method="greedy", iteration_limit=None)
        judged = trials.judged(grown, settings, every=2 if len(parts) > _FEWEST_FOLDS else 1)
        costs_so_far = smoothed({s: _cost(by_fold, sign) for s, by_fold in judged.items()})
        settings = sorted(settings, key=lambda s: (s is not usual, costs_so_far[s]))[:_MOST_SEARCHED]
    if not trials.stopped:
        searched = trials.judged(searching, settings)
        if not judged or len(_whole(searched)) >= _FEWEST_FOLDS:
            judged = searched
    if given is None and not trials.stopped:
        robust = [s for s in settings if s.learn_from == "truth" and s.depth > 0]
        robust.sort(key=lambda s: _cost(judged[s], sign))
        more = [
            Setting(s.learn_from, s.questions, s.depth, budget)
            for s in robust[:_SETTINGS_WITH_BUDGETS]
            for budget in _budgets(model.uncertainty, _joined(judged[s], "carried"), pairs)
        ]
        with_budgets = trials.judged(searching, more)
        if len(_whole(with_budgets)) >= _FEWEST_FOLDS:
            judged |= with_budgets
    # A stop keeps what was finished: two whole folds are enough to compare settings.
    whole = _whole(judged)
    if len(whole) < _FEWEST_FOLDS:
        if trials.time_is_up:
            raise InputError(f"time_limit is too short to judge {len(judged)} settings on two folds; got {time_limit}.")
        raise KeyboardInterrupt
    rows = np.concatenate([parts[place][1] for place in whole])
    labels = np.unique(block_labels(blocks, len(pairs))[rows], return_inverse=True)[1].astype(np.int64)
    costs_of = {s: _joined({place: by_fold[place] for place in whole}, "costs") for s, by_fold in judged.items()}
    splits = [(pairs.rows(train), pairs.rows(test)) for train, test in (parts[place] for place in whole)]
    of_one_plan = np.concatenate([test.cost(one_plan(train)(test)) for train, test in splits])
    scores, chosen = choose(costs_of, pairs.weights[rows], labels, sign, of_one_plan, usual)
    left_out = len(parts) - len(whole)
    chosen_model = _with(model, **chosen.setting.parameters)
    return Tuning(scores, chosen, chosen_model, model.problem.unit, model.problem.sense, left_out, usual)


def _cost(by_fold: Mapping[int, _Judged], sign: float) -> float:
    return sign * sum(float(part.weights @ part.costs) for part in by_fold.values())


def _whole(judged: Mapping[Setting, Mapping[int, _Judged]]) -> list[int]:
    """Return the folds that all settings were judged on."""
    folds = [set(by_fold) for by_fold in judged.values()]
    return sorted(set.intersection(*folds)) if folds else []


def _joined(by_fold: Mapping[int, _Judged], field: str) -> FloatArray:
    return np.concatenate([getattr(by_fold[place], field) for place in sorted(by_fold)])


class _Trials:
    """Fits trees of some settings to all parts, on any number of processes."""

    def __init__(
        self,
        pairs: Pairs,
        parts: Sequence[tuple[IntArray, IntArray]],
        deadline: Deadline,
        n_jobs: int | None,
        on_progress: Callable[[int, int], None] | None,
        interruptible: bool,
    ) -> None:
        self._pairs, self._parts, self._deadline = pairs, parts, deadline
        self._n_jobs, self._on_progress = processes(n_jobs), on_progress
        self._done = self._total = 0
        self._interruptible = interruptible
        self.stopped = self.time_is_up = False

    def judged(
        self, model: "RobustTree", settings: Sequence[Setting], every: int = 1
    ) -> dict[Setting, dict[int, _Judged]]:
        """Return what each setting's trees cost on the rows held out, by fold, for all folds or every second one.

        A stop leaves folds out.
        """
        parts = self._parts[::every]
        n_tasks = len(settings) * len(parts)
        share = self._n_jobs * self._deadline.share(n_tasks)
        if share < (np.inf if model.time_limit is None else model.time_limit):
            model = _with(model, time_limit=max(_LEAST_SECONDS, share))
        tasks = [(_with(model, **setting.parameters), *part) for part in parts for setting in settings]
        self._total += n_tasks
        self._tell()
        found: dict[Setting, dict[int, _Judged]] = {setting: {} for setting in settings}
        workers = Workers(_judge_of, self._pairs, self._n_jobs)
        try:
            with closing(workers.stream(tasks)) as stream:
                for done in stream:
                    if done.error is not None:
                        raise done.error
                    assert done.value is not None
                    fold, place = divmod(done.place, len(settings))
                    found[settings[place]][every * fold] = done.value
                    self._done += 1
                    self._tell()
                    if self._deadline.passed():
                        self.stopped = self.time_is_up = True
                        break
        except KeyboardInterrupt:
            if not self._interruptible:
                raise
            self.stopped = True
        return found

    def _tell(self) -> None:
        if self._on_progress is not None:
            self._on_progress(self._done, self._total)


def _judge_of(pairs: Pairs) -> Work["tuple[RobustTree, IntArray, IntArray]", _Judged]:
    """Return what fits a tree to some of the pairs and judges it on others."""

    def judged(task: "tuple[RobustTree, IntArray, IntArray]", deadline: Deadline, interrupt: Interrupt) -> _Judged:
        del deadline, interrupt
        model, train, test = task
        held_out = pairs.rows(test)
        tree = pairs.rows(train).fitted(model).tree_
        carried = np.zeros(len(held_out))
        if held_out.readings is not None:
            carried = effective_errors(tree, held_out.readings, held_out.observations, model.uncertainty)
        return _Judged(held_out.cost(tree.predict(held_out.read)), carried, held_out.weights)

    return judged


def _check_fits(model: "RobustTree", pairs: Pairs) -> None:
    """Refuse what every fit would refuse, before the first begins."""
    from hedgerow.methods.registry import check_suits

    options = Options.of(model)
    data = Instance.create(pairs.problem, pairs.costs, depth=0)
    options.check_against(data)
    check_suits(options.method, model.problem)


def _with(model: "RobustTree", **changes: Any) -> "RobustTree":
    from sklearn.base import clone

    known = model.get_params(deep=False)
    varied: RobustTree = clone(model).set_params(**{name: value for name, value in changes.items() if name in known})
    return varied


def _searching(model: "RobustTree") -> "RobustTree":
    """Return the model as it is used for trials: one process each, and a few descents where it doesn't say."""
    from sklearn.base import clone

    seed = int(generator(model.random_state).integers(2**31 - 1))
    trial: RobustTree = clone(model).set_params(random_state=seed, n_jobs=1, monitor=None)
    if model.method == "auto" and model.iteration_limit is None:
        trial.set_params(method="local_search", iteration_limit=_DESCENTS)
    return trial


def _budgets(kind: Uncertainty, carried: FloatArray, pairs: Pairs) -> list[Uncertainty]:
    """Return the budgets to try, smallest first, each once; none where readings never change the advice."""
    if pairs.readings is None:
        return [kind.sized(deviations=deviations) for deviations in _DEVIATIONS]
    finite = carried[np.isfinite(carried) & (carried > 0.0)]
    sizes = sorted({float(np.quantile(finite, quantile)) for quantile in _QUANTILES}) if finite.size else []
    # A budget that samples share is for as many of them as are misread.
    n_misread = max(1.0, kind.n_sharing(len(pairs)) * finite.size / carried.size)
    return [kind.sized(size * n_misread) for size in sizes]


def _ways(learn_from: Any, *, has_readings: bool) -> list[LearnFrom]:
    if learn_from is None:
        return list(LEARN_FROM) if has_readings else ["truth"]
    ways: list[LearnFrom] = _listed([learn_from] if isinstance(learn_from, str) else learn_from, "learn_from")
    for way in ways:
        check_learn_from(way, has_readings=has_readings)
    return ways


def _listed(values: Any, what: str) -> list[Any]:
    if isinstance(values, str) or not isinstance(values, Iterable):
        raise InputError(f"{what} must be a list; got {in_short(values)}.")
    found = list(values)
    if not found:
        raise InputError(f"{what} must hold at least one value; got none.")
    return found
