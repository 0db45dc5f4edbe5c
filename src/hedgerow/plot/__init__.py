"""Figures for people and papers, on the axes you hand in or on a new figure.

They need matplotlib, which `pip install 'hedgerow[plot]'` brings, and leave its settings as they were.
"""

__all__ = ["plot_tree"]

from hedgerow.plot.tree import plot_tree
