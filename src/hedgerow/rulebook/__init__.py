"""Rules that have been learnt: one frozen value that every reader shares, and the file it is kept in."""

__all__ = ["Plans", "Proof", "RuleBook", "Training"]

from hedgerow.rulebook.book import RuleBook
from hedgerow.rulebook.plans import Plans
from hedgerow.rulebook.proof import Proof
from hedgerow.rulebook.training import Training
