"""The methods of the experiments: those of the package, and the exact one with more thresholds."""

__all__ = ["BUDGETS", "DEPTH", "PROCEDURES", "UNTRAINED", "Procedure", "absolute_budgets"]

from dataclasses import dataclass
from typing import Final

from hedgerow.arrays import FloatArray
from hedgerow.methods import METHODS
from hedgerow.splits import ThresholdSet
from hedgerow.uncertainty import GlobalBudget, LocalBudget, Uncertainty

DEPTH: Final = 2
"""Depth of all trees in the paper's experiments."""

BUDGETS: Final[dict[str, type[LocalBudget] | type[GlobalBudget]]] = {"local": LocalBudget, "global": GlobalBudget}
"""The uncertainty sets; a fraction stands for Γ_loc and for Γ_glob = N · Γ_loc."""

UNTRAINED: Final = ("nominal", "one_solution")
"""Methods that ignore the uncertainty set."""

_WITH_PROOF: Final = ("exact", "scenario_generation", *UNTRAINED)


@dataclass(frozen=True)
class Procedure:
    """A method as an experiment uses it.

    Attributes
    ----------
    method
        A name in `hedgerow.methods.METHODS`.
    thresholds
        The thresholds that it may use.
    ends_by_itself
        Whether it stops by itself, with a proof, if it has enough time.
    """

    method: str
    thresholds: ThresholdSet = "midpoints"
    ends_by_itself: bool = False


PROCEDURES: Final[dict[str, Procedure]] = {
    **{name: Procedure(name, ends_by_itself=name in _WITH_PROOF) for name in METHODS},
    "exact_grid": Procedure("exact", thresholds="grid", ends_by_itself=True),
}


def absolute_budgets(observations: FloatArray, fraction: float) -> dict[str, Uncertainty]:
    """Return both uncertainty sets with the budgets that λ means for these samples, for use on other data, too."""
    return {name: budget(fraction=fraction).bind(observations, DEPTH) for name, budget in BUDGETS.items()}
