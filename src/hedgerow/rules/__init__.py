"""Rules that have been learnt: one frozen value that every reader shares, and the file it is kept in."""

__all__ = ["Plans", "Proof", "RuleBook", "Training"]

from hedgerow.rules.book import RuleBook
from hedgerow.rules.plans import Plans
from hedgerow.rules.proof import Proof
from hedgerow.rules.training import Training
