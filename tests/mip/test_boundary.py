"""Every solver that is installed keeps the same promises at the boundary."""

import itertools
import math
import signal
import sys
import threading
from dataclasses import replace

import numpy as np
import pytest
import scipy.optimize as so
import scipy.sparse as sp

from hedgerow.errors import InputError, SolverError
from hedgerow.mip import MipModel, MipResult, create_model

INFINITY = np.inf
LOOSE = 1e-6


@pytest.fixture
def model(solver):
    return create_model(solver)


def knapsack(model: MipModel, n: int = 12, n_rows: int = 2, seed: int = 0):
    """Fill the model with a random knapsack and return its arrays."""
    rng = np.random.default_rng(seed)
    weights = rng.integers(5, 60, (n_rows, n)).astype(float)
    cost = -np.round(rng.uniform(5, 60, n), 2)
    room = np.floor(weights.sum(axis=1) * 0.4)
    columns = model.add_variables(n, upper=1.0, cost=cost, integer=True)
    model.add_rows(sp.csr_array(weights), columns, -INFINITY, room)
    return cost, weights, room


def best_by_hand(cost, weights, room):
    """Return the optimum of a knapsack by trying every subset."""
    subsets = np.array(list(itertools.product([0.0, 1.0], repeat=cost.size)))
    fits = (subsets @ weights.T <= room).all(axis=1)
    return float((subsets[fits] @ cost).min())


def market_split(model: MipModel, n_rows: int = 6, n: int = 50, seed: int = 3) -> None:
    """Fill the model with a market split problem, out of reach for any solver: its bound stays at 0 for long."""
    rng = np.random.default_rng(seed)
    matrix = rng.integers(0, 100, (n_rows, n)).astype(float)
    half = np.floor(matrix.sum(axis=1) / 2)
    split = model.add_variables(n, upper=1.0, integer=True)
    slack = model.add_variables(2 * n_rows, cost=1.0)
    both = sp.hstack([sp.csr_array(matrix), sp.eye_array(n_rows), -sp.eye_array(n_rows)])
    model.add_rows(both, np.concatenate([split, slack]), half, half)


def random_mip(seed: int):
    """Return a feasible MIP of mixed kind: cost, bounds, integrality, rows and their sides."""
    rng = np.random.default_rng(seed)
    n, n_rows = int(rng.integers(3, 9)), int(rng.integers(1, 5))
    matrix = np.round(rng.uniform(-20, 20, (n_rows, n)), 1) * (rng.random((n_rows, n)) < 0.7)
    inside = matrix @ rng.integers(-5, 6, n)
    lower = np.where(rng.random(n_rows) < 0.5, inside - rng.uniform(0, 5, n_rows), -INFINITY)
    upper = inside + rng.uniform(0, 10, n_rows)
    return np.round(rng.uniform(-10, 10, n), 2), rng.random(n) < 0.7, matrix, lower, upper


# ------------------------------------------------------------------------------------------------ right answers
@pytest.mark.parametrize("seed", range(4))
def test_a_knapsack_has_the_value_found_by_trying_every_subset(model, seed):
    cost, weights, room = knapsack(model, seed=seed)
    result = model.solve()
    assert result.status == "optimal"
    assert result.objective == pytest.approx(best_by_hand(cost, weights, room), abs=LOOSE)
    assert result.bound == pytest.approx(result.objective, abs=LOOSE)
    assert set(result.values) <= {0.0, 1.0}
    assert (weights @ result.values <= room + LOOSE).all()
    assert result.objective == float(cost @ result.values)


@pytest.mark.parametrize("seed", range(8))
def test_mixed_models_have_the_value_that_scipy_finds(model, seed):
    cost, integer, matrix, lower, upper = random_mip(seed)
    columns = model.add_variables(cost.size, lower=-10.0, upper=10.0, cost=cost, integer=integer)
    model.add_rows(sp.csr_array(matrix), columns, lower, upper)
    expected = so.milp(
        cost,
        integrality=integer,
        bounds=so.Bounds(-10, 10),
        constraints=so.LinearConstraint(matrix, lower, upper),
        options={"mip_rel_gap": 0.0},
    )
    assert model.solve().objective == pytest.approx(expected.fun, rel=1e-6, abs=1e-5)


def test_the_optimum_of_an_equation_over_integers_is_not_cut_off(model):
    # With a feasibility tolerance of 1e-9, HiGHS 1.15.1 ends with −21.001 and calls it optimal.
    matrix = np.array(
        [
            [-11.69, 13.14, -14.03, 0.0, -14.56, 7.56, 13.67],
            [-2.98, 18.28, 13.01, -6.47, 0.0, 0.0, 13.08],
            [17.34, -14.2, 9.82, -14.43, 16.26, -10.96, 14.13],
            [-7.75, 0.0, 0.0, 0.0, 0.0, 0.0, -6.65],
        ]
    )
    cost = [-1.53, 6.665, -3.18, 0.396, 0.984, -6.142, -3.336]
    columns = model.add_variables(7, lower=-10.0, upper=10.0, cost=cost, integer=True)
    model.add_rows(
        sp.csr_array(matrix), columns, [-INFINITY, -38.98, -90.78, -INFINITY], [-42.97, -38.2934, -90.78, 10.0]
    )
    assert model.solve().objective == pytest.approx(-86.561)


def test_a_row_may_be_two_sided_free_or_empty(model):
    columns = model.add_variables(2, upper=10.0, cost=[1.0, -1.0])
    model.add_rows(
        sp.csr_array([[1.0, 1.0], [1.0, 0.0], [0.0, 0.0]]), columns, [2.0, -INFINITY, -1.0], [5.0, INFINITY, 1.0]
    )
    assert model.solve().values == pytest.approx([0.0, 5.0])
    model.cost[columns] = 1.0
    assert model.solve().objective == pytest.approx(2.0)
    model.add_row([], [], 1.0, 2.0)
    assert model.solve().status == "infeasible"


# ------------------------------------------------------------------------------------------------ statuses
@pytest.mark.parametrize("integer", [False, True], ids=["lp", "mip"])
def test_infeasible_and_unbounded_are_told_apart(solver, integer):
    unbounded = create_model(solver)
    columns = unbounded.add_variables(2, cost=[-1.0, -1.0], integer=integer)
    unbounded.add_row(columns, [1.0, -1.0], -1.0, 1.0)
    result = unbounded.solve(time_limit=20)
    assert (result.status, result.values, result.bound) == ("unbounded", None, -math.inf)

    unbounded.add_row(columns, [1.0, 1.0], -INFINITY, -1.0)
    result = unbounded.solve(time_limit=20)
    assert (result.status, result.values, result.objective, result.bound) == ("infeasible", None, math.inf, math.inf)


def test_a_gap_lets_the_solver_stop_early_with_a_bound_that_says_so(model):
    knapsack(model, n=30, n_rows=5)
    result = model.solve(gap=0.5)
    assert result.status == "optimal"
    assert result.bound <= result.objective
    assert result.objective - result.bound <= 0.5 * abs(result.objective) + LOOSE


@pytest.mark.parametrize("integer", [False, True], ids=["lp", "mip"])
def test_a_solution_that_breaks_the_model_is_dropped_and_said_to_have_failed(integer, monkeypatch):
    model = create_model("highs")
    columns = model.add_variables(12, upper=1.0, cost=-1.0, integer=integer)
    model.add_row(columns, np.ones(12), 0.0, 6.0)
    run = type(model)._run
    monkeypatch.setattr(type(model), "_run", lambda self, task: replace(run(self, task), values=np.ones(12)))
    result = model.solve()
    assert (result.status, result.values, result.objective) == ("failed", None, math.inf)
    assert "violates" in result.message
    assert result.bound == pytest.approx(-6.0), "the bound is still the solver's word"


def test_a_solver_that_raises_makes_a_failed_solve_and_the_model_lives_on(monkeypatch):
    model = create_model("highs")
    knapsack(model)

    def broken(self, task):
        raise RuntimeError("out of luck")

    with monkeypatch.context() as patch:
        patch.setattr(type(model), "_run", broken)
        result = model.solve()
    assert (result.status, result.values, result.bound) == ("failed", None, -math.inf)
    assert "out of luck" in result.message
    assert model.solve().status == "optimal"


# ------------------------------------------------------------------------------------------------ time and stopping
def test_a_hard_model_ends_in_time_with_a_valid_bound(model):
    market_split(model)
    result = model.solve(time_limit=0.5)
    assert result.status == "time_limit"
    assert -LOOSE <= result.bound <= result.objective


def test_without_time_a_solve_returns_at_once(model):
    knapsack(model)
    for time_limit in (0.0, -1.0):
        result = model.solve(time_limit=time_limit)
        assert (result.status, result.values, result.bound) == ("time_limit", None, -math.inf)
    assert model.solve(time_limit=math.inf).status == "optimal"


def test_the_callers_flag_interrupts_a_solve(model):
    market_split(model)
    looks = itertools.count()
    assert model.solve(time_limit=600, should_stop=lambda: next(looks) > 3).status == "interrupted"
    assert model.solve(should_stop=lambda: True).status == "interrupted"


def test_a_keyboard_interrupt_reaches_the_caller_and_leaves_the_model_usable(model):
    market_split(model)
    asked = []

    def ctrl_c() -> bool:
        asked.append(True)
        if len(asked) > 3:
            raise KeyboardInterrupt
        return False

    with pytest.raises(KeyboardInterrupt):
        model.solve(time_limit=60, should_stop=ctrl_c)
    assert model.solve(time_limit=0.2).status == "time_limit"


def test_models_can_be_solved_side_by_side_in_threads(solver):
    models = [create_model(solver) for _ in range(3)]
    expected = [best_by_hand(*knapsack(model, seed=seed)) for seed, model in enumerate(models)]
    found = {}

    def work(at: int) -> None:
        found[at] = [models[at].solve().objective for _ in range(3)]

    threads = [threading.Thread(target=work, args=(at,)) for at in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for at, best in enumerate(expected):
        assert found[at] == pytest.approx([best] * 3, abs=LOOSE)
    with pytest.raises(KeyboardInterrupt):  # Ctrl-C is Python's again
        signal.raise_signal(signal.SIGINT)


def test_solving_writes_nothing_anywhere(solver, capfd, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    model = create_model(solver)
    knapsack(model, n=30, n_rows=5)
    model.solve()
    model.add_row([0], [1.0], 2.0, 3.0)
    model.solve()
    assert capfd.readouterr() == ("", "")
    assert not list(tmp_path.iterdir())


# ------------------------------------------------------------------------------------------------ doors
def test_an_unknown_solver_is_refused_with_those_there_are():
    with pytest.raises(InputError, match="'highs', 'gurobi'; got 'cplex'"):
        create_model("cplex")


@pytest.mark.parametrize(("solver", "package"), [("gurobi", "gurobipy")])
def test_a_solver_that_is_not_installed_says_how_to_get_it(solver, package, monkeypatch):
    monkeypatch.setitem(sys.modules, package, None)
    monkeypatch.delitem(sys.modules, f"hedgerow.mip.{solver}", raising=False)
    with pytest.raises(SolverError, match=rf"pip install hedgerow\[{solver}\]"):
        create_model(solver)


@pytest.mark.parametrize(
    ("status", "bound", "expected"),
    [
        ("infeasible", 3.0, math.inf),
        ("unbounded", 3.0, -math.inf),
        ("failed", 3.0, -math.inf),
        ("time_limit", math.nan, -math.inf),
        ("time_limit", math.inf, -math.inf),
        ("time_limit", 3.0, 3.0),
        ("optimal", 7.5, 7.0),
    ],
)
def test_a_solver_is_believed_only_what_it_can_have_proven(status, bound, expected):
    """A bound of a run that failed, no number, ∞ from a run that was stopped: nothing is known. The value is 7."""
    model = create_model()
    model.add_variables(1, lower=7.0, cost=1.0)
    values = None if status == "infeasible" else np.array([7.0])
    assert model._checked(MipResult(status, values, bound=bound)).bound == expected


@pytest.fixture
def stubborn():
    """Return a model whose solver sits there until it is let go of."""

    class StubbornModel(MipModel):
        solver = "stubborn"
        let_go = threading.Event()

        def _run(self, task):
            self.let_go.wait(60)
            return MipResult("optimal", np.ones(1), bound=1.0)

    model = StubbornModel()
    model.add_variables(1, lower=1.0, upper=3.0, cost=1.0, integer=True)
    yield model
    model.let_go.set()


def test_a_solver_that_ignores_its_time_limit_is_abandoned(stubborn):
    result = stubborn.solve(time_limit=0.1)
    assert (result.status, result.objective, result.bound) == ("time_limit", math.inf, -math.inf)
    assert "abandoned" in result.message
    stubborn.let_go.set()
    assert stubborn.solve(time_limit=5).status == "optimal"
