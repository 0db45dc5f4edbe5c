"""How wrong readings may be: budgets, their calibration from past errors, and how many errors they cover."""

__all__ = [
    "GlobalBudget",
    "LocalBudget",
    "Nominal",
    "Uncertainty",
    "Worst",
    "checked_uncertainty",
    "reach_limit",
    "uncertainty_from_dict",
]

from hedgerow.geometry import reach_limit
from hedgerow.uncertainty.kinds import GlobalBudget, LocalBudget, Nominal, uncertainty_from_dict
from hedgerow.uncertainty.uncertainty_set import Uncertainty, Worst, checked_uncertainty
