"""One clock for all of a fit: questions, search, simplification, rounding and cells; by injected clocks."""

import itertools
import math

import numpy as np
import pytest

from hedgerow import Instance, LocalBudget, RobustTree, Tree, solve
from hedgerow.engine.models.leaves import loss_bounds
from hedgerow.methods import simplify
from hedgerow.methods.simplify import simplified
from hedgerow.problems import Selection
from hedgerow.run import Deadline, Run, StopRunError
from hedgerow.thresholds import rounded, threshold_cells
from hedgerow.tree.question_kinds import good_plans

COSTS = np.random.default_rng(0).uniform(1.0, 9.0, (60, 4)).round(2)


class Counted(Selection):
    """Counts how often it is solved, and with which time limits."""

    def __init__(self, *given):
        super().__init__(*given)
        self.limits = []

    def best_solution(self, costs, weights=None, *, time_limit=None):
        self.limits.append(time_limit)
        return super().best_solution(costs, weights, time_limit=time_limit)


def a_tree():
    """Return a tree of depth 2 with a question that does not matter, and its instance."""
    one, other = np.eye(2)
    instance = Instance.create(Selection(2, 1), [[1.0, 5.0], [5.0, 1.0], [2.0, 4.0]], uncertainty=LocalBudget(0.1))
    return Tree.full([0, 1, 1], [3.1, 2.2, 2.7], np.array([one, one, other, other])), instance


def test_plans_to_compare_are_looked_for_while_time_is_left():
    """Each solve gets what is left, and once nothing is, the plans found so far have to do."""
    problem, left = Counted(4, 2), iter([9.0, 5.0, 2.0, *[0.0] * 200])
    plans = good_plans(problem, COSTS, np.ones(60), 5, 2, lambda: next(left))
    assert problem.limits[:3] == [9.0, 5.0, 2.0]
    assert len(problem.limits) <= 4  # one more for what the leaves of a tree would use
    assert 1 <= len(plans) <= 4
    everything = Counted(4, 2)
    assert len(good_plans(everything, COSTS, np.ones(60), 5, 2)) >= len(plans)
    assert len(everything.limits) > 60
    assert set(everything.limits) == {math.inf}


def test_a_fit_hands_its_clock_to_the_questions_and_what_is_left_to_the_search(monkeypatch):
    """An hour passes with every look at the clock, so that there is time for one plan only."""
    hours, problem = iter(range(10_000)), Counted(4, 2)
    monkeypatch.setattr(
        "hedgerow.estimator.Deadline", lambda limit: Deadline(limit, clock=lambda: 3600.0 * next(hours))
    )
    model = RobustTree(problem, depth=1, uncertainty=LocalBudget(0.1), questions="plans", time_limit=7200.0)
    model.set_params(method="local_search", iteration_limit=1).fit(COSTS)
    assert problem.limits[0] == 3600.0
    assert len(problem.limits) < 10
    assert model.result_.status == "time_limit"
    assert model.result_.runtime >= 7200.0


def test_a_search_without_time_left_gives_one_solution():
    _, instance = a_tree()
    result = solve(instance, method="local_search", time_limit=5.0, spent=5.0)
    assert (result.status, result.tree.n_leaves) == ("time_limit", 1)


def test_bounds_for_a_model_of_all_trees_are_computed_while_time_is_left():
    """On a MIP each sample takes two linear programmes; there is a look at the clock every fifty samples."""

    class Bounded(Selection):
        def cost_bounds(self, samples):
            sizes.append(len(samples))
            return super().cost_bounds(samples)

    sizes, seconds = [], iter(range(100))
    instance = Instance.create(Bounded(4, 2), np.tile(COSTS, (10, 1)))
    with pytest.raises(StopRunError):
        loss_bounds(instance, Run(instance, deadline=Deadline(3.5, clock=lambda: float(next(seconds)))))
    assert sizes == [50, 50, 50]
    assert len(loss_bounds(instance)[0]) == 600


@pytest.mark.parametrize("patience", [0, 1, 100])
def test_questions_are_left_out_while_time_is_left(monkeypatch, patience):
    tree, instance = a_tree()
    attacks, real = [], simplify.worst_case
    monkeypatch.setattr(simplify, "worst_case", lambda *given, **named: attacks.append(1) or real(*given, **named))
    looks = iter(range(1000))
    attack = simplified(tree, instance, 0.0, lambda _: False, lambda: next(looks) >= patience)
    assert len(attacks) <= 2 + patience  # one for the tree as it is, one with equal neighbours merged
    assert attack.tree.n_leaves == (2 if patience == 100 else attack.tree.n_leaves)


def test_thresholds_are_rounded_and_given_cells_while_time_is_left():
    tree, instance = a_tree()
    assert rounded(tree, instance, must_stop=lambda: True) == tree
    assert rounded(tree, instance).threshold[0] == 3.0
    whole, alone = threshold_cells(tree, instance), [(at, at) for at in tree.threshold[tree.is_inner].tolist()]
    for patience in (1, 5, 30, 1000, 0):
        looks = itertools.count()
        cells = threshold_cells(tree, instance, must_stop=lambda last=patience, looks=looks: next(looks) >= last)
        for (low, high), (at, _), (lowest, highest) in zip(cells, alone, whole, strict=True):
            assert lowest <= low <= at <= high <= highest
        assert patience != 1000 or cells == whole
    assert list(cells) == alone
