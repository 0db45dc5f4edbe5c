"""Where a delivered tree's thresholds may lie, and the roundest numbers among those."""

__all__ = ["Cell", "rounded", "roundest", "threshold_cells"]

from hedgerow.thresholds.rounding import rounded, roundest
from hedgerow.thresholds.threshold_cells import Cell, threshold_cells
