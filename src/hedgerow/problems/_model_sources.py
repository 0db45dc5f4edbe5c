"""Constructors from files, arrays and the models of other packages, which are imported only when used."""

from pathlib import Path
from typing import Any, Self, Unpack

from hedgerow.mip.linear_model import LinearModel
from hedgerow.problem import Sense
from hedgerow.problems._named import Units
from hedgerow.problems.adapters.common import Finder, chosen_columns


class ModelSources:
    """The ways into a problem that is a linear model."""

    @classmethod
    def _of(cls, model: LinearModel, find: Finder | None, items: Any, **options: Any) -> Self:
        """Return the problem, with items chosen by name or by what `find` knows of a modelling layer's objects."""
        names = None if items is None else [model.names[column] for column in chosen_columns(items, model.names, find)]
        return cls(model, items=names, **options)  # type: ignore[call-arg]

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

        return cls._of(read_model(path), None, items, **units, sense=sense)

    @classmethod
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
        from hedgerow.problems.adapters.by_matrix import scipy_model

        return cls._of(scipy_model(c, constraints, integrality, bounds, variable_names, sense), None, items, **units)

    @classmethod
    def from_pyomo(cls, model: Any, items: Any = None, **units: Unpack[Units]) -> Self:
        """Return the problem of a concrete Pyomo model with one active, linear objective; needs Pyomo.

        Items are variables or components of the model (`model.x`, `model.x[1]`), or their names; all variables by
        default.

        Examples
        --------
        >>> problem = MixedIntegerProblem.from_pyomo(model, items=model.flow)  # doctest: +SKIP
        """
        from hedgerow.problems.adapters.by_rows import pyomo_model

        return cls._of(*pyomo_model(model), items, **units)

    @classmethod
    def from_linopy(cls, model: Any, items: Any = None, **units: Unpack[Units]) -> Self:
        """Return the problem of a linopy model with a linear objective; needs linopy.

        Items are linopy variables (`model["flow"]`) or names ("flow" for all of it, "flow[a, b]" for one entry).

        Examples
        --------
        >>> problem = MixedIntegerProblem.from_linopy(model, items="flow")  # doctest: +SKIP
        """
        from hedgerow.problems.adapters.by_matrix import linopy_model

        return cls._of(*linopy_model(model), items, **units)

    @classmethod
    def from_gurobipy(cls, model: Any, items: Any = None, **units: Unpack[Units]) -> Self:
        """Return the problem of a gurobipy model with one linear objective and linear constraints.

        It needs gurobipy, but no licence beyond the one the model was made with. Items are a Var, an MVar, a tupledict
        or list of them, or names.

        Examples
        --------
        >>> problem = MixedIntegerProblem.from_gurobipy(model, items=flow)  # doctest: +SKIP
        """
        from hedgerow.problems.adapters.by_matrix import gurobipy_model

        return cls._of(*gurobipy_model(model), items, **units)

    @classmethod
    def from_pulp(cls, model: Any, items: Any = None, **units: Unpack[Units]) -> Self:
        """Return the problem of a PuLP LpProblem; needs PuLP.

        Items are LpVariables, dictionaries or lists of them, or names.

        Examples
        --------
        >>> problem = MixedIntegerProblem.from_pulp(model, items=flow)  # doctest: +SKIP
        """
        from hedgerow.problems.adapters.by_rows import pulp_model

        return cls._of(*pulp_model(model), items, **units)

    @classmethod
    def from_mathopt(cls, model: Any, items: Any = None, **units: Unpack[Units]) -> Self:
        """Return the problem of an OR-Tools MathOpt model; needs OR-Tools.

        The model is a MathOpt `Model`, its `ModelProto`, or the proto's bytes
        (`model.export_model().SerializeToString()`). Items are MathOpt variables, or names.

        Examples
        --------
        >>> problem = MixedIntegerProblem.from_mathopt(model, items=["rail", "road"])  # doctest: +SKIP
        """
        from hedgerow.problems.adapters.by_matrix import mathopt_model

        return cls._of(*mathopt_model(model), items, **units)
