"""Many good trees: all that are nearly as good as the best, and a few of them that differ."""

__all__ = ["Alternative", "Alternatives", "alternatives"]

from hedgerow.good_trees.collection import Alternatives, alternatives
from hedgerow.good_trees.picks import Alternative
