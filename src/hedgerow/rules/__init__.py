"""Rules that have been learnt: one frozen value that every reader shares, and the file it is kept in."""

__all__ = ["Labels", "Plans", "RuleBook", "Training"]

from hedgerow.rules.book import RuleBook
from hedgerow.rules.contents import Labels, Plans, Training
