"""The usual setting, or the simplest that is nearly as good as the best if that is better: standard errors decide."""

__all__ = ["Setting", "choose", "smoothed"]

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from hedgerow.data.arrays import FloatArray, IntArray
from hedgerow.data.confidence import standard_error
from hedgerow.data.readings import LearnFrom
from hedgerow.uncertainty import Uncertainty

if TYPE_CHECKING:
    import pandas as pd

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
        budget = f", {self.uncertainty!r}" if self.has_budget else ""
        return f"depth {self.depth}, asking about {asks}, learnt from {self.learn_from}{budget}"

    @property
    def has_budget(self) -> bool:
        """Whether readings may be wrong in the fit."""
        return self.uncertainty.can_misread

    @property
    def parameters(self) -> dict[str, Any]:
        """The parameters of `RobustTree` that this setting is about."""
        return dict(vars(self))


def choose(
    costs: Mapping[Setting, FloatArray],
    weights: FloatArray,
    blocks: IntArray,
    sign: float,
    one_plan: FloatArray,
    usual: Setting | None = None,
) -> tuple["pd.DataFrame", Setting]:
    """Return the scores of all settings, best first, and the chosen setting, from what each row held out costs.

    `one_plan` is what each row costs with one plan for all. With few rows standard errors are large: a simpler setting
    must also keep nearly all that the best one wins over this. What is then better than the `usual` setting by no more
    than one standard error gives way to it. Scores have the mean cost per row in the problem's own sign, how much worse
    than the best that is, and the standard errors of both. Rows that are costly for all settings don't blur the second.

    >>> from hedgerow import Nominal
    >>> flat, deep = (Setting("truth", "items", depth, Nominal()) for depth in (1, 2))
    >>> costs = {flat: np.array([5.1, 9.0]), deep: np.array([5.0, 9.0])}
    >>> scores, chosen = choose(costs, np.ones(2), np.arange(2), 1.0, np.array([15.0, 9.0]))
    >>> scores["setting"][0].depth, chosen.depth
    (2, 1)
    """
    import pandas as pd

    total = weights.sum()

    def error(one: Setting, other: Setting) -> float:
        return standard_error(costs[one] - costs[other], weights, blocks)

    means = {setting: sign * float(weights @ rows) / total for setting, rows in costs.items()}
    # Python's sort is stable: of equals the one that was named first, and of these the least deep.
    order = sorted(costs, key=lambda setting: (means[setting], setting.depth))
    best, judged = order[0], smoothed(means)
    first = min((setting for setting in order if not setting.has_budget), default=best, key=judged.__getitem__)
    lowest = min(order, key=judged.__getitem__)
    # A budget has to earn its place: within one standard error the choice is without.
    if judged[first] - judged[lowest] > error(first, lowest):
        first = lowest
    most = _MOST_GIVEN_UP * max(0.0, sign * float(weights @ one_plan) / total - judged[first])

    def is_as_good(setting: Setting) -> bool:
        if setting.has_budget and not first.has_budget:
            return False
        return setting is first or judged[setting] - judged[first] <= min(most, error(setting, first))

    chosen = min(filter(is_as_good, order), key=lambda setting: (setting.depth, judged[setting]))
    if usual is not None and judged[usual] - judged[chosen] <= error(usual, chosen):
        chosen = usual
    rows = [
        {
            "setting": setting,
            "cost": sign * means[setting],
            "cost_error": standard_error(costs[setting], weights, blocks),
            "excess": means[setting] - means[best],
            "excess_error": error(setting, best),
        }
        for setting in order
    ]
    return pd.DataFrame(rows), chosen


def smoothed(means: Mapping[Setting, float]) -> dict[Setting, float]:
    """Return each setting's cost, half of it as settings that share its depth, questions and the like would suggest.

    The least of many costs is least by chance, too, and settings that have much in common cost much the same. So half
    of each is replaced by what a sum of effects explains, one for each depth, kind of question and so on.

    >>> from hedgerow import Nominal
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
