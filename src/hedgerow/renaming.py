"""Old names of arguments keep working for a while, with a warning."""

__all__ = ["old_name", "old_names"]

import functools
import warnings
from collections.abc import Callable
from typing import Any, ParamSpec, TypeVar, cast

from hedgerow.errors import InputError

P = ParamSpec("P")
R = TypeVar("R")


def old_name(old: str, new: str, *, stacklevel: int = 3) -> None:
    """Warn that a name has changed.

    >>> import warnings
    >>> with warnings.catch_warnings(record=True) as caught:
    ...     warnings.simplefilter("always")
    ...     old_name("names=", "item_names=")
    >>> print(caught[0].message)
    names= is now called item_names=; the old name will stop working in version 1.0.
    """
    message = f"{old} is now called {new}; the old name will stop working in version 1.0."
    warnings.warn(message, FutureWarning, stacklevel=stacklevel)


def old_names(**new_by_old: str) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Return a decorator that accepts keywords under their old names, too, with a warning.

    >>> @old_names(names="item_names")
    ... def count(item_names):
    ...     return len(item_names)
    >>> count(item_names="abc")
    3
    """

    def decorate(function: Callable[P, R]) -> Callable[P, R]:
        @functools.wraps(function)
        def call(*args: Any, **options: Any) -> R:
            for old in options.keys() & new_by_old.keys():
                new = new_by_old[old]
                if new in options:
                    raise InputError(f"{old}= and {new}= are the same; give {new}= alone.")
                old_name(f"{old}=", f"{new}=")
                options[new] = options.pop(old)
            return function(*args, **options)

        return cast(Callable[P, R], call)

    return decorate
