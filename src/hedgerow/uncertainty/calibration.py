"""How wrong readings were, measured on pairs of reading and truth: the numbers behind a budget.

A set that shall hold a new error with probability q is scaled to the ⌈(n + 1) q⌉-th smallest of the n errors seen,
which promises q for any distribution as long as old and new pairs are exchangeable (split conformal prediction: Lei,
G'Sell, Rinaldo, Tibshirani and Wasserman 2018, doi 10.1080/01621459.2017.1307116).
"""

import math
from typing import Any

import numpy as np

from hedgerow.data.arrays import FloatArray
from hedgerow.data.checks import check_finite, integer_between, number_at_least
from hedgerow.data.table import column_names, number_matrix
from hedgerow.errors import InputError


def paired_errors(readings: Any, truth: Any) -> FloatArray:
    """Return reading minus truth, pair by pair.

    Columns of DataFrames are matched by name, in the order of the readings, and must be the same in both: an item that
    was not read can't be distinguished from one that was forgotten.

    >>> paired_errors([[3.0, 5.0]], [[2.0, 6.0]])
    array([[ 1., -1.]])
    """
    names = list(dict.fromkeys([*(column_names(readings) or ()), *(column_names(truth) or ())])) or None
    seen = number_matrix(readings, names, "readings", kind="items")
    names = names or [str(column) for column in range(seen.shape[1])]
    true = number_matrix(truth, names, "true values", kind="items")
    if len(seen) != len(true):
        raise InputError(f"readings and true values must come in pairs; got {len(seen)} and {len(true)} rows.")
    with np.errstate(over="ignore"):
        errors: FloatArray = seen - true
    check_finite(errors, "errors (readings minus true values)")
    return errors


def budget_from_errors(readings: Any, truth: Any, quantile: Any, depth: int | None) -> float:
    """Return the budget of the smallest set that promises the coverage.

    Parameters are those of `LocalBudget.from_errors`.

    >>> budget_from_errors([[3.0, -5.0, 1.0]] * 9, [[0.0, 0.0, 0.0]] * 9, 0.5, 2)
    8.0
    """
    quantile = number_at_least(quantile, "quantile", strict=True)
    if quantile >= 1.0:
        raise InputError(f"quantile must lie between 0 and 1, both left out; got {quantile:g}.")
    signed = paired_errors(readings, truth)
    if not signed.any():
        raise InputError(
            "readings and true values are equal in every pair, so there is no error to learn from; "
            "if readings are always right, Nominal() is the set."
        )
    sizes = np.sort(np.abs(signed), axis=1)
    if depth is not None:
        sizes = sizes[:, -integer_between(depth, "depth", 1) :]
    totals = sizes.sum(axis=1)
    rank, n_pairs = rank_of(quantile, len(totals)), len(totals)
    if rank > n_pairs:
        raise InputError(
            f"{n_pairs} pair{'' if n_pairs == 1 else 's'} can't promise to hold {quantile:g} of new errors, whatever "
            f"the budget: at least {math.ceil(round(quantile / (1.0 - quantile), 9))} pairs are needed, or a smaller "
            "quantile."
        )
    return float(np.sort(totals)[rank - 1])


def rank_of(quantile: float, n_pairs: int) -> int:
    """Return which of the sorted errors promises the quantile; beyond the last one if the pairs are too few."""
    # Rounded first: 10 · 0.9 must not become 9.000000000000002 and then 10.
    return math.ceil(round((n_pairs + 1) * quantile, 9))
