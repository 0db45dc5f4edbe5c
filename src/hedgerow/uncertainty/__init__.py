"""How wrong readings may be: budgets, their calibration from past errors, and how many errors they cover."""

__all__ = [
    "GlobalBudget",
    "LocalBudget",
    "Nominal",
    "Uncertainty",
    "checked_uncertainty",
    "uncertainty_from_dict",
]

from hedgerow.uncertainty.kinds import GlobalBudget, LocalBudget, Nominal, uncertainty_from_dict
from hedgerow.uncertainty.uncertainty_set import Uncertainty, checked_uncertainty
