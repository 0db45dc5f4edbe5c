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
    """Something handed in is wrong: a shape, a value, a name, an option."""


class InfeasibleProblemError(HedgerowError):
    """The problem has no solution at all, so no tree can hold one."""


class UnboundedProblemError(HedgerowError):
    """The problem's cost can be improved without end."""


class SolverError(HedgerowError):
    """A solver is missing, or failed at its work."""


class FileFormatError(HedgerowError, ValueError):
    """A file cannot be read as what it should be: damaged, newer, or something else."""
