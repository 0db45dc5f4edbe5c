"""Cross-validation over what to learn from, what to ask, depth and budget, on rows with their own readings."""

__all__ = ["Tuning", "tune"]

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import numpy as np

from hedgerow.data.arrays import FloatArray
from hedgerow.data.checks import in_short, integer_between, number_at_least
from hedgerow.data.confidence import block_labels
from hedgerow.data.display import Tabular
from hedgerow.data.readings import LEARN_FROM, LearnFrom, check_learn_from
from hedgerow.errors import InputError
from hedgerow.estimator import call_in_python
from hedgerow.instance import MAX_DEPTH
from hedgerow.problem import sign_of
from hedgerow.run import Deadline
from hedgerow.run.options import generator, processes
from hedgerow.study.choice import Setting, choose, smoothed
from hedgerow.study.contenders import one_plan
from hedgerow.study.held_out import Pairs, Status, Trials, check_model, row_splits
from hedgerow.uncertainty import Nominal, Uncertainty
from hedgerow.wording.numbers import counted, with_error

if TYPE_CHECKING:
    import pandas as pd

    from hedgerow.estimator import RobustTree

_DESCENTS: Final = 6
"""Descents of local search for each fit, where the model doesn't say."""

_KINDS: Final = ("items", "plans:3", "plans", "plans:10")

_USUAL: Final = ("truth", "plans", 2)
"""What to learn from, what to ask and how deep, unless rows held out speak for something else."""

_MOST_SEARCHED: Final = 8
"""Settings that are judged in full; of more, those whose greedy trees are best."""

_LEAST_SECONDS: Final = 0.01
_SHARE_OF_TRIALS: Final = 0.8
"""Share of the time limit for cross-validation; the rest is for the fit of the chosen setting."""

_SETTINGS_WITH_BUDGETS: Final = 2
_QUANTILES: Final = (0.5, 0.9)
_DEVIATIONS: Final = (0.1, 0.3, 1.0)
"""Budgets to try for the best settings: quantiles of the errors that reach their trees, else typical deviations."""

_MANY_FOLDS: Final = ((100, 10), (500, 5))
_FEW_FOLDS: Final = 3
_FEWEST_FOLDS: Final = 2


@dataclass(frozen=True, eq=False)
class Tuning(Tabular):
    """The setting that rows held out suggest.

    Attributes
    ----------
    scores
        One row per setting, best first: the setting, its mean cost per row held out in the problem's own sign, how
        much worse than the best setting that is, and the standard errors of both.
    chosen
        The simplest setting that does well together with others like it: of those within one standard error of the
        best that give up little of what it wins, the smallest depth, and for that depth the best. One with a budget is
        chosen if it is better by more than that. If it is not better than the usual setting by more than one standard
        error, the usual one is chosen.
    model
        The estimator with the chosen setting, fitted to all rows; not fitted if the run was interrupted or without
        `refit`.
    call
        The call that fits it, as text.
    usual
        What is chosen unless rows held out speak against it; None if it was not among the settings.
    status
        Whether all folds were judged, or what ended this before.
    n_folds_left_out
        How many folds were not judged then.

    Examples
    --------
    >>> from hedgerow import RobustTree, tune
    >>> from hedgerow.datasets import paper_shortest_path
    >>> problem, train, _ = paper_shortest_path(seed_id=0, n_samples=12, grid=3)
    >>> model = RobustTree(problem, method="greedy", random_state=0)
    >>> tuning = tune(model, train, questions=["items"], depths=[0, 1], folds=3)
    >>> tuning.model.tree_.depth == tuning.chosen.depth
    True
    >>> print(tuning.call)
    RobustTree(problem, depth=..., method='greedy', random_state=0).fit(costs)
    """

    scores: "pd.DataFrame"
    chosen: Setting
    model: "RobustTree"
    call: str
    usual: Setting | None = None
    status: Status = "complete"
    n_folds_left_out: int = 0

    @property
    def best(self) -> Setting:
        """The setting that costs least, or gains most."""
        setting: Setting = self.scores["setting"].iloc[0]
        return setting

    def to_frame(self) -> "pd.DataFrame":
        """Return one row per setting, best first."""
        settings = self.scores["setting"]
        frame = self.scores.drop(columns="setting")
        for name in ("depth", "questions", "learn_from"):
            frame.insert(0, name, [getattr(setting, name) for setting in settings])
        frame["questions"] = frame["questions"].map(str)
        budgets = [repr(setting.uncertainty) if setting.has_budget else "none" for setting in settings]
        frame.insert(3, "budget", budgets)
        return frame.assign(chosen=[setting is self.chosen for setting in settings])

    def __repr__(self) -> str:
        return f"Tuning({self.chosen}, of {len(self.scores)} settings)"

    def __str__(self) -> str:
        return f"{super().__str__()}\nTo fit it: {self.call}"

    @property
    def summary(self) -> str:
        """The choice and its reason, in a sentence, and how many folds were left out."""
        left_out = f" Not judged: {counted(self.n_folds_left_out, 'fold')}." if self.n_folds_left_out else ""
        if self.chosen is self.best:
            does = "gains most" if self.model.problem.sense == "max" else "costs least"
            return f"Choose {self.chosen}: it {does} on rows held out, and nothing simpler is as good.{left_out}"
        unit = f" {self.model.problem.unit}" if self.model.problem.unit else ""
        reason = "of settings that do well, with others like them, it is the simplest"
        if self.chosen is self.usual:
            reason = "it is the usual choice, and rows held out don't clearly speak for another one"
        score = self.scores[[setting is self.chosen for setting in self.scores["setting"]]].iloc[0]
        return (
            f"Choose {self.chosen}: {reason}. On rows held out the best ({self.best}) is better by "
            f"{with_error(score['excess'], score['excess_error'])}{unit} per row.{left_out}"
        )


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
    refit: bool = True,
    time_limit: float | None = None,
    n_jobs: int | None = 1,
    verbose: bool = False,
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
    refit
        Whether to fit a tree with the chosen setting to all rows.
    time_limit
        Seconds for the whole call: each fit gets a share. If time is up, folds may be left out.
    n_jobs
        How many fits may run at once; -1 for all processors.
    verbose
        Whether to show the progress in scripts, too, where standard error is no terminal.
    interruptible
        Whether Ctrl-C ends the fits and keeps the folds that are finished, if these are at least two.

    Examples
    --------
    >>> import numpy as np
    >>> from hedgerow import RobustTree, tune
    >>> from hedgerow.problems import Selection
    >>> rng = np.random.default_rng(0)
    >>> truth = rng.uniform(0.0, 9.0, (40, 2))
    >>> model = RobustTree(Selection(2, 1), method="greedy", random_state=0)
    >>> forecast = truth + rng.normal(0.0, 1.0, truth.shape)
    >>> tuning = tune(model, truth, readings=forecast, questions=["items"], depths=[0, 1], folds=4)
    >>> tuning.chosen.depth, tuning.model.predict([[2.0, 8.0]]).tolist()
    (1, [[1.0, 0.0]])
    """
    check_model(model)
    seconds = None if time_limit is None else number_at_least(time_limit, "time_limit", strict=True)
    whole = Deadline(seconds)
    pairs = Pairs.create(model.problem, costs, readings=readings, context=context, weights=sample_weight)
    usual_folds = min(next((folds for most, folds in _MANY_FOLDS if len(pairs) <= most), _FEW_FOLDS), len(pairs))
    parts = row_splits(usual_folds if folds is None else folds, len(pairs), fewest=_FEWEST_FOLDS)
    labels = block_labels(blocks, len(pairs))
    sets = None if uncertainties is None else _listed(uncertainties, "uncertainties")
    kinds = _KINDS if pairs.read is not None else ("context",)
    settings = [
        Setting(way, kind, depth, budget)
        for depth in sorted({integer_between(depth, "depths", 0, MAX_DEPTH) for depth in _listed(depths, "depths")})
        for kind in _listed(kinds if questions is None else questions, "questions")
        for way in _ways(learn_from, has_readings=readings is not None)
        for budget in ((Nominal(),) if sets is None or way != "truth" or depth == 0 else sets)
    ]
    usual = next((s for s in settings if (s.learn_from, s.questions, s.depth) == _USUAL and not s.has_budget), None)
    deadline = Deadline(None if seconds is None else seconds * (_SHARE_OF_TRIALS if refit else 1.0))
    trials = Trials(pairs, parts, deadline, n_jobs=processes(n_jobs), interruptible=interruptible)
    with trials.progress.shown(verbose=verbose):
        judged = _judged_in_turn(trials, _searching(model), settings, usual, budgets_are_fixed=sets is not None)
    # A stop keeps what was finished: two whole folds are enough to compare settings.
    whole_folds = _folds(judged)
    if len(whole_folds) < _FEWEST_FOLDS:
        if trials.status == "time_limit":
            raise InputError(f"time_limit is too short to judge {len(judged)} settings on two folds; got {time_limit}.")
        raise KeyboardInterrupt
    rows = np.concatenate([parts[fold][1] for fold in whole_folds])
    splits = [(pairs.rows(train), pairs.rows(test)) for train, test in (parts[fold] for fold in whole_folds)]
    scores, chosen = choose(
        {setting: np.concatenate([by_fold[fold][:, 0] for fold in whole_folds]) for setting, by_fold in judged.items()},
        pairs.weights[rows],
        np.unique(labels[rows], return_inverse=True)[1].astype(np.int64),
        sign_of(model.problem),
        np.concatenate([test.cost(one_plan(train)(test)) for train, test in splits]),
        usual,
    )
    chosen_model = _with(model, **chosen.parameters)
    tables = {"costs": costs, "readings": readings, "context": context, "sample_weight": sample_weight}
    present = {name: table for name, table in tables.items() if table is not None}
    call = call_in_python(chosen_model, list(present))
    if refit and trials.status != "interrupted":
        left = max(_LEAST_SECONDS, whole.remaining())
        own = np.inf if model.time_limit is None else model.time_limit
        chosen_model.set_params(time_limit=min(own, left)).fit(**present).set_params(time_limit=model.time_limit)
    return Tuning(scores, chosen, chosen_model, call, usual, trials.status, len(parts) - len(whole_folds))


_Judged: TypeAlias = dict[Setting, dict[int, FloatArray]]
"""Per setting and fold: what each row held out costs, and how far its reading carried it in the tree."""


def _judged_in_turn(
    trials: Trials, model: "RobustTree", settings: list[Setting], usual: Setting | None, *, budgets_are_fixed: bool
) -> _Judged:
    """Return what all settings cost that are worth a search, and those with budgets that follow from errors."""
    judged: _Judged = {}

    def cost(setting: Setting) -> float:
        sums = [trials.pairs.weights[trials.parts[k][1]] @ part[:, 0] for k, part in judged[setting].items()]
        return sign_of(model.problem) * float(sum(sums))

    if not budgets_are_fixed and len(settings) > _MOST_SEARCHED and model.method != "greedy":
        greedy = _with(model, method="greedy", iteration_limit=None)
        judged = _judged(trials, greedy, settings, every=2 if len(trials.parts) > _FEWEST_FOLDS else 1)
        so_far = smoothed({setting: cost(setting) for setting in settings})
        settings = sorted(settings, key=lambda setting: (setting is not usual, so_far[setting]))[:_MOST_SEARCHED]
    if trials.status == "complete":
        searched = _judged(trials, model, settings)
        if not judged or len(_folds(searched)) >= _FEWEST_FOLDS:
            judged = searched
    if not budgets_are_fixed and trials.status == "complete":
        robust = sorted((each for each in settings if each.learn_from == "truth" and each.depth > 0), key=cost)
        more = [
            replace(setting, uncertainty=budget)
            for setting in robust[:_SETTINGS_WITH_BUDGETS]
            for budget in _budgets(
                model.uncertainty, np.concatenate([part[:, 1] for part in judged[setting].values()]), trials.pairs
            )
        ]
        with_budgets = _judged(trials, model, more)
        if len(_folds(with_budgets)) >= _FEWEST_FOLDS:
            judged |= with_budgets
    return judged


def _judged(trials: Trials, model: "RobustTree", settings: Sequence[Setting], every: int = 1) -> _Judged:
    """Return what each setting's trees cost on the rows held out; each fit has its share of the time that is left."""
    share = trials.n_jobs * trials.deadline.share(len(settings) * len(trials.parts[::every]))
    if share < (np.inf if model.time_limit is None else model.time_limit):
        model = _with(model, time_limit=max(_LEAST_SECONDS, share))
    by_fold = trials.judged([partial(_judge, _with(model, **setting.parameters)) for setting in settings], every)
    return {setting: {fold: parts[place] for fold, parts in by_fold.items()} for place, setting in enumerate(settings)}


def _folds(judged: _Judged) -> list[int]:
    """Return the folds that all settings were judged on."""
    return sorted(set.intersection(*map(set, judged.values()))) if judged else []


def _judge(model: "RobustTree", train: Pairs, test: Pairs) -> FloatArray:
    """Return what each row held out costs with a tree, and how far its reading carried it there."""
    fitted = train.fitted(model)
    return np.column_stack([test.cost(test.advised(fitted)), test.carried(fitted)])


def _with(model: "RobustTree", **changes: Any) -> "RobustTree":
    from sklearn.base import clone

    varied: RobustTree = clone(model).set_params(**changes)
    return varied


def _searching(model: "RobustTree") -> "RobustTree":
    """Return the model as it is used for trials: one process each, and a few descents where it doesn't say."""
    seed = int(generator(model.random_state).integers(2**31 - 1))
    trial = _with(model, random_state=seed, n_jobs=1, monitor=None)
    if model.method == "auto" and model.iteration_limit is None:
        trial.set_params(method="local_search", iteration_limit=_DESCENTS)
    return trial


def _budgets(kind: Uncertainty, carried: FloatArray, pairs: Pairs) -> list[Uncertainty]:
    """Return the budgets to try, smallest first, each once; none where readings never change the advice."""
    if pairs.readings is None:
        return [kind.sized(deviations=deviations) for deviations in _DEVIATIONS]
    finite = carried[np.isfinite(carried) & (carried > 0.0)]
    # A budget that samples share is for as many of them as are misread.
    n_misread = max(1.0, kind.n_sharing(len(pairs)) * finite.size / carried.size)
    sizes = [n_misread * float(np.quantile(finite, quantile)) for quantile in _QUANTILES] if finite.size else []
    # Three digits are enough, and can be read and typed.
    return [kind.sized(size) for size in sorted({float(f"{size:.3g}") for size in sizes})]


def _ways(learn_from: Any, *, has_readings: bool) -> list[LearnFrom]:
    if learn_from is None:
        return list(LEARN_FROM) if has_readings else ["truth"]
    ways: list[LearnFrom] = _listed(learn_from, "learn_from")
    for way in ways:
        check_learn_from(way, has_readings=has_readings)
    return ways


def _listed(values: Any, what: str) -> list[Any]:
    if isinstance(values, str) or not isinstance(values, Iterable) or not (entries := list(values)):
        raise InputError(f"{what} must be a list with at least one value; got {in_short(values)}.")
    return entries
