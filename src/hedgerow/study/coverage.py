"""Whether an uncertainty set holds the errors that really occur, on pairs of reading and truth it has not seen."""

__all__ = ["Coverage", "coverage", "effective_errors"]

from dataclasses import dataclass
from typing import Any

import numpy as np

from hedgerow.adversary.move_cost import move_costs
from hedgerow.data.arrays import BoolArray, FloatArray
from hedgerow.data.checks import integer_between
from hedgerow.errors import InputError
from hedgerow.geometry import affordable, reach_limit
from hedgerow.tree.tree import Tree
from hedgerow.uncertainty import LocalBudget, Uncertainty, checked_uncertainty
from hedgerow.uncertainty.calibration import counted_errors, paired_errors
from hedgerow.wording.numbers import percentage


@dataclass(frozen=True)
class Coverage:
    """How many errors lie in an uncertainty set, and what that says about errors to come.

    Attributes
    ----------
    covered, total
        How many errors lie in the set, and of how many. Under a global budget each stands for a batch of samples.
    low, high
        Between these the share of all errors in the set lies, with 95 % confidence (Clopper and Pearson, 1934).
    batch
        How many samples are judged together: 1 unless the budget is global.

    Examples
    --------
    >>> from hedgerow import LocalBudget
    >>> from hedgerow.study.coverage import coverage
    >>> found = coverage(LocalBudget(1.0), [[1.0], [2.0], [9.0], [4.0]], [[1.5], [2.0], [3.0], [4.9]])
    >>> found.share
    0.75
    >>> print(found)
    3 of 4 pairs have an error within the set: 75 % (with 95 % confidence between 19.4 % and 99.4 %).
    """

    covered: int
    total: int
    low: float
    high: float
    batch: int = 1

    @property
    def share(self) -> float:
        """The share of errors in the set."""
        return self.covered / self.total

    def __str__(self) -> str:
        of_what = f"batches of {self.batch} pairs" if self.batch > 1 else "pairs"
        return (
            f"{self.covered} of {self.total} {of_what} have an error within the set: {percentage(self.share)} "
            f"(with 95 % confidence between {percentage(self.low)} and {percentage(self.high)})."
        )


def effective_errors(tree: Tree, readings: Any, truth: Any, uncertainty: Uncertainty | None = None) -> FloatArray:
    """Return how far each reading carried its sample in a tree: the move cost from the truth to the reading's leaf.

    Most are zero: the reading led where the truth would have. Prices are those of the set; its limits don't count.

    Examples
    --------
    >>> from hedgerow import Tree
    >>> from hedgerow.study.coverage import effective_errors
    >>> tree = Tree.full([0], [5.0], [[1, 0], [0, 1]])
    >>> effective_errors(tree, [[4.0, 0.0], [8.0, 9.0]], [[7.0, 0.0], [9.0, 1.0]])
    array([2., 0.])
    """
    paired_errors(readings, truth)
    prices = None if uncertainty is None else uncertainty.prices
    true, read = (np.asarray(matrix, dtype=np.float64) for matrix in (truth, readings))
    costs = move_costs(tree, true, LocalBudget(0.0, prices=prices))
    return costs[np.arange(len(true)), tree.apply(read)]


def coverage(
    uncertainty: Uncertainty,
    readings: Any,
    truth: Any,
    *,
    tree: Tree | None = None,
    depth: int | None = 2,
    n_samples: int | None = None,
) -> Coverage:
    """Return how many pairs of reading and truth lie within the set; meant for pairs it has not seen.

    With a tree this is about advice: a pair counts if the reading leads where the set allows.

    Parameters
    ----------
    uncertainty
        The set, with an absolute budget.
    readings, truth
        What was read and what was true, in pairs, m × items.
    tree
        The tree whose advice is meant; without one the largest errors of each pair are counted.
    depth
        How many of these, as in `from_errors`; None for all.
    n_samples
        For a global budget, how many samples it is for: the pairs are judged in batches of this size, row by row, and
        what is left over at the end is not judged. All pairs together if None.

    Examples
    --------
    >>> from hedgerow import GlobalBudget
    >>> coverage(GlobalBudget(1.0), [[0.4], [0.5], [0.7], [0.8]], [[0.0]] * 4, n_samples=2).covered
    1
    """
    signed = paired_errors(readings, truth)
    errors = np.abs(signed)
    checked_uncertainty(uncertainty).check_fits(*errors.shape)
    if uncertainty.is_separable and n_samples is not None:
        raise InputError("n_samples is for global budgets; a local budget is for each sample on its own.")
    # A local budget is for each sample on its own: batches of one.
    size = uncertainty.n_sharing(len(errors))
    if n_samples is not None:
        size = integer_between(n_samples, "n_samples", 1, len(errors))
    if tree is not None:
        totals = effective_errors(tree, readings, truth, uncertainty)
        within: BoolArray = np.ones(len(errors), dtype=bool)
    else:
        totals = counted_errors(signed, uncertainty.prices, depth)
        within = np.all(errors <= (np.inf if uncertainty.limits is None else reach_limit(uncertainty.limits)), axis=1)
    kept = len(errors) // size * size
    sums: FloatArray = totals[:kept].reshape(-1, size).sum(axis=1)
    all_within: BoolArray = np.all(within[:kept].reshape(-1, size), axis=1)
    return _counted(all_within & affordable(sums, uncertainty.budget), size)


def _counted(within_set: BoolArray, batch: int = 1) -> Coverage:
    from scipy.stats import binomtest

    total, count = within_set.size, int(within_set.sum())
    low, high = binomtest(count, total).proportion_ci(0.95)
    return Coverage(count, total, float(low), float(high), batch)
