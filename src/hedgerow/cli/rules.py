"""Rule books on the command line: read from a tree file, and fed with columns of data files."""

__all__ = ["placed", "read_rules", "readings_in"]

from pathlib import Path

import numpy as np

from hedgerow.arrays import FloatArray
from hedgerow.checks import list_some
from hedgerow.columns import NO_NAMES
from hedgerow.data_files import Table, read_table
from hedgerow.errors import FileFormatError, InputError
from hedgerow.rulebook import RuleBook


def read_rules(path: Path, *, named: bool = True) -> RuleBook:
    """Read a tree file, with a clear message if there is none; by default one that names its readings."""
    if path.is_dir():
        raise InputError(f"{path} is a directory; a tree file is needed.")
    if not path.exists():
        raise InputError(f"{path}: there is no such tree file.")
    rules = RuleBook.load(path)
    if named and rules.asked and not rules.feature_names:
        raise FileFormatError(f"{path}: {NO_NAMES}")
    _ = rules.training  # damage is noticed before anything is printed
    return rules


def readings_in(rules: RuleBook, path: Path | None, beside: Table, flag: str = "--observations") -> FloatArray | None:
    """Return what the rules ask about from a file beside that of the costs; None if they ask about the costs."""
    if path is not None:
        return placed(rules, read_table(path).numbers_beside(beside, tuple(rules.asked.values()), "observations"))
    if not rules.observes_costs:
        raise InputError(
            f"these rules ask about {list_some(rules.asked_names)}, which are no costs; give them for "
            f"{beside.path} with {flag} FILE."
        )
    return None


def placed(rules: RuleBook, asked: FloatArray) -> FloatArray:
    """Return the readings that the rules ask about as rows of all readings, in which others are missing."""
    matrix = np.full((len(asked), max(rules.n_features, 1)), np.nan)
    matrix[:, list(rules.asked)] = asked
    return matrix
