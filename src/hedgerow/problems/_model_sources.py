"""Constructors from files, arrays and the models of other packages, which are imported only when used."""

__all__ = ["ModelSources"]

from abc import ABC, abstractmethod
from pathlib import Path
from typing import Any, Self, Unpack

from hedgerow.mip.linear_model import LinearModel
from hedgerow.problem import Sense
from hedgerow.problems._item_choice import Finder
from hedgerow.problems._named import Units
from hedgerow.renaming import old_names


class ModelSources(ABC):
    """The ways into a problem that is a linear model."""

    @classmethod
    @abstractmethod
    def _of(
        cls,
        model: LinearModel,
        items: Any,
        find: Finder | None = None,
        *,
        sense: Sense | None = None,
        **units: Unpack[Units],
    ) -> Self:
        """Return the problem, with items chosen by name or by what `find` knows of a modelling layer's objects."""

    @classmethod
    def from_file(
        cls, path: str | Path, items: Any = None, *, sense: Sense | None = None, **units: Unpack[Units]
    ) -> Self:
        r"""Return the model in an MPS or LP file, plain or gzipped, under the names that the file gives.

        Parameters
        ----------
        path
            A file whose name ends in .mps, .lp, .mps.gz or .lp.gz.
        items, unit, sense
            As for the class.

        Examples
        --------
        >>> import tempfile
        >>> from pathlib import Path
        >>> from hedgerow.problems import MixedIntegerProblem
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     file = Path(folder) / "plant.lp"
        ...     _ = file.write_text(
        ...         "min\n 2 rail + 3 road + fee\nst\n d: rail + road >= 5\n"
        ...         "bounds\n rail <= 4\n road <= 9\n fee = 1\nend\n"
        ...     )
        ...     MixedIntegerProblem.from_file(file, items=["rail", "road"])
        MixedIntegerProblem(3 variables, 1 rows, 2 items)
        """
        # Imported here since it loads the solver that reads the file.
        from hedgerow.mip.model_file import read_model

        return cls._of(read_model(path), items, **units, sense=sense)

    @classmethod
    @old_names(names="variable_names")
    def from_scipy_milp(
        cls,
        c: Any,
        constraints: Any = None,
        integrality: Any = None,
        bounds: Any = None,
        *,
        variable_names: Any = None,
        items: Any = None,
        sense: Sense = "min",
        **units: Unpack[Units],
    ) -> Self:
        """Return the model that `scipy.optimize.milp` would get with these arguments.

        Parameters
        ----------
        c, constraints, integrality, bounds
            As for `scipy.optimize.milp`; bounds may also be a pair (lower, upper).
        variable_names
            Names of the variables; x1, x2, … by default.
        items, unit, sense
            As for the class.

        Examples
        --------
        >>> from hedgerow.problems import MixedIntegerProblem
        >>> MixedIntegerProblem.from_scipy_milp([1, 1], ([[1, 1]], 1, 1), [1, 1], ([0, 0], [1, 1])).item_names
        ('x1', 'x2')
        """
        from hedgerow.problems.adapters.scipy_arrays import scipy_model

        return cls._of(scipy_model(c, constraints, integrality, bounds, variable_names, sense), items, **units)

    @classmethod
    def from_pyomo(cls, model: Any, items: Any = None, **units: Unpack[Units]) -> Self:
        """Return a Pyomo model's problem; needs Pyomo.

        Parameters
        ----------
        model
            A concrete model with one active, linear objective.
        items
            Variables or components of the model (`model.x`, `model.x[1]`), or their names; all variables by default.
        unit, reading_unit
            Unit of the costs, and that of the readings where it is another one.

        Examples
        --------
        >>> import pyomo.environ as pyo  # doctest: +SKIP
        >>> problem = MixedIntegerProblem.from_pyomo(model, items=model.flow)  # doctest: +SKIP
        """
        from hedgerow.problems.adapters.pyomo_model import pyomo_model

        converted, find = pyomo_model(model)
        return cls._of(converted, items, find, **units)

    @classmethod
    def from_linopy(cls, model: Any, items: Any = None, **units: Unpack[Units]) -> Self:
        """Return a linopy model's problem; needs linopy.

        Parameters
        ----------
        model
            A linopy model with a linear objective.
        items
            linopy variables (`model["flow"]`) or names ("flow" for all of it, "flow[a, b]" for one entry).
        unit, reading_unit
            Unit of the costs, and that of the readings where it is another one.

        Examples
        --------
        >>> problem = MixedIntegerProblem.from_linopy(model, items="flow")  # doctest: +SKIP
        """
        from hedgerow.problems.adapters.linopy_model import linopy_model

        converted, find = linopy_model(model)
        return cls._of(converted, items, find, **units)

    @classmethod
    def from_gurobipy(cls, model: Any, items: Any = None, **units: Unpack[Units]) -> Self:
        """Return a gurobipy model's problem; needs gurobipy, but no licence beyond the one the model was made with.

        Parameters
        ----------
        model
            A gurobipy model with one linear objective and linear constraints.
        items
            A Var, an MVar, a tupledict or list of them, or names.
        unit, reading_unit
            Unit of the costs, and that of the readings where it is another one.

        Examples
        --------
        >>> problem = MixedIntegerProblem.from_gurobipy(model, items=flow)  # doctest: +SKIP
        """
        from hedgerow.problems.adapters.gurobipy_model import gurobipy_model

        converted, find = gurobipy_model(model)
        return cls._of(converted, items, find, **units)

    @classmethod
    def from_pulp(cls, model: Any, items: Any = None, **units: Unpack[Units]) -> Self:
        """Return a PuLP problem's problem; needs PuLP.

        Parameters
        ----------
        model
            An LpProblem.
        items
            LpVariables, dictionaries or lists of them, or names.
        unit, reading_unit
            Unit of the costs, and that of the readings where it is another one.

        Examples
        --------
        >>> problem = MixedIntegerProblem.from_pulp(model, items=flow)  # doctest: +SKIP
        """
        from hedgerow.problems.adapters.pulp_model import pulp_model

        converted, find = pulp_model(model)
        return cls._of(converted, items, find, **units)

    @classmethod
    def from_mathopt(cls, model: Any, items: Any = None, **units: Unpack[Units]) -> Self:
        """Return the problem of an OR-Tools MathOpt model; needs OR-Tools.

        Parameters
        ----------
        model
            A MathOpt `Model`, its `ModelProto`, or the proto's bytes (`model.export_model().SerializeToString()`).
        items
            MathOpt variables, or names.
        unit, reading_unit
            Unit of the costs, and that of the readings where it is another one.

        Examples
        --------
        >>> problem = MixedIntegerProblem.from_mathopt(model, items=["rail", "road"])  # doctest: +SKIP
        """
        from hedgerow.problems.adapters.mathopt_model import mathopt_model

        converted, find = mathopt_model(model)
        return cls._of(converted, items, find, **units)
