"""The methods that find trees: one file each, one signature, one table."""

__all__ = ["METHODS", "solve"]

from hedgerow.methods.registry import METHODS
from hedgerow.methods.solve import solve
