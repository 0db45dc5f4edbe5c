"""The paper's motivating example: two paths from s to t, and five samples."""

__all__ = ["motivating_example"]

import numpy as np

from hedgerow.arrays import FloatArray
from hedgerow.problems import ShortestPath


def motivating_example() -> tuple[ShortestPath, FloatArray]:
    """Return the graph with the paths s → 1 → t (e1, e2) and s → 2 → t (e3, e4), and the five samples.

    With a global budget of 5 the nominal tree `e1 ≤ 5` costs 36, and 50 in the worst case. The best tree of depth 2
    over midpoints costs 36, and 43 in the worst case (the paper says 41: moving sample 2 adds 7, not 5).

    Returns
    -------
    problem
        The shortest-path problem.
    costs
        One row per sample, one column for each of e1, …, e4.

    Examples
    --------
    >>> from hedgerow.datasets import motivating_example
    >>> problem, costs = motivating_example()
    >>> problem.describe(problem.best_solution(costs).solution)
    's → 1 → t'
    """
    problem = ShortestPath(
        ["s", "1", "s", "2"],
        ["1", "t", "2", "t"],
        "s",
        "t",
        nodes=["s", "1", "2", "t"],
        item_names=["e1", "e2", "e3", "e4"],
        positions={"s": (0, 0), "1": (1, 0), "2": (0, 1), "t": (1, 1)},
    )
    costs = np.array(
        [
            [0.0, 1.0, 7.0, 9.0],
            [1.0, 5.0, 3.0, 10.0],
            [9.0, 4.0, 4.0, 9.0],
            [9.0, 10.0, 5.0, 7.0],
            [10.0, 8.0, 2.0, 2.0],
        ]
    )
    return problem, costs
