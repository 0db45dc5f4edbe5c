"""What Hedgerow says when something is wrong: one family, under `HedgerowError`.

Every message is one sentence or two that say what is wrong, what was given, what is allowed and how to mend it.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


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
    >>> from hedgerow import FileFormatError, RuleBook
    >>> try:
    ...     RuleBook.from_json("<html>")
    ... except FileFormatError as error:
    ...     print(error)
    this is not a tree file: it can't be read as JSON (Expecting value: line 1 column 1 (char 0)).
    """


class FileError(HedgerowError, OSError):
    """A file can't be read or written. It is also an `OSError`.

    Examples
    --------
    >>> from hedgerow import FileError, RuleBook
    >>> try:
    ...     RuleBook.load("no/tree.json")
    ... except FileError as error:
    ...     print(error)
    no/tree.json can't be read: there is no such file.
    """

    def __str__(self) -> str:
        return str(self.strerror)


def file_error(error: OSError, path: str | Path, verb: str) -> FileError:
    """Return an error of the operating system as one of ours; `verb` is "read" or "written"."""
    folder = Path(path).parent
    is_missing = isinstance(error, FileNotFoundError)
    reason = "there is no such file" if is_missing else error.strerror or str(error)
    if verb == "written" and not folder.is_dir():
        reason = f"there is no directory {folder}"
    elif verb == "written" and isinstance(error, PermissionError):
        reason = f"you may not write to {folder}"
    sentence = f"{path} can't be {verb}: {reason[:1].lower()}{reason[1:].rstrip('.')}."
    return FileError(error.errno, sentence, str(path))


@contextmanager
def needed(what: str, extra: str) -> Iterator[None]:
    """Say how to install a package if importing it in this block fails; `what` says what it is needed for.

    >>> try:
    ...     with needed("a drawing needs crayons", "plot"):
    ...         import crayons_in_a_box
    ... except InputError as error:
    ...     print(error)
    a drawing needs crayons, which is not installed (No module named ...); pip install 'hedgerow[plot]' brings it.
    """
    try:
        yield
    except ImportError as error:
        raise InputError(
            f"{what}, which is not installed ({error}); pip install 'hedgerow[{extra}]' brings it."
        ) from None
