"""What a user may set about a method, beyond the instance and the time it gets."""

__all__ = ["Settings"]

from dataclasses import dataclass

from hedgerow.splits import ThresholdSet


@dataclass(frozen=True)
class Settings:
    """Options that all methods share.

    Attributes
    ----------
    thresholds
        The candidate thresholds, "midpoints" or "grid"; what an optimality claim is about.
    threshold_margin
        The promise holds wherever each threshold is moved by at most this much; None for 2ε with continuous
        thresholds and 0 otherwise.
    min_samples_leaf
        Fewest unperturbed rows that a leaf may serve.
    max_leaves
        Most leaves that the tree may have; None for no limit beyond the depth's.
    solver
        Name of the MIP solver.
    n_jobs
        How many processes may work at once, where the method can use them.
    memory_limit
        Bytes that a method's tables may take together.
    max_thresholds
        Most candidate thresholds per item; None for all. A proof is then about these alone.
    max_samples
        Most samples that the tree is sought on; None for all. More are replaced by so many weighted representatives.
        What these two leave out, and what that costs, is told by `Result.thinning`.
    """

    thresholds: ThresholdSet = "midpoints"
    threshold_margin: float | None = None
    min_samples_leaf: int = 0
    max_leaves: int | None = None
    solver: str = "highs"
    n_jobs: int = 1
    memory_limit: int = 2 << 30
    max_thresholds: int | None = None
    max_samples: int | None = None
