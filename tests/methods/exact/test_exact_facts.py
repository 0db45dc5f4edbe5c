"""What is known about optima without knowing them (SPEC 7), on instances that are too large for brute force."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hedgerow import GlobalBudget, Instance, LocalBudget, Nominal, solve
from hedgerow.datasets import motivating_example
from hedgerow.problems import Selection, ShortestPath
from hedgerow.run import Options
from tests.methods.exact.tiny import on_path

SETS = [LocalBudget, GlobalBudget]


@pytest.fixture(autouse=True, scope="module")
def _on_tables():
    with on_path("tables"):
        yield


def optimum(instance, settings=None):
    """Return the proven optimal loss, over midpoints unless other thresholds are named."""
    if settings is None or settings.thresholds is None:
        settings = (settings or Options()).replace(thresholds="midpoints")
    result = solve(instance, method="exact", options=settings, random_state=0, time_limit=None)
    assert result.status == "optimal"
    return instance.sign * result.objective


def at_most(value):
    return value + 1e-8 * max(1.0, abs(value))


@st.composite
def cases(draw, max_samples=6):
    """Draw problem and costs; gaps and ranges lie well above ε."""
    problem = draw(st.sampled_from([ShortestPath.grid(3), Selection(5, 2), Selection(4, 2, sense="max")]))
    n_samples = draw(st.integers(3, max_samples))
    rng = np.random.default_rng(draw(st.integers(0, 10**6)))
    costs = rng.integers(-20, 60, (n_samples, len(problem.item_names))) / 4.0
    return problem, costs


def test_the_motivating_example_is_proven_to_be_worth_43():
    """Fact 8, and what two of its numbers become without uncertainty and without a second question."""
    problem, costs = motivating_example()
    assert optimum(Instance.create(problem, costs, uncertainty=GlobalBudget(5.0))) == 43.0
    assert optimum(Instance.create(problem, costs)) == 36.0
    assert optimum(Instance.create(problem, costs, uncertainty=GlobalBudget(5.0), depth=1)) >= 43.0


@settings(max_examples=20)
@given(cases())
def test_without_a_budget_the_robust_optimum_is_the_nominal_one(case):
    """Fact 2, for every way of saying zero."""
    nominal = optimum(Instance.create(*case, uncertainty=Nominal()))
    for uncertainty in (LocalBudget(0.0), GlobalBudget(0.0), LocalBudget(fraction=0.0), GlobalBudget(fraction=0.0)):
        assert optimum(Instance.create(*case, uncertainty=uncertainty)) == pytest.approx(nominal, rel=1e-9)


@settings(max_examples=20)
@given(cases(), st.sampled_from([1, 2]))
def test_a_budget_beyond_all_ranges_leaves_one_solution(case, depth):
    """Fact 3 (Corollary 4.2), where the method sees it at once and where it has to prove it."""
    _problem, costs = case
    single = optimum(Instance.create(*case, depth=0))
    widest = depth * float(np.ptp(costs, axis=0).max())
    for budget in (1.01 * widest + 0.1, 50.0 * widest + 1.0):
        assert optimum(Instance.create(*case, uncertainty=LocalBudget(budget), depth=depth)) == pytest.approx(single)
        together = GlobalBudget(len(costs) * budget)
        assert optimum(Instance.create(*case, uncertainty=together, depth=depth)) == pytest.approx(single)
        # Limits that nobody needs hide from the method that the budget is so large.
        limited = LocalBudget(budget, limits=1e6)
        assert optimum(Instance.create(*case, uncertainty=limited, depth=depth)) == pytest.approx(single)


@settings(max_examples=20)
@given(cases(max_samples=5), st.sampled_from([0.25, 0.6, 1.0, 2.5, 6.0]))
def test_larger_sets_have_larger_optima(case, budget):
    """Fact 4: U_glob(Γ) ⊆ U_loc(Γ) ⊆ U_glob(N·Γ), and more budget is never better."""
    n_samples = len(case[1])
    sets = [Nominal(), GlobalBudget(budget), LocalBudget(budget), GlobalBudget(n_samples * budget)]
    values = [optimum(Instance.create(*case, uncertainty=uncertainty)) for uncertainty in sets]
    values.append(optimum(Instance.create(*case, depth=0)))
    for smaller, larger in itertools.pairwise(values):
        assert smaller <= at_most(larger)
    more = optimum(Instance.create(*case, uncertainty=LocalBudget(1.5 * budget)))
    assert values[2] <= at_most(more)


@settings(max_examples=12)
@given(cases(max_samples=4), st.sampled_from(SETS), st.sampled_from([0.5, 1.5, 4.0]))
def test_deeper_trees_are_never_worse_at_the_same_absolute_budget(case, budget, amount):
    """Fact 5, from depth 0 to depth 3."""
    problem, costs = case
    features = costs[:, :2]
    values = [
        optimum(Instance.create(problem, costs, observed=features, uncertainty=budget(amount), depth=depth))
        for depth in (0, 1, 2, 3)
    ]
    for shallow, deep in itertools.pairwise(values):
        assert deep <= at_most(shallow)


@settings(max_examples=15)
@given(cases(max_samples=4), st.sampled_from(SETS), st.sampled_from([0.5, 1.5, 4.0]))
def test_more_thresholds_are_never_worse(case, budget, amount):
    """Fact 5: the grid holds the midpoints."""
    problem, costs = case
    instance = Instance.create(problem, costs, observed=costs[:, :2], uncertainty=budget(amount))
    assert optimum(instance, Options(thresholds="grid")) <= at_most(optimum(instance))
