"""The usual setting, or the simplest that is nearly as good as the best if that is better: standard errors decide."""

__all__ = ["Score", "Setting", "Tuning", "choose", "smoothed"]

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from hedgerow.data.arrays import FloatArray, IntArray
from hedgerow.data.confidence import standard_error
from hedgerow.data.readings import LearnFrom
from hedgerow.problem import Sense
from hedgerow.uncertainty import Uncertainty
from hedgerow.wording.numbers import with_error

if TYPE_CHECKING:
    import pandas as pd

    from hedgerow.estimator import RobustTree

_MOST_GIVEN_UP: Final = 0.02
"""Share of what the best setting wins over one plan that a simpler one may lose."""

_TRUST_IN_OTHERS: Final = 0.5
"""How much settings that share depth, questions and the like count when one of them is judged."""


@dataclass(frozen=True, eq=False)
class Setting:
    """How a tree may be fitted.

    Examples
    --------
    >>> from hedgerow import LocalBudget
    >>> from hedgerow.study import Setting
    >>> print(Setting("truth", "items", 2, LocalBudget(1.5)))
    depth 2, asking about items, learnt from truth, LocalBudget(1.5)
    """

    learn_from: LearnFrom
    questions: Any
    depth: int
    uncertainty: Uncertainty

    def __str__(self) -> str:
        asks = self.questions if isinstance(self.questions, str) else "own questions"
        budget = f", {self.budget}" if self.has_budget else ""
        return f"depth {self.depth}, asking about {asks}, learnt from {self.learn_from}{budget}"

    @property
    def has_budget(self) -> bool:
        """Whether readings may be wrong in the fit."""
        return self.uncertainty.can_misread

    @property
    def budget(self) -> str:
        """The uncertainty set in short; "none" without a budget."""
        return repr(self.uncertainty) if self.has_budget else "none"

    @property
    def parameters(self) -> dict[str, Any]:
        """The parameters of `RobustTree` that this setting is about."""
        return dict(vars(self))


@dataclass(frozen=True)
class Score:
    """What trees of one setting cost on rows held out, each with its own reading.

    Attributes
    ----------
    setting
        How they were fitted.
    cost, cost_error
        Mean cost per row, in the problem's own sign, and its standard error.
    excess, excess_error
        How much worse than the best setting (0 for that one), and the standard error of this difference. Rows that
        are costly for all settings alike don't blur it.

    Examples
    --------
    >>> from hedgerow import Nominal
    >>> from hedgerow.study import Score, Setting
    >>> Score(Setting("truth", "items", 2, Nominal()), 10.0, 1.0, 0.1, 0.2).is_as_good_as_the_best
    True
    >>> Score(Setting("truth", "items", 2, Nominal()), 9.9, 1.0).is_as_good_as_the_best
    True
    """

    setting: Setting
    cost: float
    cost_error: float
    excess: float = 0.0
    excess_error: float = 0.0

    @property
    def is_as_good_as_the_best(self) -> bool:
        """Whether the best setting is better by one standard error of the difference at most."""
        return self.excess <= self.excess_error


@dataclass(frozen=True, eq=False)
class Tuning:
    """The setting that rows held out suggest.

    Attributes
    ----------
    scores
        One per setting, best first.
    chosen
        The simplest setting that does well together with others like it: of those within one standard error of the
        best that give up little of what it wins, the smallest depth, and for that depth the best. One with a budget is
        chosen if it is better by more than that. If it is not better than the usual setting by more than one standard
        error, the usual one is chosen.
    usual
        What is chosen unless rows held out speak against it; None if it was not among the settings.
    model
        An estimator with the chosen setting, not fitted.
    unit, sense
        Of the costs.
    n_folds_left_out
        How many folds were not judged, since the run was stopped.

    Examples
    --------
    >>> from hedgerow import RobustTree
    >>> from hedgerow.datasets import paper_shortest_path
    >>> from hedgerow.study import tune
    >>> problem, train, _ = paper_shortest_path(seed_id=0, n_samples=12, grid=3)
    >>> model = RobustTree(problem, method="greedy", random_state=0)
    >>> tuning = tune(model, train, questions=["items"], depths=[0, 1], folds=3)
    >>> tuning.model.depth == tuning.chosen.setting.depth
    True
    """

    scores: tuple[Score, ...]
    chosen: Score
    model: "RobustTree"
    unit: str = ""
    sense: Sense = "min"
    n_folds_left_out: int = 0
    usual: Setting | None = None

    @property
    def best(self) -> Score:
        """The setting that costs least, or gains most."""
        return self.scores[0]

    def to_frame(self) -> "pd.DataFrame":
        """Return one row per setting, best first."""
        import pandas as pd

        figures = ("cost", "cost_error", "excess", "excess_error")
        rows = [
            {
                **score.setting.parameters,
                "questions": str(score.setting.questions),
                "budget": score.setting.budget,
                **{name: getattr(score, name) for name in figures},
                "chosen": score is self.chosen,
            }
            for score in self.scores
        ]
        return pd.DataFrame(rows, columns=["learn_from", "questions", "depth", "budget", *figures, "chosen"])

    def __repr__(self) -> str:
        return f"Tuning({self.chosen.setting}, of {len(self.scores)} settings)"

    def __str__(self) -> str:
        return f"{self.to_frame().round(3).to_string(index=False)}\n{self.summary}"

    @property
    def summary(self) -> str:
        """The choice and its reason, in a sentence."""
        if self.chosen is self.best:
            does = "gains most" if self.sense == "max" else "costs least"
            return f"Choose {self.chosen.setting}: it {does} on rows held out, and nothing simpler is as good."
        unit = f" {self.unit}" if self.unit else ""
        reason = "of settings that do well, with others like them, it is the simplest"
        if self.chosen.setting is self.usual:
            reason = "it is the usual choice, and rows held out don't clearly speak for another one"
        return (
            f"Choose {self.chosen.setting}: {reason}. "
            f"On rows held out the best ({self.best.setting}) is better by "
            f"{with_error(self.chosen.excess, self.chosen.excess_error)}{unit} per row."
        )


def choose(
    costs: Mapping[Setting, FloatArray],
    weights: FloatArray,
    blocks: IntArray,
    sign: float,
    one_plan: FloatArray,
    usual: Setting | None = None,
) -> tuple[tuple[Score, ...], Score]:
    """Return all scores, best first, and the chosen one, from what each row held out costs with each setting.

    `one_plan` is what each row costs with one plan for all. With few rows standard errors are large: a simpler setting
    must also keep nearly all that the best one wins over this. What is then better than the `usual` setting by no more
    than one standard error gives way to it.

    >>> flat, deep = (Setting("truth", "items", depth, Nominal()) for depth in (1, 2))
    >>> costs = {flat: np.array([5.1, 9.0]), deep: np.array([5.0, 9.0])}
    >>> scores, chosen = choose(costs, np.ones(2), np.arange(2), 1.0, np.array([15.0, 9.0]))
    >>> scores[0].setting.depth, chosen.setting.depth
    (2, 1)
    """
    total = weights.sum()

    def error(one: Setting, other: Setting) -> float:
        return standard_error(costs[one] - costs[other], weights, blocks)

    means = {setting: sign * float(weights @ rows) / total for setting, rows in costs.items()}
    # Python's sort is stable: of equals the one that was named first, and of these the least deep.
    order = sorted(costs, key=lambda setting: (means[setting], setting.depth))
    judged = smoothed(means)
    first = min((setting for setting in order if not setting.has_budget), default=order[0], key=judged.__getitem__)
    lowest = min(order, key=judged.__getitem__)
    # A budget has to earn its place: within one standard error the choice is without.
    if judged[first] - judged[lowest] > error(first, lowest):
        first = lowest
    best = order[0]
    scores = tuple(
        Score(
            setting,
            sign * means[setting],
            standard_error(costs[setting], weights, blocks),
            means[setting] - means[best],
            error(setting, best) if setting is not best else 0.0,
        )
        for setting in order
    )
    most = _MOST_GIVEN_UP * max(0.0, sign * float(weights @ one_plan) / total - judged[first])

    def is_as_good(setting: Setting) -> bool:
        if setting.has_budget and not first.has_budget:
            return False
        return setting is first or judged[setting] - judged[first] <= min(most, error(setting, first))

    chosen = min(filter(is_as_good, order), key=lambda setting: (setting.depth, judged[setting]))
    if usual is not None and judged[usual] - judged[chosen] <= error(usual, chosen):
        chosen = usual
    return scores, scores[order.index(chosen)]


def smoothed(means: Mapping[Setting, float]) -> dict[Setting, float]:
    """Return each setting's cost, half of it as settings that share its depth, questions and the like would suggest.

    The least of many costs is least by chance, too, and settings that have much in common cost much the same. So half
    of each is replaced by what a sum of effects explains, one for each depth, kind of question and so on.

    >>> grid = [Setting("truth", kind, depth, Nominal()) for kind in ("items", "plans") for depth in (1, 2)]
    >>> list(smoothed(dict(zip(grid, (9.0, 6.0, 7.0, 8.0)))).values())
    [8.5, 6.5, 7.5, 7.5]
    """
    known = list(means)
    columns = [np.ones(len(known))]
    for name in ("learn_from", "questions", "depth", "has_budget"):
        levels = [str(getattr(setting, name)) for setting in known]
        columns += [np.array([level == each for each in levels], dtype=float) for level in dict.fromkeys(levels)]
    effects, costs = np.column_stack(columns), np.array([means[setting] for setting in known])
    explained = effects @ np.linalg.lstsq(effects, costs, rcond=None)[0]
    blend = costs + _TRUST_IN_OTHERS * (explained - costs)
    return {setting: round(float(cost), 12) for setting, cost in zip(known, blend, strict=True)}
