"""Models of the user's own: costs, best solutions, words, files and methods."""

from itertools import product

import numpy as np
import pytest
from scipy.optimize import Bounds, LinearConstraint, milp

from hedgerow import LocalBudget, RobustTree
from hedgerow.errors import InfeasibleProblemError, InputError, SolverError, UnboundedProblemError
from hedgerow.problems import MixedIntegerProblem, Problem
from hedgerow.rules import RuleBook
from tests.problems.models import model_of

NAMES = ["machine", "by hand", "set-up"]
ROWS = ([[1, 1, 0], [1, 0, -3]], [4, -np.inf], [4, 0])


def workshop(items=("machine", "by hand"), **options):
    """Make four units; the machine makes three at most, once it was set up."""
    return model_of([1, 1, 5], ROWS, [0, 0, 1], ([0, 0, 0], [4, 4, 1]), names=NAMES, items=list(items), **options)


def choice(n, p, **options):
    """Choose p of n: a model whose solutions can be listed."""
    return model_of(np.zeros(n), ([[1] * n], p, p), 1, (0, 1), **options)


def random_model(rng, sense):
    """A small model with whole and continuous variables, always feasible at the point it is built around."""
    n, m = 6, 4
    matrix = rng.integers(-3, 4, (m, n)).astype(float)
    inside = rng.integers(0, 4, n)
    return model_of(
        rng.normal(0, 3, n),
        (matrix, matrix @ inside - 2, matrix @ inside + 2),
        [1, 1, 1, 0, 0, 0],
        (0, 4),
        sense=sense,
        items=["x2", "x5", "x1"],
    )


def test_items_get_the_samples_costs_and_the_others_keep_their_own():
    problem = workshop()
    assert isinstance(problem, Problem)
    assert problem.item_names == ("machine", "by hand")
    assert problem.variable_names == tuple(NAMES)
    solutions, samples = np.array([[3.0, 1.0, 1.0], [0.0, 4.0, 0.0]]), np.array([[1.0, 4.0], [2.0, 2.0]])
    assert problem.costs(solutions, samples).tolist() == [[12.0, 16.0], [13.0, 8.0]]
    row = problem.cost_rows(samples[0])
    assert (row.coefficients @ solutions[0] + row.constants).tolist() == [12.0]


@pytest.mark.parametrize("sense", ["min", "max"])
@pytest.mark.parametrize("seed", range(6))
def test_best_solution_and_bounds_agree_with_scipy(seed, sense):
    rng = np.random.default_rng(seed)
    problem = random_model(rng, sense)
    samples, weights = rng.normal(0, 5, (3, 3)), np.array([1.0, 0.5, 2.0])
    model, sign = problem.model, 1.0 if sense == "min" else -1.0
    objective = 3.5 * model.cost
    objective[[1, 4, 0]] = weights @ samples
    answer = milp(
        sign * objective,
        integrality=model.integer,
        bounds=Bounds(model.lower, model.upper),
        constraints=LinearConstraint(model.matrix, model.row_lower, model.row_upper),
    )
    best = problem.best_solution(samples, weights)
    assert best.value == pytest.approx(sign * answer.fun, abs=1e-5)
    assert best.bound == pytest.approx(best.value)
    assert problem.infeasibility(best.solution) is None
    low, high = problem.cost_bounds(samples)
    costs = problem.costs(best.solution[np.newaxis], samples)[:, 0]
    assert (low <= costs).all()
    assert (costs <= high).all()


def test_the_constant_counts_once_per_sample_and_by_weight(tmp_path):
    (tmp_path / "m.lp").write_text("max\n 2 a + 10\nst\n r: a <= 3\nbounds\n a <= 5\nend\n")
    problem = MixedIntegerProblem.from_file(tmp_path / "m.lp", unit="EUR")
    assert (problem.sense, problem.unit) == ("max", "EUR")
    assert problem.best_solution(np.array([[1.0], [2.0]]), np.array([1.0, 3.0])).value == pytest.approx(3 + 18 + 40)


@pytest.mark.parametrize("seed", range(20))
def test_the_list_holds_exactly_the_points_that_keep_all_rows(seed):
    rng = np.random.default_rng(seed)
    matrix = rng.integers(-3, 4, (3, 4)) * rng.choice([1.0, 0.5])
    low = np.where(rng.random(3) < 0.3, -np.inf, rng.integers(-4, 2, 3))
    high = np.where(rng.random(3) < 0.3, np.inf, rng.integers(2, 7, 3))
    lower = rng.integers(-2, 1, 4)
    problem = model_of(np.zeros(4), (matrix, low, high), 1, (lower, lower + 2))
    points = np.array(list(product(*[range(first, first + 3) for first in lower])), dtype=float)
    inside = ((points @ matrix.T >= low) & (points @ matrix.T <= high)).all(axis=1)
    assert sorted(map(tuple, problem.all_solutions(81))) == sorted(map(tuple, points[inside]))


@pytest.mark.parametrize(
    ("solution", "message"),
    [
        ([3.0, 1.0, 1.0], None),
        ([3.0, 1.0], "one value for each of the 3 variables"),
        ([3.0, np.nan, 1.0], "the value of 'by hand' is nan"),
        ([3.0, 1.0, 0.5], "'set-up' is used 0.5 times; it must be a whole number"),
        ([-1.0, 5.0, 0.0], "'machine' is used -1 times; it must lie from 0 to 4"),
        ([2.0, 1.0, 1.0], "the row 'row 1' is 3; it must be 4"),
        ([4.0, 0.0, 1.0], "the row 'row 2' is 1; it must be at most 0"),
    ],
)
def test_what_is_wrong_with_a_solution_is_told_by_name(solution, message):
    told = workshop().infeasibility(np.array(solution))
    assert (told is None) == (message is None)
    assert message is None or message in told


def test_solutions_are_described_by_the_users_names_and_in_short():
    assert workshop(["by hand"]).describe(np.array([2.5, 1.5, 1.0])) == "1.5 × by hand, 2.5 × machine, set-up"
    assert workshop().describe(np.zeros(3)) == "nothing"
    assert choice(40, 30).describe(np.ones(40)).endswith("x12, and 28 more")


def test_whatever_variables_are_called_a_saved_tree_can_be_opened(tmp_path):
    names = ['a,"b"', "<script>alert(1)</script>", "=cmd()", "x'; DROP TABLE", "😀" * 200, "tab\tname"]
    costs = np.random.default_rng(0).uniform(0, 9, (4, 6))
    RobustTree(choice(6, 2, names=names), depth=1).fit(costs).save(tmp_path / "tree.json")
    saved = RuleBook.of(tmp_path / "tree.json")
    assert not saved.note
    assert saved.variable_names == tuple(names)


def test_a_model_without_solutions_says_so():
    problem = model_of([1, 1], ([[2, 2]], 1, 1), 1, (0, 1))
    with pytest.raises(InfeasibleProblemError, match="no solution"):
        RobustTree(problem).fit([[1.0, 2.0], [2.0, 1.0]])


def test_a_cost_that_can_be_improved_without_end_names_the_variables():
    problem = model_of([1, 1], ([[1, -1]], 0, 0), 0, names=["in", "out"])
    with pytest.raises(UnboundedProblemError, match="finite bounds, such as 'in'"):
        problem.best_solution(np.array([[-1.0, 0.5]]))
    with pytest.raises(UnboundedProblemError, match="without end"):
        problem.cost_bounds(np.array([[-1.0, 0.5]]))


def test_a_cost_that_can_get_worse_without_end_is_fine_but_for_scenario_generation():
    problem = model_of([1, 1], ([[1, 1]], 1, np.inf), 0, names=["rail", "road"])
    costs = np.array([[1.0, 4.0], [3.0, 2.0], [1.5, 3.0]])
    options = {"depth": 1, "uncertainty": LocalBudget(0.1)}
    assert RobustTree(problem, method="exact", **options).fit(costs).result_.objective == pytest.approx(4.5)
    with pytest.raises(InputError, match="how much worse a sample's cost can get"):
        RobustTree(problem, method="scenario_generation", **options).fit(costs)
    many = np.random.default_rng(0).uniform(1.0, 5.0, (14, 2))
    for method, time_limit in (("exact", 20.0), ("auto", 1.0), ("auto", None)):
        result = RobustTree(problem, method=method, time_limit=time_limit, random_state=0, **options).fit(many).result_
        assert many.min(axis=1).sum() - 1e-6 <= result.lower_bound or result.lower_bound == -np.inf
        assert result.objective <= many.sum(axis=0).min() + 1e-9


def test_no_solution_in_time_is_told_and_a_known_one_serves():
    problem = choice(30, 15)
    with pytest.raises(SolverError, match=r"no solution of the model was found \(time_limit\); allow more time"):
        problem.best_solution(np.ones((1, 30)), time_limit=0.0)
    known = problem.best_solution(np.ones((1, 30)))
    late = problem.best_solution(np.arange(30.0)[np.newaxis], time_limit=0.0)
    assert (late.solution == known.solution).all()
    assert late.bound == -np.inf


def test_patterns_choose_by_name_but_a_name_with_a_star_comes_first():
    problem = model_of(np.zeros(4), names=["a_1", "a_2", "a_*", "b[1]"], bounds=(0, 1))
    assert problem.with_items("a_*").item_names == ("a_*",)
    assert problem.with_items("*_*").item_names == ("a_1", "a_2", "a_*")
    assert problem.with_items(["b[*", "a_1"]).item_names == ("b[1]", "a_1")
    assert not problem.items_chosen
    assert problem.with_items("a_1").items_chosen


def test_something_else_than_a_model_is_answered_with_the_ways_in():
    with pytest.raises(InputError, match=r"from_file, for a model of another package MixedIntegerProblem\.from_model"):
        MixedIntegerProblem("plant.mps")
