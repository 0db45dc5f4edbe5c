"""How deep a tree and how large a budget: chosen by what trees cost on data they were not fitted to."""

__all__ = ["Score", "Tuning", "tune"]

from hedgerow.tuning.choice import Score, Tuning
from hedgerow.tuning.tune import tune
