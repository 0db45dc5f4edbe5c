"""Instances to try Hedgerow on: the paper's motivating example, and those of its experiments."""

__all__ = ["motivating_example", "paper_scheduling", "paper_shortest_path"]

from hedgerow.datasets.motivating import motivating_example
from hedgerow.datasets.paper import paper_scheduling, paper_shortest_path
