"""Proofs in words: why a run ended, and what that says about its tree."""

from collections.abc import Sequence
from typing import Final

import numpy as np

from hedgerow.uncertainty import Uncertainty
from hedgerow.wording.numbers import amount, joined, number, percentage, sentence

ENDINGS: Final = {
    "optimal": "proven optimal",
    "gap_limit": "stopped at the gap limit",
    "time_limit": "stopped at the time limit",
    "iteration_limit": "stopped at the iteration limit",
    "memory_limit": "stopped at the memory limit",
    "stalled": "stopped without further progress",
    "interrupted": "interrupted",
    "feasible": "ended without a proof",
}
"""Why a run ended, by its status."""

THRESHOLDS: Final = {
    "midpoints": "thresholds midway between neighbouring training values",
    "grid": "thresholds on the grid of candidate values",
    "continuous": "thresholds anywhere",
}
"""Where the thresholds lie that a proof is about."""


def ending(status: str, runtime: float) -> str:
    """Return why a run ended, and after how long.

    >>> ending("time_limit", 60.02)
    'stopped at the time limit after 60 s'
    """
    return f"{ENDINGS.get(status, 'ended')} after {number(runtime, 2)} s"


def proof_in_words(
    end: str, *, is_optimal: bool, gap: float, depth: int, limits: Sequence[str], thresholds: str
) -> str:
    """Return why a run ended and what is proven about its tree, in one sentence.

    Parameters
    ----------
    end
        Why the run ended, as `ending` says it.
    is_optimal, gap
        Whether the tree is proven to be best, and by how much it may be worse, relative to its size; infinite if
        nothing is proven.
    depth, limits, thresholds
        The trees that the proof is about.

    Examples
    --------
    >>> about = {"depth": 2, "limits": (), "thresholds": "grid"}
    >>> proof_in_words("proven optimal after 0.1 s", is_optimal=True, gap=0.0, **about)
    'Proven optimal after 0.1 s: no tree of depth 2 over the same thresholds (grid) has a better worst case.'
    """
    trees = f"tree of depth {depth}{f' with {joined(limits)}' if limits else ''}"
    over = "" if thresholds == "continuous" else " over the same thresholds"
    if is_optimal:
        where = f" ({thresholds})" if over else ""
        anywhere = "" if over else ", wherever its thresholds lie"
        return sentence(f"{end}: no {trees}{over}{where} has a better worst case{anywhere}")
    if gap < float("inf"):
        return sentence(f"{end}: a {trees}{over} may be better, by {percentage(gap)} at most")
    return sentence(f"{end}: a better tree may exist, since no bound is proven")


# -- budgets -----------------------------------------------------------------------------------------------------------


def uncertainty_in_words(uncertainty: Uncertainty, unit: str = "", n_context: int = 0) -> str:
    """Return how wrong readings may be, as a clause; the last `n_context` limits are those of context.

    >>> from hedgerow import GlobalBudget, LocalBudget
    >>> uncertainty_in_words(LocalBudget(1.5, limits=0.5), "min")
    'each sample may be misread by up to 1.5 min in total, no reading by more than 0.5 min'
    >>> uncertainty_in_words(GlobalBudget(9.0, prices=[1.0, 2.0]))
    'all samples together may be misread by up to 9 in total, counted at a price per item'
    """
    if not uncertainty.can_misread:
        return "readings are taken as they are"
    budget, limits = uncertainty.budget, uncertainty.limits
    # With prices the budget is no longer in the unit of the readings.
    measure = unit if uncertainty.prices is None else ""
    size = "a budget of its own" if isinstance(budget, np.ndarray) else f"{amount(budget, measure)} in total"
    words = f"{uncertainty.whose} may be misread by up to {size}"
    if uncertainty.prices is not None:
        words += ", counted at a price per item"
    if isinstance(limits, np.ndarray) and n_context:
        words += "" if limits[..., -n_context:].any() else ", while context is taken as it is"
        limits = limits[..., :-n_context]
        limits = None if np.isinf(limits).all() else limits
    if limits is not None:
        words += f", no reading by more than {'its limit' if isinstance(limits, np.ndarray) else amount(limits, unit)}"
    return words


def budget_per_sample(uncertainty: Uncertainty, n_fitted: int, n_samples: int) -> str:
    """Return what a budget for all samples together means on more or fewer samples than it was meant for.

    Empty where that makes no difference.

    >>> from hedgerow import GlobalBudget
    >>> budget_per_sample(GlobalBudget(9.0), 1000, 250).partition(", so")[0]
    'The budget is for all samples together. Shared by 250 in place of 1,000 it is 4 times as much for each'
    """
    if not uncertainty.can_misread or uncertainty.n_sharing(n_fitted) == uncertainty.n_sharing(n_samples):
        return ""
    looks = "worse" if n_samples < n_fitted else "better"
    times = number(n_fitted / n_samples, 3)
    return (
        f"The budget is for {uncertainty.whose}. Shared by {n_samples:,} in place of {n_fitted:,} it is "
        f"{times} times as much for each, so that the worst case per sample may look {looks} here."
    )


def lowering_in_words(before_fit: Uncertainty, fitted: Uncertainty, unit: str) -> str:
    """Return a sentence about a budget that was lowered; empty if it was not."""
    before, after = float(np.max(before_fit.budget)), float(np.max(fitted.budget))
    unit = unit if before_fit.prices is None else ""
    if after >= before:
        return ""
    return (
        f"The budget was lowered from {amount(before, unit)} to {amount(after, unit)}: judged by the pairs, guarding "
        "against larger errors costs more than these errors do."
    )
