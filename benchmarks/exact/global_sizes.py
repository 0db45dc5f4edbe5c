"""Global budgets with more samples than the paper has."""

from benchmarks.exact.sized import SEEDS, Size, measure
from benchmarks.outcome import Outcome
from benchmarks.proof import NOTE

_SIZES = (
    Size("global", 4, 20, SEEDS, 60.0, 8.0),
    Size("global", 4, 50, SEEDS, 120.0, None, gap=0.02),
    Size("global", 6, 10, SEEDS, 120.0, 120.0),
)


def run() -> Outcome:
    """Prove trees for up to twenty samples, and report the gap at fifty."""
    table, goals = measure(_SIZES, "Global budgets, more samples")
    return Outcome("Exact, global budgets, more samples", [table], goals, note=NOTE)
