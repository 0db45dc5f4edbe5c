"""What holds for every problem on the shelf, whatever its cost function and its oracle."""

import itertools
import json
import pickle

import numpy as np
import pytest

from hedgerow import GlobalBudget, Instance, LocalBudget, solve
from hedgerow.problems import ExplicitSet, Problem, problem_from_dict
from tests.helpers import brute_force
from tests.problems.brute_force import mip_accepts, mip_optima
from tests.problems.shelf import CAPACITATED, KINDS, ROUNDABOUT, SHELF, samples_for, turned

ALL = {**SHELF, "facility location, capacities": CAPACITATED, "roundabout": ROUNDABOUT}
LISTED = {name: problem for name, problem in KINDS.items() if problem.all_solutions(1000) is not None}
DESCRIBED = {name: problem for name, problem in KINDS.items() if problem.to_dict()["kind"] != "custom"}
BUDGETS = {"local": LocalBudget, "global": GlobalBudget}


def every(problems):
    return pytest.mark.parametrize("problem", problems.values(), ids=list(problems))


@every(ALL)
def test_the_oracle_agrees_with_the_mip(problem):
    """On 200 random cost vectors; both solutions are feasible."""
    samples = samples_for(problem, 200)
    for some in np.split(samples, 20):
        by_mip = np.rint(mip_optima(problem, some))
        for sample, solution in zip(some, by_mip, strict=True):
            best = problem.best_solution(sample[np.newaxis])
            assert problem.infeasibility(best.solution) is None
            assert problem.infeasibility(solution) is None
            assert best.value == pytest.approx(problem.costs(solution[np.newaxis], sample[np.newaxis])[0, 0])
            assert best.bound == best.value


@every(LISTED)
def test_the_oracle_finds_the_best_of_all_for_several_samples_at_once(problem):
    samples, weights = samples_for(problem, 5, seed=1), np.array([1.0, 0.0, 2.5, 1.0, 0.25])
    for candidate in (problem, problem if "sense" not in problem.to_dict() else turned(problem)):
        sums = weights @ candidate.costs(candidate.all_solutions(1000), samples)
        best = candidate.best_solution(samples, weights)
        assert best.value == pytest.approx(sums.min() if candidate.sense == "min" else sums.max())


@every(LISTED)
def test_all_solutions_are_different_feasible_and_counted_before_they_are_listed(problem):
    listed = problem.all_solutions(1000)
    assert len(np.unique(listed, axis=0)) == len(listed)
    assert all(problem.infeasibility(solution) is None for solution in listed)
    assert all(mip_accepts(problem, solution) for solution in listed)
    assert problem.all_solutions(len(listed) - 1) is None


@every(ALL)
def test_infeasible_vectors_are_refused_by_words_and_by_the_mip_alike(problem):
    rng = np.random.default_rng(2)
    n = len(problem.variable_names)
    for vector in rng.integers(0, 2, (40, n)).astype(float):
        if problem.infeasibility(vector) is not None:
            assert not mip_accepts(problem, vector)
    assert "one value for each" in problem.infeasibility(np.zeros(n + 1))
    assert "0.5 times" in problem.infeasibility(np.full(n, 0.5))
    assert "is nan" in problem.infeasibility(np.full(n, np.nan))


@every(KINDS)
def test_costs_lie_within_their_bounds_and_are_the_worst_of_their_rows(problem):
    samples = samples_for(problem, 20, seed=3)
    solutions = problem.all_solutions(1000)
    if solutions is None:
        solutions = np.array([problem.best_solution(sample[np.newaxis]).solution for sample in samples])
    costs = problem.costs(solutions, samples)
    low, high = problem.cost_bounds(samples)
    assert (low <= costs.min(axis=1) + 1e-9).all()
    assert (high >= costs.max(axis=1) - 1e-9).all()
    for sample, row in zip(samples, costs, strict=True):
        rows = problem.cost_rows(sample)
        values = rows.coefficients @ solutions.T + rows.constants[:, np.newaxis]
        np.testing.assert_allclose(row, values.max(axis=0) if problem.sense == "min" else values.min(axis=0))


@every(DESCRIBED)
def test_rebuilt_and_pickled_problems_are_equal(problem):
    rebuilt = problem_from_dict(json.loads(json.dumps(problem.to_dict())))
    for twin in (rebuilt, pickle.loads(pickle.dumps(problem))):
        assert isinstance(twin, Problem)
        assert twin == problem
        assert hash(twin) == hash(problem)
        assert repr(twin) == repr(problem)
        assert twin.variable_names == problem.variable_names
    assert len(set(DESCRIBED.values())) == len(DESCRIBED)


@every(ALL)
def test_solutions_are_told_in_words_and_infeasible_ones_too(problem):
    solution = problem.best_solution(samples_for(problem, 1)).solution
    assert problem.describe(solution)
    assert problem.describe(np.zeros_like(solution)) == "nothing"
    assert problem.describe(solution + 1e-9) == problem.describe(solution)


@pytest.mark.parametrize("kind", BUDGETS)
@pytest.mark.parametrize(
    ("problem", "depth"),
    [
        pytest.param(problem, depth, id=f"{name}-{depth}")
        for name, problem in SHELF.items()
        for depth in (1, 2)
        # Brute force takes all combinations of solutions at the leaves.
        if depth == 1 or len(problem.all_solutions(1000)) <= 8
    ],
)
def test_exact_finds_what_brute_force_finds(problem, depth, kind):
    instance = Instance.create(
        problem,
        samples_for(problem, 3 if depth == 2 else 4, seed=4),
        observed=np.random.default_rng(5).integers(0, 9, (3 if depth == 2 else 4, 2)).astype(float),
        uncertainty=BUDGETS[kind](fraction=0.15),
        depth=depth,
    )
    result = solve(instance, method="exact", thresholds="midpoints", random_state=0)
    assert result.status == "optimal"
    assert instance.sign * result.objective == pytest.approx(brute_force(instance), abs=1e-9)


@pytest.mark.parametrize("kind", BUDGETS)
def test_exact_without_a_list_of_solutions_finds_what_it_finds_with_one(kind):
    """Sites with room for so many customers: all there is are the oracle and the MIP."""
    sites = itertools.product(range(3), repeat=4)
    served = np.array([np.eye(3)[list(choice)] for choice in sites])
    vectors = np.concatenate([served.reshape(-1, 12), served.max(axis=1)], axis=1)
    feasible = vectors[[CAPACITATED.infeasibility(vector) is None for vector in vectors]]
    demands = samples_for(CAPACITATED, 4, seed=6)
    table = CAPACITATED.costs(feasible, demands)
    options = {"context": demands[:, :2], "uncertainty": BUDGETS[kind](fraction=0.1)}
    listed = Instance.create(ExplicitSet(np.eye(len(feasible))), table, **options)
    unlisted = Instance.create(CAPACITATED, demands, **options)
    expected, found = (
        solve(instance, method="exact", thresholds="midpoints", random_state=0) for instance in (listed, unlisted)
    )
    assert found.status == "optimal"
    assert found.objective == pytest.approx(expected.objective)
