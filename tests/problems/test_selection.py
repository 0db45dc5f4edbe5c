"""Choosing p of n."""

import numpy as np

from hedgerow.problems import Selection


def test_of_equally_cheap_items_the_first_are_chosen():
    problem = Selection(4, 2)
    assert problem.describe(problem.best_solutions(np.ones((1, 4)))[0]) == "x1, x2"


def test_negative_costs_and_gains_are_fine():
    costs = np.array([[-1.0, 5.0, -3.0, 0.0]])
    assert Selection(4, 2).best_solution(costs).value == -4.0
    assert Selection(4, 2, sense="max").best_solution(costs).value == 5.0


def test_huge_selections_are_counted_not_listed():
    assert Selection(1000, 500).all_solutions(10**6) is None


def test_infeasible_choices_are_explained():
    problem = Selection(3, 2, item_names=["oak", "ash", "elm"])
    assert problem.infeasibility(np.array([1.0, 1e-9, 1.0])) is None
    assert problem.infeasibility(np.array([1.0, 0.0, 0.0])) == "the number of chosen items is 1; it must be 2"
    assert "'elm' is used 2 times" in problem.infeasibility(np.array([0.0, 0.0, 2.0]))
    assert "'ash' is used 0.5 times" in problem.infeasibility(np.array([1.0, 0.5, 0.5]))


def test_repr_reads_like_the_call():
    assert repr(Selection(4, 2, unit="EUR", sense="max")) == "Selection(4, 2, unit='EUR', sense='max')"
