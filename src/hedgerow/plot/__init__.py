"""Figures for people and papers: one function each, on the axes you hand in or on a new figure.

They need matplotlib, which `pip install 'hedgerow[plot]'` brings. Every function returns the axes it drew on and
leaves matplotlib's settings as they were.
"""

__all__ = [
    "plot_regions",
    "plot_solution",
    "plot_solutions",
    "plot_tree",
]

from hedgerow.plot.regions import plot_regions
from hedgerow.plot.solution import plot_solution, plot_solutions
from hedgerow.plot.tree import plot_tree
