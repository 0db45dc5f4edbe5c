"""How wrong readings were, measured on pairs of reading and truth: the numbers behind a budget.

A set that shall hold a new error with probability q is scaled to the ⌈(n + 1) q⌉-th smallest of the n errors seen,
which promises q for any distribution as long as old and new pairs are exchangeable (split conformal prediction: Lei,
G'Sell, Rinaldo, Tibshirani and Wasserman 2018, doi 10.1080/01621459.2017.1307116). Prices must not be
learnt from the pairs that set the scale, so every other pair is kept for them.
"""

__all__ = ["counted_errors", "global_from_errors", "local_from_errors", "paired_errors"]

import math
from collections.abc import Sequence
from typing import Any, Final, TypeAlias

import numpy as np

from hedgerow.data.arrays import FloatArray
from hedgerow.data.checks import finite_matrix, finite_vector, in_short, integer_between, number_at_least
from hedgerow.data.columns import column_names, places
from hedgerow.data.table import number_matrix
from hedgerow.errors import InputError
from hedgerow.tree.questions import Question, values_of

Questions: TypeAlias = Sequence[Question] | None

_PRICES_BY_ERRORS: Final = "errors"
_FEWEST_BLOCKS: Final = 5


def paired_errors(readings: Any, truth: Any) -> FloatArray:
    """Return reading minus truth, pair by pair.

    Columns of DataFrames are matched by name, in the order of the readings, and must be the same in both: an item that
    was not read can't be distinguished from one that was forgotten.

    >>> paired_errors([[3.0, 5.0]], [[2.0, 6.0]])
    array([[ 1., -1.]])
    """
    read, known = column_names(readings), column_names(truth)
    if read is not None and known is not None:
        places(read, known, "readings")
        truth = number_matrix(truth, read, "true values", kind="items")
    seen = number_matrix(readings, None, "readings")
    true = finite_matrix(truth, "true values", n_columns=seen.shape[1])
    if len(seen) != len(true):
        raise InputError(f"readings and true values must come in pairs; got {len(seen)} and {len(true)} rows.")
    with np.errstate(over="ignore"):
        errors: FloatArray = seen - true
    return finite_matrix(errors, "errors (readings minus true values)")


def local_from_errors(
    readings: Any, truth: Any, quantile: Any, depth: int | None, questions: Questions, prices: Any
) -> tuple[float, FloatArray | None]:
    """Return budget and prices of the smallest set that promises the coverage.

    Parameters are those of `LocalBudget.from_errors`.

    >>> true = np.zeros((40, 2))
    >>> observed = np.outer(np.arange(40) % 10, [1.0, 100.0])
    >>> _, prices = local_from_errors(observed, true, 0.9, 2, None, "errors")
    >>> round(float(prices[0] / prices[1]), 6)
    100.0
    """
    quantile = _checked_quantile(quantile)
    signed = _some_error(paired_errors(readings, truth))
    weights, scaling = _priced(np.abs(signed), prices)
    totals = counted_errors(signed, weights, depth, questions)[scaling]
    _check_enough(len(totals), quantile, halved=len(totals) < len(signed))
    return float(np.sort(totals)[_rank(len(totals), quantile) - 1]), None if prices is None else weights


def global_from_errors(
    readings: Any,
    truth: Any,
    quantile: Any,
    depth: int | None,
    questions: Questions,
    prices: Any,
    n_samples: Any = None,
) -> tuple[float, FloatArray | None]:
    """Return budget and prices for the errors of `n_samples` new pairs together.

    The sum of many errors is nearly normal, so this is the prediction limit of a normal sum whose mean and spread were
    estimated from the pairs (Student's t). The spread is estimated twice, for errors that are independent of each other
    and from sums of consecutive rows, as far as there are five such blocks; the larger limit counts. So rows should be
    in the order in which new samples will come, such as that of time: a day that is hard to predict is seldom alone.

    Unlike the local rule it is an approximation, which promises too much where pairs are few and errors have heavy
    tails, or go together for longer than a fifth of the rows. Parameters are those of `GlobalBudget.from_errors`.

    >>> budget, _ = global_from_errors([[1.0], [2.0], [3.0]], [[0.0], [0.0], [0.0]], 0.9, 2, None, None, n_samples=1)
    >>> round(budget, 3)
    4.177
    """
    from scipy.stats import t as student

    quantile = _checked_quantile(quantile)
    signed = _some_error(paired_errors(readings, truth))
    weights, scaling = _priced(np.abs(signed), prices)
    count = len(signed) if n_samples is None else integer_between(n_samples, "n_samples", 1)
    every_total = counted_errors(signed, weights, depth, questions)
    totals = every_total[scaling]
    pairs = len(totals)
    if pairs < 2:
        needed = 2 if pairs == len(signed) else 4
        raise InputError(f"a global budget needs at least {needed} pairs to see how errors vary; got {len(signed)}.")
    spread = float(totals.std(ddof=1)) * math.sqrt(count * (1.0 + count / pairs))
    # Every row shows how errors correlate, also those used for the prices.
    variance, freedom = _in_blocks(every_total, count)
    margin = max(
        float(student.ppf(quantile, pairs - 1)) * spread,
        float(student.ppf(quantile, freedom)) * spread * math.sqrt(variance),
    )
    return max(0.0, count * float(totals.mean()) + margin), None if prices is None else weights


def _in_blocks(totals: FloatArray, count: int) -> tuple[float, float]:
    """Return how much more sums of consecutive rows vary than those of independent ones, and degrees of freedom.

    The sums are those of all blocks of `count` rows, or of as many as fit in five times, overlapping ones too (Meketon
    and Schmeiser, "Overlapping batch means: something for nothing?", Winter Simulation Conference 1984). Where rows are
    too few for that, they count as independent.
    """
    rows = len(totals)
    size = min(count, rows // _FEWEST_BLOCKS)
    each = float(totals.var())
    if size < 2 or each == 0.0:
        return 1.0, rows - 1.0
    summed = np.cumsum(np.append(0.0, totals - totals.mean()))
    sums = summed[size:] - summed[:-size]
    # The mean is that of the same rows, which takes a share of size / rows away; 1.5 is what overlapping adds.
    return float((sums**2).mean()) / (size * each * (1.0 - size / rows)), 1.5 * rows / size - 1.0


def counted_errors(
    errors: FloatArray, weights: FloatArray | None = None, depth: int | None = None, questions: Questions = None
) -> FloatArray:
    """Return per pair the sum of its largest priced errors, as many as a tree of that depth can meet.

    The error of a question costs what the cheapest change of readings with the same effect does.

    >>> counted_errors(np.array([[3.0, -5.0, 1.0]]), depth=2)
    array([8.])
    """
    sizes = np.abs(errors) * (1.0 if weights is None else weights)
    if questions is not None:
        prices = np.ones(errors.shape[1]) if weights is None else weights
        cheapest = [
            max(abs(part) / prices[item] for item, part in zip(asked.items, asked.coefficients, strict=True))
            for asked in questions
        ]
        sizes = np.abs(values_of(questions, errors)) / np.array(cheapest)
    if depth is not None and depth < sizes.shape[1]:
        depth = integer_between(depth, "depth", 1)
        sizes = np.partition(sizes, sizes.shape[1] - depth, axis=1)[:, sizes.shape[1] - depth :]
    totals: FloatArray = sizes.sum(axis=1)
    return totals


def _some_error(errors: FloatArray) -> FloatArray:
    if not errors.any():
        raise InputError(
            "readings and true values are equal in every pair, so there is no error to learn from; "
            "if readings are always right, Nominal() is the set."
        )
    return errors


def _checked_quantile(quantile: Any) -> float:
    share = number_at_least(quantile, "quantile", strict=True)
    if share >= 1.0:
        raise InputError(f"quantile must lie between 0 and 1, both left out; got {share:g}.")
    return share


def _priced(errors: FloatArray, prices: Any) -> tuple[FloatArray, slice]:
    """Return the price of each item, and which pairs are left to scale the set."""
    if prices is None:
        return np.ones(errors.shape[1]), slice(None)
    if isinstance(prices, str):
        if prices != _PRICES_BY_ERRORS:
            raise InputError(f'prices must be "errors", one number per item, or None; got {in_short(prices)}.')
        if not errors[::2].any():
            raise InputError(
                "prices are learnt from every other pair, and those hold no error; give more pairs, or prices."
            )
        return 1.0 / _filled(errors[::2].mean(axis=0)), slice(1, None, 2)
    weights = finite_vector(prices, "prices", length=errors.shape[1], per="items")
    if (weights <= 0.0).any():
        item = int(np.argmax(weights <= 0.0))
        raise InputError(f"prices must be above zero; got {weights[item]:g} for item {item}, counted from 0.")
    return weights, slice(None)


def _filled(sizes: FloatArray) -> FloatArray:
    """Return typical sizes of errors; an item that was never misread counts like the one misread least."""
    return np.where(sizes > 0.0, sizes, sizes[sizes > 0.0].min())


def _rank(n_pairs: int, quantile: float) -> int:
    """Return which of the sorted errors promises the quantile; beyond the last one if the pairs are too few."""
    # Rounded first: 10 · 0.9 must not become 9.000000000000002 and then 10.
    return math.ceil(round((n_pairs + 1) * quantile, 9))


def _check_enough(n_pairs: int, quantile: float, *, halved: bool) -> None:
    if _rank(n_pairs, quantile) <= n_pairs:
        return
    needed = math.ceil(round(quantile / (1.0 - quantile), 9))
    whose = f"{n_pairs} pair{'' if n_pairs == 1 else 's'}"
    if halved:
        needed, whose = 2 * needed, f"{whose} (every other one, since prices are learnt from the rest)"
    raise InputError(
        f"{whose} can't promise to hold {quantile:g} of new errors, whatever the budget: "
        f"at least {needed} pairs are needed, or a smaller quantile."
    )
