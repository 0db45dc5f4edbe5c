"""What thinning left out: measured as trying everything would, and never at the expense of the tree."""

import dataclasses

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from hedgerow import GlobalBudget, Instance, LocalBudget, Nominal, Tree, solve, worst_case
from hedgerow.methods.thinning import counted, measured
from hedgerow.problems import ExplicitSet, Oracle, Selection
from hedgerow.run import Deadline, Interrupt, Options
from hedgerow.tree.splits import candidate_splits
from tests.methods.test_thinning import history
from tests.worlds import matrices, set_options

BUDGETS = st.sampled_from([0.0, 0.6, 1.3, 2.7, 6.1])
LIMITS = [{}, {"min_samples_leaf": 1}, {"min_samples_leaf": 2}, {"max_leaves": 3}]


def best_by_trying(tree, instance, options):
    """Return the best worst case, as a loss, over all trees that differ from this one in at most one question."""
    splits = candidate_splits(instance.observations, options.thresholds)
    best = instance.sign * worst_case(tree, instance).bound
    for node in np.flatnonzero(tree.item >= 0):
        own = [(tree.item[other], tree.threshold[other]) for other in np.flatnonzero(tree.item >= 0)]
        for item, threshold in [*zip(splits.question, splits.threshold, strict=True), *own]:
            items, thresholds = np.array(tree.item), np.array(tree.threshold)
            items[node], thresholds[node] = item, threshold
            changed = tree.replace(question=items, questions=None, threshold=thresholds)
            rows = np.bincount(changed.apply(instance.observations), minlength=tree.n_leaves)
            if rows.min() >= options.min_samples_leaf:
                best = min(best, instance.sign * worst_case(changed, instance).bound)
    return best


def measure(tree, instance, options, sought_on=None, deadline=None, interrupt=None):
    sought_on = instance if sought_on is None else sought_on
    thinning = counted(instance, sought_on, options)
    assert thinning is not None
    deadline, interrupt = deadline or Deadline(), interrupt or Interrupt()
    return measured(thinning, worst_case(tree, instance), sought_on, options, deadline, interrupt)


@st.composite
def instances(draw, kind):
    """Draw samples with other features than costs, of which the first has more thresholds than one."""
    n_samples, n_features = draw(st.integers(3, 6)), draw(st.integers(1, 3))
    observations = draw(matrices(n_samples, n_features, st.integers(0, 8).map(float)))
    observations[:3, 0] = 0.0, 4.0, 8.0
    problem = ExplicitSet(np.eye(3), sense=draw(st.sampled_from(["min", "max"])))
    return Instance.create(
        problem,
        draw(matrices(n_samples, 3, st.integers(-5, 9).map(float))),
        context=observations,
        uncertainty=kind(draw(BUDGETS), **draw(set_options(n_samples, n_features))),
        depth=draw(st.integers(1, 3)),
    )


@st.composite
def trees(draw, instance, options, depth):
    """Draw a tree over the thresholds that are kept, with leaves at any depth and any solutions."""
    splits = candidate_splits(instance.observations, options.thresholds, options.max_thresholds)

    def nested(level, leaves):
        if level == depth or leaves < 2 or draw(st.integers(0, 3)) == 0:
            return {"solution": np.eye(3)[draw(st.integers(0, 2))]}
        split = draw(st.integers(0, len(splits) - 1))
        item, threshold = int(splits.question[split]), float(splits.threshold[split])
        left, right = nested(level + 1, leaves - leaves // 2), nested(level + 1, leaves // 2)
        return {"item": item, "threshold": threshold, "left": left, "right": right}

    return Tree.from_dict(nested(0, options.max_leaves or 2**depth))


@settings(max_examples=60)
@given(st.data(), st.sampled_from([LocalBudget, GlobalBudget]), st.sampled_from(LIMITS))
def test_what_thresholds_are_worth_is_what_trying_all_of_them_shows(data, kind, limits):
    """Exactly under a local budget; under a global one it is no more than that, and said to be so."""
    instance = data.draw(instances(kind))
    options = Options(max_thresholds=1, thresholds=data.draw(st.sampled_from(["midpoints", "grid"])), **limits)
    thinning = counted(instance, instance, options)
    assume(thinning is not None)
    tree = data.draw(trees(instance, options, instance.depth))
    assume(np.bincount(tree.apply(instance.observations), minlength=tree.n_leaves).min() >= options.min_samples_leaf)
    now = instance.sign * worst_case(tree, instance).bound
    expected = (now - best_by_trying(tree, instance, options)) / max(abs(now), 1e-9)
    found = measure(tree, instance, options)
    assert found.n_questions == tree.n_leaves - 1
    assert dataclasses.replace(found, thresholds_missed=None, tried_all=False, n_questions=0) == thinning
    if not found.n_questions:
        assert found.thresholds_missed is None
        return
    assert found.tried_all == (kind is LocalBudget)
    if kind is LocalBudget:
        assert found.thresholds_missed == pytest.approx(expected, rel=1e-6, abs=1e-8)
    else:
        assert 0.0 <= found.thresholds_missed <= expected * (1.0 + 1e-6) + 1e-8


def test_a_result_says_what_one_other_question_would_be_worth():
    instance = history(20, uncertainty=LocalBudget(fraction=0.1))
    options = Options(max_thresholds=1)
    result = solve(instance, method="exact", options=options, round_thresholds=False, random_state=0)
    best = best_by_trying(result.tree, instance, options)
    assert best < result.objective
    assert result.thinning.thresholds_missed == pytest.approx((result.objective - best) / result.objective)
    assert (result.thinning.n_thresholds, result.thinning.n_all_thresholds) == (4, 4 * 19)
    assert result.thinning.in_words() in result.message
    # The tree is the one over the kept thresholds, of which the proof speaks.
    kept = candidate_splits(instance.observations, "midpoints", 1)
    assert set(result.tree.threshold[result.tree.item >= 0]) <= set(kept.threshold)
    assert result.status == "optimal"
    assert result.lower_bound == pytest.approx(result.objective)


@pytest.mark.parametrize("options", [{}, {"max_thresholds": 59}, {"max_samples": 60, "max_thresholds": 1000}])
def test_where_nothing_is_left_out_there_is_nothing_to_tell(options):
    result = solve(history(), method="local_search", options=Options(**options), iteration_limit=2)
    assert result.thinning is None
    assert "The search used" not in result.message


def test_where_nothing_may_be_asked_no_threshold_is_left_out():
    assert solve(history(depth=0), options=Options(max_thresholds=1)).thinning is None
    thinning = solve(history(depth=0), options=Options(max_thresholds=1, max_samples=5)).thinning
    assert thinning.of_samples
    assert not thinning.of_thresholds
    assert thinning.thresholds_missed == 0.0


def test_a_tree_that_asks_nothing_has_no_question_to_change():
    result = solve(history(), method="one_solution", options=Options(max_thresholds=1))
    assert (result.thinning.n_questions, result.thinning.thresholds_missed) == (0, None)
    assert "asks no question" in result.message


@pytest.mark.parametrize("most", [None, 2])
def test_representatives_are_measured_and_so_are_the_thresholds_that_went_with_them(most):
    """Their thresholds lie between representatives, so that a tree's own need not be among those of all samples."""
    instance = history(40, uncertainty=LocalBudget(fraction=0.1))
    options = Options(max_samples=6, max_thresholds=most)
    result = solve(instance, method="exact", options=options, random_state=0)
    thinning = result.thinning
    assert (thinning.n_samples, thinning.n_all_samples, thinning.n_all_thresholds) == (6, 40, 4 * 39)
    assert thinning.n_thresholds == 4 * (most or 5)
    best = best_by_trying(result.tree, instance, options)
    assert thinning.thresholds_missed == pytest.approx((result.objective - best) / result.objective, abs=1e-9)
    assert thinning.tried_all
    assert thinning.in_words() in result.message


def test_what_representatives_missed_is_relative_to_the_worst_case_on_all_samples():
    instance, options = history(), Options(max_samples=30)
    halves = Instance.create(
        instance.problem, instance.costs[:30], uncertainty=instance.uncertainty, depth=instance.depth
    )
    tree = Tree.single([1.0, 1.0, 0.0, 0.0])
    here, there = worst_case(tree, instance).value, worst_case(tree, halves).value
    assert measure(tree, instance, options, halves).samples_missed == pytest.approx((here - there) / here)


def test_gains_are_measured_like_costs():
    """A problem that maximises is the mirror image of one that minimises negative costs."""
    costs = np.random.default_rng(3).uniform(1.0, 9.0, (12, 3))
    options = Options(max_thresholds=1)
    found = [
        solve(
            Instance.create(
                ExplicitSet(np.eye(3), sense=sense), sign * costs, context=costs, uncertainty=LocalBudget(0.3)
            ),
            method="exact",
            options=options,
            random_state=0,
        ).thinning
        for sense, sign in (("max", 1.0), ("min", -1.0))
    ]
    assert found[0] == found[1]
    assert found[0].thresholds_missed > 0.0


def test_an_interrupted_run_does_not_try():
    interrupt = Interrupt()
    interrupt.request()
    instance, options = history(), Options(max_thresholds=1)
    tree = solve(instance, method="exact", options=options, random_state=0).tree
    found = measure(tree, instance, options, interrupt=interrupt)
    assert (found.thresholds_missed, found.tried_all) == (None, False)
    assert "no time to try" in found.in_words()


def test_when_time_is_up_there_is_a_second_left_to_try():
    ticks = iter([0.0, *[100.0] * 10_000])
    late = Deadline(1.0, clock=lambda: next(ticks))
    instance, options = history(20, uncertainty=LocalBudget(fraction=0.1)), Options(max_thresholds=1)
    tree = solve(instance, method="exact", options=options, random_state=0).tree
    assert late.passed()
    assert measure(tree, instance, options, deadline=late).thresholds_missed > 0.0


def test_want_of_memory_costs_the_measure_and_not_the_run(monkeypatch):
    from hedgerow.methods import thinning

    instance, options = history(), Options(max_thresholds=1)
    monkeypatch.setattr(thinning, "_best_gain", lambda *_: (_ for _ in ()).throw(MemoryError))
    result = solve(instance, method="exact", options=options, random_state=0)
    assert result.thinning.thresholds_missed is None
    assert result.status == "optimal"


def test_a_problem_that_lists_no_solutions_is_measured_all_the_same():
    listed = Selection(4, 2)
    problem = Oracle(lambda costs: listed.best_solution(costs[None]).solution, 4)
    instance = Instance.create(problem, history(20).costs, uncertainty=LocalBudget(fraction=0.05))
    options = Options(max_thresholds=2)
    result = solve(instance, method="local_search", options=options, iteration_limit=3, random_state=0)
    best = best_by_trying(result.tree, instance, options)
    assert best < result.objective
    assert result.thinning.thresholds_missed == pytest.approx((result.objective - best) / result.objective, abs=1e-9)


def test_without_uncertainty_thresholds_are_measured_too():
    instance, options = history(20, uncertainty=Nominal()), Options(max_thresholds=1)
    result = solve(instance, method="nominal", options=options, random_state=0)
    best = best_by_trying(result.tree, instance, options)
    assert result.thinning.thresholds_missed == pytest.approx((result.objective - best) / result.objective, abs=1e-9)
