"""Thresholds and samples that a search left out."""

__all__ = ["Thinning"]

from dataclasses import dataclass

from hedgerow.wording.numbers import percentage


@dataclass(frozen=True)
class Thinning:
    """How many thresholds and samples a search used, out of how many.

    Attributes
    ----------
    n_samples, n_all_samples
        Number of samples that the search used, and of all samples; if they differ, the former are weighted
        representatives.
    n_thresholds, n_all_thresholds
        Number of candidate thresholds that it used, over all items, and of all candidates.
    samples_missed
        How much worse the tree's worst case is on all samples than on the representatives, relative to its size;
        below 0 where it is better.

    Examples
    --------
    >>> from hedgerow.run import Thinning
    >>> thinning = Thinning(60, 60, 20, 236)
    >>> thinning.kept
    '60 of 60 samples, 20 of 236 thresholds'
    >>> thinning.in_words().partition(". ")[0]
    'The search used 20 of 236 thresholds'
    """

    n_samples: int
    n_all_samples: int
    n_thresholds: int
    n_all_thresholds: int
    samples_missed: float = 0.0

    @property
    def of_samples(self) -> bool:
        """Whether the search used representatives of the samples."""
        return self.n_samples < self.n_all_samples

    @property
    def of_thresholds(self) -> bool:
        """Whether the search used some of the thresholds only."""
        return self.n_thresholds < self.n_all_thresholds

    @property
    def kept(self) -> str:
        """What the search used, in short."""
        return (
            f"{self.n_samples:,} of {self.n_all_samples:,} samples, "
            f"{self.n_thresholds:,} of {self.n_all_thresholds:,} thresholds"
        )

    def in_words(self) -> str:
        """Return what was left out, and what a proof covers."""
        sentences = []
        if self.of_samples:
            worse = "worse" if self.samples_missed > 0.0 else "better"
            than = f"{percentage(abs(self.samples_missed))} {worse} than" if self.samples_missed else "the same as"
            sentences.append(
                f"The search used {self.n_samples:,} weighted representatives of {self.n_all_samples:,} "
                f"samples; the worst case on all samples is {than} on those."
            )
        if self.of_thresholds:
            who = "It" if sentences else "The search"
            sentences.append(f"{who} used {self.n_thresholds:,} of {self.n_all_thresholds:,} thresholds.")
            if not self.of_samples:
                sentences.append("The bound and any proof of optimality cover these thresholds only.")
        return " ".join(sentences)
