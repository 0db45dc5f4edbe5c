"""The one home of the version number."""

__version__ = "0.2.0"

WRITTEN_BY = f"written by hedgerow {__version__}"
"""What stands in files that Hedgerow writes for others."""
