"""Models of other packages, by the files that these write: names, senses, bounds and constants are kept."""

import numpy as np
import pytest

from hedgerow.errors import HedgerowError, InputError
from hedgerow.problems import MixedIntegerProblem

from_model = MixedIntegerProblem.from_model


def pyomo_plant():
    pyo = pytest.importorskip("pyomo.environ")
    model = pyo.ConcreteModel()
    model.make = pyo.Var(domain=pyo.Integers, bounds=(0, 4))
    model.other = pyo.Var(["buy", "idle"])
    model.other["buy"].setlb(-1)
    model.other["idle"].setub(5)
    gain = 3 * model.make + 2 * model.other["buy"] + model.other["idle"] + 10
    model.gain = pyo.Objective(expr=gain, sense=pyo.maximize)
    model.cap = pyo.Constraint(expr=model.make + model.other["buy"] <= 4)
    model.least = pyo.Constraint(expr=model.make + model.other["idle"] + 2 >= 3)
    model.balance = pyo.Constraint(expr=2 * model.other["buy"] - model.other["idle"] == 3)
    return model


def linopy_plant():
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


def gurobipy_plant():
    gurobipy = pytest.importorskip("gurobipy")
    try:
        model = gurobipy.Model()
    except gurobipy.GurobiError as error:
        pytest.skip(str(error))
    make = model.addVar(ub=4, vtype="I", name="make")
    buy, idle = model.addVar(lb=-1, name="other[buy]"), model.addVar(lb=-np.inf, ub=5, name="other[idle]")
    model.addConstr(make + buy <= 4, name="cap")
    model.addConstr(make + idle >= 1, name="least")
    model.addConstr(2 * buy - idle == 3, name="balance")
    model.setObjective(3 * make + 2 * buy + idle + 10, gurobipy.GRB.MAXIMIZE)
    return model


def pulp_variable(model, name, low=None, high=None, cat="Continuous"):
    """A variable of a PuLP model, by the means of PuLP 3 or those of PuLP 2."""
    from pulp import LpVariable

    return getattr(model, "add_variable", LpVariable)(name, low, high, cat)


def pulp_plant():
    pulp = pytest.importorskip("pulp")
    model = pulp.LpProblem("plant", pulp.LpMaximize)
    make = pulp_variable(model, "make", 0, 4, cat="Integer")
    buy, idle = pulp_variable(model, "other_buy", -1), pulp_variable(model, "other_idle", None, 5)
    model += 3 * make + 2 * buy + idle + 10
    model += make + buy <= 4, "cap"
    model += make + idle + 2 >= 3, "least"
    model += 2 * buy - idle == 3, "balance"
    return model


PLANTS = {"Pyomo": pyomo_plant, "linopy": linopy_plant, "gurobipy": gurobipy_plant, "PuLP": pulp_plant}


@pytest.mark.parametrize("package", PLANTS)
def test_everything_is_kept(package):
    """Maximise 3 make + 2 buy + idle + 10 over three rows; linopy has no constants."""
    model = from_model(PLANTS[package]()).model
    names = ["make", *(f"other_{name}" if package == "PuLP" else f"other[{name}]" for name in ("buy", "idle"))]
    assert sorted(model.names) == sorted(names)
    place = [model.names.index(name) for name in names]
    assert (model.sense, model.offset) == ("max", 0.0 if package == "linopy" else 10.0)
    assert model.cost[place].tolist() == [3.0, 2.0, 1.0]
    assert model.lower[place].tolist() == [0.0, -1.0, -np.inf]
    assert model.upper[place].tolist() == [4.0, np.inf, 5.0]
    assert model.integer[place].tolist() == [True, False, False]
    assert all(name in row for name, row in zip(("cap", "least", "balance"), model.row_names, strict=True))
    assert model.matrix.toarray()[:, place].tolist() == [[1.0, 1.0, 0.0], [1.0, 0.0, 1.0], [0.0, 2.0, -1.0]]
    assert model.row_lower.tolist() == [-np.inf, 1.0, 3.0]
    assert model.row_upper.tolist() == [4.0, np.inf, 3.0]


@pytest.mark.parametrize("package", ["Pyomo", "linopy", "gurobipy"])
def test_items_are_chosen_by_name_and_an_array_by_its_own(package):
    plant = PLANTS[package]()
    assert from_model(plant, "other").item_names == ("other[buy]", "other[idle]")
    assert from_model(plant, ["other[idle]", "make"]).item_names == ("other[idle]", "make")
    with pytest.raises(InputError, match="no variable 'cap'"):
        from_model(plant, "cap")


def test_items_are_chosen_by_the_variables_themselves_in_any_nesting():
    plant = pyomo_plant()
    assert from_model(plant, plant.other).item_names == ("other[buy]", "other[idle]")
    assert from_model(plant, [plant.make, plant.other["idle"]]).item_names == ("make", "other[idle]")
    plant = linopy_plant()
    assert from_model(plant, plant.variables["other"]).n_items == 2
    by_name = pulp_plant().variablesDict()
    items = {"first": [by_name["make"]], "second": {"a": by_name["other_idle"]}}
    assert from_model(pulp_plant(), items).item_names == ("make", "other_idle")
    plant = gurobipy_plant()
    grid, named = plant.addMVar((2, 2), ub=1, name="grid"), plant.addVars(["a", "b"], ub=1, name="named")
    plant.update()
    assert from_model(plant, [named, grid[0, 1].item()]).item_names == ("named[a]", "named[b]", "grid[0,1]")
    assert from_model(plant, grid).item_names == ("grid[0,0]", "grid[0,1]", "grid[1,0]", "grid[1,1]")


def test_fixed_variables_and_inactive_rows_are_as_they_should():
    plant = pyomo_plant()
    plant.cap.deactivate()
    plant.other["buy"].fix(2.0)
    best = from_model(plant, plant.make).best_solution(np.array([[3.0]]))
    assert best.value == pytest.approx(12 + 4 + 1 + 10)


def test_what_is_no_linear_model_is_refused():
    plant = linopy_plant()
    make = plant.variables["make"]
    plant.add_objective(make * make, overwrite=True)
    with pytest.raises(HedgerowError, match="the model: the file has quadratic terms"):
        from_model(plant)
    plant = pyomo_plant()
    plant.gain.deactivate()
    with pytest.raises(InputError, match="can't be written to a file"):
        from_model(plant)
    pulp = pytest.importorskip("pulp")
    with pytest.raises(InputError, match="no objective"):
        from_model(pulp.LpProblem("empty"))
    with pytest.raises(InputError, match="must be one of PuLP, Pyomo, linopy, python-mip or gurobipy; got 'plant'"):
        from_model("plant")
