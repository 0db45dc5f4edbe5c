"""Cross-validation over what to learn from, what to ask, depth and plans per leaf, with real readings."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from hedgerow.data.arrays import FloatArray
from hedgerow.data.checks import in_short, integer_between, number_at_least
from hedgerow.data.confidence import block_labels, standard_error
from hedgerow.data.display import Tabular
from hedgerow.errors import InputError
from hedgerow.estimator import call_in_python
from hedgerow.instance import LEARN_FROM, MAX_DEPTH, LearnFrom, check_learn_from
from hedgerow.run import Deadline
from hedgerow.run.options import generator, processes
from hedgerow.study.contenders import CARD_PLANS, CLAIRVOYANT, ONE_PLAN, Contender, clairvoyant, one_plan, tree
from hedgerow.study.held_out import Pairs, judged, row_splits
from hedgerow.tree.questions import MOST_PLANS_PER_LEAF
from hedgerow.uncertainty import Nominal
from hedgerow.wording.numbers import counted, number, percentage

if TYPE_CHECKING:
    import pandas as pd

    from hedgerow.estimator import RobustTree

_KINDS: Final = ("items", "plans", "plans:10")
_PLANS_PER_LEAF: Final = (1, 4, 8, 12)
_DEEPEST: Final = 2
"""What is tried by default; up to this depth questions lead to cards, and rules learn from resampled rows."""

_CLEARLY: Final = 2.0
"""Standard errors by which another setting must be better than the usual one."""

_EQUAL: Final = 0.001
"""Share of what a setting wins over one plan by which an equally good one may differ."""

_LEAST_SECONDS: Final = 0.01
_SHARE_OF_TRIALS: Final = 0.8
"""Share of the time limit for cross-validation; the rest is for the fit of the chosen setting."""

_USUAL_FOLDS: Final = 5
_FEWEST_FOLDS: Final = 2


@dataclass(frozen=True, eq=False)
class Setting:
    """How rules may be fitted.

    Examples
    --------
    >>> from hedgerow.study import Setting
    >>> print(Setting("truth", "items", 2))
    depth 2, asking about items, learnt from truth
    >>> print(Setting("readings", "items", 0, 12))
    a card of up to 12 plans, learnt from readings
    """

    learn_from: LearnFrom
    questions: Any
    depth: int
    plans_per_leaf: int = 1

    def __str__(self) -> str:
        several = "" if self.plans_per_leaf == 1 else f"up to {self.plans_per_leaf} plans"
        asks = self.questions if isinstance(self.questions, str) else "own questions"
        what = f"depth {self.depth}, asking about {asks}{f', {several} per leaf' if several else ''}"
        if self.depth == 0:
            what = f"a card of {several}" if several else "one plan"
        return f"{what}, learnt from {self.learn_from}"

    @property
    def parameters(self) -> dict[str, Any]:
        """The parameters of `RobustTree` for this setting; only rules that learn from the truth have a budget."""
        return {**vars(self), **({} if self.learn_from == "truth" else {"uncertainty": Nominal()})}


@dataclass(frozen=True, eq=False)
class Tuning(Tabular):
    """The setting that rows held out suggest.

    Attributes
    ----------
    scores
        One row per setting, best first: the `setting`, what it is made of, the number of `readings` that its rules
        take, its mean `cost` per row held out in the problem's own sign, the `share` that it wins of what can be won
        over one plan, by how much it is worse than the best (`excess`), and the standard error of that.
    chosen
        The usual setting, unless another one is better by more than two standard errors: then the best. Of settings
        that are equally good the one that takes the fewest readings.
    model
        The estimator with the chosen setting, fitted to all rows; not fitted without `refit`.
    call
        The call that fits it, as text.
    n_folds_left_out
        How many folds were not judged, since time was up.

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
    RobustTree(problem, depth=..., method='greedy', questions='items', random_state=0).fit(costs)
    """

    scores: "pd.DataFrame"
    chosen: Setting
    model: "RobustTree"
    call: str
    n_folds_left_out: int = 0

    def to_frame(self) -> "pd.DataFrame":
        """Return one row per setting, best first."""
        frame = self.scores.assign(chosen=[setting is self.chosen for setting in self.scores["setting"]])
        return frame.drop(columns="setting")

    def __repr__(self) -> str:
        return f"Tuning({self.chosen}, of {len(self.scores)} settings)"

    def __str__(self) -> str:
        return f"{super().__str__()}\nTo fit it: {self.call}"

    @property
    def summary(self) -> str:
        """The choice, its reason, what it wins and takes, and how many folds were left out."""
        score = self.scores[[setting is self.chosen for setting in self.scores["setting"]]].iloc[0]
        unit = f" {self.model.problem.unit}" if self.model.problem.unit else ""
        better = f"{number(score['excess'], 2)} ± {number(score['excess_error'], 2)}{unit} per row"
        best = self.scores["setting"].iloc[0]
        if self.chosen is best:
            does = "gains most" if self.model.problem.sense == "max" else "costs least"
            reason = f"it {does} on rows held out"
        else:
            usual = "it is the usual choice" if _is_usual(self.chosen) else "none that is as good takes fewer readings"
            reason = f"{usual}; the best ({best}) is not clearly better, by {better}"
        known = not np.isnan(score["share"])
        won = f" On rows held out it wins {percentage(score['share'], 2)} of what can be won." if known else ""
        left_out = f" Not judged: {counted(self.n_folds_left_out, 'fold')}." if self.n_folds_left_out else ""
        return f"Choose {self.chosen}: {reason}.{won} Readings to take: {number(score['readings'], 2)}.{left_out}"


def tune(
    model: "RobustTree",
    costs: Any,
    *,
    context: Any = None,
    readings: Any = None,
    sample_weight: Any = None,
    learn_from: Iterable[LearnFrom] | None = None,
    questions: Iterable[Any] | None = None,
    depths: Iterable[int] = (0, 1, 2, 3, 4),
    plans_per_leaf: Iterable[int] | None = None,
    folds: Any = None,
    refit: bool = True,
    time_limit: float | None = None,
    n_jobs: int | None = 1,
    verbose: bool = False,
) -> Tuning:
    """Fit rules of each setting to part of the rows and judge them on the rest, each row with its own reading.

    With readings the usual setting is a card of twelve plans that learns from the truth with errors of the readings.
    Another one is chosen if it is better by more than two standard errors, since the best of many is best by chance,
    too. Among settings that cost the same, the one that takes the fewest readings is chosen.

    Parameters
    ----------
    model
        How rules are fitted: method, limits, seed; its time limit holds for each fit. The method "auto" stands for
        "greedy", in trials and in the fit that follows: longer searches win no more on rows held out. Its budget is
        that of rules that learn from the truth. It is not changed itself.
    costs, context, readings, sample_weight
        The rows, as for `RobustTree.fit`. Without readings, rules are judged as if nothing were misread.
    learn_from
        What to learn from; all three ways by default, "truth" alone without readings.
    questions, depths, plans_per_leaf
        What to ask, as for `RobustTree`, how deep, and the most plans at a leaf. By default trees ask about items, or
        about 6 or 10 plans, if costs are read; with readings there are cards of 4, 8 and 12 plans, also below one or
        two questions about plans. Columns of context are always asked about.
    folds
        How many blocks of consecutive rows, each held out once (5 by default); or a splitter of scikit-learn, such as
        `TimeSeriesSplit(5)` to fit on the past alone; or pairs of row numbers.
    refit
        Whether to fit rules with the chosen setting to all rows.
    time_limit
        Seconds for the whole call: each fit gets a share. If time is up, folds may be left out.
    n_jobs
        How many fits may run at once; -1 for all processors.
    verbose
        Whether to show the progress in scripts, too, where standard error is no terminal.

    Examples
    --------
    >>> import numpy as np
    >>> from hedgerow import RobustTree, tune
    >>> from hedgerow.problems import Selection
    >>> rng = np.random.default_rng(0)
    >>> truth = rng.uniform(0.0, 9.0, (40, 2))
    >>> model = RobustTree(Selection(2, 1), random_state=0)
    >>> forecast = truth + rng.normal(0.0, 1.0, truth.shape)
    >>> tuning = tune(model, truth, readings=forecast, depths=[0, 1], folds=4)
    >>> print(tuning.chosen)
    a card of up to 4 plans, learnt from resampled
    >>> tuning.model.predict([[2.0, 8.0]]).tolist()
    [[1.0, 0.0]]
    """
    from hedgerow.estimator import RobustTree

    if not isinstance(model, RobustTree):
        raise InputError(f"model must be a RobustTree, as in tune(RobustTree(problem), costs); got {in_short(model)}.")
    seconds = None if time_limit is None else number_at_least(time_limit, "time_limit", strict=True)
    whole = Deadline(seconds)
    pairs = Pairs.create(model.problem, costs, readings=readings, context=context, weights=sample_weight)
    usual_folds = max(_FEWEST_FOLDS, min(_USUAL_FOLDS, len(pairs)))
    parts = row_splits(usual_folds if folds is None else folds, len(pairs), fewest=_FEWEST_FOLDS)
    settings = _settings(pairs, learn_from, questions, depths, plans_per_leaf)
    trial = _quick(model)
    tables = {"costs": costs, "readings": readings, "context": context, "sample_weight": sample_weight}
    present = {name: table for name, table in tables.items() if table is not None}
    deadline = Deadline(None if seconds is None else seconds * (_SHARE_OF_TRIALS if refit else 1.0))
    n_processes = processes(n_jobs)
    limit = n_processes * deadline.share(len(settings) * len(parts))
    if limit < (np.inf if trial.time_limit is None else trial.time_limit):
        trial.set_params(time_limit=max(_LEAST_SECONDS, limit))
    ways = [Contender(str(setting), partial(tree, model=trial, **setting.parameters)) for setting in settings]
    ways += [Contender(ONE_PLAN, one_plan), Contender(CLAIRVOYANT, clairvoyant)]
    judges = [way.judge for way in ways]
    found = judged(pairs, parts, judges, deadline, fewest=_FEWEST_FOLDS, n_jobs=n_processes, verbose=verbose)
    scores, chosen = choose(
        settings,
        found.values[:, :, 0],
        found.values[:, : len(settings), 1].mean(axis=0),
        pairs.weights[found.rows],
        model.problem.sign,
    )
    chosen_model = _with(model, method=trial.method, **chosen.parameters)
    call = call_in_python(chosen_model, list(present))
    if refit:
        own = np.inf if model.time_limit is None else model.time_limit
        left = min(own, max(_LEAST_SECONDS, whole.remaining()))
        chosen_model.set_params(time_limit=None if np.isinf(left) else left).fit(**present)
        chosen_model.set_params(time_limit=model.time_limit)
    return Tuning(scores, chosen, chosen_model, call, found.n_folds_left_out)


def _settings(pairs: Pairs, learn_from: Any, questions: Any, depths: Any, plans_per_leaf: Any) -> list[Setting]:
    """Return the settings to judge, each once: simpler ones first."""
    compares_plans = pairs.read is not None and pairs.compares_plans
    kinds = _KINDS if compares_plans else ("items",) if pairs.read is not None else ("context",)
    counts: tuple[int, ...] = _PLANS_PER_LEAF if compares_plans and pairs.readings is not None else (1,)
    ways: tuple[LearnFrom, ...] = ("truth",) if pairs.readings is None else LEARN_FROM
    kinds, ways = _listed(questions, "questions", kinds), _listed(learn_from, "learn_from", ways)
    for way in ways:
        check_learn_from(way, has_readings=pairs.readings is not None)
    counts = _listed(plans_per_leaf, "plans_per_leaf", counts)
    counts = tuple(integer_between(count, "plans_per_leaf", 1, MOST_PLANS_PER_LEAF) for count in counts)
    levels = sorted({integer_between(depth, "depths", 0, MAX_DEPTH) for depth in _listed(depths, "depths")})
    found = [
        Setting(way, kind, depth, count)
        for depth in levels
        for count in counts
        for kind in (kinds if depth else kinds[:1])
        for way in (ways if depth or count > 1 else ways[:1])
    ]
    is_fixed = questions is None and plans_per_leaf is None
    return [setting for setting in found if not is_fixed or _is_tried(setting)]


def _is_tried(setting: Setting) -> bool:
    """Return whether a setting is tried by default, out of all combinations."""
    if setting.depth == 0:
        return True
    if setting.plans_per_leaf > 1 and (setting.questions != "plans" or setting.learn_from == "truth"):
        return False
    is_shallow = setting.depth <= _DEEPEST
    return is_shallow or (setting.plans_per_leaf == 1 and setting.learn_from != "resampled")


def _is_usual(setting: Setting) -> bool:
    return (setting.depth, setting.plans_per_leaf, setting.learn_from) == (0, CARD_PLANS, "resampled")


def choose(
    settings: Sequence[Setting],
    costs: FloatArray,
    readings: FloatArray,
    weights: FloatArray,
    sign: float,
) -> tuple["pd.DataFrame", Setting]:
    """Return the scores of all settings, best first, and the chosen setting.

    `costs` is what each row held out costs with each setting, then with one plan for all, and with the best plan for
    it; `readings` is how many values the rules of each setting take. Standard errors are those of differences, so that
    rows that are costly for all settings don't blur them.

    >>> flat, deep = (Setting("truth", "items", depth) for depth in (1, 2))
    >>> costs = np.array([[5.001, 5.0, 15.0, 5.0], [9.0, 9.0, 9.0, 9.0]])
    >>> scores, chosen = choose([flat, deep], costs, np.array([1.0, 3.0]), np.ones(2), 1.0)
    >>> scores["depth"].tolist(), chosen.depth
    ([2, 1], 1)
    """
    import pandas as pd

    *means, one_plan, clairvoyant = sign * (weights @ costs) / weights.sum()
    mean, to_win, blocks = np.array(means), one_plan - clairvoyant, block_labels(len(costs))
    best = int(np.argmin(mean))
    scores = pd.DataFrame(list(map(vars, settings))).assign(
        questions=[str(setting.questions) for setting in settings],
        readings=readings,
        cost=sign * mean,
        share=(one_plan - mean) / to_win if to_win > 0.0 else np.nan,
        excess=mean - mean[best],
        excess_error=[standard_error(each - costs[:, best], weights, blocks) for each in costs.T[:-2]],
        setting=np.array(settings, dtype=object),
    )
    usual = next((place for place, setting in enumerate(settings) if _is_usual(setting)), best)
    is_clearly_worse = scores["excess"][usual] > _CLEARLY * scores["excess_error"][usual]
    chosen = mean[best if is_clearly_worse else usual]
    by_effort = scores.sort_values(["readings", "depth", "excess"], kind="stable")
    equal = by_effort[(sign * by_effort["cost"] - chosen).abs() <= _EQUAL * max(0.0, one_plan - chosen)]
    return by_effort.sort_values("excess", kind="stable", ignore_index=True), equal["setting"].iloc[0]


def _with(model: "RobustTree", **changes: Any) -> "RobustTree":
    from sklearn.base import clone

    varied: RobustTree = clone(model).set_params(**changes)
    return varied


def _quick(model: "RobustTree") -> "RobustTree":
    """Return the model as it is used for trials: one process each, and greedy where it doesn't say."""
    seed = int(generator(model.random_state).integers(2**31 - 1))
    method = "greedy" if model.method == "auto" else model.method
    return _with(model, method=method, random_state=seed, monitor=None)


def _listed(values: Any, what: str, default: Any = None) -> Any:
    """Return values that are given as a list, or the default where none are."""
    if values is None and default is not None:
        return default
    if isinstance(values, str) or not isinstance(values, Iterable) or not (entries := tuple(values)):
        raise InputError(f"{what} must be a list with at least one value; got {in_short(values)}.")
    return entries
