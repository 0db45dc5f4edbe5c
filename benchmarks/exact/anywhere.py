"""Proofs over all thresholds under global budgets."""

from benchmarks.exact.sized import SEEDS, Size, measure
from benchmarks.outcome import Outcome
from benchmarks.proof import NOTE

_SIZES = (
    Size("global", 4, 5, SEEDS, 60.0, 10.0, thresholds="continuous"),
    Size("global", 4, 10, SEEDS, 60.0, None, thresholds="continuous"),
)


def run() -> Outcome:
    """Prove trees whose thresholds may be any numbers."""
    table, goals = measure(_SIZES, "Thresholds anywhere, global budgets")
    return Outcome("Exact, thresholds anywhere", [table], goals, note=NOTE)
