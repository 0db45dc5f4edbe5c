"""Where a delivered tree's thresholds may lie, and the roundest numbers among those."""

__all__ = ["Cell", "moved_anywhere", "rounded", "roundest", "threshold_cells"]

from hedgerow.thresholds.anywhere import moved_anywhere
from hedgerow.thresholds.rounding import rounded, roundest
from hedgerow.thresholds.threshold_cells import Cell, threshold_cells
