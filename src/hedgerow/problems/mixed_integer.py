"""A mixed-integer linear model of the user's own, in which some or all variables are uncertain items."""

from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import Any, Final, Self, Unpack

import numpy as np
import scipy.sparse as sp

from hedgerow.data.arrays import FloatArray, IntArray, frozen
from hedgerow.data.checks import in_short, number_array
from hedgerow.errors import InputError
from hedgerow.mip.linear_model import INFINITE, LinearModel
from hedgerow.problem import FeasibleSet, Sense
from hedgerow.problems.base import LinearProblem, Units, amounts, checked_fields
from hedgerow.problems.modelling_layers import chosen_columns, model_of_layer
from hedgerow.problems.solving import vertices

_MOST_NAMED: Final = 12
_SIDES: Final = ("lower", "upper", "row_lower", "row_upper")


class MixedIntegerProblem(LinearProblem):
    """A linear model over named variables; the samples replace the objective's coefficients of the items.

    The model must be bounded; continuous variables are allowed. Variables that are no items keep the cost that the
    model gives them, and so does the objective's constant: f(c, x) = c·x over the items + cost·x over the
    others + constant. Use `from_file`, or `from_model` for a model of your modelling package.

    Parameters
    ----------
    model
        Rows, bounds, integer variables, objective and names; `LinearModel.create` makes one from arrays.
    items
        Which variables are uncertain, by name; `"make_*"` stands for all that begin so, and `"ship"` for all of
        `ship[…]`. All variables if left out.
    unit, reading_unit
        Unit of the costs, and that of the readings where it is another one.
    sense
        "min" or "max" where it should differ from the model's: MPS files often leave it out.

    Examples
    --------
    Make at most four units; a machine must be set up before it makes any:

    >>> import numpy as np
    >>> from hedgerow.problems import LinearModel, MixedIntegerProblem
    >>> model = LinearModel.create(
    ...     ["machine", "by hand", "set-up"],
    ...     cost=[0, 0, 5],
    ...     matrix=[[1, 1, 0], [1, 0, -3]],
    ...     row_lower=[4, -np.inf],
    ...     row_upper=[4, 0],
    ...     upper=[4, 4, 1],
    ...     integer=[0, 0, 1],
    ... )
    >>> problem = MixedIntegerProblem(model, items=["machine", "by hand"])
    >>> best = problem.best_solution(np.array([[1.0, 4.0]]))
    >>> problem.describe(best.solution), best.value
    ('3 × machine, by hand, set-up', 12.0)
    """

    kind = "mixed_integer"

    def __init__(
        self, model: LinearModel, *, items: Any = None, sense: Sense | None = None, **units: Unpack[Units]
    ) -> None:
        if not isinstance(model, LinearModel):
            raise InputError(
                f"model must be a LinearModel; got {in_short(model)}. For a file there is "
                "MixedIntegerProblem.from_file, for a model of another package MixedIntegerProblem.from_model."
            )
        self._items: IntArray = frozen(chosen_columns(items, model.names))
        names = [model.names[column] for column in self._items]
        super().__init__(names, **units, sense=model.sense if sense is None else sense)
        self.model: Final = model
        self.items_chosen: Final = items is not None
        self._constant = model.offset
        self._fixed_cost = model.cost.copy()
        self._fixed_cost[self._items] = 0.0

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
        MixedIntegerProblem(2 items)
        """
        # Imported here since it loads the solver that reads the file.
        from hedgerow.mip.model_file import read_model

        return cls(read_model(path), items=items, sense=sense, **units)

    @classmethod
    def from_model(cls, model: Any, items: Any = None, *, sense: Sense | None = None, **units: Unpack[Units]) -> Self:
        """Return the problem of a model in PuLP, Pyomo, linopy, python-mip or gurobipy.

        The model is read from a temporary file that its own package writes. Items are the package's variables, lists
        or dictionaries of them, or names.

        Examples
        --------
        >>> problem = MixedIntegerProblem.from_model(model, items=model.flow)  # doctest: +SKIP
        """
        return cls(model_of_layer(model), items=items, sense=sense, **units)

    def with_items(self, items: Any) -> Self:
        """Return the same model with other items; those that are none any more keep the cost of the model.

        Examples
        --------
        >>> from hedgerow.problems import LinearModel, MixedIntegerProblem
        >>> one = LinearModel.create(["x1", "x2"], cost=[1, 7], matrix=[[1, 1]], row_lower=1, row_upper=1, upper=1)
        >>> MixedIntegerProblem(one).with_items(["x1"]).costs(np.array([[0.0, 1.0]]), np.array([[3.0]]))
        array([[7.]])
        """
        return type(self)(self.model, items=items, sense=self.sense, **self._units)

    @property
    def variable_names(self) -> tuple[str, ...]:
        """Names of all variables."""
        return self.model.names

    def _variable_costs(self, samples: FloatArray) -> FloatArray:
        costs = np.tile(self._fixed_cost, (len(samples), 1))
        costs[:, self._items] = samples
        return costs

    def feasible_set(self) -> FeasibleSet:
        """Return X: the model's own rows and columns."""
        model = self.model
        names = tuple(f"the row '{name}'" for name in model.row_names)
        sides = model.row_lower, model.row_upper, model.lower, model.upper
        return FeasibleSet(model.matrix, *sides, model.integer, names)

    def vertices(self, limit: int) -> FloatArray | None:
        """Return the vertices (one per row) where no variable is whole and the vertices are few, else None."""
        return self._vertices if self._vertices is not None and 0 < len(self._vertices) <= limit else None

    @cached_property
    def _vertices(self) -> FloatArray | None:
        return vertices(self._feasible)

    def describe(self, solution: FloatArray) -> str:
        """Return what the solution uses, items first, the first dozen by name: "3 × machine, by hand, set-up"."""
        others = np.setdiff1d(np.arange(len(self.model.names)), self._items)
        order = np.concatenate([self._items, others])
        used = amounts([self.model.names[column] for column in order], solution[order])
        more = len(used) - _MOST_NAMED
        return ", ".join(used[:_MOST_NAMED] + ([f"and {more} more"] if more > 0 else [])) or "nothing"

    def to_dict(self) -> dict[str, Any]:
        """Return a JSON-ready description with the whole model."""
        own = {"items": list(self.item_names), "sense": self.sense}
        return {"kind": self.kind, "model": _described(self.model), **own, **self._units}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Return the problem that `to_dict` described."""
        fields = checked_fields(data, ["model", "items"], cls._fields())
        return cls(_model_in(fields.pop("model")), **fields)


def _described(model: LinearModel) -> dict[str, Any]:
    """Return a model as lists, sparse and without infinities, which JSON lacks; its sense is the problem's."""
    entries = sp.coo_array(model.matrix)
    sides = {side: np.clip(getattr(model, side), -INFINITE, INFINITE).tolist() for side in _SIDES}
    return {
        "variables": list(model.names),
        "rows": list(model.row_names),
        "cost": model.cost.tolist(),
        "offset": model.offset,
        "integer": model.integer.tolist(),
        **sides,
        "entries": np.column_stack([entries.row, entries.col, entries.data]).tolist(),
    }


def _model_in(data: Any) -> LinearModel:
    """Return the model that `_described` told, with every field checked."""
    numbers = ("cost", "offset", "integer", *_SIDES)
    fields = ("variables", "rows", *numbers, "entries")
    if not isinstance(data, Mapping) or set(data) != {*fields}:
        raise InputError(f"model must be a table with the fields {', '.join(fields)}; got {in_short(data)}.")
    for field in ("variables", "rows"):
        if not isinstance(data[field], list):
            raise InputError(f"{field} must be a list; got {in_short(data[field])}.")
    shape = len(data["rows"]), len(data["variables"])
    rule = "entries must be lists of three numbers: those of a row and of a variable, from 0, and a coefficient"
    try:
        rows, columns, values = number_array(data["entries"], "entries").reshape(-1, 3).T
        places = [place.astype(np.int64, casting="unsafe") for place in np.nan_to_num((rows, columns), nan=-1.0)]
        matrix = sp.csr_array((values, places), shape=shape)
    except ValueError as error:
        raise InputError(f"{rule}: {error}") from None
    options = {field: data[field] for field in numbers}
    return LinearModel.create(data["variables"], row_names=data["rows"], matrix=matrix, **options)
