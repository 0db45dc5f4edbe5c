"""The one home of the version number."""

__version__ = "0.1.0.dev0"
