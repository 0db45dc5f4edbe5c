"""Many good trees: all that are nearly as good as the best, a few of them that differ, and what a reading is worth."""

__all__ = ["Alternative", "Alternatives", "ReadingsCurve", "ReadingsPoint", "alternatives", "readings_curve"]

from hedgerow.alternatives.found import Alternatives, alternatives
from hedgerow.alternatives.picks import Alternative
from hedgerow.alternatives.readings import ReadingsCurve, ReadingsPoint, readings_curve
