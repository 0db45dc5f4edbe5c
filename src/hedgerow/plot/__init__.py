"""Figures for people and papers: one function each, on the axes you hand in or on a new figure.

They need matplotlib, which `pip install 'hedgerow[plot]'` brings. Every function returns the axes it drew on and
leaves matplotlib's settings as they were.
"""

__all__ = ["plot_solution", "plot_tree"]

from hedgerow.plot.solution import plot_solution
from hedgerow.plot.tree import plot_tree
