"""How wrong readings may be: budgets, their calibration from past errors, and how many errors they cover."""

__all__ = ["GlobalBudget", "LocalBudget", "Nominal", "Uncertainty", "uncertainty_from_dict"]

from hedgerow.uncertainty.budgets import GlobalBudget, LocalBudget, Nominal, Uncertainty, uncertainty_from_dict
