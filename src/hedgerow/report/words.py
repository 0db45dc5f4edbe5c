"""Numbers and findings put into words for people: no formula, no letter of mathematics."""

__all__ = ["exactly", "in_words", "is_number", "number", "proof_in_words", "readings_in_words", "with_unit"]

import math
from typing import Any, TypeGuard

from hedgerow.saved import SavedTree
from hedgerow.tolerances import OPTIMALITY_GAP
from hedgerow.uncertainty import Uncertainty
from hedgerow.words import number as plain_number
from hedgerow.words import percentage, uncertainty_in_words

_THRESHOLDS_IN_WORDS = {
    "midpoints": "lie midway between neighbouring training values",
    "grid": "lie on the grid of candidate values",
    "continuous": "may lie anywhere",
}
_SMALL_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def exactly(value: float) -> str:
    """Return a reading or threshold with all digits that matter to a person.

    Examples
    --------
    >>> from hedgerow.report.words import exactly
    >>> exactly(36.5), exactly(-2.0)
    ('36.5', '−2')
    """
    return f"{value:.10g}".replace("-", "−")


def number(value: float, digits: int = 6) -> str:
    """Return a figure with so many digits that matter, thousands set apart, and a true minus.

    Examples
    --------
    >>> from hedgerow.report.words import number
    >>> number(1076.0), number(-0.25)
    ('1,076', '−0.25')
    """
    return plain_number(value, digits).replace("-", "−")


def with_unit(value: float, unit: str, digits: int = 6) -> str:
    """Return a figure with its unit, if it has one."""
    return f"{number(value, digits)} {unit}" if unit else number(value, digits)


def in_words(count: int, noun: str) -> str:
    """Return a count with its noun.

    Examples
    --------
    >>> from hedgerow.report.words import in_words
    >>> in_words(1, "question"), in_words(2, "question"), in_words(60, "sample")
    ('one question', 'two questions', '60 samples')
    """
    amount = _SMALL_NUMBERS[count] if count < len(_SMALL_NUMBERS) else f"{count:,}"
    return f"{amount} {noun}{'' if count == 1 else 's'}"


def readings_in_words(uncertainty: Uncertainty, unit: str) -> str:
    """Return how wrong readings may be, as a sentence.

    Examples
    --------
    >>> from hedgerow import LocalBudget
    >>> from hedgerow.report.words import readings_in_words
    >>> readings_in_words(LocalBudget(2.0, limits=1.5), "min")
    'Each sample may be misread by up to 2 min in total, no reading by more than 1.5 min.'
    """
    told = uncertainty_in_words(uncertainty, unit)
    return f"{told[0].upper()}{told[1:]}."


def proof_in_words(saved: SavedTree, depth: int) -> str:
    """Return what is proven about the tree, and among which trees; `depth` is the one that was asked for."""
    value, bound, unit = saved.result.get("objective"), saved.result.get("lower_bound"), saved.unit
    if not is_number(value):
        return "The tree file doesn't say how good the tree is."
    others = _rule_books(saved, depth) if depth else "single plan"
    if not is_number(bound):
        return (
            f"No bound was proven: this is the best that was found, and a better {others} may exist. "
            f"It promises {with_unit(value, unit)} over all training samples in the worst case."
        )
    more = "more" if saved.sense == "max" else "less"
    gap = abs(value - bound) / max(abs(value), 1e-9)
    if gap <= OPTIMALITY_GAP:
        return (
            f"Proven: no other {others} promises {more} than {with_unit(value, unit)} over all training samples in the "
            "worst case."
        )
    return (
        f"Proven: no {others} promises {more} than {with_unit(bound, unit)} over all training samples in the worst "
        f"case. This one promises {with_unit(value, unit)}, and another {percentage(gap)} {more} at most."
    )


def _rule_books(saved: SavedTree, depth: int) -> str:
    """Return the rule books that a proof is about."""
    limits = [f"at most {in_words(depth, 'question')} in a row"]
    if saved.options is not None:
        limits += saved.options.limits_on_leaves(depth, "rule", "rules")
    told = limits[0] if len(limits) == 1 else f"{', '.join(limits[:-1])} and {limits[-1]}"
    where = _THRESHOLDS_IN_WORDS.get(str(saved.result.get("thresholds")), "are of the same kind")
    thinning = saved.thinning
    # A bound for a tree that was sought on representatives is about all thresholds.
    if thinning is not None and thinning.of_thresholds and not thinning.of_samples:
        where = f"are among {thinning.n_thresholds:,} of the {thinning.n_all_thresholds:,} that {where}"
    return f"rule book with {told} whose thresholds {where}"


def is_number(value: Any) -> TypeGuard[float]:
    """Return whether a field of a stranger's file holds a finite number."""
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
