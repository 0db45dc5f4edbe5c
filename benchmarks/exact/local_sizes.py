"""Local budgets with many samples."""

from benchmarks.exact.sized import SEEDS, Size, measure
from benchmarks.outcome import Outcome
from benchmarks.proof import NOTE

_SIZES = (
    Size("local", 4, 50, SEEDS, 60.0, 0.2),
    Size("local", 4, 100, SEEDS, 60.0, 0.9),
    Size("local", 4, 200, SEEDS, 60.0, 5.0),
    Size("local", 6, 20, SEEDS, 60.0, 0.3),
    Size("local", 6, 50, SEEDS, 60.0, 2.0),
    Size("local", 4, 50, SEEDS, 60.0, 5.0, thresholds="continuous"),
)


def run() -> Outcome:
    """Prove trees for up to two hundred samples."""
    table, goals = measure(_SIZES, "Local budgets, many samples")
    return Outcome("Exact, local budgets, many samples", [table], goals, note=NOTE)
