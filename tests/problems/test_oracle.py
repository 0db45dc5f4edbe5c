"""Problems known by their oracle alone: honest values and bounds, and whatever may be wrong with a function."""

import numpy as np
import pytest

from hedgerow import GlobalBudget, Instance, LocalBudget, Nominal, RobustTree, solve
from hedgerow.errors import InputError, SolverError
from hedgerow.methods import METHODS
from hedgerow.problems import Oracle, Selection
from tests.helpers import brute_force

KNOWN = Selection(4, 2)
COSTS = np.round(np.random.default_rng(3).uniform(1, 9, (4, 4)), 1)
WORK_WITH_IT = [name for name, method in METHODS.items() if not method.needs_mip]


def best_two(costs):
    return KNOWN.best_solution(costs[np.newaxis]).solution


def run(problem, method="exact", uncertainty=None, costs=COSTS, **options):
    instance = Instance.create(problem, costs, uncertainty=uncertainty or LocalBudget(fraction=0.1))
    return instance, solve(instance, method=method, **{"iteration_limit": 5, "random_state": 0, **options})


@pytest.mark.parametrize("kind", [LocalBudget, GlobalBudget])
@pytest.mark.parametrize("method", WORK_WITH_IT)
def test_methods_that_need_no_more_work_and_never_claim_too_much(method, kind):
    limit = None if method == "exact" else 5
    instance, result = run(Oracle(best_two, 4), method, kind(fraction=0.1), iteration_limit=limit)
    listed = Instance.create(KNOWN, COSTS, uncertainty=kind(fraction=0.1))
    optimum = brute_force(listed)
    assert result.objective >= optimum - 1e-9
    assert result.lower_bound <= optimum + 1e-9
    assert (result.status == "optimal") == (result.gap <= 1e-6)
    instance.check_shape(result.tree)
    instance.check_solutions(result.tree)


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("sense", ["min", "max"])
def test_without_a_budget_the_oracle_suffices_for_a_proof(sense, seed):
    """A leaf is then the best solution for its samples, which is what an oracle answers."""
    known = Selection(4, 2, sense=sense)
    costs = np.random.default_rng(seed).uniform(1, 9, (4, 4))
    problem = Oracle(lambda c: known.best_solution(c[np.newaxis]).solution, 4, sense=sense)
    _, result = run(problem, uncertainty=Nominal(), costs=costs, iteration_limit=None)
    listed = Instance.create(known, costs)
    assert result.status == "optimal"
    assert result.objective == pytest.approx(listed.sign * brute_force(listed))


def test_with_many_samples_the_answers_stand_for_all_solutions_and_the_bound_is_the_clairvoyants():
    costs = np.round(np.random.default_rng(5).uniform(1, 9, (14, 4)), 1)
    _, result = run(Oracle(best_two, 4), costs=costs, iteration_limit=None)
    assert result.lower_bound == pytest.approx(sum(KNOWN.best_solution(row[np.newaxis]).value for row in costs))
    assert result.status == "feasible"
    assert "solutions that the oracle returned" in result.message


def test_a_heuristic_oracle_proves_nothing():
    _, result = run(Oracle(best_two, 4, proven=False))
    assert result.lower_bound == -np.inf
    _, mirrored = run(Oracle(lambda c: best_two(-c), 4, proven=False, sense="max"))
    assert mirrored.lower_bound == np.inf


def test_scenario_generation_says_what_it_misses_and_what_works():
    with pytest.raises(InputError, match=r"rows and columns.*known by its oracle alone.*exact, fix_tree"):
        run(Oracle(best_two, 4), "scenario_generation")
    with pytest.raises(InputError, match="no rows and columns"):
        Oracle(best_two, 4).feasible_set()


def test_equal_questions_are_asked_once():
    asked = []

    def counting(costs):
        asked.append(costs)
        costs[:] = 0.0  # whatever a function does to its argument
        return np.array([1.0, 1.0, 0.0, 0.0])

    problem = Oracle(counting, 4)
    before = COSTS.copy()
    for _ in range(3):
        problem.best_solution(COSTS[:1])
    assert len(asked) == 1
    assert (before == COSTS).all()


def out_of_licences(costs):
    raise RuntimeError("no licence left")


RNG = np.random.default_rng(0)


@pytest.mark.parametrize(
    ("function", "error", "message"),
    [
        (out_of_licences, SolverError, "the oracle failed: RuntimeError: no licence left"),
        (lambda c: [1, 0], InputError, "one number for each of the 4 items; got 2 values"),
        (lambda c: None, InputError, "one number for each of the 4 items; got a single number"),
        (lambda c: "abcd", InputError, "numbers only; got text"),
        (lambda c: [1, 0, np.nan, 0], InputError, "finite numbers; got NaN at position 2"),
        (lambda c: RNG.random(4), InputError, "not optimal: .* check the sense and its seed"),
        (lambda c: best_two(-c), InputError, "not optimal: .* If it is a heuristic, say proven=False"),
    ],
)
def test_functions_that_misbehave_are_told_in_a_sentence(function, error, message):
    with pytest.raises(error, match=message) as caught:
        RobustTree(Oracle(function, 4)).fit(COSTS)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("arguments", "options", "message"),
    [
        ((None, 4), {}, "solve must be a function"),
        ((best_two, 0), {}, "n_items must be an integer from 1 to 200000"),
        ((best_two, 4), {"item_names": ["a"]}, "item_names must be 4 names; got 1"),
        ((best_two, 4), {"sense": "least"}, '"min" or "max"'),
    ],
)
def test_bad_arguments_are_refused(arguments, options, message):
    with pytest.raises(InputError, match=message):
        Oracle(*arguments, **options)


def test_a_tree_over_an_oracle_is_saved_with_a_note_on_what_is_missing(tmp_path):
    model = RobustTree(Oracle(best_two, 4, item_names=list("abcd")), depth=1).fit(COSTS)
    assert "can't be rebuilt" in model.rulebook_.note
    assert model.rulebook_.feature_names == tuple("abcd")
