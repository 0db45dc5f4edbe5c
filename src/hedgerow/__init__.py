"""Hedgerow: robust, readable decision trees for optimisation problems.

A problem and its history become a small decision tree that asks about a few observed costs and holds a ready
solution at each leaf, best on average over the history even when the observations are misread within a budget.

Importing this package is light: solvers, compiled kernels and scikit-learn are loaded by those who use them.
"""

__all__ = [
    "Evaluation",
    "FileError",
    "FileFormatError",
    "GlobalBudget",
    "HedgerowError",
    "InfeasibleProblemError",
    "InputError",
    "Instance",
    "LocalBudget",
    "Nominal",
    "Result",
    "RobustTree",
    "RuleBook",
    "SolverError",
    "Tree",
    "UnboundedProblemError",
    "Wishes",
    "__version__",
    "alternatives",
    "compare",
    "evaluate",
    "refit",
    "show_versions",
    "solve",
    "tune",
    "watch",
    "worst_case",
]

from importlib import import_module
from importlib.util import find_spec

from hedgerow.errors import (
    FileError,
    FileFormatError,
    HedgerowError,
    InfeasibleProblemError,
    InputError,
    SolverError,
    UnboundedProblemError,
)

__version__ = "0.2.0"


TYPE_CHECKING = False  # as type checkers know it; importing `typing` would take longer than all the rest
if TYPE_CHECKING:
    from hedgerow.adversary import worst_case
    from hedgerow.estimator import RobustTree
    from hedgerow.evaluation import Evaluation, evaluate
    from hedgerow.good_trees import alternatives
    from hedgerow.instance import Instance
    from hedgerow.methods.solve import solve
    from hedgerow.rules import RuleBook
    from hedgerow.run import Result
    from hedgerow.run.wishes import Wishes
    from hedgerow.study import compare, refit, tune, watch
    from hedgerow.tree.tree import Tree
    from hedgerow.uncertainty import GlobalBudget, LocalBudget, Nominal

# All of it: `import hedgerow` and `hedgerow --help` need not wait for NumPy.
_LOADED_ON_USE = {
    "hedgerow.adversary": ("worst_case",),
    "hedgerow.estimator": ("RobustTree",),
    "hedgerow.evaluation": ("Evaluation", "evaluate"),
    "hedgerow.good_trees": ("alternatives",),
    "hedgerow.instance": ("Instance",),
    "hedgerow.methods": ("solve",),
    "hedgerow.rules": ("RuleBook",),
    "hedgerow.run": ("Result",),
    "hedgerow.study": ("compare", "refit", "tune", "watch"),
    "hedgerow.tree.tree": ("Tree",),
    "hedgerow.uncertainty": ("GlobalBudget", "LocalBudget", "Nominal"),
    "hedgerow.run.wishes": ("Wishes",),
}


def __getattr__(name: str) -> object:
    for module, names in _LOADED_ON_USE.items():
        if name in names:
            value = getattr(import_module(module), name)
            globals()[name] = value
            return value
    if not name.startswith("_") and find_spec(f"hedgerow.{name}") is not None:
        return import_module(f"hedgerow.{name}")
    raise AttributeError(f"module 'hedgerow' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


def show_versions() -> None:
    """Print the versions of Python, Hedgerow, the packages that it uses and the operating system, for bug reports.

    Examples
    --------
    >>> import hedgerow
    >>> hedgerow.show_versions()
    Python ...
    """
    import platform
    import re
    from contextlib import suppress
    from importlib.metadata import PackageNotFoundError, requires, version

    print(f"Python {platform.python_version()} on {platform.platform()}")
    names = (re.match(r"[\w.-]+", requirement) for requirement in requires("hedgerow") or ())
    for name in dict.fromkeys(["hedgerow", *(found[0] for found in names if found)]):
        with suppress(PackageNotFoundError):  # an option that is not installed
            print(f"{name} {version(name)}")
