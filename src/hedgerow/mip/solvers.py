"""The solvers that Hedgerow knows: a new one is a file beside this one and a line in the table."""

__all__ = ["available_solvers", "create_model"]

import importlib
import importlib.util
from typing import NamedTuple

from hedgerow.data.checks import in_short
from hedgerow.errors import InputError, SolverError
from hedgerow.mip.model import MipModel


class _Entry(NamedTuple):
    package: str
    module: str
    model: str
    install: str


_SOLVERS = {
    "highs": _Entry("highspy", "hedgerow.mip.highs", "HighsModel", "pip install highspy"),
    "gurobi": _Entry("gurobipy", "hedgerow.mip.gurobi", "GurobiModel", "pip install hedgerow[gurobi]"),
}


def available_solvers() -> tuple[str, ...]:
    """Return the names of the solvers that are installed here; whether one has a licence shows when it is used."""
    return tuple(name for name, entry in _SOLVERS.items() if importlib.util.find_spec(entry.package) is not None)


def create_model(solver: str = "highs") -> MipModel:
    """Return an empty model for the named solver.

    Raises
    ------
    InputError
        If there is no solver of that name.
    SolverError
        If the solver is not installed, or has no licence.
    """
    entry = _SOLVERS.get(solver)
    if entry is None:
        names = ", ".join(repr(name) for name in _SOLVERS)
        raise InputError(
            f"solver must be one of {names}; got {in_short(solver)}. Installed here: {', '.join(available_solvers())}."
        )
    try:
        module = importlib.import_module(entry.module)
    except ImportError as error:
        if importlib.util.find_spec(entry.package) is None:
            raise SolverError(
                f"The solver {in_short(solver)} is not installed ({error}); {entry.install} brings it."
            ) from error
        raise SolverError(f"The solver {in_short(solver)} can't be loaded: {error}.") from error
    model: MipModel = getattr(module, entry.model)()
    return model
