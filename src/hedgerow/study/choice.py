"""The simplest setting that is as good as the best: one standard error decides."""

__all__ = ["Score", "Tuning", "choose"]

import dataclasses
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from hedgerow.arrays import FloatArray
from hedgerow.problem import Sense
from hedgerow.words import with_error

if TYPE_CHECKING:
    import pandas as pd

    from hedgerow.estimator import RobustTree

Setting: TypeAlias = tuple[int, float]
"""Depth and λ."""


@dataclass(frozen=True)
class Score:
    """What trees of one setting cost on data held out; means per sample over the folds, in the problem's own sign.

    Attributes
    ----------
    depth, fraction
        The setting: depth and λ.
    nominal, nominal_error
        Cost with every reading right, and its standard error over the folds.
    perturbed, perturbed_error
        Cost under the perturbation, and its standard error; NaN where there is none.
    excess, excess_error
        How much worse than the best setting (0 for that one), and the standard error of this difference. Folds that
        are dear for all settings alike don't blur it.

    Examples
    --------
    >>> from hedgerow.study import Score
    >>> Score(2, 0.05, nominal=10.0, nominal_error=1.0, excess=0.1, excess_error=0.2).is_as_good_as_the_best
    True
    """

    depth: int
    fraction: float
    nominal: float
    nominal_error: float
    perturbed: float = math.nan
    perturbed_error: float = math.nan
    excess: float = 0.0
    excess_error: float = 0.0

    @property
    def is_as_good_as_the_best(self) -> bool:
        """Whether the best setting is better by one standard error of the difference at most."""
        return self.excess <= self.excess_error

    def __str__(self) -> str:
        return f"depth {self.depth} with λ = {self.fraction:g}"


@dataclass(frozen=True, eq=False)
class Tuning:
    """Depth and budget as held-out data tell them.

    Attributes
    ----------
    scores
        One per setting, by depth and then by λ.
    best
        The setting that costs least, or gains most.
    chosen
        The simplest setting within one standard error of the best: the smallest depth, and for that depth the largest
        λ, since a larger budget relies less on readings and makes a tree closer to one solution for all.
    judged
        In words, what the settings were judged by.
    model
        An estimator with the chosen setting, not fitted.
    unit
        Unit of the values.
    sense
        "max" where they are gains.
    n_folds_left_out
        How many folds were not judged, since the run was stopped.

    Examples
    --------
    >>> from hedgerow import RobustTree
    >>> from hedgerow.datasets import paper_shortest_path
    >>> from hedgerow.study import tune
    >>> problem, train, _ = paper_shortest_path(seed_id=0, n_samples=12, grid=3)
    >>> model = RobustTree(problem, method="fix_tree", iteration_limit=50, random_state=0)
    >>> tuning = tune(model, train, depths=[0, 1], fractions=[0.0, 0.05], folds=3)
    >>> len(tuning.scores), tuning.model.depth == tuning.chosen.depth
    (4, True)
    """

    scores: tuple[Score, ...]
    best: Score
    chosen: Score
    judged: str
    model: "RobustTree"
    unit: str = ""
    sense: Sense = "min"
    n_folds_left_out: int = 0

    @property
    def is_perturbed(self) -> bool:
        """Whether settings were judged under a perturbation."""
        return not math.isnan(self.best.perturbed)

    def to_frame(self) -> "pd.DataFrame":
        """Return one row per setting."""
        import pandas as pd

        frame = pd.DataFrame([dataclasses.asdict(score) for score in self.scores])
        frame["chosen"] = [score is self.chosen for score in self.scores]
        return frame

    def in_words(self) -> str:
        """Return the choice and its reason in a sentence."""
        if self.chosen is self.best:
            does = "gains most" if self.sense == "max" else "costs least"
            return f"Choose {self.chosen}: it {does} {self.judged}, and nothing simpler is as good."
        unit = f" {self.unit}" if self.unit else ""
        return (
            f"Choose {self.chosen}: it is the simplest within one standard error of the best, {self.best}; "
            f"{self.judged} it is worse by {with_error(self.chosen.excess, self.chosen.excess_error)}{unit} per sample."
        )


def choose(
    by_fold: Mapping[Setting, FloatArray], perturbed: Mapping[Setting, FloatArray] | None, sign: float
) -> tuple[tuple[Score, ...], Score, Score]:
    """Return all scores, the best and the chosen one, from each setting's mean costs fold by fold.

    Parameters
    ----------
    by_fold, perturbed
        Costs as read and under the perturbation, by depth and λ; the latter decide where there are any.
    sign
        +1 if costs are to be small, −1 if gains are to be large.

    Examples
    --------
    >>> import numpy as np
    >>> from hedgerow.study.choice import choose
    >>> costs = {(1, 0.0): np.array([5.1, 9.0]), (2, 0.0): np.array([5.0, 9.0])}
    >>> _, best, chosen = choose(costs, None, 1.0)
    >>> best.depth, chosen.depth
    (2, 1)
    """
    judged = by_fold if perturbed is None else perturbed
    # Simplest first, so that of equals the simplest is the best.
    settings = sorted(judged, key=_simplicity)
    best = min(settings, key=lambda setting: sign * judged[setting].mean())
    scores = {}
    for setting in sorted(judged):
        fields: dict[str, Any] = dict(zip(("nominal", "nominal_error"), _mean(by_fold[setting]), strict=True))
        if perturbed is not None:
            fields |= dict(zip(("perturbed", "perturbed_error"), _mean(perturbed[setting]), strict=True))
        fields |= dict(zip(("excess", "excess_error"), _mean(sign * (judged[setting] - judged[best])), strict=True))
        scores[setting] = Score(*setting, **fields)
    chosen = next(setting for setting in settings if scores[setting].is_as_good_as_the_best)
    return tuple(scores.values()), scores[best], scores[chosen]


def _simplicity(setting: Setting) -> tuple[float, ...]:
    depth, fraction = setting
    return depth, -fraction


def _mean(values: FloatArray | Sequence[float]) -> tuple[float, float]:
    """Return the mean over the folds and its standard error."""
    return float(np.mean(values)), float(np.std(values, ddof=1) / math.sqrt(len(values)))
