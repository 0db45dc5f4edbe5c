"""A flavour for MLflow: rules kept with a signature and an input example, and served like any other model.

It needs the package mlflow or mlflow-skinny; `pip install 'hedgerow[mlflow]'` brings the latter. What is kept is the
rule book's own JSON file, no pickle.
"""

__all__ = ["load_model", "log_model", "save_model"]

import json
import sys
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from hedgerow._version import __version__
from hedgerow.errors import InputError, needed
from hedgerow.rulebook import RuleBook
from hedgerow.writing import write_text

if TYPE_CHECKING:
    import pandas as pd

_FLAVOUR: Final = "hedgerow"
_FILE: Final = "rules.json"
_EXAMPLE: Final = "input_example.json"


def save_model(source: Any, path: str | Path, mlflow_model: Any = None, input_example: Any = None) -> None:
    """Write rules as an MLflow model into a new folder.

    Parameters
    ----------
    source
        A fitted `RobustTree`, a `RuleBook`, or the path of a tree file.
    path
        The folder.
    mlflow_model
        MLflow's record of the model; a new one if left out.
    input_example
        A DataFrame with the readings that the rules ask about; the middle of the training ranges if left out.

    Examples
    --------
    >>> import tempfile
    >>> from hedgerow import RuleBook, Tree
    >>> from hedgerow.mlflow import load_model, save_model
    >>> rules = RuleBook(Tree.full([0], [35.0], [[1.0, 0.0], [0.0, 1.0]]), ("bridge", "tunnel"))
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     save_model(rules, f"{folder}/model")
    ...     load_model(f"{folder}/model") == rules
    True
    """
    mlflow = _mlflow()
    book = RuleBook.of(source)
    if book.asked and not book.feature_names:
        raise InputError("MLflow matches readings by name, and these rules have no names for theirs.")
    folder = Path(path)
    if folder.exists() and any(folder.iterdir()):
        raise InputError(f"{folder} exists and is not empty; name a new folder.")
    folder.mkdir(parents=True, exist_ok=True)
    book.save(folder / _FILE)
    record = mlflow.models.Model() if mlflow_model is None else mlflow_model
    record.signature = _signature(book)
    example = _example(book) if input_example is None else input_example[list(book.asked.values())]
    if book.asked:
        split = {"columns": list(example.columns), "data": example.to_numpy(dtype=np.float64).tolist()}
        write_text(folder / _EXAMPLE, json.dumps(split))
        record.saved_input_example_info = {
            "artifact_path": _EXAMPLE, "type": "dataframe", "pandas_orient": "split"
        }  # fmt: skip
    record.add_flavor(_FLAVOUR, hedgerow_version=__version__, data=_FILE)
    mlflow.pyfunc.add_to_model(record, loader_module="hedgerow.mlflow", data=_FILE, python_env="python_env.yaml")
    python = ".".join(map(str, sys.version_info[:3]))
    write_text(folder / "python_env.yaml", f"python: {python}\ndependencies:\n- -r requirements.txt\n")
    write_text(folder / "requirements.txt", f"hedgerow[mlflow]=={__version__}\n")
    record.save(str(folder / "MLmodel"))


def log_model(source: Any, name: str = "rules", *, input_example: Any = None, **options: Any) -> Any:
    """Log rules to the active run of MLflow, or to a new one, and return MLflow's description of the model.

    Parameters
    ----------
    source, input_example
        As in `save_model`.
    name
        What the model is called.
    **options
        Passed on to `mlflow.models.Model.log`, such as `registered_model_name`.

    Examples
    --------
    >>> from hedgerow.mlflow import load_model, log_model
    >>> load_model(log_model("rules.json").model_uri).predict(frame)  # doctest: +SKIP
    """
    given = {"source": RuleBook.of(source), "input_example": input_example, **options}
    return _mlflow().models.Model.log(artifact_path=None, name=name, flavor=sys.modules[__name__], **given)


def load_model(model_uri: str | Path) -> RuleBook:
    """Return the rule book of a model that was logged or saved, as `models:/…`, `runs:/…` or a folder.

    Examples
    --------
    >>> from hedgerow.mlflow import load_model
    >>> load_model("nowhere/model")
    Traceback (most recent call last):
    ...
    hedgerow.errors.InputError: nowhere/model holds no model of Hedgerow's.
    """
    folder = Path(model_uri)
    if not folder.is_dir():
        mlflow = _mlflow()
        with suppress(OSError, mlflow.exceptions.MlflowException):
            folder = Path(mlflow.artifacts.download_artifacts(str(model_uri)))
    if not (folder / _FILE).is_file():
        raise InputError(f"{model_uri} holds no model of Hedgerow's.")
    return RuleBook.load(folder / _FILE)


class _Served:
    """Rules as MLflow serves them: a table in, and a table with leaf, advice and solution out."""

    def __init__(self, book: RuleBook) -> None:
        self._book = book

    def predict(self, frame: "pd.DataFrame", params: Any = None) -> "pd.DataFrame":  # noqa: ARG002  # MLflow passes it
        import pandas as pd

        leaves = self._book.apply(frame)
        solutions = pd.DataFrame(self._book.tree.solutions[leaves], columns=list(self._book.variable_names))
        texts = [self._book.plans.text(leaf) for leaf in leaves.tolist()]
        return pd.concat([pd.DataFrame({"leaf": leaves, "advice": texts}), solutions], axis=1)


def _load_pyfunc(path: str) -> _Served:
    """Return what MLflow calls to serve the model."""
    return _Served(RuleBook.load(path))


def _signature(book: RuleBook) -> Any:
    from mlflow.models import ModelSignature
    from mlflow.types import ColSpec, Schema

    found = [("leaf", "long"), ("advice", "string"), *((name, "double") for name in book.variable_names)]
    given = Schema([ColSpec("double", name) for name in book.asked.values()])
    return ModelSignature(given, Schema([ColSpec(kind, name) for name, kind in found]))


def _example(book: RuleBook) -> "pd.DataFrame":
    import pandas as pd

    items = list(book.asked)
    ranges = np.zeros((len(items), 2)) if book.training is None else book.training.ranges[items]
    return pd.DataFrame([ranges.mean(axis=1)], columns=list(book.asked.values()))


def _mlflow() -> Any:
    with needed("a model for MLflow needs mlflow", "mlflow"):
        import mlflow
        import mlflow.models
        import mlflow.pyfunc
    return mlflow
