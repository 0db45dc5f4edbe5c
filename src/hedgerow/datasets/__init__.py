"""Instances to try Hedgerow on: the paper's motivating example, those of its experiments, and a town's routes."""

__all__ = ["city_routes", "motivating_example", "paper_scheduling", "paper_shortest_path"]

from hedgerow.datasets.city import city_routes
from hedgerow.datasets.motivating import motivating_example
from hedgerow.datasets.paper import paper_scheduling, paper_shortest_path
