"""Versions for bug reports."""

import platform
import re
from contextlib import suppress
from importlib.metadata import PackageNotFoundError, requires, version


def show_versions() -> None:
    """Print the versions of Python, Hedgerow, the packages that it uses and the operating system.

    Examples
    --------
    >>> import hedgerow
    >>> hedgerow.show_versions()
    Python ...
    """
    print(f"Python {platform.python_version()} on {platform.platform()}")
    names = (re.match(r"[\w.-]+", requirement) for requirement in requires("hedgerow") or ())
    for name in dict.fromkeys(["hedgerow", *(found[0] for found in names if found)]):
        with suppress(PackageNotFoundError):  # an option that is not installed
            print(f"{name} {version(name)}")
