"""Thresholds that a search left out."""

__all__ = ["Thinning"]

from dataclasses import dataclass


@dataclass(frozen=True)
class Thinning:
    """How many candidate thresholds a search used, over all questions, and how many there are.

    Examples
    --------
    >>> from hedgerow.run import Thinning
    >>> Thinning(20, 236).kept
    '20 of 236 thresholds'
    """

    n_thresholds: int
    n_all_thresholds: int

    @property
    def kept(self) -> str:
        """What the search used, in short."""
        return f"{self.n_thresholds:,} of {self.n_all_thresholds:,} thresholds"

    def __str__(self) -> str:
        return f"The search used {self.kept}. The bound and any proof of optimality cover these thresholds only."
