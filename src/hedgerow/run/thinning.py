"""Thresholds and samples that a search left out, and what that cost."""

__all__ = ["Thinning"]

from dataclasses import dataclass

from hedgerow.wording.numbers import percentage


@dataclass(frozen=True)
class Thinning:
    """How many thresholds and samples a search used, out of how many, and what that cost.

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
    thresholds_missed
        How much better its worst case would be, relative to its size, if a single question used the best of all
        thresholds of all items, and nothing else changed. Another tree may be better still. None if there was no time
        to try, or no question.
    tried_all
        Whether all thresholds were tried at all questions; if not, `thresholds_missed` may be more.
    n_questions
        How many questions the tree asks.

    Examples
    --------
    >>> from hedgerow.run import Thinning
    >>> thinning = Thinning(60, 60, 20, 236, thresholds_missed=0.0015, tried_all=True, n_questions=3)
    >>> thinning.kept
    '60 of 60 samples, 20 of 236 thresholds'
    >>> thinning.in_words().partition(". ")[0]
    'The search used 20 of 236 thresholds; one other question would make the worst case 0.15 % better'
    """

    n_samples: int
    n_all_samples: int
    n_thresholds: int
    n_all_thresholds: int
    samples_missed: float = 0.0
    thresholds_missed: float | None = None
    tried_all: bool = False
    n_questions: int = 0

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
        """Return what was left out, what that cost, and what a proof covers."""
        sentences = []
        if self.of_samples:
            worse = "worse" if self.samples_missed > 0.0 else "better"
            than = f"{percentage(abs(self.samples_missed))} {worse} than" if self.samples_missed else "the same as"
            sentences.append(
                f"The search used {self.n_samples:,} weighted representatives of {self.n_all_samples:,} "
                f"samples; the worst case on all samples is {than} on those."
            )
        if self.of_thresholds:
            sentences.append(
                f"{'It' if sentences else 'The search'} used {self.n_thresholds:,} of {self.n_all_thresholds:,} "
                f"thresholds; {self._missed_in_words()}."
            )
            if not self.of_samples:
                sentences.append("The bound and any proof of optimality cover these thresholds only.")
        return " ".join(sentences)

    def _missed_in_words(self) -> str:
        if self.n_questions == 0:
            return "the tree asks no question at which the others could be tried"
        if self.thresholds_missed is None:
            return "there was no time to try the others"
        if self.thresholds_missed > 0.0:
            at_least = "" if self.tried_all else "at least "
            return f"one other question would make the worst case {at_least}{percentage(self.thresholds_missed)} better"
        return f"no single other question {'' if self.tried_all else 'that was tried '}makes the worst case better"
