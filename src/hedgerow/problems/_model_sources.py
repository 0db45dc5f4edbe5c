"""Linear models from modelling layers, by the files that these write, and from the arguments of SciPy's `milp`."""

__all__ = ["chosen_columns", "model_of_layer", "scipy_model"]

import re
import tempfile
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import numpy as np
import scipy.sparse as sp
from scipy.optimize import LinearConstraint

from hedgerow.data.arrays import FloatArray, IntArray
from hedgerow.data.checks import in_short, list_some, number_array
from hedgerow.errors import HedgerowError, InputError
from hedgerow.mip.linear_model import LinearModel
from hedgerow.mip.model_file import read_model

_CONSTANT: Final = "ONE_VAR_CONSTANT"
"""The column, fixed at 1, that stands for the objective's constant in files of Pyomo."""


def model_of_layer(source: Any) -> LinearModel:
    """Return the model of PuLP, Pyomo, linopy, python-mip or gurobipy; its variables keep the names of the layer."""
    with tempfile.TemporaryDirectory(prefix="hedgerow-") as folder:
        path = Path(folder) / "model.mps"
        try:
            _write(source, path)
            model = read_model(path)
        except HedgerowError as error:
            raise type(error)(str(error).replace(str(path), "the model")) from None
        except Exception as error:  # each layer has errors of its own
            raise InputError(f"the model can't be written to a file: {type(error).__name__}: {error}.") from error
    if hasattr(source, "writeMPS"):  # PuLP's files leave out the constant
        model = replace(model, offset=float(source.objective.constant))
    return _with_own_names(_without_constant_column(model))


def _write(source: Any, path: Path) -> None:
    """Let the layer write its model; what it is shows in the method that does so."""
    if hasattr(source, "writeMPS"):  # PuLP
        if source.objective is None:
            raise InputError("the model has no objective; add one, if only a sum of its items.")
        source.writeMPS(str(path), with_objsense=True)
    elif hasattr(source, "to_file"):  # linopy
        source.to_file(path, explicit_coordinate_names=True)
    elif hasattr(source, "component_data_objects"):  # Pyomo
        source.write(str(path), io_options={"symbolic_solver_labels": True})
    elif hasattr(source, "write"):  # gurobipy, python-mip
        if hasattr(source, "update"):
            source.update()
        source.write(str(path))
    else:
        raise InputError(
            f"model must be one of PuLP, Pyomo, linopy, python-mip or gurobipy; got {in_short(source)}. "
            "For a file there is MixedIntegerProblem.from_file."
        )


def _without_constant_column(model: LinearModel) -> LinearModel:
    if _CONSTANT not in model.names:
        return model
    constant = model.names.index(_CONSTANT)
    others = np.arange(model.n_columns) != constant
    # The row that fixes the column at 1, if there is one, has no other entry.
    rows = np.asarray(abs(model.matrix[:, others]).sum(axis=1) > 0.0)
    return LinearModel.create(
        [name for name in model.names if name != _CONSTANT],
        row_names=[name for name, stays in zip(model.row_names, rows, strict=True) if stays],
        sense=model.sense,
        cost=model.cost[others],
        offset=model.offset + model.cost[constant],
        lower=model.lower[others],
        upper=model.upper[others],
        integer=model.integer[others],
        matrix=model.matrix[rows][:, others],
        row_lower=model.row_lower[rows],
        row_upper=model.row_upper[rows],
    )


def _with_own_names(model: LinearModel) -> LinearModel:
    """Return the model with names as the layer has them: "ship[rail]" is written as "ship(rail)", or "ship(rail)#3"."""
    names = tuple(re.sub(r"#\d+$", "", name).replace("(", "[").replace(")", "]") for name in model.names)
    return replace(model, names=names) if len(set(names)) == len(names) else model


def chosen_columns(items: Any, names: Sequence[str]) -> IntArray:
    """Return the columns of the chosen items, in the order in which they were named.

    Items are a name, that of an array of variables ("ship" for all of "ship[…]"), a pattern such as "make_*", a
    layer's own variable, or any nesting of lists and dictionaries of these; None stands for all variables.

    Examples
    --------
    >>> from hedgerow.problems._model_sources import chosen_columns
    >>> chosen_columns(["stock", "make_*"], ["make_a", "make_b", "stock", "idle"])
    array([2, 0, 1])
    """
    if items is None:
        return np.arange(len(names))
    columns: list[int] = []
    unknown: list[str] = []
    for name in _names_of(items):
        matches = _matches(name, names)
        columns.extend(matches)
        if not matches:
            unknown.append(name)
    if unknown:
        raise InputError(f"the model has no variable {list_some(unknown)}; its variables are {list_some(list(names))}.")
    if not columns:
        raise InputError("items must choose at least one variable; got none.")
    twice = [names[column] for column, count in Counter(columns).items() if count > 1]
    if twice:
        raise InputError(f"items must be chosen once; these are chosen more often: {list_some(twice)}.")
    return np.array(columns, dtype=np.int64)


def _names_of(items: Any) -> Iterable[str]:
    """Yield the names of items: those of texts, of variables, and of whatever lists and dictionaries hold."""
    own_name = items if isinstance(items, str) else getattr(items, "name", None) or getattr(items, "VarName", None)
    if isinstance(own_name, str):
        yield own_name
    elif isinstance(items, Iterable) or hasattr(items, "tolist"):
        values = items.values() if isinstance(items, Mapping) else items
        for value in values.tolist() if hasattr(values, "tolist") else values:
            yield from _names_of(value)
    else:
        raise InputError(f"items must be names of variables, or the model's own variables; got {in_short(items)}.")


def _matches(text: str, names: Sequence[str]) -> list[int]:
    """Return the columns that a text names: one of that name, else an array's, a pattern's, or one written otherwise.

    Files can't hold every character, so that a layer's "use[0,1]" may come back as "use[0_1]".
    """
    if text in names:
        return [names.index(text)]
    pattern = ".*".join(re.escape(part) for part in re.split(r"\*+", text))
    rule = re.compile(rf"{pattern}\[.*" if "*" not in text else pattern, re.DOTALL)
    matches = [column for column, name in enumerate(names) if rule.fullmatch(name)]
    return matches or [column for column, name in enumerate(names) if _letters(name) == _letters(text)]


def _letters(name: str) -> str:
    return re.sub(r"\W+|_+", "_", name).strip("_")


def scipy_model(
    c: Any, constraints: Any, integrality: Any, bounds: Any, names: Any = None, sense: str = "min"
) -> LinearModel:
    """Return the model that `scipy.optimize.milp` would solve with these arguments."""
    cost = number_array(c, "c")
    if cost.ndim != 1 or not cost.size:
        raise InputError(f"c must be a vector with one coefficient per variable; got shape {cost.shape}.")
    n = cost.size
    kinds = number_array(0 if integrality is None else integrality, "integrality")
    if kinds.shape not in {(), (n,)} or not np.isin(kinds, (0, 1)).all():
        raise InputError(
            f"integrality must be 0 (continuous) or 1 (integer) for each of the {n} variables; semi-continuous "
            "variables (2 and 3) can't be used."
        )
    lower, upper = _bounds(bounds)
    blocks = [_rows(constraint, n) for constraint in _listed(constraints)]
    return LinearModel.create(
        [f"x{number}" for number in range(1, n + 1)] if names is None else names,
        cost=cost,
        sense=sense,
        integer=np.broadcast_to(kinds == 1, (n,)),
        lower=lower,
        upper=upper,
        matrix=sp.vstack([matrix for matrix, _, _ in blocks]) if blocks else sp.csr_array((0, n)),
        row_lower=np.concatenate([np.empty(0), *(low for _, low, _ in blocks)]),
        row_upper=np.concatenate([np.empty(0), *(high for _, _, high in blocks)]),
    )


def _bounds(bounds: Any) -> tuple[Any, Any]:
    if bounds is None:
        return 0.0, np.inf
    if hasattr(bounds, "lb") and hasattr(bounds, "ub"):
        return np.array(bounds.lb), np.array(bounds.ub)  # copies: SciPy keeps broadcast views
    try:
        lower, upper = bounds
    except (TypeError, ValueError):
        raise InputError(f"bounds must be scipy's Bounds or a pair (lower, upper); got {in_short(bounds)}.") from None
    return lower, upper


def _listed(constraints: Any) -> list[Any]:
    """Return the constraints one by one; a triple (A, lb, ub) is one, a list of triples or of objects is several."""
    if constraints is None or hasattr(constraints, "A"):
        return [] if constraints is None else [constraints]
    entries = list(constraints)
    is_triple = len(entries) == 3 and not hasattr(entries[0], "A") and np.ndim(entries[2]) < 2
    return [tuple(entries)] if is_triple else entries


def _rows(constraint: Any, n: int) -> tuple[sp.csr_array, FloatArray, FloatArray]:
    """Return the matrix and the two sides of a constraint, one row each."""
    try:
        form = constraint if hasattr(constraint, "A") else LinearConstraint(*constraint)
        matrix: Any = form.A
        matrix = matrix if sp.issparse(matrix) else np.atleast_2d(matrix)
        rows = sp.csr_array(matrix)
        lower, upper = (np.broadcast_to(side, rows.shape[:1]) for side in (form.lb, form.ub))
    except (TypeError, ValueError):
        raise InputError(
            f"constraints must be scipy's LinearConstraint or triples (A, lb, ub); got {in_short(constraint)}."
        ) from None
    if rows.shape[1] != n:
        raise InputError(f"A must have one column for each of the {n} variables; got {rows.shape[1]}.")
    return rows, lower, upper
