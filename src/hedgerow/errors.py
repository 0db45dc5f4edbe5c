"""What Hedgerow says when something is wrong: one family, under `HedgerowError`.

Every message is one sentence or two that say what is wrong, what was given, what is allowed and how to mend it.
"""

__all__ = [
    "FileFormatError",
    "HedgerowError",
    "InfeasibleProblemError",
    "InputError",
    "SolverError",
    "UnboundedProblemError",
]


class HedgerowError(Exception):
    """The family of all errors that Hedgerow raises on purpose.

    Examples
    --------
    >>> from hedgerow import HedgerowError, LocalBudget
    >>> try:
    ...     LocalBudget(-1.0)
    ... except HedgerowError as error:
    ...     print(error)
    budget must be zero or more; got -1.0.
    """


class InputError(HedgerowError, ValueError):
    """Wrong input: a shape, a value, a name, an option. It is also a `ValueError`.

    Examples
    --------
    >>> from hedgerow import InputError, Instance
    >>> from hedgerow.problems import Selection
    >>> try:
    ...     Instance.create(Selection(2, 1), [[1.0, float("nan")]])
    ... except InputError as error:
    ...     print(error)
    costs must be finite numbers; got NaN at row 0, column 'x2' (1 such value in all). Fill or drop them first.
    """


class InfeasibleProblemError(HedgerowError):
    """The problem has no solution at all, so no tree can hold one.

    Examples
    --------
    >>> from hedgerow import InfeasibleProblemError
    >>> from hedgerow.problems import ShortestPath
    >>> try:
    ...     ShortestPath(["s"], ["1"], "s", "t", nodes=["s", "1", "t"])
    ... except InfeasibleProblemError as error:
    ...     print("no tree:", error)
    no tree: ...
    """


class UnboundedProblemError(HedgerowError):
    """The problem's cost can be improved without end.

    Examples
    --------
    >>> from hedgerow import HedgerowError, UnboundedProblemError
    >>> issubclass(UnboundedProblemError, HedgerowError)
    True
    """


class SolverError(HedgerowError):
    """A solver is missing, or failed at its work.

    Examples
    --------
    >>> from hedgerow import HedgerowError, SolverError
    >>> issubclass(SolverError, HedgerowError)
    True
    """


class FileFormatError(HedgerowError, ValueError):
    """A file cannot be read as what it should be: damaged, newer, or something else. It is a `ValueError`, too.

    Examples
    --------
    >>> from hedgerow import FileFormatError, tree_from_json
    >>> try:
    ...     tree_from_json("<html>")
    ... except FileFormatError as error:
    ...     print(error)
    this is not a tree file: it can't be read as JSON (Expecting value: line 1 column 1 (char 0)).
    """
