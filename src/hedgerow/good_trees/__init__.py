"""Many good trees: all that are nearly as good as the best, a few of them that differ, and what a reading is worth."""

__all__ = [
    "Alternative",
    "Alternatives",
    "Choice",
    "ReadingsCurve",
    "ReadingsPoint",
    "alternatives",
    "choices",
    "readings_curve",
]

from hedgerow.good_trees.choices import Choice, choices
from hedgerow.good_trees.collection import Alternatives, alternatives
from hedgerow.good_trees.picks import Alternative
from hedgerow.good_trees.readings_curve import ReadingsCurve, ReadingsPoint, readings_curve
