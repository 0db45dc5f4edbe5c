"""Models of PuLP, Pyomo, linopy, python-mip and gurobipy, by the files that these write, and their variables."""

import re
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import numpy as np

from hedgerow.data.arrays import IntArray
from hedgerow.data.checks import in_short, list_some
from hedgerow.errors import HedgerowError, InputError
from hedgerow.mip.linear_model import LinearModel
from hedgerow.mip.model_file import read_model

_CONSTANT: Final = "ONE_VAR_CONSTANT"
"""The column, fixed at 1, that stands for the objective's constant in files of Pyomo."""


def model_of_layer(source: Any) -> LinearModel:
    """Return the model of PuLP, Pyomo, linopy, python-mip or gurobipy; its variables keep the names of the layer."""
    with tempfile.TemporaryDirectory(prefix="hedgerow-") as folder:
        path = Path(folder) / ("model.lp" if hasattr(source, "component_data_objects") else "model.mps")
        try:
            _write(source, path)
            model = read_model(path)
        except HedgerowError as error:
            raise type(error)(str(error).replace(str(path), "the model")) from None
        except Exception as error:  # each layer has errors of its own
            raise InputError(f"the model can't be written to a file: {type(error).__name__}: {error}.") from error
    offset = float(source.objective.constant) if hasattr(source, "writeMPS") else model.offset  # PuLP's files have none
    return _as_in_layer(model, offset)


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


def _as_in_layer(model: LinearModel, offset: float) -> LinearModel:
    """Return the model without a column for the constant, and with names as the layer has them.

    "ship[rail]" is written as "ship(rail)", or "ship(rail)#3".
    """
    own = np.array([name != _CONSTANT for name in model.names])
    written = [name for name in model.names if name != _CONSTANT]
    names = [re.sub(r"#\d+$", "", name).replace("(", "[").replace(")", "]") for name in written]
    return replace(
        model,
        names=tuple(names if len(set(names)) == len(names) else written),
        cost=model.cost[own],
        offset=offset + float(model.cost[~own].sum()),
        lower=model.lower[own],
        upper=model.upper[own],
        integer=model.integer[own],
        matrix=model.matrix[:, own],
    )


def chosen_columns(items: Any, names: Sequence[str]) -> IntArray:
    """Return the columns of the chosen items, in the order in which they were named.

    Items are a name, that of an array of variables ("ship" for all of "ship[…]"), a pattern such as "make_*", a
    layer's own variable, or any nesting of lists and dictionaries of these; None stands for all variables.

    Examples
    --------
    >>> from hedgerow.problems.modelling_layers import chosen_columns
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
