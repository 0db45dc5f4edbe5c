"""Example data: the paper's motivating example, the instances of its experiments, and routes through a town."""

__all__ = ["city_routes", "motivating_example", "paper_scheduling", "paper_shortest_path"]

from hedgerow.datasets.histories import city_routes, motivating_example, paper_scheduling, paper_shortest_path
