"""The solvers that Hedgerow knows: a new one is a file beside this one and a line in the table."""

__all__ = ["available_solvers", "create_model"]

import importlib
import importlib.util
import sys
from typing import NamedTuple

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
    "scip": _Entry("pyscipopt", "hedgerow.mip.scip", "ScipModel", "pip install hedgerow[scip]"),
}


def available_solvers() -> tuple[str, ...]:
    """Return the names of the solvers that are installed here; whether one has a licence shows when it is used.

    Examples
    --------
    >>> "highs" in available_solvers()
    True
    """
    return tuple(name for name, entry in _SOLVERS.items() if importlib.util.find_spec(entry.package) is not None)


def _clash() -> str:
    """Return a word on libraries that are known to keep each other out."""
    if "ortools.math_opt.python" not in sys.modules:
        return ""
    return (
        " OR-Tools brings a HiGHS of its own, and only one can be loaded into a process. Export the model there, "
        "model.export_model().SerializeToString(), and hand the bytes to MixedIntegerProblem.from_mathopt here."
    )


def create_model(solver: str = "highs") -> MipModel:
    """Return an empty model for the named solver.

    Raises
    ------
    InputError
        If there is no solver of that name.
    SolverError
        If the solver is not installed, or has no licence.

    Examples
    --------
    >>> create_model("highs").n_columns
    0
    """
    entry = _SOLVERS.get(solver)
    if entry is None:
        names = ", ".join(repr(name) for name in _SOLVERS)
        raise InputError(
            f"solver must be one of {names}; got {solver!r}. Installed here: {', '.join(available_solvers())}."
        )
    try:
        module = importlib.import_module(entry.module)
    except ImportError as error:
        if importlib.util.find_spec(entry.package) is None:
            raise SolverError(
                f"The solver {solver!r} is not installed ({error}); {entry.install} brings it."
            ) from error
        raise SolverError(f"The solver {solver!r} can't be loaded: {error}.{_clash()}") from error
    model: MipModel = getattr(module, entry.model)()
    return model
