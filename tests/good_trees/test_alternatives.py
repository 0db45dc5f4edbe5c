"""All good trees: equal to enumeration on a tiny instance; picks."""

from functools import partial

import numpy as np
import pytest

from hedgerow import InputError, Instance, LocalBudget, RobustTree, Wishes, alternatives, evaluate, solve
from hedgerow.datasets import paper_shortest_path
from hedgerow.engine.engine_parameters import EngineParameters
from hedgerow.engine.listing import lister
from hedgerow.good_trees import collection, good_structures, picks
from hedgerow.good_trees.collection import _SHARE_FOR_LIST
from hedgerow.problems import ExplicitSet, Knapsack, Selection
from hedgerow.run import Deadline, Interrupt
from hedgerow.run.wishes import keeps
from tests.engine.listing.all_trees import SAMPLES, all_rows, tiny


def enumerated(instance):
    """Return per structure, one split at each node, the least worst case over all plans."""
    best = {}
    for structure, _, value, _ in all_rows(instance, may_stop=False):
        best[structure] = min(value, best.get(structure, np.inf))
    return np.array(list(best.values()))


@pytest.mark.parametrize("budget", ["local", "global"])
def test_the_set_is_that_of_enumeration(budget):
    instance = tiny(budget)
    values = enumerated(instance)
    for within in (0.0, 0.05, 0.3):
        found = alternatives(instance, within=within)
        listed = list(found.trees())
        expected = np.sort(values[values <= values.min() * (1.0 + within) + 1e-9])
        assert found.complete
        assert found.n_structures == len(listed) == expected.size
        assert np.sort([value for _, value in listed]) == pytest.approx(expected)
        for tree, value in listed:
            assert evaluate(tree, instance.problem, SAMPLES, instance.uncertainty).robust == pytest.approx(value)


@pytest.mark.parametrize("budget", ["local", "global"])
def test_picks_are_rule_books_whose_values_the_adversary_confirms(budget):
    instance = tiny(budget)
    found = alternatives(instance, within=0.3)
    assert found.picks[0].extra_cost == 0.0
    for pick in found.picks:
        robust = evaluate(pick.tree, instance.problem, SAMPLES, instance.uncertainty).robust
        assert pick.worst_case == pytest.approx(robust)
        assert pick.extra_cost == pytest.approx(robust / found.best.objective - 1.0, abs=1e-9)
        assert pick.evaluate(SAMPLES).robust == pytest.approx(robust)
    reasons = [reason for pick in found.picks for reason in pick.reasons]
    assert len(reasons) == len(set(reasons)) == 5
    trees = [tree.simplified() for tree, _ in found.trees()]
    by_reason = {reason: pick for pick in found.picks for reason in pick.reasons}
    assert by_reason["fewest questions"].n_questions == min(int(tree.is_inner.sum()) for tree in trees)
    assert by_reason["fewest readings"].n_asked == min(tree.asked_items.size for tree in trees)


def test_picks_say_which_kinds_of_questions_were_asked_for():
    problem, costs, _ = paper_shortest_path(seed_id=0, n_samples=5, grid=3)
    instance = Instance.create(problem, costs, uncertainty=LocalBudget(fraction=0.1), depth=1, questions="plans:3")
    assert alternatives(instance).picks[0].result.questions == "plans:3"


def test_wishes_are_kept_by_all_alternatives():
    wishes = Wishes(ask_first="ferry", max_items=2)
    found = alternatives(tiny(), within=0.2, wishes=wishes)
    trees = [tree for tree, _ in found.trees()]
    assert trees
    assert all(keeps(tree, tiny(), wishes) for tree in trees)
    assert all(keeps(pick.tree, tiny(), wishes) for pick in found.picks)


def test_a_fitted_model_works_and_limits_are_said(monkeypatch):
    model = RobustTree(tiny().problem, uncertainty=LocalBudget(0.9)).fit(SAMPLES)
    found = alternatives(model, within=0.05)
    assert found.n_structures == alternatives(tiny(), within=0.05).n_structures
    monkeypatch.setattr(good_structures, "_MOST_ENTRIES", 1)
    few = alternatives(tiny(), within=0.3)
    assert not few.complete
    assert "no more than 1" in few.message
    with pytest.raises(InputError, match="choose midpoints or grid"):
        alternatives(tiny(), thresholds="continuous")
    deep = alternatives(
        Instance.create(tiny().problem, SAMPLES, uncertainty=LocalBudget(0.9), depth=3), time_limit=4.0, random_state=0
    )
    assert not deep.complete
    assert "Only the best tree is known, since" in deep.message
    assert deep.picks


def test_counts_on_the_papers_instances_are_those_of_the_prototype():
    problem, train, _ = paper_shortest_path(seed_id=0, n_samples=20, grid=4)
    instance = Instance.create(problem, train, uncertainty=LocalBudget(fraction=0.05), depth=2)
    found = alternatives(instance, within=0.01, time_limit=None)
    assert found.complete
    assert found.n_structures == 73_890
    assert sum(value <= found.best.objective * (1.0 + 1e-9) for _, value in found.trees()) == 288


def test_leaves_that_need_samples_leave_some_first_questions_without_any_tree():
    limits = {"min_samples_leaf": 3, "thresholds": "midpoints", "time_limit": None}
    found = alternatives(tiny(), within=0.3, **limits)
    assert found.complete
    for tree, _ in found.trees():
        assert np.bincount(tree.apply(SAMPLES), minlength=tree.n_leaves).min() >= 3
    assert found.best.objective == pytest.approx(solve(tiny(), method="exact", **limits).objective)
    assert solve(tiny(), wishes=Wishes(max_items=2), **limits).status == "optimal"


def asked(tree, instance):
    """Return what a tree asks: questions by their numbers, level by level, −1 for none."""
    questions = [-1] * (2**instance.depth - 1)
    for node in np.flatnonzero(tree.is_inner):
        questions[tree.level_place[node]] = instance.questions.index(tree.questions[tree.question[node]])
    return tuple(questions)


def test_no_choice_has_a_question_that_changes_nothing():
    offered = alternatives(tiny(), within=0.5, time_limit=None).choices()
    questions = [asked(each.tree, tiny()) for each in offered]
    assert {question for each in questions for question in each} == {-1, 0, 1, 2}
    assert all(each.tree.simplified().n_leaves == each.tree.n_leaves for each in offered)
    assert all(each[0] >= 0 or set(each) == {-1} for each in questions)


def test_a_single_question_is_offered_as_the_first_one():
    costs = [[1.0, 3.0], [4.0, 2.0], [5.0, 2.5]]
    instance = Instance.create(ExplicitSet(np.eye(2)), costs, uncertainty=LocalBudget(0.5), depth=2)
    found = alternatives(instance, within=0.5, time_limit=None)
    offered = [asked(each.tree, instance) for each in found.choices(3.0)]
    assert {questions for questions in offered if questions.count(-1) > 1} == {(-1, -1, -1), (0, -1, -1)}
    assert len(set(offered)) == len(offered)


class WorkClock:
    """Time passes only while kernels of the list run, a second for each call, and while rule books are made."""

    def __init__(self, monkeypatch):
        self.seconds = 0.0
        for module, name in ((lister, "half_values"), (lister, "list_pairs"), (picks, "alternative_of")):
            monkeypatch.setattr(module, name, partial(self._work, getattr(module, name)))
        monkeypatch.setattr(collection, "Deadline", partial(Deadline, clock=lambda: self.seconds))
        monkeypatch.setattr(lister, "ENGINE", EngineParameters(losses_at_once=1, entries_at_once=1))

    def _work(self, function, *arguments, **options):
        self.seconds += 1.0
        return function(*arguments, **options)


@pytest.mark.parametrize("limit", [5.0, 10.0, 50.0])
def test_one_time_limit_holds_for_the_list_and_the_picks(monkeypatch, limit):
    clock = WorkClock(monkeypatch)
    found = alternatives(tiny(), within=0.5, time_limit=limit)
    assert clock.seconds <= _SHARE_FOR_LIST * limit + 1.0
    assert not found.complete
    assert "time was up" in found.message
    assert found.picks[0].extra_cost == 0.0
    assert clock.seconds <= limit + 8.0  # what is picked in each respect may be made once more
    assert "time was up" in str(found)


@pytest.fixture
def interrupt(monkeypatch):
    """An interrupt that is requested once the structures below a first question are listed."""
    interrupt = Interrupt()

    def listed(self, root, cutoff):
        yield from all_listed(self, root, cutoff)
        interrupt.request()

    all_listed = lister.RootLister.listed
    monkeypatch.setattr(lister.RootLister, "listed", listed)
    return interrupt


def test_the_list_ends_where_it_is_interrupted(interrupt):
    found = alternatives(tiny(), within=0.5, interrupt=interrupt)
    assert not found.complete
    assert "it was stopped after 1 of" in found.message
    assert found.picks[0].extra_cost == 0.0


def test_the_best_tree_is_picked_even_if_it_was_not_listed_in_time(interrupt):
    rng = np.random.default_rng(0)
    good_day = rng.random((12, 1)) < 0.5
    costs = np.hstack([rng.uniform(4.0, 6.0, (12, 2)), np.where(good_day, 1.0, 9.0) + rng.uniform(size=(12, 1))])
    instance = Instance.create(Selection(3, 1), costs, uncertainty=LocalBudget(0.5), depth=2)
    found = alternatives(instance, within=5.0, interrupt=interrupt)
    assert found.picks[0].extra_cost == 0.0


@pytest.mark.parametrize("unit", [1e-9, 1e9])
@pytest.mark.parametrize("budget", ["local", "global"])
def test_units_of_the_costs_change_nothing_but_the_values(unit, budget):
    usual = tiny(budget)
    scaled = Instance.create(
        usual.problem, unit * SAMPLES, observed=SAMPLES, uncertainty=usual.uncertainty, depth=usual.depth
    )
    plain = Instance.create(usual.problem, SAMPLES, observed=SAMPLES, uncertainty=usual.uncertainty, depth=usual.depth)
    here, there = (alternatives(each, within=0.1) for each in (plain, scaled))
    assert there.complete
    assert there.n_structures == here.n_structures
    values, others = ([value for _, value in found.trees()] for found in (here, there))
    assert sorted(others) == pytest.approx([unit * value for value in sorted(values)], rel=1e-9)
    assert [pick.extra_cost for pick in there.picks] == pytest.approx([pick.extra_cost for pick in here.picks])


def test_results_say_what_they_are():
    found = alternatives(tiny(), within=0.3)
    assert list(found.to_frame()["extra_cost"]) == [pick.extra_cost for pick in found.picks]
    assert found.summary in str(found)


def test_of_more_samples_and_thresholds_than_fit_into_memory_the_best_tree_is_known():
    """A root would need a number for each of 3,000 samples and 8,997 thresholds."""
    costs = np.random.default_rng(0).random((3_000, 3))
    instance = Instance.create(ExplicitSet(np.eye(3)), costs, uncertainty=LocalBudget(0.1), depth=2)
    found = alternatives(instance, time_limit=1.0, random_state=0)
    assert not found.complete
    assert "Only the best tree is known, since" in found.message


def test_where_nothing_can_be_asked_there_is_one_structure():
    """A sample alone: no threshold parts it from another one."""
    instance = Instance.create(
        ExplicitSet([[1.0, 0.0], [0.0, 1.0]]), [[2.0, 3.0]], uncertainty=LocalBudget(1.0), depth=2
    )
    found = alternatives(instance, within=0.3)
    assert found.complete
    assert found.best.objective == 2.0
    assert solve(instance, method="exact", wishes=Wishes(max_items=1)).objective == 2.0


@pytest.mark.parametrize("size", [1e-9, 1.0, 1e9])
def test_structures_whose_worst_case_is_zero_are_listed_in_any_unit(size):
    """Taking nothing costs nothing, whatever is asked."""
    problem = Knapsack([1.0, 2.0], 2.0, sense="min")
    costs = np.array([[1.0, 12.0], [7.0, 8.0]]) * size
    instance = Instance.create(problem, costs, observed=[[11.0, 4.0], [12.0, -2.0]], depth=1)
    found = alternatives(instance, within=0.0)
    assert (found.best.objective, found.n_structures, found.complete) == (0.0, 2, True)


def test_structures_whose_worst_case_is_zero_up_to_rounding_are_listed():
    """Taking nothing costs nothing; what it saves is below zero and sums to it with a rounding error."""
    problem = ExplicitSet([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]])
    costs = np.array([[-6e5, 7e5], [5e5, 2e5], [1e5, 12e5]]) / 3.0
    instance = Instance.create(problem, costs, uncertainty=LocalBudget(8.1e5), depth=1)
    found = alternatives(instance, within=0.0)
    assert found.complete
    assert found.best.objective == pytest.approx(0.0, abs=1e-6)
    assert found.n_structures > 0
