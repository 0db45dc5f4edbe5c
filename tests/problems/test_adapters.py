"""Models of other packages: names, senses, bounds and constants are kept, and what is not linear is refused."""

import sys
import warnings
from types import SimpleNamespace

import numpy as np
import pytest
import scipy.sparse as sp
from scipy.optimize import Bounds, LinearConstraint

from hedgerow.errors import InputError
from hedgerow.problems import MixedIntegerProblem
from tests.problems.grids import by_mathopt, pulp_variable


def check_plant(problem, names, row_names=("cap", "least", "balance")):
    """The model that all packages write below: maximise 3 make + 2 buy + idle + 10 over three rows."""
    model = problem.model
    place = [model.names.index(name) for name in names]
    assert sorted(model.names) == sorted(names)
    assert (model.sense, model.offset) == ("max", 10.0)
    assert model.cost[place].tolist() == [3.0, 2.0, 1.0]
    assert model.lower[place].tolist() == [0.0, -1.0, -np.inf]
    assert model.upper[place].tolist() == [4.0, np.inf, 5.0]
    assert model.integer[place].tolist() == [True, False, False]
    assert model.row_names == row_names
    assert model.matrix.toarray()[:, place].tolist() == [[1.0, 1.0, 0.0], [1.0, 0.0, 1.0], [0.0, 2.0, -1.0]]
    assert model.row_lower.tolist() == [-np.inf, 1.0, 3.0]
    assert model.row_upper.tolist() == [4.0, np.inf, 3.0]


class TestPyomo:
    @pytest.fixture
    def pyo(self):
        return pytest.importorskip("pyomo.environ")

    @pytest.fixture
    def plant(self, pyo):
        model = pyo.ConcreteModel()
        model.make = pyo.Var(domain=pyo.Integers, bounds=(0, 4))
        model.other = pyo.Var(["buy", "idle"])
        model.other["buy"].setlb(-1)
        model.other["idle"].setub(5)
        model.gain = pyo.Objective(
            expr=3 * model.make + 2 * model.other["buy"] + model.other["idle"] + 10, sense=pyo.maximize
        )
        model.cap = pyo.Constraint(expr=model.make + model.other["buy"] <= 4)
        model.least = pyo.Constraint(expr=model.make + model.other["idle"] + 2 >= 3)
        model.balance = pyo.Constraint(expr=2 * model.other["buy"] - model.other["idle"] == 3)
        return model

    def test_everything_is_kept(self, plant):
        check_plant(MixedIntegerProblem.from_pyomo(plant), ["make", "other[buy]", "other[idle]"])

    def test_items_are_chosen_by_component_entry_or_name(self, plant):
        def chosen(items):
            return MixedIntegerProblem.from_pyomo(plant, items).item_names

        assert chosen(plant.other) == chosen("other") == ("other[buy]", "other[idle]")
        assert chosen(plant.other["idle"]) == chosen("other[idle]") == ("other[idle]",)
        assert chosen([plant.make, plant.other]) == ("make", "other[buy]", "other[idle]")
        with pytest.raises(InputError, match="no variable 'cap'"):
            chosen("cap")

    def test_fixed_variables_and_inactive_rows_are_as_they_should(self, plant):
        plant.cap.deactivate()
        plant.other["buy"].fix(2.0)
        problem = MixedIntegerProblem.from_pyomo(plant, plant.make)
        assert problem.model.row_names == ("least", "balance")
        best = problem.best_solution(np.array([[3.0]]))
        assert best.solution.tolist() == [4.0, 2.0, 1.0]
        assert best.value == pytest.approx(12 + 4 + 1 + 10)
        with pytest.raises(InputError, match=r"'other\[buy\]' is fixed at 2.0"):
            MixedIntegerProblem.from_pyomo(plant, plant.other)

    def test_what_is_not_one_linear_model_is_refused(self, pyo, plant):
        with pytest.raises(InputError, match="must be a Pyomo model"):
            MixedIntegerProblem.from_pyomo("plant")
        with pytest.raises(InputError, match="abstract"):
            MixedIntegerProblem.from_pyomo(pyo.AbstractModel())
        other = plant.clone()
        with pytest.raises(InputError, match="belongs to another"):
            MixedIntegerProblem.from_pyomo(plant, other.make)
        plant.more = pyo.Constraint(expr=plant.make**2 <= 9)
        with pytest.raises(InputError, match="other than linear terms in 'more'"):
            MixedIntegerProblem.from_pyomo(plant)
        plant.del_component("more")
        plant.gain.deactivate()
        with pytest.raises(InputError, match="exactly one active objective; this one has 0"):
            MixedIntegerProblem.from_pyomo(plant)
        other.sets = pyo.SOSConstraint(var=other.other, sos=1)
        with pytest.raises(InputError, match="special ordered sets"):
            MixedIntegerProblem.from_pyomo(other)


class TestLinopy:
    @pytest.fixture
    def plant(self):
        linopy = pytest.importorskip("linopy")
        model = linopy.Model()
        make = model.add_variables(lower=0, upper=4, integer=True, name="make")
        other = model.add_variables(lower=[-1, -np.inf], upper=[np.inf, 5], coords=[["buy", "idle"]], name="other")
        buy, idle = other.isel(dim_0=0, drop=True), other.isel(dim_0=1, drop=True)
        model.add_constraints(make + buy <= 4, name="cap")
        model.add_constraints(make + idle >= 1, name="least")
        model.add_constraints(2 * buy - idle == 3, name="balance")
        model.add_objective(3 * make + 2 * buy + idle, sense="max")
        return model

    def test_everything_is_kept_but_a_constant_that_linopy_has_not(self, plant):
        problem = MixedIntegerProblem.from_linopy(plant, "other")
        assert problem.item_names == ("other[buy]", "other[idle]")
        assert problem.model.row_names == ("cap", "least", "balance")
        assert problem.model.cost.tolist() == [3.0, 2.0, 1.0]
        assert problem.model.lower.tolist() == [0.0, -1.0, -np.inf]
        assert problem.model.integer.tolist() == [True, False, False]
        assert problem.sense == "max"
        assert problem.best_solution(np.array([[2.0, 1.0]])).value == pytest.approx(2 * 4 + 5)

    def test_items_are_chosen_by_variable_or_name(self, plant):
        assert MixedIntegerProblem.from_linopy(plant, plant.variables["other"]).n_items == 2
        assert MixedIntegerProblem.from_linopy(plant, ["make", "other[idle]"]).item_names == ("make", "other[idle]")
        with pytest.raises(InputError, match="no variable 'cap'"):
            MixedIntegerProblem.from_linopy(plant, "cap")

    def test_what_is_no_linear_model_is_refused(self, plant):
        with pytest.raises(InputError, match=r"must be a linopy\.Model"):
            MixedIntegerProblem.from_linopy("plant")
        make = plant.variables["make"]
        plant.add_objective(make * make, overwrite=True)
        with pytest.raises(InputError, match="quadratic terms"):
            MixedIntegerProblem.from_linopy(plant)


class TestGurobipy:
    @pytest.fixture
    def gurobipy(self):
        gurobipy = pytest.importorskip("gurobipy")
        try:
            gurobipy.Model().dispose()
        except gurobipy.GurobiError as error:
            pytest.skip(str(error))
        return gurobipy

    @pytest.fixture
    def plant(self, gurobipy):
        model = gurobipy.Model()
        make = model.addVar(ub=4, vtype="I", name="make")
        buy, idle = model.addVar(lb=-1, name="buy"), model.addVar(lb=-np.inf, ub=5, name="idle")
        model.addConstr(make + buy <= 4, name="cap")
        model.addConstr(make + idle >= 1, name="least")
        model.addConstr(2 * buy - idle == 3, name="balance")
        model.setObjective(3 * make + 2 * buy + idle + 10, gurobipy.GRB.MAXIMIZE)
        return model

    def test_everything_is_kept(self, plant):
        check_plant(MixedIntegerProblem.from_gurobipy(plant), ["make", "buy", "idle"])

    def test_items_are_chosen_by_variables_of_every_shape_or_name(self, gurobipy, plant):
        grid = plant.addMVar((2, 2), ub=1, name="grid")
        named = plant.addVars(["a", "b"], ub=1, name="named")
        plant.update()

        def chosen(items):
            return MixedIntegerProblem.from_gurobipy(plant, items).item_names

        assert chosen(plant.getVarByName("buy")) == chosen("buy") == ("buy",)
        assert chosen(grid) == chosen("grid[*") == ("grid[0,0]", "grid[0,1]", "grid[1,0]", "grid[1,1]")
        assert chosen([named, grid[0, 1]]) == ("named[a]", "named[b]", "grid[0,1]")
        other = gurobipy.Model()
        with pytest.raises(InputError, match="belongs to another"):
            chosen(other.addVar(name="buy"))

    def test_what_is_no_linear_model_is_refused(self, gurobipy, plant):
        with pytest.raises(InputError, match=r"must be a gurobipy\.Model"):
            MixedIntegerProblem.from_gurobipy("plant")
        plant.update()
        make = plant.getVarByName("make")
        plant.setObjective(make * make)
        with pytest.raises(InputError, match="a quadratic objective"):
            MixedIntegerProblem.from_gurobipy(plant)
        plant.setObjective(make + 0)
        plant.addConstr(make * make <= 9)
        with pytest.raises(InputError, match="quadratic constraints"):
            MixedIntegerProblem.from_gurobipy(plant)

    def test_two_variables_of_one_name_are_refused(self, plant):
        plant.addVar(name="make")
        with pytest.raises(InputError, match="more than once: 'make'"):
            MixedIntegerProblem.from_gurobipy(plant)


class TestPulp:
    @pytest.fixture
    def pulp(self):
        return pytest.importorskip("pulp")

    @pytest.fixture
    def plant(self, pulp):
        model = pulp.LpProblem("plant", pulp.LpMaximize)
        make = pulp_variable(model, "make", 0, 4, cat="Integer")
        buy, idle = pulp_variable(model, "buy", -1), pulp_variable(model, "idle", None, 5)
        model += 3 * make + 2 * buy + idle + 10
        model += make + buy <= 4, "cap"
        model += make + idle + 2 >= 3, "least"
        model += 2 * buy - idle == 3, "balance"
        return model

    def test_everything_is_kept(self, plant):
        check_plant(MixedIntegerProblem.from_pulp(plant), ["make", "buy", "idle"])

    def test_nothing_that_pulp_4_removes_is_used(self, plant):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            MixedIntegerProblem.from_pulp(plant, "buy")
        assert not caught

    def test_items_are_chosen_by_variables_in_any_nesting_or_name(self, pulp, plant):
        by_name = plant.variablesDict()
        items = {"first": [by_name["make"]], "second": {"a": by_name["idle"]}}
        assert MixedIntegerProblem.from_pulp(plant, items).item_names == ("make", "idle")
        assert MixedIntegerProblem.from_pulp(plant, "buy").item_names == ("buy",)
        with pytest.raises(InputError, match="'spare' occurs nowhere in it"):
            MixedIntegerProblem.from_pulp(plant, pulp_variable(pulp.LpProblem("other"), "spare"))

    def test_what_is_no_linear_model_is_refused(self, pulp, plant):
        with pytest.raises(InputError, match=r"must be a pulp\.LpProblem"):
            MixedIntegerProblem.from_pulp("plant")
        with pytest.raises(InputError, match="no objective"):
            MixedIntegerProblem.from_pulp(pulp.LpProblem("empty"))


class TestMathOpt:
    @pytest.fixture
    def pb2(self):
        return pytest.importorskip("ortools.math_opt.model_pb2")

    @pytest.fixture
    def plant(self, pb2):
        proto = pb2.ModelProto()
        proto.variables.ids.extend([0, 2, 5])
        proto.variables.names.extend(["make", "buy", "idle"])
        proto.variables.lower_bounds.extend([0, -1, -np.inf])
        proto.variables.upper_bounds.extend([4, np.inf, 5])
        proto.variables.integers.extend([True, False, False])
        proto.objective.maximize, proto.objective.offset = True, 10.0
        proto.objective.linear_coefficients.ids.extend([0, 2, 5])
        proto.objective.linear_coefficients.values.extend([3, 2, 1])
        proto.linear_constraints.ids.extend([1, 2, 4])
        proto.linear_constraints.names.extend(["cap", "least", "balance"])
        proto.linear_constraints.lower_bounds.extend([-np.inf, 1, 3])
        proto.linear_constraints.upper_bounds.extend([4, np.inf, 3])
        for row, column, value in [(1, 0, 1), (1, 2, 1), (2, 0, 1), (2, 5, 1), (4, 2, 2), (4, 5, -1)]:
            proto.linear_constraint_matrix.row_ids.append(row)
            proto.linear_constraint_matrix.column_ids.append(column)
            proto.linear_constraint_matrix.coefficients.append(value)
        return proto

    def test_everything_is_kept(self, plant):
        check_plant(MixedIntegerProblem.from_mathopt(plant), ["make", "buy", "idle"])
        check_plant(MixedIntegerProblem.from_mathopt(plant.SerializeToString()), ["make", "buy", "idle"])

    def test_what_is_no_linear_model_is_refused(self, plant):
        with pytest.raises(InputError, match="must be a MathOpt Model"):
            MixedIntegerProblem.from_mathopt("plant")
        with pytest.raises(InputError, match="these bytes are no MathOpt model"):
            MixedIntegerProblem.from_mathopt(b"\xff\xff\xff plant")
        for entry in (SimpleNamespace(id=0, name="make"), SimpleNamespace(id="0", lower_bound=0.0, name="make")):
            with pytest.raises(InputError, match="or the model's own variables; got"):
                MixedIntegerProblem.from_mathopt(plant, [entry])
        plant.objective.quadratic_coefficients.row_ids.append(0)
        with pytest.raises(InputError, match="a quadratic objective"):
            MixedIntegerProblem.from_mathopt(plant)

    def test_a_model_of_mathopt_itself_is_read_in_its_own_process(self, tmp_path):
        assert by_mathopt(tmp_path).item_names[0] == "use (0, 1)"


class TestSciPy:
    def test_constraints_come_in_every_form_that_milp_takes(self):
        rows = [[1, 1, 0], [1, 0, 1], [0, 2, -1]]
        one = LinearConstraint(sp.csr_array(rows[:2]), [-np.inf, 1], [4, np.inf])
        two = (rows[2], 3, 3)
        problem = MixedIntegerProblem.from_scipy_milp(
            [3, 2, 1],
            [one, two],
            [1, 0, 0],
            Bounds([0, -1, -np.inf], [4, np.inf, 5]),
            variable_names=["make", "buy", "idle"],
        )
        assert problem.model.matrix.toarray().tolist() == rows
        assert problem.model.row_lower.tolist() == [-np.inf, 1.0, 3.0]
        assert problem.model.upper.tolist() == [4.0, np.inf, 5.0]
        assert MixedIntegerProblem.from_scipy_milp([1, 1], bounds=Bounds(0, 4)).model.upper.tolist() == [4.0, 4.0]
        alone = MixedIntegerProblem.from_scipy_milp([1, 1], LinearConstraint([[1, 1]], 1, 2))
        assert alone.model.n_rows == 1
        assert alone.model.lower.tolist() == [0.0, 0.0]

    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            (([[1, 2]],), "c must be a vector"),
            (([1, 2], None, [2, 0]), "semi-continuous"),
            (([1, 2], None, None, 3), r"a pair \(lower, upper\)"),
            (([1, 2], ([[1, 2, 3]], 0, 1)), "one column for each of the 2 variables; got 3"),
            (([1, 2], [5]), "LinearConstraint or triples"),
            (([1, np.inf],), "that of 'x2' is inf"),
        ],
    )
    def test_bad_arguments_are_refused(self, arguments, message):
        with pytest.raises(InputError, match=message):
            MixedIntegerProblem.from_scipy_milp(*arguments)


@pytest.mark.parametrize("package", ["pyomo", "linopy", "gurobipy", "pulp"])
def test_a_package_that_is_not_installed_is_named_with_what_brings_it(package, monkeypatch):
    for name in (package, f"{package}.environ"):
        monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(InputError, match=r"is not installed.*pip install 'hedgerow\["):
        getattr(MixedIntegerProblem, f"from_{package}")(object())
