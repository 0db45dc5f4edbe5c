"""The paths of a small grid, written once in every modelling layer, and as files."""

import numpy as np
import pytest

from hedgerow.problems import MixedIntegerProblem, Oracle, ShortestPath
from tests.problems.models import model_of

GRID = ShortestPath.grid(3)
ARCS = [tuple(int(node) for node in arc) for arc in GRID.arcs]
NODES = range(9)
BALANCE = [1.0 if node == 0 else -1.0 if node == 8 else 0.0 for node in NODES]


def leaving(node):
    return [arc for arc in ARCS if arc[0] == node]


def entering(node):
    return [arc for arc in ARCS if arc[1] == node]


def by_networkx(folder):
    import networkx as nx

    graph = nx.DiGraph()
    graph.add_nodes_from(NODES)  # in this order, which is also that of the edges
    graph.add_edges_from(ARCS)
    return ShortestPath.from_networkx(graph, 0, 8)


def lp_text():
    rows = [
        f" node{node}: "
        + " ".join([*(f"+ e{a}_{b}" for a, b in leaving(node)), *(f"- e{a}_{b}" for a, b in entering(node))])
        + f" = {BALANCE[node]:g}"
        for node in NODES
    ]
    names = [f"e{a}_{b}" for a, b in ARCS]
    return "\n".join(
        ["min", " cost: " + " + ".join(f"0 {name}" for name in names), "st", *rows, "binary", *names, "end\n"]
    )


def mps_text():
    lines = ["NAME grid", "ROWS", " N cost", *(f" E node{node}" for node in NODES), "COLUMNS"]
    lines += [" MARKER 'MARKER' 'INTORG'"]
    lines += [f" e{a}_{b} node{a} 1 node{b} -1" for a, b in ARCS]
    lines += [" MARKER 'MARKER' 'INTEND'", "RHS", " RHS node0 1 node8 -1", "BOUNDS"]
    lines += [f" UP BND e{a}_{b} 1" for a, b in ARCS]
    return "\n".join([*lines, "ENDATA\n"])


def by_lp_file(folder):
    (folder / "grid.lp").write_text(lp_text())
    return MixedIntegerProblem.from_file(folder / "grid.lp")


def by_mps_file(folder):
    (folder / "grid.mps").write_text(mps_text())
    return MixedIntegerProblem.from_file(folder / "grid.mps")


def by_arrays(folder):
    matrix = [[(arc[0] == node) - (arc[1] == node) for arc in ARCS] for node in NODES]
    return model_of(np.zeros(12), (matrix, BALANCE, BALANCE), 1, (0, 1))


def by_pyomo(folder):
    pyo = pytest.importorskip("pyomo.environ")
    model = pyo.ConcreteModel()
    model.use = pyo.Var(ARCS, domain=pyo.Binary)
    model.goal = pyo.Objective(expr=sum(model.use[arc] for arc in ARCS))

    @model.Constraint(NODES)
    def flow(model, node):
        return (
            sum(model.use[arc] for arc in leaving(node)) - sum(model.use[arc] for arc in entering(node))
            == BALANCE[node]
        )

    return MixedIntegerProblem.from_model(model, items=model.use)


def by_linopy(folder):
    linopy = pytest.importorskip("linopy")
    import xarray

    model = linopy.Model()
    arcs, nodes = {"arc": [f"{a}-{b}" for a, b in ARCS]}, {"node": list(NODES)}
    use = model.add_variables(binary=True, coords=arcs, dims=["arc"], name="use")
    incidence = [[float(arc[0] == node) - float(arc[1] == node) for arc in ARCS] for node in NODES]
    leaves = xarray.DataArray(incidence, coords={**nodes, **arcs}, dims=["node", "arc"])
    model.add_constraints(
        (leaves * use).sum("arc") == xarray.DataArray(BALANCE, coords=nodes, dims=["node"]), name="flow"
    )
    model.add_objective(use.sum())
    return MixedIntegerProblem.from_model(model, items="use")


def by_gurobipy(folder):
    gurobipy = pytest.importorskip("gurobipy")
    try:
        model = gurobipy.Model()
    except gurobipy.GurobiError as error:
        pytest.skip(str(error))
    use = model.addVars(ARCS, vtype="B", name="use")
    for node in NODES:
        model.addConstr(use.sum(node, "*") - use.sum("*", node) == BALANCE[node], name=f"node{node}")
    model.setObjective(use.sum())
    return MixedIntegerProblem.from_model(model, items=use)


def pulp_variable(model, name, low=None, high=None, cat="Continuous"):
    """A variable of a PuLP model, by the means of PuLP 3 or those of PuLP 2."""
    from pulp import LpVariable

    return getattr(model, "add_variable", LpVariable)(name, low, high, cat)


def by_pulp(folder):
    pulp = pytest.importorskip("pulp")
    model = pulp.LpProblem("grid", pulp.LpMinimize)
    use = {(a, b): pulp_variable(model, f"use_{a:02}_{b:02}", cat="Binary") for a, b in ARCS}
    model += pulp.lpSum(use.values())
    for node in NODES:
        total = pulp.lpSum(use[arc] for arc in leaving(node)) - pulp.lpSum(use[arc] for arc in entering(node))
        model += total == BALANCE[node], f"node{node}"
    return MixedIntegerProblem.from_model(model, items=use)


def by_oracle(folder):
    return Oracle(lambda costs: GRID.best_solution(costs[np.newaxis]).solution, 12)


WAYS = {
    "networkx": by_networkx,
    "MPS file": by_mps_file,
    "LP file": by_lp_file,
    "arrays": by_arrays,
    "Pyomo": by_pyomo,
    "linopy": by_linopy,
    "gurobipy": by_gurobipy,
    "PuLP": by_pulp,
    "oracle": by_oracle,
}
