"""Model files as SCIP, GLPK, CBC, PuLP, Pyomo, OR-tools and linopy write them, read in every run."""

from pathlib import Path

import numpy as np
import pytest
from scipy.optimize import LinearConstraint, milp

from hedgerow.mip.model_file import read_model

FILES = sorted(path for path in (Path(__file__).parents[1] / "data" / "models").iterdir() if path.suffix != ".md")

# CBC, GLPK and PuLP write the sense into a comment of an MPS file, if at all.
SENSE_IN_A_COMMENT = ("cbc.mps", "glpk-fixed.mps", "glpk-free.mps", "pulp.mps")
NO_CONSTANT = ("cbc.mps", "glpk.lp", "linopy.lp", "linopy.mps", "pulp.lp", "pulp.mps")
# GLPK writes the constant as the right-hand side of the objective's row with its sign; others read that as minus it.
OTHER_SIGN = ("glpk-fixed.mps", "glpk-free.mps")
NAMES = ("make", "buy", "open", "flow")
COST = dict(zip(NAMES, (3.0, 2.0, -4.0, -0.1), strict=True))


def ends(model):
    """Return the least and the largest value of the model's objective, by a solver that is called directly."""
    found = []
    for sign in (1.0, -1.0):
        done = milp(
            sign * model.cost,
            integrality=model.integer.astype(int),
            bounds=(model.lower, model.upper),
            constraints=LinearConstraint(model.matrix.toarray(), model.row_lower, model.row_upper),
        )
        assert done.status == 0, done.message
        found.append(sign * done.fun + model.offset)
    return found


def by_hand():
    """Return the same two values by trying all whole values; `flow` follows from the balance."""
    values = [
        3 * make + 2 * buy - 4 * used - 0.1 * (0.5 + make + buy)
        for make in range(5)
        for used in (0, 1)
        for buy in np.linspace(-1.0, 1.5, 26)
        if make + buy <= 4 and make + used >= 1 and -2 <= buy - used <= 1
    ]
    return min(values), max(values)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_what_others_write_is_read_as_it_is_meant(path):
    model = read_model(path)
    assert model.sense == ("min" if path.name in SENSE_IN_A_COMMENT else "max")
    constant = 0.0 if path.name in NO_CONSTANT else -10.0 if path.name in OTHER_SIGN else 10.0
    assert ends(model) == pytest.approx([value + constant for value in by_hand()], abs=1e-7)
    names = ("x0", "x1", "x2", "x3") if path.stem == "linopy" else NAMES
    for name, known in zip(names, NAMES, strict=True):
        place = model.names.index(name)
        assert model.cost[place] == pytest.approx(COST[known])
        assert model.integer[place] == (known in ("make", "open"))
