"""The example that opens the paper."""

import numpy as np

from hedgerow.datasets import motivating_example


def test_the_two_paths_cost_what_the_paper_says():
    problem, costs = motivating_example()
    path_a, path_b = problem.all_solutions(2)
    assert problem.describe(path_a) == "s → 1 → t"
    assert problem.describe(path_b) == "s → 2 → t"
    assert problem.costs(np.stack([path_a, path_b]), costs).tolist() == [[1, 16], [6, 13], [13, 13], [19, 12], [18, 4]]


def test_the_nominal_tree_costs_36_and_50_after_the_attack_on_sample_5():
    problem, costs = motivating_example()
    table = problem.costs(problem.all_solutions(2), costs)
    nominal = np.where(costs[:, 0] <= 5.0, table[:, 0], table[:, 1])
    assert nominal.sum() == 36.0
    assert nominal.sum() - table[4, 1] + table[4, 0] == 50.0
