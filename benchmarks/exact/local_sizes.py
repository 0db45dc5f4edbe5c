"""Local budgets with many samples."""

from benchmarks.exact.sized import Size, measure
from benchmarks.outcome import Outcome
from benchmarks.proof import NOTE

_SEEDS = (0, 1, 2)
_SIZES = (
    Size("local", 4, 50, _SEEDS, 60.0, 5.0),
    Size("local", 4, 100, _SEEDS, 120.0, 30.0),
    Size("local", 6, 20, _SEEDS, 60.0, 5.0),
    Size("local", 6, 50, _SEEDS, 180.0, 60.0),
)


def run() -> Outcome:
    """Prove trees for up to a hundred samples."""
    table, goals = measure(_SIZES, "Local budgets, many samples")
    return Outcome("Exact, local budgets, many samples", [table], goals, note=NOTE)
